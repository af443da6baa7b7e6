import { loadavg } from 'node:os';
import { join } from 'node:path';
import { buildWeb, ROOT } from '../../lib/web-build.ts';
import { PODS_A_NODE } from './api/seed-kubernetes.ts';
import { fillFleet } from './web/fleet.ts';

/** In the web's test tools, because their types include the browser and this room's do not. */
const MEASURING = join(ROOT, 'web/src/testing/bench.ts');

type Fill = (dataDir: string, servers: number, say: (line: string) => void) => Promise<void>;
interface Measuring {
  main: (argv: readonly string[], fill: Fill) => Promise<void>;
}

const loads = () =>
  loadavg()
    .map((load) => load.toFixed(1))
    .join(' ');

export const help = `Sizes, load times and interactions of the dashboard at 500 servers and 5,000 pods, beside their budgets.
  --pods N  on each server (default 10)
  --json  the rows as JSON`;

export async function main(argv: readonly string[]): Promise<void> {
  const begun = performance.now();
  buildWeb((line) => console.error(line));
  console.error(`load before: ${loads()}`);
  const { main: measure } = (await import(MEASURING)) as Measuring;
  const podsANode = Number(argv[argv.indexOf('--pods') + 1 || argv.length] ?? PODS_A_NODE);
  await measure(argv, (dataDir, servers, say) => fillFleet(dataDir, servers, say, { podsANode }));
  console.error(`${((performance.now() - begun) / 1000).toFixed(0)} s, load after: ${loads()}`);
}
