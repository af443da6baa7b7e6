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

const TIME_BYTES = 8;
const VALUE_BYTES = 4;
const packed = (value: string): string => `float4send(COALESCE(${value}, 'NaN'))`;
const PACKED_TIME = 'float8send((extract(epoch FROM ts) * 1000)::float8)';

/**
 * $1 account  $2 server ids  $3 from, ms  $4 to, ms. Time and value of each row in the binary form of PostgreSQL, in
 * order of time; minima and maxima are read up to the first sample that is kept.
 */
const statement = (metric: Read): string => `SELECT s.id AS "serverId", ${SHOWN_NAME} AS hostname,
    s.report_interval_seconds AS "intervalSeconds", sample.packed AS samples, rollup.packed AS rollups
  FROM server s
  CROSS JOIN LATERAL (
    SELECT min(ts) AS first, string_agg(${PACKED_TIME} || ${packed('value')}, '') AS packed FROM (
      SELECT ts, ${SAMPLE_VALUES[metric]} AS value FROM host_sample
      WHERE server_key = s.key AND ts >= ${timestamp('$3')} AND ts < ${timestamp('$4')} ORDER BY ts
    ) AS ordered
  ) AS sample
  CROSS JOIN LATERAL (
    SELECT string_agg(${PACKED_TIME} || ${packed('low')} || ${packed('high')}, '') AS packed FROM (
      SELECT ts, ${ROLLUP_COLUMNS[metric].map((column, index) => `${column} AS ${index === 0 ? 'low' : 'high'}`).join(', ')}
      FROM host_rollup_5m WHERE server_key = s.key AND ts >= ${timestamp('$3')}
        AND ts < LEAST(COALESCE(sample.first, 'infinity') - interval '5 minutes', ${timestamp('$4')}) ORDER BY ts
    ) AS ordered
  ) AS rollup
  WHERE s.account_id = $1 AND s.id = ANY($2::uuid[])`;

interface PackedRow {
  serverId: string;
  hostname: string;
  intervalSeconds: number;
  samples: Buffer | null;
  rollups: Buffer | null;
}

function unpack(bytes: Buffer | null, values: 1 | 2): RecordedPoint[] {
  if (bytes === null) return [];
  const size = TIME_BYTES + values * VALUE_BYTES;
  return Array.from({ length: bytes.length / size }, (_, index): RecordedPoint => {
    const start = index * size;
    const min = bytes.readFloatBE(start + TIME_BYTES);
    const max = values === 1 ? min : bytes.readFloatBE(start + TIME_BYTES + VALUE_BYTES);
    return { at: bytes.readDoubleBE(start), min, max, isSample: values === 1 };
  });
}

export const recordedValuesOn = ({ pool }: Database): RecordedValues => ({
  read: async ({ accountId }, serverIds, metric, { from, to }) => {
    const { rows } = await pool.query<PackedRow>(statement(metric), [accountId, serverIds, from, to]);
    return rows.map(({ serverId, hostname, intervalSeconds, samples, rollups }) => ({
      serverId,
      hostname,
      intervalMs: intervalSeconds * 1000,
      points: [...unpack(rollups, 2), ...unpack(samples, 1)],
    }));
  },
});
