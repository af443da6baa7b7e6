// SQL reads samples: the table is partitioned and a page must cost one scan of its index.
import type { Clock } from '../../clock.ts';
import { milliseconds, timestamp } from '../../database/time.ts';
import type { Database } from '../../database/database.ts';
import { levelFor, ROLLUP_LEVELS, type SeriesLevel } from '../series-level.ts';
import type { SampleHistory } from '../store.ts';
import { ROLLED_UP_COLUMNS } from '../rolled-up-figures.ts';
import { SAMPLE_COLUMN_NAMES, sampleOf } from '../stored-figures.ts';
import type { SampleFigures } from '../stored-figures.ts';

const RANGE = `FROM host_sample
  WHERE server_key = $1 AND ts >= to_timestamp($2::double precision / 1000) AND ts < to_timestamp($3::double precision / 1000)`;
const LIST = `SELECT (extract(epoch FROM ts) * 1000)::double precision AS at, ${SAMPLE_COLUMN_NAMES.join(', ')}
  ${RANGE} ORDER BY ts DESC LIMIT $4 OFFSET $5`;
const COUNT = `SELECT count(*)::integer AS total ${RANGE}`;

/** Columns of a sample over one row of the level: a rollup has means, and none of what is not rolled up. */
const columnsOf = ({ name }: SeriesLevel): string =>
  name === 'raw'
    ? SAMPLE_COLUMN_NAMES.join(', ')
    : SAMPLE_COLUMN_NAMES.map((column) => `${ROLLED_UP_COLUMNS[column] ?? 'NULL::real'} AS ${column}`).join(', ');
/** A rollup stands for the stretch after its time; its end, or the moment itself, is what it was known by. */
const knownAt = ({ name, stepSeconds }: SeriesLevel): string =>
  milliseconds(name === 'raw' ? 'ts' : `LEAST(ts + interval '${stepSeconds} seconds', ${timestamp('$2')})`);

const FIVE_MINUTES = ROLLUP_LEVELS[0];
const newestOf = (level: SeriesLevel): string => `(SELECT ts, ${knownAt(level)} AS at, ${columnsOf(level)}
  FROM ${level.name === 'raw' ? 'host_sample' : `host_rollup_${level.name}`}
  WHERE server_key = s.key AND ts <= ${timestamp('$2')} ORDER BY ts DESC LIMIT 1)`;
/**
 * $1 account  $2 moment, ms  $3 server id or null. One probe of each index for each server. A sample lies in its rollup,
 * so the later one of both is the sample wherever there is one: the rollup stands in for samples that are gone.
 */
const newestBefore = (
  levels: readonly SeriesLevel[],
): string => `SELECT s.key, found.* FROM server s CROSS JOIN LATERAL (
  SELECT * FROM (${levels.map(newestOf).join(' UNION ALL ')}) AS each ORDER BY ts DESC LIMIT 1
) AS found WHERE s.organisation_id = $1 AND ($3::uuid IS NULL OR s.id = $3)`;

export const createSampleHistory = ({ pool }: Database, clock: Clock): SampleHistory => ({
  listSamples: async ({ server }, { from, to }, { limit, offset }) => {
    const range = [server.key, from, to];
    const [{ rows }, { rows: counted }] = await Promise.all([
      pool.query<SampleFigures & { at: number }>(LIST, [...range, limit, offset]),
      pool.query<{ total: number }>(COUNT, range),
    ]);
    return { samples: rows.map(sampleOf), total: counted[0]?.total ?? 0 };
  },
  samplesAt: async (owner, at, serverId) => {
    const level = levelFor(at, 1, clock.now());
    const { rows } = await pool.query<SampleFigures & { key: number; at: number }>({
      name: `samples_at_${level.name}`,
      text: newestBefore(level.name === 'raw' ? [level, FIVE_MINUTES] : [level]),
      values: [owner.organisationId, at, serverId ?? null],
    });
    return new Map(rows.map((row) => [row.key, sampleOf(row)]));
  },
});
