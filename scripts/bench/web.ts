import { loadavg } from 'node:os';
import { join } from 'node:path';
import { buildWeb, ROOT } from '../lib/web-build.ts';
import { fillFleet } from './web/fleet.ts';

/** In the web's test tools, because their types include the browser and this room's do not. */
const MEASURING = join(ROOT, 'web/src/testing/bench.ts');

interface Measuring {
  main: (argv: readonly string[], fill: typeof fillFleet) => Promise<void>;
}

const loads = () =>
  loadavg()
    .map((load) => load.toFixed(1))
    .join(' ');

export const help = `Sizes, load times and interactions of the dashboard at 500 servers and 5,000 pods, beside their budgets.
  --json  the rows as JSON`;

export async function main(argv: readonly string[]): Promise<void> {
  const begun = performance.now();
  buildWeb((line) => console.error(line));
  console.error(`load before: ${loads()}`);
  const { main: measure } = (await import(MEASURING)) as Measuring;
  await measure(argv, fillFleet);
  console.error(`${((performance.now() - begun) / 1000).toFixed(0)} s, load after: ${loads()}`);
}
