import { VERSION } from '../version.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit.ts';

export const versionCommand: Command = {
  summary: 'Print the version',
  help: 'plimsoll version\n\nPrints the version and exits with 0.',
  options: {},
  run: async ({ terminal }) => {
    terminal.out(`plimsoll ${VERSION}\n`);
    return EXIT.ok;
  },
};
