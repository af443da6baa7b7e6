// SQL of the series: Prisma cannot average buckets.
import { RESOURCES } from '@plimsoll/contract/rules/limits';
import type { FleetStep } from '../fleet-steps.ts';
import { ROLLUP_LEVELS } from '../series-level.ts';
import type { SeriesLevel } from '../series-level.ts';
import { fleetColumns, overServersColumns, perServerColumns, storedColumns, weighted } from './fleet-columns.ts';
import type { Figures } from './fleet-columns.ts';
import { partRows } from './part-rows.ts';
import { inScope } from '../../servers/scope-sql.ts';
import { figuresOfChart } from '../rolled-up-figures.ts';
import { milliseconds, timestamp } from '../../database/time.ts';

const list = (columns: string[]): string => columns.join(', ');
/** As a scalar subquery the planner sees the bound of an index and leaves out partitions; as a join it sees neither. */
const span = (bound: string): string => `(SELECT ${bound} FROM span)`;
const binned = (seconds: number, expression: string): string =>
  `date_bin('${seconds} seconds', ${expression}, to_timestamp(0))`;
/** Start of the bucket of a moment; parameters in ms and s. */
const bucketOf = (moment: string, seconds: string): string =>
  `date_bin(make_interval(secs => ${seconds}), ${timestamp(moment)}, to_timestamp(0))`;
/** Without any progress yet: `start`. */
const progressOf = (level: string, start: string): string =>
  `COALESCE((SELECT complete_to FROM rollup_progress WHERE level = '${level}'), ${start})`;

/** End of the stored buckets: the first one that changed since, is still open, or is cut by $4. */
const readyTo = ({ seconds, due }: FleetStep): string => `GREATEST(lower_bound, LEAST(
    ${binned(seconds, 'upper_bound')},
    ${binned(seconds, progressOf(due, 'lower_bound'))},
    ${binned(
      seconds,
      `(SELECT min(ts) FROM fleet_rollup_due WHERE organisation_id = $1 AND level = '${due}' AND ts >= lower_bound AND ts < upper_bound)`,
    )}))`;

/** The coarsest level first; each goes on where the one before it is not rolled up further. */
const levelsOf = (level: SeriesLevel): SeriesLevel[] =>
  ROLLUP_LEVELS.filter(({ stepSeconds }) => stepSeconds <= level.stepSeconds).toReversed();

const spans = (level: SeriesLevel, step: FleetStep | null): string => {
  const steps = levelsOf(level).map(({ name, stepSeconds }, index, all) => {
    const before = index === 0 ? 'ready_to' : `to_${all[index - 1]?.name}`;
    const to = `GREATEST(${before}, LEAST(${binned(stepSeconds, 'upper_bound')}, ${progressOf(name, before)}))`;
    return { before: index === 0 ? 'ready' : `span_${all[index - 1]?.name}`, name, to };
  });
  return [
    `ready AS MATERIALIZED (SELECT *, ${step ? readyTo(step) : 'lower_bound'} AS ready_to FROM bounds)`,
    ...steps.map(({ before, name, to }) => `span_${name} AS (SELECT *, ${to} AS to_${name} FROM ${before})`),
    `span AS MATERIALIZED (SELECT * FROM ${steps.length > 0 ? `span_${steps.at(-1)?.name}` : 'ready'})`,
  ].join(', ');
};

/** Rows of the servers in `owned` from the coarsest level down to the single samples, each where it is complete. */
const partsOf = (level: SeriesLevel, figures: Figures): string[] => {
  // The bounds of a span are known while the statement runs. These are known when it is planned, so that it opens only
  // the partitions of the requested range.
  const requested = `ts >= ${bucketOf('$3', '$5')} AND ts < ${timestamp('$4')}`;
  const levels = levelsOf(level);
  const ends = ['ready_to', ...levels.map(({ name }) => `to_${name}`), 'upper_bound'];
  const names: SeriesLevel['name'][] = [...levels.map(({ name }) => name), 'raw'];
  return names.map((name, index) =>
    partRows(
      name,
      figures,
      `server_key IN (SELECT key FROM owned) AND ${requested} AND ts >= ${span(ends[index] ?? '')} AND ts < ${span(ends[index + 1] ?? '')}`,
    ),
  );
};

const EPOCH_MS = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::double precision AS at`;

/** Parameters: start and end in ms, and the width of a bucket in s. */
const rangeBounds = (from: string, to: string, seconds: string): string => `bounds AS (
  SELECT ${bucketOf(from, seconds)} AS lower_bound, ${timestamp(to)} AS upper_bound
)`;
const boundsOf = (level: SeriesLevel, step: FleetStep | null): string =>
  `${rangeBounds('$3', '$4', '$5')}, ${spans(level, step)}`;
const partOf = (level: SeriesLevel, figures: Figures, step: FleetStep | null): string =>
  `${boundsOf(level, step)}, part AS (${partsOf(level, figures).join(' UNION ALL ')})`;

/** One row for each server and bucket. */
const PER_SERVER = (figures: Figures): string => `
  SELECT date_bin(make_interval(secs => $5), ts, to_timestamp(0)) AS bucket, server_key, sum(samples) AS samples,
    ${list(perServerColumns(figures))}
  FROM part GROUP BY 1, 2`;
/** Rows of the coarsest level are that already when buckets are as long as its step: sorting them costs half the query. */
const perServer = (level: SeriesLevel, figures: Figures, step: FleetStep | null, whole: boolean): string => {
  if (!whole) return `${partOf(level, figures, step)}, per_server AS (${PER_SERVER(figures)})`;
  const [coarsest = '', ...rest] = partsOf(level, figures);
  return `${boundsOf(level, step)}, part AS (${rest.join(' UNION ALL ')}), per_server AS (${PER_SERVER(figures)}
  UNION ALL SELECT ts, server_key, samples, ${list(storedColumns(figures))} FROM (${coarsest}) AS coarsest)`;
};

/**
 * Rows of one bucket each: `at` (ms), samples, servers that reported, and NAME_avg, NAME_min, NAME_max of every figure, connections_STATE.
 * `whole`: a row of this level is a whole bucket. With `step`, what is ready over all servers of the account is read instead of summed.
 * $1 account  $2 server id or null  $3 from, ms  $4 to, ms  $5 bucket, s  $6 server keys or null
 */
export const seriesStatement = (
  level: SeriesLevel,
  figures: Figures,
  step: FleetStep | null,
  whole = false,
): string => {
  const ready = `SELECT ${EPOCH_MS('ts')}, samples, servers, ${list(fleetColumns(figures))} FROM fleet_rollup
  WHERE organisation_id = $1 AND step_seconds = ${step?.seconds} AND ts >= ${span('lower_bound')} AND ts < ${span('ready_to')}`;
  return `
WITH owned AS MATERIALIZED (
  SELECT key FROM server WHERE organisation_id = $1 AND ($2::uuid IS NULL OR id = $2) AND ${inScope('key', '$6')}
), ${perServer(level, figures, step, whole)}
${step ? `${ready} UNION ALL` : ''}
SELECT ${EPOCH_MS('bucket')}, sum(samples)::double precision AS samples,
  count(*)::integer AS servers, ${list(overServersColumns(figures))}
FROM per_server GROUP BY bucket ORDER BY at`;
};

/**
 * The buckets of an account that are stored over all its servers: `at` (ms) and samples, and in each row `ready_to` (ms), where
 * they end. One row with `at` null if there are none.
 * $1 account  $2 from, ms  $3 to, ms  $4 bucket, s
 */
export const readyStatement = (step: FleetStep): string => `
WITH ${rangeBounds('$2', '$3', '$4')}, ready AS MATERIALIZED (SELECT *, ${readyTo(step)} AS ready_to FROM bounds)
SELECT ${milliseconds('ready_to')} AS ready_to, ${milliseconds('stored.ts')} AS at, stored.samples
FROM ready LEFT JOIN LATERAL (SELECT ts, samples FROM fleet_rollup
  WHERE organisation_id = $1 AND step_seconds = ${step.seconds} AND ts >= lower_bound AND ts < ready_to) stored ON true`;

/** The resources with a line. Another one may be nearest to its line on each server. */
export const SPARKS: Figures = figuresOfChart('metrics').filter(({ field }) =>
  RESOURCES.some((resource) => resource === field),
);
/** Selects the requested column of a server before the sums, so that two of eight columns are summed. */
const asked = (figures: Figures, column: string): string =>
  `CASE owned.figure ${figures.map((figure) => `WHEN '${figure.field}' THEN ${figure.column}_${column}`).join(' ')} END`;

/**
 * Rows of one bucket of one server: server_id, `at` (ms), value (mean of the requested figure of that server).
 * $1 account  $2 server ids  $3 from, ms  $4 to, ms  $5 bucket, s  $6 one of `figures` for each id, by its field
 */
export const sparkStatement = (level: SeriesLevel, figures: Figures): string => `
WITH owned AS MATERIALIZED (
  SELECT server.key, server.id, asked.figure
  FROM unnest($2::uuid[], $6::text[]) AS asked (id, figure) JOIN server USING (id) WHERE server.organisation_id = $1
), ${partOf(level, figures, null)}, bucketed AS (
  SELECT owned.id AS server_id, date_bin(make_interval(secs => $5), ts, to_timestamp(0)) AS bucket,
    ${asked(figures, 'avg')} AS value, ${asked(figures, 'count')} AS number
  FROM part JOIN owned ON owned.key = part.server_key
)
SELECT server_id, ${EPOCH_MS('bucket')}, ${weighted('value', 'number')} AS value FROM bucketed GROUP BY server_id, bucket`;
