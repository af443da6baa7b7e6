import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import type { ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import type { Pool } from 'pg';
import type { Storage } from '../../../../api/src/storage.ts';
import { newAccount } from '../../../../api/src/testing/batches.ts';
import { PODS_A_NODE, seedKubernetes } from './seed-kubernetes.ts';
import type { OrganisationId } from '../../../../api/src/tenancy/ids.ts';

/** The history each server has, as the product keeps it: single samples, processes and connections, events, alerts. */
export interface History {
  days: number;
  /** Single samples, of the newest hours. */
  rawHours: number;
  /** Lists of processes and connections, each quarter of an hour. */
  listHours: number;
  /** Newest hours whose rollups the product's own job makes. Those before are written at once. */
  unrolledHours: number;
  /** Pods of one cluster on each server. */
  podsANode: number;
}
export const WEEK: History = { days: 7, rawHours: 26, listHours: 26, unrolledHours: 26, podsANode: PODS_A_NODE };
/** The ledger is kept a day longer than single samples. */
export const LEDGER_DAYS = RETENTION_DAYS.raw + 1;
const PROCESSES = 50;
const CONNECTIONS = 50;
/** The top of each list every 15 minutes. */
const HISTORY_ENTRIES = 20;
const EVENTS_A_DAY = 20;
const ALERTS_A_DAY = 6;

/** Deterministic, between 0 and 1, different for each server and time: random() would differ between two runs. */
const spread = (salt: number): string =>
  `((hashint8(extract(epoch FROM ts)::bigint * 1000 + key * 7 + ${String(salt)})::bigint & 65535) / 65535.0)::real`;
/** cpu, io wait, memory, swap, memory used, disk, disk used, reads, writes, in, out, load and the 7 connection counts. */
const FIGURES = `${spread(1)} * 100, ${spread(2)} * 5, 40 + ${spread(3)} * 20, 0, 4e9, 55, 1e11, ${spread(4)} * 50, 30,
  ${spread(5)} * 1e6, ${spread(6)} * 1e6, 1, 100, 80, 10, 4, 3, 2, 1`;
const BAND = (value: string): string => `5, ${value}, ${value} * 0.9, ${value} * 1.1`;
const ROLLUP_FIGURES = [
  '5',
  ...[`${spread(1)} * 90`, `${spread(2)} * 5`, `40 + ${spread(3)} * 20`, '55', `30 + ${spread(4)} * 50`].map(BAND),
  ...[`${spread(5)} * 1e6`, `${spread(6)} * 1e6`].map(BAND),
  '5, 100, 80, 10, 4, 3, 2, 1',
].join(', ');

/** SQL of each value of an entry, in the order in which they are stored. */
const PROCESS: Record<keyof ProcessPart, string> = {
  pid: '1000 + n',
  name: "'worker'",
  command: "'/usr/bin/worker --queue=' || repeat('q', 60)",
  user: "'www-data'",
  status: "'S'",
  cpu_percent: '(key * n) % 97',
  memory_percent: 'n % 7',
  memory_bytes: 'n * 1e6',
  threads: '4',
  started_at: '1.7e9',
};
const CONNECTION: Record<keyof ConnectionPart, string> = {
  remote_ip: "'192.0.' || (key % 250) || '.0/24'",
  remote_port: '40000 + n',
  local_port: '443',
  protocol: "'tcp'",
  family: "'ipv4'",
  state: "'ESTABLISHED'",
  pid: '1000 + n',
  importance_score: '(key * n) % 100',
};
const list = (entry: string, many: number): string =>
  `(SELECT json_agg(${entry}) FROM generate_series(1, ${String(many)}) n)`;
const entries = (one: Record<string, string>, many: number): string =>
  list(`json_build_array(${Object.values(one).join(', ')})`, many);
/** The history of connections names the fields of each entry. */
const namedEntries = (one: Record<string, string>, many: number): string => {
  const fields = Object.entries(one).map(([name, value]) => `'${name}', ${value}`);
  return list(`json_build_object(${fields.join(', ')})`, many);
};
/** The newest list of every server with what it is ranked by, as accepting a report stores them. */
const newestList = (kind: string, one: Record<string, string>, many: number, ranks: readonly string[]): string => {
  const rank = (name: string): string =>
    `ARRAY(SELECT (e->>${Object.keys(one).indexOf(name)})::double precision FROM json_array_elements(entries) e)`;
  return `INSERT INTO server_list SELECT key, '${kind}', now(), entries::text, ${ranks.map(rank).join(', ')}
    FROM (SELECT key, ${entries(one, many)} AS entries FROM server) made`;
};
const listHistory = (into: string, more: string, top: string): string => `
INSERT INTO ${into} SELECT ts, key, ts, top.entries ${more}
FROM (SELECT key, ${top} AS entries FROM server) top,
  generate_series($1::timestamptz, $2::timestamptz, interval '15 minutes') ts`;

const rolledUp = (level: string, step: string): string => `
INSERT INTO host_rollup_${level}
SELECT ts, key, ${ROLLUP_FIGURES} FROM generate_series($1::timestamptz, $2::timestamptz - interval '${step}', interval '${step}') ts, server`;
const due = (level: string, step: string): string => `
INSERT INTO fleet_rollup_due (organisation_id, level, ts)
SELECT account.id, '${level}', ts FROM account, generate_series($1::timestamptz, $2::timestamptz - interval '${step}', interval '${step}') ts`;

/** Time outside, servers inside: rows lie on their pages in the order reports come in. */
export const LEDGER = `
INSERT INTO report_ledger (stream_key, boot, seq, sample_at, received_at, up_seconds, content_hash)
SELECT key, 1, row_number() OVER (PARTITION BY key ORDER BY ts), ts, ts, extract(epoch FROM ts), '\\x00000000000000000000000000000000'
FROM generate_series($1::timestamptz, $2::timestamptz, interval '1 minute') ts, report_stream ORDER BY ts, key`;

type Range = 'ledger' | 'raw' | 'lists' | 'fiveMinutes' | 'hours' | 'unrolled';
const statementsOf = (days: number): { text: string; range?: Range }[] => [
  {
    text: `INSERT INTO report_stream (server_key, stream_id, settled, last_received_at)
      SELECT key, gen_random_uuid(), '{[1,20000)}', now() FROM server`,
  },
  {
    text: `INSERT INTO server_fact SELECT key, 'system', now(), json_build_object('hostname', hostname, 'platform', 'linux') FROM server`,
  },
  { text: `INSERT INTO server_latest SELECT key, ts, ${FIGURES} FROM server, (SELECT now() AS ts) t` },
  { text: LEDGER, range: 'ledger' },
  { text: rolledUp('5m', '5 minutes'), range: 'fiveMinutes' },
  { text: rolledUp('1h', '1 hour'), range: 'hours' },
  { text: due('5m', '5 minutes'), range: 'fiveMinutes' },
  { text: due('1h', '1 hour'), range: 'hours' },
  {
    text: `INSERT INTO host_sample SELECT ts, key, ${FIGURES}
      FROM generate_series($1::timestamptz, $2::timestamptz, interval '1 minute') ts, server`,
    range: 'raw',
  },
  {
    text: `INSERT INTO rollup_progress SELECT level, $1::timestamptz, $2::timestamptz FROM unnest(ARRAY['5m', '1h']) level`,
    range: 'unrolled',
  },
  { text: newestList('processes', PROCESS, PROCESSES, ['cpu_percent', 'memory_bytes']) },
  { text: newestList('connections', CONNECTION, CONNECTIONS, ['importance_score', 'importance_score']) },
  {
    text: listHistory('process_quarter (ts, server_key, sample_at, entries)', '', entries(PROCESS, HISTORY_ENTRIES)),
    range: 'lists',
  },
  {
    text: listHistory(
      'server_list_history (ts, server_key, sample_at, entries, kind)',
      ", 'connections'",
      namedEntries(CONNECTION, HISTORY_ENTRIES),
    ),
    range: 'lists',
  },
  {
    text: `INSERT INTO activity_event (server_key, stream_key, event_id, at, event_type, severity, service_name, message)
      SELECT key, key, n::text, now() - make_interval(secs => n * 86400.0 / ${String(EVENTS_A_DAY)}), 'service_restart', 'info', 'nginx', 'nginx was restarted'
      FROM generate_series(1, ${String(days * EVENTS_A_DAY)}) n, server`,
  },
  {
    text: `INSERT INTO alert (server_key, rule, subject, metric, level, title, message, value, threshold, opened_at, updated_at, resolved_at)
      SELECT key, 'cpu', '', 'cpu_usage', 'warning', 'CPU above 80 %', 'CPU has been above 80 % for 5 minutes', 91, 80, at, at, at + interval '10 minutes'
      FROM server, generate_series(1, ${String(days * ALERTS_A_DAY)}) n, LATERAL (SELECT now() - make_interval(secs => n * 86400.0 / ${String(ALERTS_A_DAY)}) AS at) t`,
  },
  {
    text: `INSERT INTO incident (organisation_id, server_key, root, cause, level, title, opened_at, updated_at)
      SELECT organisation_id, key, 'server:' || key, 'cpu_usage', 'warning', 'CPU usage above 80 %', now() - interval '1 day', now() FROM server`,
  },
  { text: `UPDATE alert SET incident_id = incident.id FROM incident WHERE incident.server_key = alert.server_key` },
  {
    text: `INSERT INTO audit_log (organisation_id, at, action, detail)
      SELECT id, now() - make_interval(mins => n), 'signed_in', '{}' FROM account, generate_series(1, 1000) n`,
  },
];

/** An account with `servers` servers and their history up to `now`; returns its id and one server's. */
export async function seed(
  storage: Storage,
  pool: Pool,
  servers: number,
  { days, rawHours, listHours, unrolledHours, podsANode }: History = WEEK,
  say: (line: string) => void = () => undefined,
): Promise<{ organisationId: OrganisationId; serverId: string; now: number }> {
  const now = Date.now();
  const hourMs = 3_600_000;
  const hour = Math.floor(now / hourMs) * hourMs;
  const unrolled = hour - unrolledHours * hourMs;
  const ranges: Record<Range, [number, number]> = {
    ledger: [now - Math.min(days, LEDGER_DAYS) * 24 * hourMs, now],
    raw: [hour - rawHours * hourMs, now],
    lists: [hour - listHours * hourMs, now],
    fiveMinutes: [hour - Math.min(days, RETENTION_DAYS.fiveMinutes) * 24 * hourMs, unrolled],
    hours: [hour - Math.min(days, RETENTION_DAYS.oneHour) * 24 * hourMs, unrolled],
    unrolled: [unrolled, now],
  };
  const organisationId = await newAccount(storage);
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO server (organisation_id, machine_hash, hostname, created_at, tags)
     SELECT $1::uuid, decode(md5($1::uuid::text || n), 'hex'), 'host-' || n, now(),
       jsonb_build_object('env', 'prod', 'half', (n % 2)::text) FROM generate_series(1, $2) n RETURNING id`,
    [organisationId, servers],
  );
  for (let day = days - 2; day >= 0; day -= 2) await storage.maintenance.makePartitions(now - day * 24 * hourMs);
  // The product drops a partition when its retention ends: empty ones would take time and disk that no installation has.
  await storage.maintenance.prune(now);
  for (const { text, range } of statementsOf(days)) {
    const begun = performance.now();
    await pool.query(text, range === undefined ? [] : ranges[range].map((at) => new Date(at)));
    const [, table = ''] = /INSERT INTO (\w+)/.exec(text) ?? [];
    if (performance.now() - begun > 1000) say(`  ${table}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  }
  await seedKubernetes(pool, organisationId, podsANode);
  await storage.rollups.rollUp(now);
  await storage.processQuarters.pack(now);
  await pool.query('VACUUM ANALYZE');
  return { organisationId, serverId: rows[0]?.id ?? '', now };
}
