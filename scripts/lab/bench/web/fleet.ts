import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { hashToken, newToken } from '../../../../api/src/accounts/tokens.ts';
import { createPostgresStorage } from '../../../../api/src/postgres-storage.ts';
import { CLUSTER_USER } from '../../../../api/src/database/embedded/init-cluster.ts';
import { PODS_A_NODE, seedKubernetes } from '../api/seed-kubernetes.ts';
import { organisationIdOf } from '../../../../api/src/tenancy/ids.ts';

/** Single samples this far back unless told otherwise; before them, five-minute means: as the product keeps a day. */
const RAW_HOURS = 2;
const DAY_HOURS = 24;
/** Nobody reports while the browser is measured: late is who missed three of these, seconds. */
const REPORT_INTERVAL_SECONDS = 600;

/** A slow wave of its own for each server around a level of its own, per cents; `swing` points up and down. */
const wave = (level: string, swing: number, salt: number): string =>
  `LEAST(100, GREATEST(0, ${level} + ${String(swing)} * sin(extract(epoch FROM ts) / (2500 + key % 7 * 900) + key * ${String(salt)})))::real`;
const CPU = wave('(key * 7) % 97', 8, 1.7);
const MEMORY = wave('(key * 13) % 90', 3, 2.3);
const DISK = '((key * 5) % 85)::real';
const IO_WAIT = wave('1.5', 1, 3.1);
const RECEIVE = `(${wave('50', 30, 1.3)} * 4e5)::real`;
const TRANSMIT = `(${wave('40', 20, 2.9)} * 2e5)::real`;

/** cpu, io wait, memory, swap, memory used, disk, disk used, reads, writes, in, out, load and the 7 connection counts. */
const FIGURES = `${CPU}, ${IO_WAIT}, ${MEMORY}, 0, 4e9, ${DISK}, 1e11, 240, 560, ${RECEIVE}, ${TRANSMIT}, 1.5, 100, 80, 10, 4, 3, 2, 1`;
const band = (value: string): string => `5, ${value}, ${value} * 0.9, LEAST(100, ${value} * 1.1)`;
const wideBand = (value: string): string => `5, ${value}, ${value} * 0.9, ${value} * 1.1`;
const MEANS = `5, ${[CPU, IO_WAIT, MEMORY, DISK].map(band).join(', ')}, ${['800', RECEIVE, TRANSMIT].map(wideBand).join(', ')}, 5, 100, 80, 10, 4, 3, 2, 1`;

const SYSTEM = `json_build_object('hostname', hostname, 'platform', 'linux', 'os_type', 'debian', 'os_name', 'Debian',
  'os_version', '12', 'kernel', '6.1.0-28', 'architecture', 'amd64', 'cpu_model', 'AMD EPYC 7763', 'cpu_cores', 8,
  'uptime_seconds', 533000, 'region', (ARRAY['eu-central-1', 'us-east-1', 'ap-southeast-1'])[key % 3 + 1],
  'collector_version', '0.1.0', 'virtualization', NULL)`;

const rolledUp = (level: string, step: string): string => `
INSERT INTO host_rollup_${level}
SELECT ts, key, ${MEANS} FROM generate_series($1::timestamptz, $2::timestamptz - interval '${step}', interval '${step}') ts, server`;

/** Without these the product would not sum the old buckets over the servers, and charts of the fleet would be empty. */
const due = (level: string, step: string): string => `
INSERT INTO fleet_rollup_due (organisation_id, level, ts)
SELECT account.id, '${level}', ts FROM account, generate_series($1::timestamptz, $2::timestamptz - interval '${step}', interval '${step}') ts`;

/** `span`: the bounds of a stretch of history a statement fills. */
const STATEMENTS: readonly { what: string; text: string; span?: 'old' | 'raw' }[] = [
  {
    what: 'streams',
    text: `INSERT INTO report_stream (server_key, stream_id, settled, last_received_at)
      SELECT key, gen_random_uuid(), '{[1,2000)}', now() FROM server`,
  },
  { what: 'facts', text: `INSERT INTO server_fact SELECT key, 'system', now(), ${SYSTEM} FROM server` },
  {
    what: 'memory',
    text: `INSERT INTO server_fact SELECT key, 'memory_total_bytes', now(), '34359738368' FROM server`,
  },
  {
    what: 'storage',
    text: `INSERT INTO server_fact SELECT key, 'storage_total_bytes', now(), '536870912000' FROM server`,
  },
  {
    what: 'latest figures',
    text: `INSERT INTO server_latest SELECT key, ts, ${FIGURES} FROM server, (SELECT now() AS ts) moment`,
  },
  { what: 'five-minute means', text: rolledUp('5m', '5 minutes'), span: 'old' },
  { what: 'hourly means', text: rolledUp('1h', '1 hour'), span: 'old' },
  { what: 'five-minute sums', text: due('5m', '5 minutes'), span: 'old' },
  { what: 'hourly sums', text: due('1h', '1 hour'), span: 'old' },
  {
    what: 'single samples',
    text: `INSERT INTO host_sample SELECT ts, key, ${FIGURES}
      FROM generate_series($1::timestamptz, $2::timestamptz, interval '1 minute') ts, server`,
    span: 'raw',
  },
  {
    what: 'progress of the means',
    text: `INSERT INTO rollup_progress SELECT level, $1::timestamptz, $2::timestamptz FROM unnest(ARRAY['5m', '1h']) level
      ON CONFLICT (level) DO UPDATE SET complete_to = excluded.complete_to, scanned_to = excluded.scanned_to`,
    span: 'raw',
  },
];

/** Servers with open alerts: two on each. */
const ALERTED = 500;
/** Open alerts an hour old with an empty black box, as of a server that reports no lists. */
const ALERTS = `WITH opened AS (
    INSERT INTO alert (server_key, rule, subject, metric, level, title, message, value, threshold, opened_at, updated_at)
    SELECT key, rule, '', metric, 'warning', title, message, 84, 80, now() - interval '1 hour', now()
    FROM (SELECT key FROM server ORDER BY key LIMIT $1) alerted, (VALUES
      ('default-memory', 'memory_usage', 'Memory usage above 80%', 'Memory 84 %, 4 over for 5 min'),
      ('default-cpu', 'cpu_usage', 'CPU usage above 80%', 'CPU 84 %, 4 over for 5 min')) AS each (rule, metric, title, message)
    RETURNING id, opened_at)
  INSERT INTO alert_black_box (alert_id, taken_at, body)
  SELECT id, opened_at, '{"processes":null,"connections":null,"sockets":null,"events":[],"pods":null}' FROM opened`;

/** The socket of the database a product keeps in its own folder. */
export function connectionOf(dataDir: string) {
  const host = join(dataDir, 'postgres-socket');
  if (!existsSync(host)) throw new Error(`no socket of the bundled database in ${host}`);
  return { host, port: 5432, user: CLUSTER_USER, database: 'plimsoll' };
}

/**
 * Gives the account of a running product `servers` servers with a day behind them and pods on each, at once instead of
 * by reports. `rawHours`: how far back single samples go.
 */
export async function fillFleet(
  dataDir: string,
  servers: number,
  say: (line: string) => void,
  { rawHours = RAW_HOURS, podsANode = PODS_A_NODE } = {},
): Promise<void> {
  const connection = connectionOf(dataDir);
  const pool = new Pool({ ...connection, max: 1 });
  const storage = createPostgresStorage({ connection, poolSize: 2 });
  const hourMs = 3_600_000;
  const now = Date.now();
  const recent = Math.floor(now / hourMs) * hourMs - rawHours * hourMs;
  const spans = { old: [recent - DAY_HOURS * hourMs, recent], raw: [recent, now] };
  try {
    await pool.query(
      `INSERT INTO server (organisation_id, machine_hash, hostname, report_interval_seconds, created_at)
       SELECT account.id, decode(md5(n::text), 'hex'), 'node-' || lpad(n::text, 4, '0'), $2, now() - interval '9 days'
       FROM account, generate_series(1, $1) n`,
      [servers, REPORT_INTERVAL_SECONDS],
    );
    for (const { what, text, span } of STATEMENTS) {
      const begun = performance.now();
      await pool.query(text, span === undefined ? [] : spans[span].map((at) => new Date(at)));
      say(`  ${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    }
    await pool.query(ALERTS, [ALERTED]);
    const begun = performance.now();
    const { rows: accounts } = await pool.query<{ id: string }>('SELECT id FROM account');
    await seedKubernetes(pool, organisationIdOf(accounts[0]?.id ?? ''), podsANode);
    say(
      `  a cluster with ${String(podsANode)} pods on each server: ${((performance.now() - begun) / 1000).toFixed(1)} s`,
    );
    await storage.rollups.rollUp(now);
    await pool.query('ANALYZE');
  } finally {
    await storage.close();
    await pool.end();
  }
}

/** Gives each server of a fleet a token, as if it had enrolled, and the interval of a collector. */
export async function enrolFleet(pool: Pool, intervalSeconds: number): Promise<{ id: string; token: string }[]> {
  const { rows } = await pool.query<{ key: number; id: string }>(
    'UPDATE server SET report_interval_seconds = $1 RETURNING key, id',
    [intervalSeconds],
  );
  return Promise.all(
    rows.map(async ({ key, id }) => {
      const token = newToken('agent');
      await pool.query('INSERT INTO agent_token (token_hash, server_key, created_at) VALUES ($1, $2, now())', [
        hashToken(token),
        key,
      ]);
      return { id, token };
    }),
  );
}
