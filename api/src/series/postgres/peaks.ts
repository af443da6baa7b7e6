// SQL finds the highest sample of a stretch in partitioned tables, which Prisma cannot express.
import type { Database } from '../../database/database.ts';
import { milliseconds, timestamp } from '../../database/time.ts';
import { PEAKED, type Peak } from '../peaks.ts';
import { ROLLUP_LEVELS } from '../series-level.ts';
import type { Peaks } from '../store.ts';

/** Samples of a longer stretch are too many to read for one figure: rollups of five minutes answer it. */
const MOST_SAMPLED_SECONDS = 21_600;

const inStretch = (server: string): string =>
  `server_key = ${server} AND ts >= ${timestamp('asked.from_ms')} AND ts < ${timestamp('asked.to_ms')}`;
const rowsOf = (column: string, expression: string): string =>
  [
    `SELECT ts, ${expression}::double precision AS value, 0 AS step FROM host_sample
      WHERE ${inStretch('asked.server_key')} AND asked.to_ms - asked.from_ms <= ${MOST_SAMPLED_SECONDS * 1000}`,
    ...ROLLUP_LEVELS.map(
      ({ name, stepSeconds }) => `SELECT ts, ${column}_max::double precision, ${stepSeconds} FROM host_rollup_${name}
      WHERE ${inStretch('asked.server_key')}`,
    ),
  ].join(' UNION ALL ');

/** $1 account  $2 fields  $3 server keys  $4 from, ms  $5 to, ms; an element each for one figure. A sample comes before its rollup. */
const PEAKS = PEAKED.map(
  ({ field, column, expression }) => `
  SELECT asked.field, asked.server_id AS "serverId", ${milliseconds('found.ts')} AS at, found.value, found.step AS "stepSeconds"
  FROM asked CROSS JOIN LATERAL (
    SELECT * FROM (${rowsOf(column, expression)}) AS known WHERE value IS NOT NULL ORDER BY value DESC, step, ts LIMIT 1
  ) AS found WHERE asked.field = '${field}'`,
).join(' UNION ALL ');
const STATEMENT = `WITH asked AS MATERIALIZED (
  SELECT a.*, s.id AS server_id FROM unnest($2::text[], $3::int[], $4::double precision[], $5::double precision[]) AS a (field, server_key, from_ms, to_ms)
  JOIN server s ON s.key = a.server_key WHERE s.organisation_id = $1
) ${PEAKS}`;

export const createPeaks = ({ pool }: Pick<Database, 'pool'>): Peaks => ({
  find: async (owner, asked) => {
    if (asked.length === 0) return [];
    const { rows } = await pool.query<Peak>({
      name: 'series_peaks',
      text: STATEMENT,
      values: [
        owner.organisationId,
        asked.map(({ field }) => field),
        asked.map(({ serverKey }) => serverKey),
        asked.map(({ from }) => from),
        asked.map(({ to }) => to),
      ],
    });
    return rows;
  },
});
