import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { vi } from 'vitest';
import type { SeriesStoreSettings } from '../series/remote/series-store.ts';
import { startProgram } from './debian-programs.ts';

export type StoreProgram = 'victoria-metrics' | 'prometheus';

/** A real time-series store of a test. */
export interface StoreUnderTest {
  settings: SeriesStoreSettings;
  /** Resolves when everything that the store acknowledged is visible; VictoriaMetrics takes a second by itself. */
  settle(): Promise<void>;
  /** As a machine that loses its power: what it did not write to disk is gone. */
  kill(): Promise<void>;
  /** Starts it again on its old address. */
  start(options?: { isEmptied?: boolean; outOfOrder?: string }): Promise<void>;
  stop(): Promise<void>;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

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

/** Starts the program on loopback. `firstWindow`: how late a sample Prometheus takes. */
export async function startSeriesStore(program: StoreProgram, firstWindow = '26h'): Promise<StoreUnderTest> {
  const folder = mkdtempSync(`/tmp/plimsoll-${program}-`);
  const data = join(folder, 'data');
  const config = join(folder, 'config.yml');
  const address = `127.0.0.1:${String(await freePort())}`;
  const url = `http://${address}`;
  let child: ChildProcess | null = null;
  const kill = async (): Promise<void> => {
    const running = child;
    if (running === null) return;
    child = null;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  };
  const start: StoreUnderTest['start'] = async ({ isEmptied = false, outOfOrder = firstWindow } = {}) => {
    writeFileSync(config, `storage: { tsdb: { out_of_order_time_window: ${outOfOrder} } }\n`);
    if (isEmptied) rmSync(data, { recursive: true, force: true });
    const args = program === 'prometheus' ? prometheus(data, address, config) : victoriaMetrics(data, address);
    child = startProgram(program, args);
    const ready = async (): Promise<void> => {
      const answer = await fetch(`${url}/api/v1/query?query=vector(1)`);
      if (!answer.ok) throw new Error(`${program} answers ${String(answer.status)}`);
    };
    await vi.waitFor(ready, { timeout: 60_000, interval: 50 });
  };
  await start();
  return {
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
    start,
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
