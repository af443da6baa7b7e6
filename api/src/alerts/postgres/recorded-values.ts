// SQL packs a week of samples of a server into one value: a million rows would take seconds to transfer and parse.
import type { RecordedPoint } from '../types.ts';
import type { RecordedValues } from '../store.ts';
import type { ThresholdMetric } from '../rules.ts';
import type { Database } from '../../database/database.ts';
import { SHOWN_NAME, timestamp } from '../../database/time.ts';

type Read = ThresholdMetric | 'presence';
const SAMPLE_VALUES: Record<Read, string> = {
  cpu_usage: 'cpu_percent',
  memory_usage: 'memory_percent',
  disk_usage: 'disk_percent',
  presence: '0::real',
};
const ROLLUP_COLUMNS: Record<Read, readonly [min: string, max: string]> = {
  cpu_usage: ['cpu_min', 'cpu_max'],
  memory_usage: ['memory_min', 'memory_max'],
  disk_usage: ['disk_min', 'disk_max'],
  presence: ['0::real', '0::real'],
};

/**
 * $1 account  $2 server ids  $3 from, ms  $4 to, ms. Arrays in the binary form of PostgreSQL, in order of time; minima and
 * maxima are read up to the first sample that is kept.
 */
const statement = (metric: Read): string => {
  const [low, high] = ROLLUP_COLUMNS[metric];
  return `SELECT s.id AS "serverId", ${SHOWN_NAME} AS hostname, s.report_interval_seconds AS "intervalSeconds",
    sample.times AS "sampleTimes", sample.found AS "sampleValues",
    rollup.times AS "rollupTimes", rollup.lows AS "rollupLows", rollup.highs AS "rollupHighs"
  FROM server s
  CROSS JOIN LATERAL (
    SELECT min(ts) AS first, array_send(array_agg(ts)) AS times, array_send(array_agg(value)) AS found FROM (
      SELECT ts, ${SAMPLE_VALUES[metric]} AS value FROM host_sample
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
  hostname: string;
  intervalSeconds: number;
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

export const createRecordedValues = ({ pool }: Database): RecordedValues => ({
  read: async ({ accountId }, serverIds, metric, { from, to }) => {
    const { rows } = await pool.query<PackedRow>(statement(metric), [accountId, serverIds, from, to]);
    return rows.map((row) => ({
      serverId: row.serverId,
      hostname: row.hostname,
      intervalMs: row.intervalSeconds * 1000,
      points: pointsOf(row),
    }));
  },
});
