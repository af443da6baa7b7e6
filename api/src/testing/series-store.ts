import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import type { SeriesStoreSettings } from '../series/remote/series-store.ts';
import { startProgram } from './debian-programs.ts';
import { freePort } from './free-port.ts';

export type StoreProgram = 'victoria-metrics' | 'prometheus';

/** A real time-series store of a test. */
export interface StoreUnderTest {
  settings: SeriesStoreSettings;
  /** The folder with its data. */
  data: string;
  /** Resolves when everything that the store acknowledged is visible; VictoriaMetrics takes a second by itself. */
  settle(): Promise<void>;
  /** As a machine that loses its power: what it did not write to disk is gone. */
  kill(): Promise<void>;
  /** In order: everything is on disk. */
  end(): Promise<void>;
  /** Starts it again on its old address. */
  start(options?: { isEmptied?: boolean; outOfOrder?: string }): Promise<void>;
  stop(): Promise<void>;
}

/** Samples of the tests are of any year. */
const RETENTION = '100y';

const victoriaMetrics = (data: string, address: string): string[] => [
  `-storageDataPath=${data}`,
  `-httpListenAddr=${address}`,
  `-retentionPeriod=${RETENTION}`,
  '-search.disableCache',
  // Without it a sample that was sent twice counts twice.
  '-dedup.minScrapeInterval=1ms',
  '-loggerLevel=ERROR',
];
const prometheus = (data: string, address: string, config: string): string[] => [
  `--config.file=${config}`,
  `--storage.tsdb.path=${data}`,
  `--storage.tsdb.retention.time=${RETENTION}`,
  `--web.listen-address=${address}`,
  '--web.enable-remote-write-receiver',
  '--web.enable-admin-api',
  '--log.level=error',
];

const READY_MS = 60_000;

async function untilReady(program: StoreProgram, child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + READY_MS;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/api/v1/query?query=vector(1)`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${String(child.exitCode)}`);
    if (performance.now() > deadline) throw new Error(`${program} is not ready after ${String(READY_MS / 1000)} s`);
    await delay(50);
  }
}

/** Starts the program on loopback. `firstWindow`: how late a sample Prometheus takes. `more`: arguments added to its own. */
export async function startSeriesStore(
  program: StoreProgram,
  firstWindow = '26h',
  more: readonly string[] = [],
): Promise<StoreUnderTest> {
  const folder = mkdtempSync(`/tmp/plimsoll-${program}-`);
  const data = join(folder, 'data');
  const config = join(folder, 'config.yml');
  const address = `127.0.0.1:${String(await freePort())}`;
  const url = `http://${address}`;
  let child: ChildProcess | null = null;
  const endBy = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const running = child;
    if (running === null) return;
    child = null;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  };
  const kill = (): Promise<void> => endBy('SIGKILL');
  const start: StoreUnderTest['start'] = async ({ isEmptied = false, outOfOrder = firstWindow } = {}) => {
    writeFileSync(config, `storage: { tsdb: { out_of_order_time_window: ${outOfOrder} } }\n`);
    if (isEmptied) rmSync(data, { recursive: true, force: true });
    const args = program === 'prometheus' ? prometheus(data, address, config) : victoriaMetrics(data, address);
    child = startProgram(program, [...args, ...more]);
    await untilReady(program, child, url);
  };
  await start();
  return {
    data,
    settings: {
      writeUrl: `${url}/api/v1/write`,
      readUrl: url,
      deleteUrl: `${url}/api/v1/admin/tsdb/delete_series`,
      tenantHeader: null,
      token: null,
    },
    settle: async () => {
      if (program === 'victoria-metrics') await fetch(`${url}/internal/force_flush`);
    },
    kill,
    end: () => endBy('SIGTERM'),
    start,
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
