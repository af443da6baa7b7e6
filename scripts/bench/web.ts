import { join } from 'node:path';
import { buildWeb, ROOT } from '../lib/web-build.ts';

/** Lives with the web's test tools, whose types know the browser; this room's do not. */
const MEASURING = join(ROOT, 'web/src/testing/bench.ts');

/** Sizes, load times and interactions of the dashboard beside their budgets. */
export async function main(argv: readonly string[]): Promise<void> {
  buildWeb((line) => console.error(line));
  const { main: measure } = (await import(MEASURING)) as { main: (argv: readonly string[]) => Promise<void> };
  await measure(argv);
}
