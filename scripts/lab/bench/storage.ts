import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { clusterOf, DURABLE, stopClusters } from '../../../api/src/testing/postgres-clusters.ts';
import { benchmark, type Line, print } from './api.ts';
import { type History, LEDGER_DAYS } from './api/seed.ts';
import { PODS_A_NODE } from './api/seed-kubernetes.ts';

const DAY_HOURS = 24;
/** Rollups of the newest hours are made by the product's own job. */
const UNROLLED_HOURS = 2;
/** Server-hours of lists, the largest rows: more of them would take most of the time to seed. */
const MOST_LIST_HOURS = 26_000;

interface Size {
  servers: number;
  days: number;
}
const historyOf = ({ servers, days }: Size): History => ({
  days,
  rawHours: Math.min(days, RETENTION_DAYS.raw) * DAY_HOURS,
  listHours: Math.max(1, Math.min(26, Math.floor(MOST_LIST_HOURS / servers))),
  unrolledHours: UNROLLED_HOURS,
  podsANode: PODS_A_NODE,
});

/** Tables of a host's history, and what a day of one server adds to each. Fleet sums belong to all servers. */
const TABLES = {
  host_sample: { hours: ({ rawHours }: History) => rawHours },
  report_ledger: { hours: ({ days }: History) => Math.min(days, LEDGER_DAYS) * DAY_HOURS },
  host_rollup_5m: { hours: ({ days }: History) => days * DAY_HOURS },
  host_rollup_1h: { hours: ({ days }: History) => days * DAY_HOURS },
  process_quarter_block: { hours: ({ listHours }: History) => listHours },
  server_list_history: { hours: ({ listHours }: History) => listHours },
} as const;

/** A table without partitions is not in its own tree. */
const SIZE = `SELECT COALESCE((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree($1::regclass) WHERE isleaf),
  pg_total_relation_size($1::regclass))::float8 AS bytes`;

async function printSizes(pool: Pool, size: Size, history: History): Promise<void> {
  const cells: string[] = [];
  let together = 0;
  for (const [table, { hours }] of Object.entries(TABLES)) {
    const { rows } = await pool.query<{ bytes: number }>(SIZE, [table]);
    const daily = ((rows[0]?.bytes ?? 0) / size.servers / hours(history)) * DAY_HOURS;
    together += daily;
    cells.push(`${table} ${(daily / 1024).toFixed(1)}`);
  }
  console.log(`kB a server and day: ${(together / 1024).toFixed(0)} (${cells.join(', ')})`);
}

const sizeOf = (text: string): Size => {
  const [servers = 0, days = 0] = text.split('x').map(Number);
  if (!(servers > 0 && days > 0)) throw new Error(`--sizes: "${text}" is not like 1000x30`);
  return { servers, days };
};

export const help = `Every call of the dashboard, and the bytes of a server and day, from 50 servers to 10,000, in the bundled PostgreSQL.
growth is that of the p50 from the size before. About an hour and 15 GB of disk.
  --sizes LIST  servers x days (default 50x30,1000x30,10000x2)
  --runs N      how often each call is made (default 20)
  --call TEXT   only paths that hold it`;

export async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string, otherwise: string): string => argv[argv.indexOf(name) + 1 || argv.length] ?? otherwise;
  const sizes = option('--sizes', '50x30,1000x30,10000x2').split(',').map(sizeOf);
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  chmodSync(folder, 0o755);
  try {
    const cluster = await clusterOf('bundled', folder, DURABLE);
    let fewer: Line[] | undefined;
    for (const size of sizes) {
      const history = historyOf(size);
      const lines = await benchmark(cluster, size.servers, {
        only: option('--call', ''),
        gzip: false,
        history,
        runs: Number(option('--runs', '20')),
        look: (pool) => printSizes(pool, size, history),
      });
      print(`${String(size.servers)} servers × ${String(size.days)} days`, lines, fewer);
      fewer = lines;
    }
  } finally {
    await stopClusters(folder);
  }
}
