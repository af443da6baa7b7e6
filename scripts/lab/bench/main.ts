import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runApart } from './run-apart.ts';

const OTHERS = new Set(['main.ts', 'run-apart.ts']);
/** Set for the process that measures; the one that a person started ends what that one leaves. */
const APART = 'PLIMSOLL_BENCH_APART';
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !OTHERS.has(file) && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -3));
const usage = `Usage: npm run bench -- NAME [options]
Measures one thing beside a named baseline in the same run and prints ratios.
NAME: ${names.join(', ')}; its options: npm run bench -- NAME --help
Exit 0 measured, 1 failed, 2 unknown name or option.`;

const [name, ...argv] = process.argv.slice(2);
const file = join(import.meta.dirname, `${name}.ts`);
if (name === '--help' || name === undefined) console.log(usage);
else if (!names.includes(name) || !existsSync(file)) {
  console.error(`Unknown benchmark "${name}".\n${usage}`);
  process.exitCode = 2;
} else {
  const bench = (await import(file)) as { help: string; main(argv: string[]): Promise<void> };
  const known = [...bench.help.matchAll(/^  (--[a-z]+)/gm)].map(([, option]) => option);
  const unknown = argv.find((word) => word.startsWith('--') && word !== '--help' && !known.includes(word));
  if (unknown !== undefined) {
    console.error(`${name} has no option ${unknown}.\n${bench.help}`);
    process.exitCode = 2;
  } else if (argv.includes('--help')) console.log(`Usage: npm run bench -- ${name} [options]\n${bench.help}`);
  else if (process.env[APART] !== undefined) await bench.main(argv);
  else {
    process.env[APART] = 'yes';
    process.exitCode = await runApart(import.meta.filename, process.argv.slice(2));
  }
}
