// SQL packs the samples of a server into arrays: a million rows would take seconds to transfer and parse.
import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import { SWAP_COUNTS_FROM_MEMORY_PERCENT } from '@plimsoll/contract/rules/host-metrics/host-alert-metrics';
import { ROLLUP_MS, type RecordedMetric, type RecordedPoints, type RecordedServer } from '../rehearsal/recorded.ts';
import type { RecordedValues } from '../store.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds, SHOWN_NAME, timestamp } from '../../database/time.ts';

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
  load: { sample: 'load_one', low: 'load_min', high: 'load_max' },
  // Swap counts as empty while memory is free, as in the evaluation.
  swap_usage: {
    sample: `CASE WHEN memory_percent ${SHORT} THEN swap_percent ELSE 0::real END`,
    low: `CASE WHEN memory_min ${SHORT} THEN swap_min ELSE 0::real END`,
    high: `CASE WHEN memory_max ${SHORT} THEN swap_max ELSE 0::real END`,
  },
  presence: { sample: '0::real', low: '0::real', high: '0::real' },
};

const IN_RANGE = `server_key = s.key AND ts >= ${timestamp('$3')} AND ts < ${timestamp('$4')}`;

const SERVERS_SQL = `
  SELECT s.key, s.id AS "serverId", ${SHOWN_NAME} AS hostname, s.report_interval_seconds * 1000 AS "intervalMs",
    (SELECT (value->>'cpu_cores')::double precision FROM server_fact f
      WHERE f.server_key = s.key AND f.name = 'system') AS cores,
    ${milliseconds('kept.first')} AS "firstSampleAt", EXISTS (SELECT FROM host_rollup_5m WHERE ${IN_RANGE}
      AND ts < COALESCE(kept.first, 'infinity') - interval '5 minutes') AS "hasRollups",
    ${milliseconds("closed.last + interval '5 minutes'")} AS "closedUntil"
  FROM server s
  CROSS JOIN LATERAL (SELECT (SELECT ts FROM host_sample WHERE ${IN_RANGE} ORDER BY ts LIMIT 1) AS first) AS kept
  CROSS JOIN LATERAL (SELECT (SELECT ts FROM host_rollup_5m WHERE ${IN_RANGE} ORDER BY ts DESC LIMIT 1) AS last) AS closed
  WHERE s.organisation_id = $1 AND s.id = ANY($2::uuid[])`;

const HOUR = `(extract(epoch FROM ts)::int / 3600)`;

/** One pass over the table: a search per server reads each page many times. */
const hoursOverSql = ({ low, high }: Columns, isHeld: boolean): string => `
  SELECT key, ${HOUR} AS hour FROM unnest($1::int[], $2::double precision[]) AS asked(key, line)
  JOIN host_rollup_5m ON server_key = key AND ts >= ${timestamp('$3')} AND ts < ${timestamp('$4')} AND ${high} >= line
  GROUP BY 1, 2${isHeld ? ` HAVING bool_or(${low} >= line)` : ''}`;

const COMPLETE_HOURS_SQL = `
  SELECT key, ${HOUR} AS hour FROM unnest($1::int[], $2::int[]) AS asked(key, reports)
  JOIN host_rollup_5m ON server_key = key AND ts >= ${timestamp('$3')} AND ts < ${timestamp('$4')}
  GROUP BY key, reports, 2 HAVING count(*) = ${String(HOUR_MS / ROLLUP_MS)} AND sum(samples) >= reports`;

/** Arrays in the binary form of PostgreSQL, in the order of the table, which is nearly that of time. */
const pointsSql = (table: 'host_sample' | 'host_rollup_5m', low: string, high: string | null): string => `
  SELECT server_key AS key, array_send(array_agg(ts)) AS times, array_send(array_agg(${low})) AS lows,
    ${high === null ? 'NULL::bytea' : `array_send(array_agg(${high}))`} AS highs
  FROM ${table} WHERE server_key = ANY($1::int[]) AND ts >= ${timestamp('$2')} AND ts < ${timestamp('$3')}
  GROUP BY server_key`;

interface PackedRow {
  key: number;
  times: Buffer;
  lows: Buffer;
  /** Null: those of a sample are the lows. */
  highs: Buffer | null;
}

/** An array of one dimension: dimensions, flags, element type, length and lower bound; then each element after its length. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const REAL_BYTES = 4;
const TIME_BYTES = 8;
const TWO_TO_32 = 2 ** 32;
/** PostgreSQL counts microseconds from 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/** A missing value becomes NaN. */
function realsOf(bytes: Buffer, count: number): Float32Array {
  const values = new Float32Array(count);
  let at = HEADER_BYTES;
  for (let index = 0; index < count; index += 1) {
    const isMissing = bytes.readInt32BE(at) === -1;
    at += LENGTH_BYTES;
    values[index] = isMissing ? Number.NaN : bytes.readFloatBE(at);
    if (!isMissing) at += REAL_BYTES;
  }
  return values;
}

function timesOf(bytes: Buffer): Float64Array {
  const size = TIME_BYTES + LENGTH_BYTES;
  const times = new Float64Array(Math.floor((bytes.length - HEADER_BYTES) / size));
  for (let index = 0; index < times.length; index += 1) {
    const at = HEADER_BYTES + LENGTH_BYTES + index * size;
    times[index] = (bytes.readInt32BE(at) * TWO_TO_32 + bytes.readUInt32BE(at + 4)) / 1000 + EPOCH_MS;
  }
  return times;
}

function pointsOf({ times, lows, highs }: PackedRow, isSample: boolean): RecordedPoints {
  const at = timesOf(times);
  const min = realsOf(lows, at.length);
  return inOrder({ isSample, at, min, max: highs === null ? min : realsOf(highs, at.length) });
}

/** Late samples lie behind newer ones, and parallel workers of PostgreSQL return one stretch each. */
function inOrder(points: RecordedPoints): RecordedPoints {
  const { isSample, at, min, max } = points;
  const order = orderOf(at);
  if (order === null) return points;
  const [times, lows] = [new Float64Array(at.length), new Float32Array(at.length)];
  const highs = max === min ? lows : new Float32Array(at.length);
  for (let index = 0; index < order.length; index += 1) {
    const from = order[index] ?? 0;
    times[index] = at[from] ?? 0;
    lows[index] = min[from] ?? Number.NaN;
    highs[index] = max[from] ?? Number.NaN;
  }
  return { isSample, at: times, min: lows, max: highs };
}

/** Merges the ascending stretches two by two. A general sort costs ten times as much. Null: the times ascend. */
function orderOf(at: Float64Array): Uint32Array | null {
  const count = at.length;
  let bounds = [0];
  for (let index = 1; index < count; index += 1) if ((at[index] ?? 0) < (at[index - 1] ?? 0)) bounds.push(index);
  if (bounds.length === 1) return null;
  let order = new Uint32Array(count).map((_zero, index) => index);
  while (bounds.length > 1) {
    const merged = new Uint32Array(count);
    for (let pair = 0; pair < bounds.length; pair += 2) {
      const [start = 0, middle = count, end = count] = bounds.slice(pair, pair + 3);
      let [left, right] = [start, middle];
      for (let place = start; place < end; place += 1) {
        const isLeft = right >= end || (left < middle && (at[order[left] ?? 0] ?? 0) <= (at[order[right] ?? 0] ?? 0));
        merged[place] = order[isLeft ? left : right] ?? 0;
        if (isLeft) left += 1;
        else right += 1;
      }
    }
    order = merged;
    bounds = bounds.filter((_start, index) => index % 2 === 0);
  }
  return order;
}

/** Returns the buckets that end before the first sample. */
function before({ isSample, at, min, max }: RecordedPoints, firstSampleAt: number): RecordedPoints {
  const found = at.findIndex((time) => time >= firstSampleAt - ROLLUP_MS);
  const end = found === -1 ? at.length : found;
  return { isSample, at: at.subarray(0, end), min: min.subarray(0, end), max: max.subarray(0, end) };
}

interface HourRow {
  key: number;
  hour: number;
}

const byServer = (rows: readonly HourRow[]): ReadonlyMap<number, readonly number[]> =>
  new Map([...Map.groupBy(rows, ({ key }) => key)].map(([key, found]) => [key, found.map(({ hour }) => hour)]));

export const createRecordedValues = ({ pool }: Database): RecordedValues => {
  const points = async (
    table: 'host_sample' | 'host_rollup_5m',
    [low, high]: [string, string | null],
    keys: readonly number[],
    { from, to }: { from: number; to: number },
  ): Promise<(readonly [number, RecordedPoints])[]> => {
    if (keys.length === 0) return [];
    const { rows } = await pool.query<PackedRow>(pointsSql(table, low, high), [keys, from, to]);
    return rows.map((row) => [row.key, pointsOf(row, table === 'host_sample')] as const);
  };
  return {
    servers: async ({ organisationId }, serverIds, { from, to }) =>
      (await pool.query<RecordedServer>(SERVERS_SQL, [organisationId, serverIds, from, to])).rows,
    hoursOver: async (lines, metric, { held, from, to }) => {
      const sql = hoursOverSql(COLUMNS[metric], held);
      const { rows } = await pool.query<HourRow>(sql, [[...lines.keys()], [...lines.values()], from, to]);
      return byServer(rows);
    },
    completeHours: async (servers, { from, to }) => {
      const keys = servers.map(({ key }) => key);
      const reports = servers.map(({ intervalMs }) => Math.floor(HOUR_MS / intervalMs));
      return byServer((await pool.query<HourRow>(COMPLETE_HOURS_SQL, [keys, reports, from, to])).rows);
    },
    ofHour: async (servers, metric, { from, to }) => {
      const { sample, low, high } = COLUMNS[metric];
      const keysOf = (some: readonly RecordedServer[]) => some.map(({ key }) => key);
      const sampled = servers.filter(({ firstSampleAt }) => firstSampleAt !== null && firstSampleAt < to);
      const rolledUp = servers.filter(({ firstSampleAt: first }) => first === null || first > from);
      const [buckets, samples] = await Promise.all([
        points('host_rollup_5m', [low, high], keysOf(rolledUp), { from, to }),
        points('host_sample', [sample, null], keysOf(sampled), { from, to }),
      ]);
      const firstOf = new Map(servers.map(({ key, firstSampleAt }) => [key, firstSampleAt ?? Infinity]));
      return [
        ...buckets.map(([key, found]) => [key, before(found, firstOf.get(key) ?? Infinity)] as const),
        ...samples,
      ];
    },
  };
};
