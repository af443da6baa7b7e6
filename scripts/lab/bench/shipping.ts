import { chmodSync, mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterOf, DURABLE, serverBinaries, stopClusters } from '../../../api/src/testing/postgres-clusters.ts';
import { startSeriesStore } from '../../../api/src/testing/series-store.ts';
import { fullPath, print, type Row } from './ingest.ts';

/** Samples are sent two minutes after they came, by a job every 30 s: those of the first part during the second. */
const LOAD = { reportsBefore: 15, reportsEach: 30, pauseMs: 120_000 } as const;
const DEFAULT_PAIRS = 2;

/** Figures that the store has taken, as it counts them itself. */
async function storedFigures(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const taken = text.split('\n').find((line) => line.startsWith('vm_rows_inserted_total{type="promremotewrite"'));
  return Number(taken?.split(' ').at(-1) ?? 0);
}

const sumOf = ({ cpu }: Row): number => (cpu['API'] ?? 0) + (cpu['PostgreSQL'] ?? 0);
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

export const help = `Reports a second without a time-series store and with VictoriaMetrics beside it, in turn.
About four minutes each.
  --pairs N  how often both are measured (default 2)`;

export async function main(argv: readonly string[]): Promise<void> {
  const pairs = Number(argv[argv.indexOf('--pairs') + 1 || argv.length] ?? DEFAULT_PAIRS);
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  chmodSync(folder, 0o755);
  const kind = serverBinaries() === null ? 'bundled' : 'server';
  const rows = { alone: [] as Row[], beside: [] as Row[] };
  console.log(`load before: ${loadavg()[0]?.toFixed(1) ?? ''}`);
  try {
    const cluster = await clusterOf(kind, folder, DURABLE);
    for (let pair = 0; pair < pairs; pair += 1) {
      rows.alone.push(await fullPath(cluster, 'no store', { ...LOAD, name: `alone_${String(pair)}` }));
      const store = await startSeriesStore('victoria-metrics');
      const settings = {
        PLIMSOLL_SERIES_WRITE_URL: store.settings.writeUrl,
        PLIMSOLL_SERIES_READ_URL: store.settings.readUrl,
      };
      try {
        rows.beside.push(
          await fullPath(cluster, 'with VictoriaMetrics', { ...LOAD, name: `beside_${String(pair)}`, settings }),
        );
        const stored = await storedFigures(store.settings.readUrl);
        if (stored === 0) throw new Error('the store received nothing, so the run measured nothing');
        console.log(`figures in the store at the end of the run: ${String(stored)}`);
      } finally {
        await store.stop();
      }
    }
    print(kind, [...rows.alone, ...rows.beside]);
    const slower =
      1 - mean(rows.beside.map(({ perSecond }) => perSecond)) / mean(rows.alone.map(({ perSecond }) => perSecond));
    const dearer = mean(rows.beside.map(sumOf)) / mean(rows.alone.map(sumOf)) - 1;
    console.log(
      `slower by ${(slower * 100).toFixed(1)} %, CPU of API and PostgreSQL a report more by ${(dearer * 100).toFixed(1)} %`,
    );
  } finally {
    await stopClusters(folder);
  }
}
