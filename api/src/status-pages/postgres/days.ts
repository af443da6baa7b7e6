// SQL adds the samples of many servers up by hour, and writes days in bulk.
import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import { underLock } from '../../database/job-lock.ts';
import type { Database } from '../../database/database.ts';
import type { DayAlert, DayFacts } from '../day-sums.ts';
import { parseDays } from '../parse-days.ts';
import type { DayWriter, ServerDays } from '../store.ts';
import type { PoolClient } from 'pg';

const LOCK = 0x73_74_61_74;
/** Alerts that fire because no report arrives. */
const SILENCE_METRICS = ['offline', 'reports_refused'];

const NEWEST = `SELECT s.key AS "serverKey", ${ms('max(d.day)::timestamp')} AS day
  FROM server s LEFT JOIN server_day d ON d.server_key = s.key
  WHERE s.id IN (SELECT server_id FROM status_page_server) GROUP BY s.key ORDER BY s.key`;

/** Times that the rollups are complete to; null: no rollup has run. */
const PROGRESS = `SELECT
  (SELECT ${ms('complete_to')} FROM rollup_progress WHERE level = '1h') AS hours,
  (SELECT ${ms('complete_to')} FROM rollup_progress WHERE level = '5m') AS minutes`;

/**
 * Samples by hour: closed hours from the hourly rollup, the hours since from the 5-minute one.
 * $1 server keys  $2 from, ms  $3 to, ms  $4 complete hours, ms  $5 complete buckets of 5 minutes, ms
 */
const SAMPLES = `SELECT "serverKey", array_agg(at) AS at, array_agg(samples) AS samples FROM (
  SELECT server_key AS "serverKey", ${ms('ts')} AS at, samples::double precision AS samples FROM host_rollup_1h
  WHERE server_key = ANY($1) AND ts >= ${at('$2')} AND ts < LEAST(${at('$3')}, ${at('$4')})
  UNION ALL
  SELECT server_key, ${ms("date_bin('1 hour', ts, to_timestamp(0))")}, sum(samples)::double precision FROM host_rollup_5m
  WHERE server_key = ANY($1) AND ts >= GREATEST(${at('$2')}, ${at('$4')}) AND ts < LEAST(${at('$3')}, ${at('$5')})
  GROUP BY 1, 2) hour GROUP BY "serverKey"`;

const SERVERS = `SELECT key AS "serverKey", report_interval_seconds AS "intervalSeconds", ${ms('created_at')} AS "createdAt",
  ${ms('uninstalled_at')} AS "uninstalledAt" FROM server WHERE key = ANY($1)`;

/** $1 server keys  $2 from, ms  $3 to, ms */
const ALERTS = `SELECT server_key AS "serverKey", metric = ANY($4) AS "isOffline", level, ${ms('opened_at')} AS "openedAt",
  ${ms('resolved_at')} AS "resolvedAt", COALESCE((
    SELECT json_agg(json_build_object('at', ${ms('e.at')}, 'from', e.note, 'to', e.level) ORDER BY e.at, e.id)
    FROM alert_event e WHERE e.alert_id = a.id AND e.kind IN ('escalated', 'eased')), '[]') AS levels
  FROM alert a WHERE server_key = ANY($1) AND opened_at < ${at('$3')} AND (resolved_at IS NULL OR resolved_at > ${at('$2')})`;

/** A server that was deleted meanwhile has no days. */
const WRITE = `INSERT INTO server_day AS d (server_key, day, good_seconds, down_seconds, unknown_seconds)
  SELECT n.key, n.day, n.good, n.down, n.unknown
  FROM unnest($1::integer[], $2::date[], $3::integer[], $4::integer[], $5::integer[]) AS n (key, day, good, down, unknown)
  JOIN server s ON s.key = n.key
  ON CONFLICT (server_key, day) DO UPDATE SET good_seconds = excluded.good_seconds, down_seconds = excluded.down_seconds,
    unknown_seconds = excluded.unknown_seconds
  WHERE (d.good_seconds, d.down_seconds, d.unknown_seconds)
    IS DISTINCT FROM (excluded.good_seconds, excluded.down_seconds, excluded.unknown_seconds)`;

/** One text a server, because 90 rows or arrays of each cost more to read than the rest of a page. $1 server ids  $2 from, ms */
const READ = `SELECT s.id, EXISTS (
    SELECT FROM alert a WHERE a.server_key = s.key AND a.resolved_at IS NULL AND a.level = 'critical') AS "isCritical",
  (SELECT string_agg(day - '1970-01-01'::date || ' ' || good_seconds || ' ' || down_seconds || ' ' || unknown_seconds, ',')
    FROM (SELECT * FROM server_day WHERE server_key = s.key AND day >= (${at('$2')} AT TIME ZONE 'UTC')::date ORDER BY day) d
  ) AS days
  FROM server s WHERE s.id = ANY($1::uuid[])`;

interface ReadRow {
  id: string;
  isCritical: boolean;
  /** "DAY GOOD DOWN UNKNOWN" of each day, oldest first; a day is counted from 1970. */
  days: string | null;
}

interface ServerRow {
  serverKey: number;
  intervalSeconds: number;
  createdAt: number;
  uninstalledAt: number | null;
}
type SampleRow = { serverKey: number; at: number[]; samples: number[] };
type AlertRow = DayAlert & { serverKey: number };

/** Returns a server's samples by the beginning of the day and the hour in it. */
function byDay({ at: hours, samples }: SampleRow): Map<number, Map<number, number>> {
  const days = new Map<number, Map<number, number>>();
  for (const [index, hour] of hours.entries()) {
    const day = Math.floor(hour / DAY_MS) * DAY_MS;
    const ofDay = days.get(day) ?? new Map<number, number>();
    ofDay.set((hour - day) / HOUR_MS, samples[index] ?? 0);
    days.set(day, ofDay);
  }
  return days;
}

const NONE: ReadonlyMap<number, number> = new Map();

async function readFacts(
  client: PoolClient,
  serverKeys: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<{ serverKey: number; facts: DayFacts }[]> {
  const { rows: progress } = await client.query<{ hours: number | null; minutes: number | null }>(PROGRESS);
  const minutes = progress[0]?.minutes ?? from;
  const hours = Math.min(progress[0]?.hours ?? from, minutes);
  const { rows: servers } = await client.query<ServerRow>(SERVERS, [serverKeys]);
  const { rows: samples } = await client.query<SampleRow>(SAMPLES, [serverKeys, from, to, hours, minutes]);
  const { rows: alerts } = await client.query<AlertRow>(ALERTS, [serverKeys, from, to, SILENCE_METRICS]);
  const samplesOf = new Map(samples.map((row) => [row.serverKey, byDay(row)]));
  const alertsOf = Map.groupBy(alerts, ({ serverKey }) => serverKey);
  const days = Array.from({ length: Math.ceil((to - from) / DAY_MS) }, (_, index) => from + index * DAY_MS);
  return servers.flatMap(({ serverKey, ...server }) =>
    days.map((day) => ({
      serverKey,
      facts: {
        ...server,
        day,
        until: Math.max(minutes, day),
        samples: samplesOf.get(serverKey)?.get(day) ?? NONE,
        alerts: alertsOf.get(serverKey) ?? [],
      },
    })),
  );
}

const writerOn = (client: PoolClient): DayWriter => ({
  newest: async () => (await client.query<{ serverKey: number; day: number | null }>(NEWEST)).rows,
  facts: (serverKeys, range) => readFacts(client, serverKeys, range),
  write: async (days) => {
    const columns = [
      days.map(({ serverKey }) => serverKey),
      days.map(({ day }) => new Date(day).toISOString().slice(0, 10)),
      days.map(({ goodSeconds }) => goodSeconds),
      days.map(({ downSeconds }) => downSeconds),
      days.map(({ unknownSeconds }) => unknownSeconds),
    ];
    return (await client.query(WRITE, columns)).rowCount ?? 0;
  },
});

export const createServerDays = ({ pool }: Database): ServerDays => ({
  exclusively: (work) => underLock(pool, LOCK)((client) => work(writerOn(client))),
  of: async (serverIds, from) => {
    const { rows } = await pool.query<ReadRow>(READ, [serverIds, from]);
    return new Map(rows.map((row) => [row.id, { isCritical: row.isCritical, days: parseDays(row.days) }]));
  },
});
