import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { chmodSync, mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createApp } from '../../../api/src/app.ts';
import { recordDays } from '../../../api/src/status-pages/record-days.ts';
import { PUBLIC_VIEW_SECONDS } from '../../../api/src/status-pages/published-pages.ts';
import { createPostgresStorage } from '../../../api/src/postgres-storage.ts';
import { ownerOf } from '../../../api/src/tenancy/owner.ts';
import { newAccount } from '../../../api/src/testing/batches.ts';
import { clusterOf, DURABLE, stopClusters } from '../../../api/src/testing/postgres-clusters.ts';
import { openPage } from '../../../api/src/testing/status-page.ts';
import { databaseOn, depsOn } from './api.ts';
import { quantile } from './ingest/load.ts';

const DAYS = 90;
const RUNS = 30;
const WARM_UP_RUNS = 6;
const REACH_MS = 100;
const SLUG = 'A'.repeat(22);
const PARTS = 50;
const INCIDENTS = 20;

/** An hour with a gap each day, and a day without samples each month. */
const HOURS = `INSERT INTO host_rollup_1h (ts, server_key, samples, cpu_count, io_wait_count, memory_count, disk_count,
    operations_count, receive_count, transmit_count, connections_count)
  SELECT ts, key, CASE WHEN extract(hour FROM ts) = key % 24 THEN 40 ELSE 60 END, 0, 0, 0, 0, 0, 0, 0, 0
  FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 hour', interval '1 hour') ts, server
  WHERE extract(day FROM ts) <> 1 + key % 28`;
const PROGRESS = `INSERT INTO rollup_progress SELECT level, $1::timestamptz, $1::timestamptz FROM unnest(ARRAY['5m', '1h']) level`;
const LATEST = `INSERT INTO server_latest (server_key, sample_at, cpu_percent, memory_percent, disk_percent)
  SELECT key, $1::timestamptz, 40, 50, 60 FROM server`;
/** Two critical alerts a month on each server. */
const ALERTS = `INSERT INTO alert (server_key, rule, metric, subject, level, title, message, opened_at, updated_at, resolved_at)
  SELECT key, 'r', 'cpu_usage', '', 'critical', 't', 'm', at, at, at + interval '20 minutes'
  FROM server, generate_series($1::timestamptz, $2::timestamptz, interval '15 days') day,
    LATERAL (SELECT day + key % 1440 * interval '1 minute' AS at) moment`;

export const help = `A public status page with 90 days of every server: states computed anew, and as readers of the same 15 seconds share them.
  --servers 500     how many servers (at most 500, all on the page)`;

interface Times {
  p50: number;
  p95: number;
  /** CPU of this process per run: unlike the times it does not grow with the load of the machine. */
  cpu: number;
}

async function timed(runs: number, work: () => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let run = 0; run < WARM_UP_RUNS + runs; run += 1) {
    const begun = performance.now();
    await work();
    if (run >= WARM_UP_RUNS) times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1000 / (WARM_UP_RUNS + runs);
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), cpu };
}

async function seed(pool: Pool, organisationId: string, servers: number, now: number): Promise<string[]> {
  const range = [new Date(now - DAYS * DAY_MS), new Date(now)];
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO server (organisation_id, machine_hash, hostname, created_at, tags)
     SELECT $1::uuid, decode(md5($1::text || n), 'hex'), 'host-' || n, $3, '{}' FROM generate_series(1, $2) n RETURNING id`,
    [organisationId, servers, range[0]],
  );
  await pool.query(HOURS, range);
  await pool.query(PROGRESS, [range[1]]);
  await pool.query(LATEST, [range[1]]);
  await pool.query(ALERTS, range);
  await pool.query('VACUUM ANALYZE');
  return rows.map(({ id }) => id);
}

export async function main(argv: string[]): Promise<void> {
  const servers = Number(argv[argv.indexOf('--servers') + 1 || argv.length] ?? 500);
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  chmodSync(folder, 0o755);
  try {
    const connection = await databaseOn(await clusterOf('bundled', folder, DURABLE), 'status_page');
    const clock = { ms: Math.floor(Date.now() / 3_600_000) * 3_600_000, now: () => clock.ms };
    const storage = createPostgresStorage({ connection, clock });
    const pool = new Pool({ ...connection, max: 1 });
    const organisationId = await newAccount(storage);
    const ids = await seed(pool, organisationId, servers, clock.ms);
    const draft = {
      ...openPage('Shop', ''),
      servers: ids.map((serverId, index) => ({
        serverId,
        label: `Part ${String(index)}`,
        group: `Group ${String(index % PARTS)}`,
      })),
    };
    const { statusPages, serverDays } = storage;
    const page = await statusPages.create(ownerOf(organisationId), draft, { slug: SLUG, createdBy: null }, clock.ms);
    for (let count = 0; count < INCIDENTS; count += 1)
      await statusPages.incidents.create(
        page,
        {
          title: 'Slow',
          impact: 'over_line',
          serverIds: ids.slice(0, 5),
          checkIds: [],
          startedAt: clock.ms,
          nextUpdateAt: null,
        },
        { state: count === 0 ? 'investigating' : 'resolved', text: 'x'.repeat(500) },
        { by: null, now: clock.ms },
      );
    const begun = performance.now();
    const written = await recordDays(serverDays, clock.ms, 2);
    console.log(
      `${String(servers)} servers × ${String(DAYS)} days, load ${loadavg()[0]?.toFixed(1) ?? ''}: first run of the job ${(performance.now() - begun).toFixed(0)} ms, ${String(written)} days`,
    );
    const app = createApp(depsOn(storage, clock));
    const ask = async (path: string): Promise<number> => (await (await app.request(path)).arrayBuffer()).byteLength;
    const anew = (path: string) => async () => {
      clock.ms += PUBLIC_VIEW_SECONDS * 1000;
      await ask(path);
    };
    const html = `/status/${SLUG}`;
    const lines: [string, Times][] = [
      ['job, two days', await timed(4, () => recordDays(serverDays, clock.ms, 2))],
      ['baseline /readyz', await timed(RUNS, () => ask('/readyz'))],
      ['page, computed anew', await timed(RUNS, anew(html))],
      ['page, shared states', await timed(RUNS, () => ask(html))],
      ['feed, shared states', await timed(RUNS, () => ask(`${html}/feed.atom`))],
      ['JSON, computed anew', await timed(RUNS, anew(`/api/public/status-pages/${SLUG}`))],
    ];
    console.log('  p50 ms  p95 ms  CPU ms');
    for (const [name, { p50, p95, cpu }] of lines)
      console.log(
        `${p50.toFixed(1).padStart(8)} ${p95.toFixed(1).padStart(8)}${cpu.toFixed(1).padStart(8)}  ${name}${p95 > REACH_MS ? `  over ${String(REACH_MS)} ms` : ''}`,
      );
    console.log(`page ${String(await ask(html))} bytes, load ${loadavg()[0]?.toFixed(1) ?? ''}`);
    await pool.end();
    await storage.close();
  } finally {
    await stopClusters(folder);
  }
}
