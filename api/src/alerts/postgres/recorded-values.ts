// SQL packs a week of samples of a server into one value: a million rows would take seconds to transfer and parse.
import { SWAP_COUNTS_FROM_MEMORY_PERCENT } from '@plimsoll/contract/rules/host-alert-metrics';
import type { RecordedMetric, RecordedPoint, RehearsalSource } from '../types.ts';
import type { RecordedValues } from '../store.ts';
import type { Database } from '../../database/database.ts';
import { SHOWN_NAME, timestamp } from '../../database/time.ts';

/** Columns of a sample, and of the least and most of 5 minutes. A metric without history has no row. */
interface Columns {
  sample: string;
  low: string;
  high: string;
}
const SHORT = `>= ${String(SWAP_COUNTS_FROM_MEMORY_PERCENT)}`;
const COLUMNS: Readonly<Record<RecordedMetric, Columns>> = {
  cpu_usage: { sample: 'cpu_percent', low: 'cpu_min', high: 'cpu_max' },
  memory_usage: { sample: 'memory_percent', low: 'memory_min', high: 'memory_max' },
  disk_usage: { sample: 'disk_percent', low: 'disk_min', high: 'disk_max' },
  io_wait: { sample: 'io_wait_percent', low: 'io_wait_min', high: 'io_wait_max' },
  // Swap counts as empty while memory is free, as in the evaluation.
  swap_usage: {
    sample: `CASE WHEN memory_percent ${SHORT} THEN swap_percent ELSE 0::real END`,
    low: `CASE WHEN memory_min ${SHORT} THEN swap_min ELSE 0::real END`,
    high: `CASE WHEN memory_max ${SHORT} THEN swap_max ELSE 0::real END`,
  },
  presence: { sample: '0::real', low: '0::real', high: '0::real' },
};

const IN_RANGE = `server_key = s.key AND ts >= ${timestamp('$3')} AND ts < ${timestamp('$4')}`;

/**
 * Which history each server has, and whether a value of it reaches $5: in a bucket of 5 minutes, or in a sample that no
 * closed bucket covers yet. A server without such a value has no alert, so its week of samples is not read.
 */
const reach = (metric: RecordedMetric): string => {
  const { sample, high } = COLUMNS[metric];
  return `SELECT s.id AS "serverId", ${SHOWN_NAME} AS hostname, s.report_interval_seconds AS "intervalSeconds",
    kept.first IS NOT NULL AS "hasSamples", EXISTS (SELECT FROM host_rollup_5m WHERE ${IN_RANGE}
      AND ts < COALESCE(kept.first, 'infinity') - interval '5 minutes') AS "hasRollups",
    EXISTS (SELECT FROM host_rollup_5m WHERE ${IN_RANGE} AND ${high} >= $5::real)
      OR EXISTS (SELECT FROM host_sample WHERE ${IN_RANGE} AND ${sample} >= $5::real
        AND ts >= COALESCE(closed.last + interval '5 minutes', '-infinity')) AS "isReached"
  FROM server s
  CROSS JOIN LATERAL (SELECT (SELECT ts FROM host_sample WHERE ${IN_RANGE} ORDER BY ts LIMIT 1) AS first) AS kept
  CROSS JOIN LATERAL (SELECT (SELECT ts FROM host_rollup_5m WHERE ${IN_RANGE} ORDER BY ts DESC LIMIT 1) AS last) AS closed
  WHERE s.account_id = $1 AND s.id = ANY($2::uuid[])`;
};

/**
 * $1 account  $2 server ids  $3 from, ms  $4 to, ms. Arrays in the binary form of PostgreSQL, in order of time; minima and
 * maxima are read up to the first sample that is kept.
 */
const statement = (metric: RecordedMetric): string => {
  const { sample, low, high } = COLUMNS[metric];
  return `SELECT s.id AS "serverId", sample.times AS "sampleTimes", sample.found AS "sampleValues",
    rollup.times AS "rollupTimes", rollup.lows AS "rollupLows", rollup.highs AS "rollupHighs"
  FROM server s
  CROSS JOIN LATERAL (
    SELECT min(ts) AS first, array_send(array_agg(ts)) AS times, array_send(array_agg(value)) AS found FROM (
      SELECT ts, ${sample} AS value FROM host_sample
      WHERE server_key = s.key AND ts >= ${timestamp('$3')} AND ts < ${timestamp('$4')} ORDER BY ts
    ) AS ordered
  ) AS sample
  CROSS JOIN LATERAL (
    SELECT array_send(array_agg(ts)) AS times, array_send(array_agg(low)) AS lows, array_send(array_agg(high)) AS highs
    FROM (
      SELECT ts, ${low} AS low, ${high} AS high FROM host_rollup_5m
      WHERE server_key = s.key AND ts >= ${timestamp('$3')}
        AND ts < LEAST(COALESCE(sample.first, 'infinity') - interval '5 minutes', ${timestamp('$4')}) ORDER BY ts
    ) AS ordered
  ) AS rollup
  WHERE s.account_id = $1 AND s.id = ANY($2::uuid[])`;
};

interface PackedRow {
  serverId: string;
  sampleTimes: Buffer | null;
  sampleValues: Buffer | null;
  rollupTimes: Buffer | null;
  rollupLows: Buffer | null;
  rollupHighs: Buffer | null;
}

/** An array of one dimension: dimensions, flags, element type, length and lower bound; then each element after its length. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const REAL_BYTES = 4;
const TIME_BYTES = 8;
/** PostgreSQL counts microseconds from 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/** A missing value becomes NaN. */
function realsOf(bytes: Buffer | null): number[] {
  const values: number[] = [];
  if (bytes === null) return values;
  for (let at = HEADER_BYTES; at < bytes.length;) {
    const isMissing = bytes.readInt32BE(at) === -1;
    at += LENGTH_BYTES;
    values.push(isMissing ? Number.NaN : bytes.readFloatBE(at));
    if (!isMissing) at += REAL_BYTES;
  }
  return values;
}

function timesOf(bytes: Buffer | null): number[] {
  const times: number[] = [];
  if (bytes === null) return times;
  for (let at = HEADER_BYTES + LENGTH_BYTES; at < bytes.length; at += TIME_BYTES + LENGTH_BYTES)
    times.push(Number(bytes.readBigInt64BE(at)) / 1000 + EPOCH_MS);
  return times;
}

function pointsOf(row: PackedRow): RecordedPoint[] {
  const [lows, highs] = [realsOf(row.rollupLows), realsOf(row.rollupHighs)];
  const values = realsOf(row.sampleValues);
  const unknown = Number.NaN;
  return [
    ...timesOf(row.rollupTimes).map((at, index): RecordedPoint => ({
      at,
      min: lows[index] ?? unknown,
      max: highs[index] ?? unknown,
      isSample: false,
    })),
    ...timesOf(row.sampleTimes).map((at, index): RecordedPoint => {
      const value = values[index] ?? unknown;
      return { at, min: value, max: value, isSample: true };
    }),
  ];
}

interface ReachRow {
  serverId: string;
  hostname: string;
  intervalSeconds: number;
  hasSamples: boolean;
  hasRollups: boolean;
  isReached: boolean;
}

function sourceOf({ hasSamples, hasRollups }: ReachRow): RehearsalSource {
  if (hasSamples) return hasRollups ? 'mixed' : 'samples';
  return hasRollups ? 'five_minutes' : null;
}

/** Servers read by one query, which must not exceed the time that PostgreSQL allows a statement. */
const SERVERS_AT_ONCE = 10;

export const createRecordedValues = ({ pool }: Database): RecordedValues => ({
  read: async ({ accountId }, serverIds, metric, { from, to, above }) => {
    const { rows: found } = await pool.query<ReachRow>(reach(metric), [accountId, serverIds, from, to, above]);
    const reached = found.filter(({ isReached }) => isReached).map(({ serverId }) => serverId);
    const points = new Map<string, RecordedPoint[]>();
    for (let start = 0; start < reached.length; start += SERVERS_AT_ONCE) {
      const ids = reached.slice(start, start + SERVERS_AT_ONCE);
      const { rows } = await pool.query<PackedRow>(statement(metric), [accountId, ids, from, to]);
      for (const row of rows) points.set(row.serverId, pointsOf(row));
    }
    return found.map((row) => ({
      serverId: row.serverId,
      hostname: row.hostname,
      intervalMs: row.intervalSeconds * 1000,
      source: sourceOf(row),
      points: points.get(row.serverId) ?? [],
    }));
  },
});
