import { HOUR_MS, MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { migrate } from '../../../api/src/database/migrate.ts';
import { rollupJob } from '../../../api/src/series/jobs.ts';
import type { Agent } from '../../../api/src/servers/types.ts';
import { createPostgresStorage } from '../../../api/src/postgres-storage.ts';
import type { Storage } from '../../../api/src/storage.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../../api/src/testing/batches.ts';
import { clusterOf, DURABLE, stopClusters } from '../../../api/src/testing/postgres-clusters.ts';
import { cpuSecondsOfPostgres, quantile, runLoad } from './ingest/load.ts';

const SERVERS = 5000;
const OUTAGE_HOURS = 26;
const QUIET_SECONDS = 20;
/** Statements in flight while servers enrol. */
const WIDTH = 8;

export const help = `Time that rollups need after the API was away for ${String(OUTAGE_HOURS)} hours and every collector sent what it kept, while reports
of all servers go on arriving at one a minute; beside it the latency of the same reports when nothing is to be caught up.
Arguments: SERVERS (default ${String(SERVERS)}) HOURS (default ${String(OUTAGE_HOURS)}).`;

/** Inserts the backlog of the collectors: a sample a minute of each server, all received now, an hour a statement. */
const BACKLOG = `WITH sample AS (
    SELECT s.key, at, (extract(epoch FROM at) / 60)::bigint AS seq FROM server s,
      generate_series($1::timestamptz, $1::timestamptz + interval '59 minutes', interval '1 minute') AS at
  ), ledger AS (
    INSERT INTO report_ledger (stream_key, boot, seq, sample_at, received_at, up_seconds, content_hash)
    SELECT t.key, 1, seq, at, now(), 0, '' FROM sample JOIN report_stream t ON t.server_key = sample.key
  )
  INSERT INTO host_sample (ts, server_key, cpu_percent, memory_percent, disk_percent, memory_used_bytes)
  SELECT at, key, (key + seq) % 100, 40, 50, 4e9 FROM sample`;
const STREAMS = `INSERT INTO report_stream (server_key, stream_id, settled, last_received_at)
  SELECT key, gen_random_uuid(), '{}', now() FROM server`;

/** Sends a report of each server a minute until `until` resolves. Returns the latencies, ms, sorted. */
async function report(
  storage: Storage,
  agents: readonly Agent[],
  from: { seq: number },
  until: Promise<unknown>,
): Promise<number[]> {
  const latencies: number[] = [];
  const end = new AbortController();
  const over = until.finally(() => end.abort());
  const underWay = new Set<Promise<void>>();
  const begun = performance.now();
  for (let sent = 0; !end.signal.aborted; sent += 1) {
    const wait = begun + (sent * MINUTE_MS) / agents.length - performance.now();
    if (wait > 1) await delay(wait);
    const agent = agents[from.seq % agents.length];
    if (agent === undefined) break;
    const at = performance.now();
    const seq = (from.seq += 1);
    const done = storage.reports
      .accept(batchOf(agent, [itemOf(seq, Date.now())], { receivedAt: Date.now() }))
      .then(() => void latencies.push(performance.now() - at));
    underWay.add(done);
    void done.finally(() => underWay.delete(done));
  }
  await Promise.all(underWay);
  await over;
  return latencies.toSorted((a, b) => a - b);
}

const inWords = (latencies: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${quantile(latencies, share).toFixed(1)}`).join(', ');

export async function main(argv: readonly string[]): Promise<void> {
  const [servers = SERVERS, hours = OUTAGE_HOURS] = argv.map(Number);
  const folder = mkdtempSync('/tmp/plimsoll-bench-');
  chmodSync(folder, 0o755);
  try {
    const cluster = await clusterOf('bundled', folder, DURABLE);
    const postmaster = Number(readFileSync(join(cluster.host, '..', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const connection = { host: cluster.host, port: cluster.port, user: cluster.user, database: 'postgres' };
    await migrate(connection);
    const storage = createPostgresStorage({ connection });
    const now = Date.now();
    for (const at of [now, now - 24 * HOUR_MS, now - 48 * HOUR_MS]) await storage.maintenance.makePartitions(at);
    const organisationId = await newAccount(storage);
    const agents: Agent[] = [];
    await runLoad([...Array(servers).keys()], WIDTH, async (index) => {
      agents.push(await enrolledAgent(storage, organisationId, `host-${String(index)}`));
    });
    const from = { seq: 0 };
    const calm = await report(storage, agents, from, delay(QUIET_SECONDS * 1000));
    console.log(`${servers} servers, a report a minute each; load ${loadavg()[0]?.toFixed(1)}`);
    console.log(`nothing to catch up: accept ${inWords(calm)} ms`);
    const start = Math.floor(now / HOUR_MS) * HOUR_MS - hours * HOUR_MS;
    // The rollups were complete when the outage began.
    const pool = new Pool({ ...connection, max: 1 });
    for (const level of ['5m', '1h'])
      await pool.query(`INSERT INTO rollup_progress (level, complete_to, scanned_to) VALUES ($1, $2, $2)`, [
        level,
        new Date(start),
      ]);
    await pool.query(STREAMS);
    for (let hour = 0; hour < hours; hour += 1) await pool.query(BACKLOG, [new Date(start + hour * HOUR_MS)]);
    await pool.query('ANALYZE host_sample, report_ledger');
    const [begun, cpu] = [performance.now(), cpuSecondsOfPostgres(postmaster)];
    const isBehind = `SELECT (SELECT min(complete_to) FROM rollup_progress) < now() - interval '70 minutes'
      OR (SELECT min(scanned_to) FROM rollup_progress) < now() - interval '5 minutes'
      OR EXISTS (SELECT FROM fleet_rollup_due d JOIN rollup_progress p USING (level) WHERE d.ts < p.complete_to - interval '1 hour') AS behind`;
    const job = rollupJob(storage.rollups);
    let runs = 0;
    const caughtUp = (async () => {
      for (;;) {
        await job.run(Date.now());
        runs += 1;
        const { rows } = await pool.query<{ behind: boolean }>(isBehind);
        if (rows[0]?.behind !== true) return;
        await delay(job.everySeconds * 1000);
      }
    })();
    const busy = await report(storage, agents, from, caughtUp);
    const seconds = (performance.now() - begun) / 1000;
    const { rows } = await pool.query<{ samples: number }>(
      'SELECT sum(samples)::double precision AS samples FROM host_rollup_5m WHERE ts >= $1 AND ts < $2',
      [new Date(start), new Date(start + hours * HOUR_MS)],
    );
    console.log(
      `${hours} h of ${servers} servers, ${rows[0]?.samples} of ${hours * 60 * servers} samples: caught up after ${seconds.toFixed(0)} s in ${runs} runs, ` +
        `${(cpuSecondsOfPostgres(postmaster) - cpu).toFixed(0)} s of PostgreSQL's CPU with the reports`,
    );
    console.log(`meanwhile: accept ${inWords(busy)} ms, ${busy.length} reports stored`);
    await pool.end();
    await storage.close();
  } finally {
    await stopClusters(folder);
  }
}
