import { existsSync } from 'node:fs';
import { apiOf, hostParts, stateDisk } from '../host-agent.ts';
import { sayBye } from '../send/bye.ts';
import { readCredentials } from '../send/credentials.ts';
import type { Command, Invocation } from './command.ts';
import { EXIT } from './exit.ts';
import { runInstaller } from './installer.ts';

export const uninstallCommand: Command = {
  summary: 'Tell the dashboard, then remove the collector, as root',
  help: `plimsoll uninstall [--dry-run]

Removes program, service, settings and state; logs stay, and so does what the dashboard has stored.
--goodbye only tells the dashboard that this host's collector is being removed.
Exit status: 0 done, 1 failed or not told.`,
  options: { 'dry-run': false, goodbye: false },
  run: async (invocation) => {
    const { options, terminal } = invocation;
    if (options['goodbye'] === true) return sayGoodbye(invocation);
    return runInstaller(['--uninstall', ...(options['dry-run'] === true ? ['--dry-run'] : [])], terminal.err);
  },
};

async function sayGoodbye({ settings, terminal }: Invocation): Promise<number> {
  const { settings: loaded } = settings();
  const credentials = existsSync(loaded.state_dir) ? readCredentials(stateDisk(loaded)) : null;
  if (!credentials) return EXIT.ok;
  const api = await apiOf(loaded, hostParts(loaded, terminal.err, terminal.interactive));
  return (await sayBye(api, { token: credentials.agent_token }, 'uninstall')) ? EXIT.ok : EXIT.failed;
}
