import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { chmodSync, mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createApp } from '../../../api/src/app.ts';
import { openSession } from '../../../api/src/accounts/session.ts';
import { createPostgresStorage } from '../../../api/src/postgres-storage.ts';
import { newAccount } from '../../../api/src/testing/batches.ts';
import { clusterOf, DURABLE, stopClusters } from '../../../api/src/testing/postgres-clusters.ts';
import { databaseOn, depsOn } from './api.ts';
import { quantile } from './ingest/load.ts';
import { founderOf } from '../../../api/src/tenancy/ids.ts';

const DAYS = 7;
const RUNS = 10;
const WARM_UP_RUNS = 2;
const REACH_MS = 1000;

/** The product keeps samples for a week. The CPU of every server crosses its line each day, so no day can be skipped. */
const SAMPLES = `INSERT INTO host_sample (ts, server_key, cpu_percent, io_wait_percent, memory_percent, swap_percent,
    disk_percent, load_one, connections_total)
  SELECT ts + key * 317 % 60 * interval '1 second', key, 55 + 30 * sin(extract(epoch FROM ts) / 7200 + key) + 12 * random(),
    6 + 4 * sin(extract(epoch FROM ts) / 9000 + key) + 3 * random(), 65 + 15 * sin(extract(epoch FROM ts) / 20000 + key)
    + 5 * random(), 20, 60 + 30 * sin(extract(epoch FROM ts) / 90000), 5 + 4 * sin(extract(epoch FROM ts) / 9000 + key), 100
  FROM generate_series($1::timestamptz, $2::timestamptz, interval '1 minute') ts, server`;
const BUCKETS = `INSERT INTO host_rollup_5m (ts, server_key, samples, cpu_count, cpu_avg, cpu_min, cpu_max, io_wait_count,
    io_wait_min, io_wait_max, memory_count, memory_min, memory_max, disk_count, disk_min, disk_max, load_count, load_min,
    load_max, operations_count, receive_count, transmit_count, connections_count)
  SELECT date_bin('5 minutes', ts, 'epoch') AS bucket, server_key, count(*), count(*), avg(cpu_percent), min(cpu_percent),
    max(cpu_percent), count(*), min(io_wait_percent), max(io_wait_percent), count(*), min(memory_percent),
    max(memory_percent), count(*), min(disk_percent), max(disk_percent), count(*), min(load_one), max(load_one), 0, 0, 0, 0
  FROM host_sample WHERE ts < $1::timestamptz - interval '10 minutes' GROUP BY 1, 2 ORDER BY 1, 2`;
const CORES = `INSERT INTO server_fact SELECT key, 'system', now(), '{"cpu_cores": 4}' FROM server`;

const rule = (metric: string, ...thresholds: (number | null)[]) => ({
  metric,
  target: 'all',
  lines: thresholds.map((threshold, index) => ({ level: index === 0 ? 'warning' : 'critical', threshold })),
  days: DAYS,
});
const RULES = [
  rule('cpu_usage', 80, 95),
  rule('memory_usage', 80, 95),
  rule('disk_usage', 80, 90),
  rule('io_wait', 10),
  rule('load_per_core', 2),
  rule('offline', null),
];

export const help = `The rehearsal of a rule over a week of samples, all of which must be read.
  --servers 100     how many servers`;

export async function main(argv: string[]): Promise<void> {
  const servers = Number(argv[argv.indexOf('--servers') + 1 || argv.length] ?? 100);
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  chmodSync(folder, 0o755);
  try {
    const connection = await databaseOn(await clusterOf('bundled', folder, DURABLE), 'rehearsal');
    const now = Math.floor(Date.now() / 60_000) * 60_000;
    const clock = { now: () => now };
    const storage = createPostgresStorage({ connection, clock });
    const pool = new Pool({ ...connection, max: 1 });
    const organisationId = await newAccount(storage);
    await pool.query(
      `INSERT INTO server (organisation_id, machine_hash, hostname, created_at, tags)
       SELECT $1::uuid, decode(md5($1::text || n), 'hex'), 'host-' || n, now(), '{}' FROM generate_series(1, $2) n`,
      [organisationId, servers],
    );
    for (let day = 0; day <= DAYS; day += 1) await storage.maintenance.makePartitions(now - day * DAY_MS);
    await pool.query(SAMPLES, [new Date(now - DAYS * DAY_MS), new Date(now)]);
    await pool.query(BUCKETS, [new Date(now)]);
    await pool.query(CORES);
    await pool.query('VACUUM ANALYZE');
    const app = createApp(depsOn(storage, clock));
    const { token } = await openSession({ sessions: storage.sessions, clock }, founderOf(organisationId));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    console.log(
      `${String(servers)} servers × ${String(DAYS)} days of samples, load ${String(loadavg()[0]?.toFixed(1))}`,
    );
    for (const body of RULES) {
      const times: number[] = [];
      let text = '';
      for (let run = 0; run < WARM_UP_RUNS + RUNS; run += 1) {
        const begun = performance.now();
        const answer = await app.request('/api/alerts/rules/rehearse', {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        ({ text } = ((await answer.json()) as { data: { text: string } }).data);
        if (run >= WARM_UP_RUNS) times.push(performance.now() - begun);
      }
      const sorted = times.toSorted((a, b) => a - b);
      const [p50, p95] = [quantile(sorted, 0.5), quantile(sorted, 0.95)].map(Math.round);
      const over = (p95 ?? 0) > REACH_MS ? `, over ${String(REACH_MS)} ms` : '';
      console.log(`${body.metric}: p50 ${String(p50)} ms, p95 ${String(p95)} ms${over}. ${text}`);
    }
    await pool.end();
    await storage.close();
  } finally {
    await stopClusters(folder);
  }
}
