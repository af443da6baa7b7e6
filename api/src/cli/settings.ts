import { settingsReference } from '../settings/settings.ts';

const USAGE = `Usage: node api/src/cli/settings.ts
Prints the reference of all settings of the API as Markdown; docs/configuration.md holds it.
Exit 0 done, 2 wrong use.`;

const args = process.argv.slice(2);
if (args.length === 0) process.stdout.write(settingsReference());
else {
  console.log(USAGE);
  process.exitCode = args.includes('--help') ? 0 : 2;
}
