import { existsSync } from 'node:fs';
import { stateDisk } from '../host-agent.ts';
import { readCredentials } from '../send/credentials.ts';
import { readStatus } from '../send/status.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit.ts';
import { fail, judgeRunning, judgeSources, ok, printFindings } from './health.ts';
import { isAlive } from './process-alive.ts';

export const statusCommand: Command = {
  summary: 'Show if the collector runs and if its reports are accepted',
  help: `plimsoll status [--json]

Looks at what the running collector last wrote down; asks nothing of the server.
Exit status: 0 all is well (warnings allowed), 1 something is wrong, 64 wrong use or setting.`,
  options: { json: false },
  run: async ({ options, terminal, settings }) => {
    const { settings: loaded } = settings();
    const missing = !existsSync(loaded.state_dir);
    const status = missing ? null : readStatus(stateDisk(loaded));
    if (options['json'] === true) {
      terminal.out(`${JSON.stringify(status, null, 2)}\n`);
      return status ? EXIT.ok : EXIT.failed;
    }
    const credentials = missing ? null : readCredentials(stateDisk(loaded));
    const enrolled = credentials
      ? ok('enrolment', `server ${credentials.server_id}, reports to ${loaded.url ?? 'no url'}`)
      : fail('enrolment', 'this host is not enrolled', 'plimsoll enrol --token TOKEN (Setup page of the dashboard)');
    const findings = [
      enrolled,
      ...judgeRunning(status, Date.now() / 1000, isAlive),
      ...judgeSources(status?.sources ?? {}),
    ];
    printFindings(findings, terminal.out);
    return findings.some(({ state }) => state === 'fail') ? EXIT.failed : EXIT.ok;
  },
};
