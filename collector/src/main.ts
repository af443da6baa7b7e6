import { runCommandLine } from './cli/main.ts';
import { isTerminal, writeText } from './runtime/terminal.ts';

const stop = new AbortController();
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => stop.abort(name));

const terminal = {
  out: (text: string): void => writeText(1, text),
  err: (text: string): void => writeText(2, text.endsWith('\n') ? text : `${text}\n`),
  interactive: isTerminal(2),
};

async function start(): Promise<void> {
  const status = await runCommandLine(process.argv.slice(2), terminal, stop.signal);
  process.exitCode = status;
  // A request that hangs must not hold up the exit: everything worth keeping is on disk by now.
  setTimeout(() => process.exit(status), 200).unref();
}

void start();
