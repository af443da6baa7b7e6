import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../lib/web-build.ts';
import { quantile } from './ingest/load.ts';
import { WIDE_HOSTS, writeHost } from './wide-hosts/machines.ts';

export const help = `Collections of machines with hundreds of disks, interfaces and datasets, beside a usual machine. Their files lie in a folder.
  --runs N     alternating runs of each machine, 7
  --count N    collections of a run, 30; the first ten warm up`;

interface Run {
  cpuMs: number[];
  lengths: Record<string, number>;
}
const WARM = 10;
const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

function run(folder: string, index: number, count: number): Run {
  const bun = join(ROOT, 'node_modules/@oven', `bun-${process.platform}-${process.arch}`, 'bin/bun');
  const script = join(import.meta.dirname, 'wide-hosts/collector.ts');
  return JSON.parse(execFileSync(bun, [script, folder, String(index), String(count)], { encoding: 'utf8' })) as Run;
}

export async function main(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { runs: { type: 'string' }, count: { type: 'string' } } });
  const [runs, count] = [Number(values.runs ?? 7), Number(values.count ?? 30)];
  const folder = mkdtempSync(join(tmpdir(), 'bench-wide-hosts-'));
  try {
    const places = WIDE_HOSTS.map((host, index) => {
      const place = join(folder, String(index));
      writeHost(place, host);
      return place;
    });
    const all = WIDE_HOSTS.map((): Run[] => []);
    for (let round = 0; round < runs; round += 1)
      for (const [index, place] of places.entries()) {
        console.log(`run ${String(round + 1)} of ${String(runs)}: ${WIDE_HOSTS[index]?.name ?? ''}`);
        all[index]?.push(run(place, index, count));
      }
    print(all);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(all: readonly Run[][]): void {
  console.log(`\nload of this machine: ${loadavg()[0]?.toFixed(1) ?? '?'}`);
  console.log(
    `${'machine'.padEnd(28)}${'ms each'.padStart(10)}${'least'.padStart(8)}${'most'.padStart(8)}${'× usual'.padStart(9)}  lists`,
  );
  const medians = all.map((runs) => sorted(runs.map(({ cpuMs }) => quantile(sorted(cpuMs.slice(WARM)), 0.5))));
  const base = quantile(medians[0] ?? [], 0.5);
  for (const [index, of] of medians.entries()) {
    const median = quantile(of, 0.5);
    const lists = Object.entries(all[index]?.[0]?.lengths ?? {}).map(([part, length]) => `${part} ${String(length)}`);
    const figures = [median, of[0] ?? 0, of.at(-1) ?? 0].map((one) => one.toFixed(1));
    console.log(
      `${(WIDE_HOSTS[index]?.name ?? '').padEnd(28)}${(figures[0] ?? '').padStart(10)}${(figures[1] ?? '').padStart(8)}${(figures[2] ?? '').padStart(8)}${(median / base).toFixed(1).padStart(9)}  ${lists.join(', ')}`,
    );
  }
  console.log(
    'CPU of the reading and shaping, in the runtime of the shipped program; without compression and the request.',
  );
}
