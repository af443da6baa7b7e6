import { parseArgs } from 'node:util';
import { explainFault, requireOpenFiles } from './odd-machine.ts';
import { runCommand, signInLink, start } from './start.ts';

const COMMANDS = ['backup', 'restore', 'support'];

const usage = `Usage: npm start [-- options]
       npm start -- backup FILE      writes all data to a file, while Plimsoll runs (backup --help)
       npm start -- restore FILE     reads it into an empty database, while Plimsoll is stopped (restore --help)
       npm start -- support FILE     writes what helps others to find a fault, without secrets (support --help)
Starts the dashboard, its database and a collector of this machine, and prints the sign-in link.
  --port N         port of the dashboard (default: PLIMSOLL_PORT or 8420)
  --no-collector   without a collector of this machine
  --demo           30 invented servers and two clusters with 14 days of history, on port 8421 (PLIMSOLL_PORT) and in a
                   data folder of their own, which each start of the demo deletes: PLIMSOLL_DEMO_DATA_DIR, else
                   PLIMSOLL_DATA_DIR with "-demo" behind it
  --dev            reload on change (same as npm run dev)
  --verbose        show what API and collector log
  --sign-in-link EMAIL
                   nothing is started: prints a link that lets this account in once, within 15 minutes, switches its
                   second factor off and ends its sessions. Stop Plimsoll first; it needs the data folder.
Settings come from the environment: PLIMSOLL_HOST, PLIMSOLL_PORT, PLIMSOLL_DATA_DIR, DATABASE_URL and others (README).
Exit 0 stopped, 1 failed, 2 wrong options.`;

// The terminal may be gone before the stop is through: a line that nobody reads must not end it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

try {
  const command = COMMANDS.find((name) => name === process.argv[2]);
  const { values } = parseArgs({
    args: command === undefined ? process.argv.slice(2) : [],
    options: {
      port: { type: 'string' },
      'no-collector': { type: 'boolean' },
      demo: { type: 'boolean' },
      dev: { type: 'boolean' },
      verbose: { type: 'boolean' },
      'sign-in-link': { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const email = values['sign-in-link'];
  if (command !== undefined) process.exitCode = await runCommand(command, process.argv.slice(3));
  else if (values.help) console.log(usage);
  else if (email !== undefined) process.exitCode = await signInLink(email, { port: values.port });
  else {
    requireOpenFiles();
    const code = await start({
      port: values.port,
      collector: !values['no-collector'] && !values.demo,
      demo: values.demo ?? false,
      dev: values.dev ?? false,
      verbose: values.verbose ?? false,
    });
    // Everything is stopped; what an open connection of a browser would still wait for is not.
    process.exit(code);
  }
} catch (error) {
  const wrongOption = error instanceof TypeError && 'code' in error;
  console.error(`plimsoll: ${wrongOption ? error.message : explainFault(error)}${wrongOption ? `\n${usage}` : ''}`);
  process.exitCode = wrongOption ? 2 : 1;
}
