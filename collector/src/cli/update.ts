import { SettingError } from '../settings.ts';
import { acceptedSince } from './update-confirmed.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit.ts';
import { runInstaller } from './installer.ts';

export const updateCommand: Command = {
  summary: 'Fetch the newest version from the dashboard, as root',
  help: `plimsoll update [--dry-run]

Downloads, verifies and tests the newest version the dashboard serves and swaps the program in one step. The running
version comes back when the new one exits or does not report within three intervals.
--reported-since EPOCH only tells by the exit status whether a report collected since then was accepted (0) or not (1).
Exit status: 0 done or nothing newer, 1 failed and nothing changed, 4 checksum mismatch, 6 rolled back.`,
  options: { 'dry-run': false, 'reported-since': true },
  run: async ({ options, terminal, settings }) => {
    const since = options['reported-since'];
    if (typeof since === 'string') {
      if (!/^\d+$/.test(since)) throw new SettingError('--reported-since must be whole epoch seconds');
      return acceptedSince(settings().settings.state_dir, Number(since)) ? EXIT.ok : EXIT.failed;
    }
    return runInstaller(['--update', ...(options['dry-run'] === true ? ['--dry-run'] : [])], terminal.err);
  },
};
