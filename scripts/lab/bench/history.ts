import { DAY_MS, HOUR_MS, MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { bucketsFor } from '../../../api/src/series/buckets.ts';
import { CHART_FIGURES } from '../../../api/src/series/chart-buckets.ts';
import { selector } from '../../../api/src/series/remote/promql.ts';
import { createSeriesStore } from '../../../api/src/series/remote/series-store.ts';
import { SHIPPED_FIGURES, shippedName, type ShippedSample } from '../../../api/src/series/remote/shipped-figures.ts';
import type { SeriesStore } from '../../../api/src/series/store.ts';
import { findProgram, unpackProgram } from '../../../api/src/testing/debian-programs.ts';
import { startSeriesStore, type StoreProgram, type StoreUnderTest } from '../../../api/src/testing/series-store.ts';
import { quantile, runLoad } from './ingest/load.ts';
import { figures } from './ingest/report-body.ts';

const PROGRAMS: readonly StoreProgram[] = ['victoria-metrics', 'prometheus'];
const DAYS = 365;
/** Start of the history, on a whole hour. */
const START = Date.UTC(2025, 0, 1);
const END = START + DAYS * DAY_MS;
const SERVER = '6f1f7a52-6a2e-4c3b-9a70-0b5b6b1f0a11';
/** A request takes about 12,000 figures. */
const SAMPLES_A_REQUEST = 720;
/** Reports are not late by more than this, in ms. */
const JITTER_MS = 300;
const DEFAULT_RUNS = 20;

/**
 * Prometheus cuts a block for every two hours and merges them until a block has up to 31 days. These arguments make it
 * cut blocks of 20 days at once, which is what its merging arrives at. Of 4,380 blocks, 3,740 were left after six minutes.
 */
const BLOCK = '480h';
const IN_LONG_BLOCKS = [`--storage.tsdb.min-block-duration=${BLOCK}`, `--storage.tsdb.max-block-duration=${BLOCK}`];
const BLOCK_MS = 480 * HOUR_MS;

/** A figure of a busy server: no two samples are alike, so that no store gains by leaving out what is the same. */
function valueOf(figure: string, load: number, random: number): number {
  if (figure === 'reported') return 1;
  if (figure.endsWith('_percent')) return Math.round((load + 20 * random) * 100) / 100;
  if (figure.endsWith('_bytes')) return Math.round((4e9 + 1e9 * random) / 4096) * 4096;
  if (figure.endsWith('_per_second')) return Number((load * 1000 * random).toPrecision(7));
  return Math.round(load + 10 * random);
}

/** A sample a minute for a year, a request at a time, oldest first. */
function* requests(): Generator<ShippedSample[]> {
  const figure = figures(1);
  for (let from = START; from < END; from += SAMPLES_A_REQUEST * MINUTE_MS)
    yield Array.from({ length: SAMPLES_A_REQUEST }, (_, index) => {
      const at = from + index * MINUTE_MS + figure(JITTER_MS);
      const load = 20 + 15 * Math.sin((at / DAY_MS) * 2 * Math.PI);
      const values = SHIPPED_FIGURES.map(({ name }) => valueOf(name, load, figure(1, 9)));
      return { serverId: SERVER, tenant: 0, at, values };
    });
}

async function figureOf(url: string, name: string): Promise<number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
  const line = lines.find((one) => one.startsWith(`${name} `));
  if (line === undefined) throw new Error(`${url}/metrics has no ${name}`);
  return Number(line.split(' ')[1]);
}

/** Waits until everything but the newest samples is in blocks. */
async function untilInBlocks(url: string): Promise<void> {
  while ((await figureOf(url, 'prometheus_tsdb_head_min_time')) < END - 2 * BLOCK_MS) await delay(200);
}

const bytesBelow = (folder: string): number =>
  globSync('**', { cwd: folder }).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

/** Milliseconds of each run, sorted, after a first one that does not count. */
async function timed(runs: number, once: () => Promise<unknown>): Promise<number[]> {
  await once();
  return (await runLoad(Array(runs).fill(null), 1, async () => void (await once()))).latencies;
}

const RANGES = [
  { name: 'a year', ms: DAYS * DAY_MS },
  { name: '90 days', ms: 90 * DAY_MS },
  { name: '6 hours', ms: 6 * HOUR_MS },
] as const;

/** The means of the same figures in the same buckets, asked in one plain query. */
const bareMeans = (url: string, from: number, seconds: number): (() => Promise<void>) => {
  const names = CHART_FIGURES.metrics.map(({ expression }) => shippedName(expression));
  const body = new URLSearchParams({
    query: `avg_over_time(${selector(SERVER, names)}[${String(seconds)}s])`,
    start: String(from / 1000 + seconds),
    end: String(END / 1000),
    step: String(seconds),
    nocache: '1',
  });
  return async () => {
    const answer = await fetch(`${url}/api/v1/query_range`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`the plain query is answered with ${String(answer.status)}`);
    await answer.arrayBuffer();
  };
};

async function measureRange(
  store: SeriesStore,
  url: string,
  { name, ms }: (typeof RANGES)[number],
  runs: number,
): Promise<string[]> {
  const buckets = bucketsFor(END - ms, END);
  const chart = () => store.series('metrics', { tenant: 0, serverId: SERVER }, buckets);
  const samples = (await chart()).reduce((sum, { count }) => sum + count, 0);
  if (samples !== ms / MINUTE_MS)
    throw new Error(`${name}: ${String(samples)} of ${String(ms / MINUTE_MS)} samples answered`);
  const ours = await timed(runs, chart);
  const bare = await timed(runs, bareMeans(url, buckets.from, buckets.bucketSeconds));
  const [p50, baseline] = [quantile(ours, 0.5), quantile(bare, 0.5)];
  return [
    name,
    String(samples),
    `${String(buckets.bucketSeconds)} s`,
    ...[p50, quantile(ours, 0.95), baseline].map((value) => value.toFixed(0)),
    (p50 / baseline).toFixed(2),
  ];
}

async function measureProgram(program: StoreProgram, running: StoreUnderTest, runs: number): Promise<string[][]> {
  const { readUrl: url } = running.settings;
  const store = createSeriesStore(running.settings);
  const begun = performance.now();
  for (const samples of requests()) await store.append(0, samples);
  await running.settle();
  if (program === 'prometheus') await untilInBlocks(url);
  const taken = (DAYS * DAY_MS * SHIPPED_FIGURES.length) / MINUTE_MS;
  const seconds = (performance.now() - begun) / 1000;
  console.log(`${program}: took ${(taken / 1e6).toFixed(1)} million figures in ${seconds.toFixed(0)} s`);
  const rows: string[][] = [];
  for (const range of RANGES) rows.push([program, ...(await measureRange(store, url, range, runs))]);
  // VictoriaMetrics keeps its newest parts in memory until it ends.
  await running.end();
  console.log(`${program}: ${(bytesBelow(running.data) / 2 ** 20).toFixed(0)} MiB on disk`);
  return rows;
}

export const help = `The chart of one server out of a time-series store with a year of raw samples, beside the means alone in one plain query.
VictoriaMetrics and Prometheus of Debian, one after the other. About two minutes.
  --runs N  how often each chart is asked (default ${String(DEFAULT_RUNS)})`;

export async function main(argv: readonly string[]): Promise<void> {
  const runs = Number(argv[argv.indexOf('--runs') + 1 || argv.length] ?? DEFAULT_RUNS);
  console.log(`load before: ${loadavg()[0]?.toFixed(1) ?? ''}`);
  const rows: string[][] = [];
  for (const program of PROGRAMS) {
    if (findProgram(program) === null) {
      console.error(`unpacking ${program} …`);
      unpackProgram(program);
    }
    const running = await startSeriesStore(program, '26h', program === 'prometheus' ? IN_LONG_BLOCKS : []);
    try {
      rows.push(...(await measureProgram(program, running, runs)));
    } finally {
      await running.stop();
    }
  }
  const head = ['store', 'range', 'samples', 'bucket', 'chart p50 ms', 'p95', 'means alone p50 ms', '×'];
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}
