// SQL reads series: buckets are averaged in the database.
import type { Clock } from '../../clock.ts';
import { fleetStepFor, type FleetStep } from '../fleet-steps.ts';
import { levelFor, type SeriesLevel } from '../series-level.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { CodedError } from '../../errors.ts';
import type { Band, SeriesQuery, SparkBucket } from '../types.ts';
import type { MetricSeries } from '../store.ts';
import { isStatementTimeout, isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { bucketOf, CHART_FIGURES } from '../chart-buckets.ts';
import type { BucketOf, Chart } from '../chart-buckets.ts';
import type { RolledUpFigure } from '../rolled-up-figures.ts';
import { topColumn } from './fleet-columns.ts';
import type { Figures } from './fleet-columns.ts';
import { ScopeSums } from './scope-sums.ts';
import { seriesStatement, SPARKS, sparkStatement } from './series-sql.ts';

/** `at`, samples, servers, and the columns of fleetColumns. */
type BucketRow = { at: number; samples: number; servers: number | null } & Record<string, number | null>;

const valueIn = (row: BucketRow, { column, keeps }: RolledUpFigure): Band | number | null =>
  keeps === 'mean'
    ? (row[column] ?? null)
    : { avg: row[`${column}_avg`] ?? null, min: row[`${column}_min`] ?? null, max: row[`${column}_max`] ?? null };

const topsIn = (row: BucketRow, chart: Chart): Record<string, number | null> =>
  Object.fromEntries(
    CHART_FIGURES[chart]
      .filter(({ keepsTop }) => keepsTop)
      .map((figure) => [figure.field, row[topColumn(figure)] ?? null]),
  );

/** Sums over thousands of servers and weeks may take longer than PostgreSQL gives a statement. */
const orTooLong = (error: unknown): never => {
  if (!isStatementTimeout(error)) throw error;
  throw new CodedError('took_too_long', 'The database took too long to sum these servers over this time', {
    remedy: 'Choose a shorter time or a scope of fewer servers.',
    cause: error,
  });
};

export const createSeriesStore = ({ pool }: Database, clock: Clock): MetricSeries => {
  const scopeSums = new ScopeSums<BucketRow>(pool);
  const sum = async (
    [chart, level, step]: [Chart, SeriesLevel, FleetStep | null],
    owner: Owner,
    serverId: string | null,
    query: SeriesQuery,
  ): Promise<BucketRow[]> => {
    const whole = level.name !== 'raw' && query.bucketSeconds === level.stepSeconds;
    const question = {
      name: ['series', chart, level.name, step?.seconds ?? 'servers', whole ? 'whole' : 'binned'].join('_'),
      text: seriesStatement(level, CHART_FIGURES[chart], step, whole),
      values: [owner.organisationId, serverId, query.from, query.to, query.bucketSeconds, query.within ?? null],
    };
    const { rows } = await pool.query<BucketRow>(question);
    return rows;
  };
  /** The one place that picks the level a range is read from. Buckets begin at whole multiples of their length. */
  const readRows = (chart: Chart, owner: Owner, serverId: string | null, query: SeriesQuery): Promise<BucketRow[]> => {
    const { from, bucketSeconds, within } = query;
    const now = clock.now();
    const level = levelFor(from, bucketSeconds, now);
    const step = serverId === null ? fleetStepFor(level, from, bucketSeconds, now) : null;
    // The stored sums cover every server of the account.
    if (step === null || within === undefined) return sum([chart, level, step], owner, serverId, query);
    return scopeSums.read({ owner, chart, step, query: { ...query, within } }, (part) =>
      sum([chart, level, null], owner, null, part),
    );
  };
  const read = async <C extends Chart>(
    chart: C,
    owner: Owner,
    serverId: string | null,
    query: SeriesQuery,
  ): Promise<BucketOf[C][]> => {
    if (serverId !== null && !isUuid(serverId)) return [];
    const rows = await readRows(chart, owner, serverId, query).catch(orTooLong);
    return rows.map((row) =>
      bucketOf(chart, { at: row.at, count: row.samples, servers: row.servers, tops: topsIn(row, chart) }, (figure) =>
        valueIn(row, figure),
      ),
    );
  };
  /** One statement for each level and set of figures; `name` names the set. */
  const readEach = async (
    [name, figures]: readonly [string, Figures],
    owner: Owner,
    asked: readonly { serverId: string; figure: string }[],
    { from, to, bucketSeconds }: SeriesQuery,
  ): Promise<SparkBucket[]> => {
    const level = levelFor(from, bucketSeconds, clock.now());
    const ids = asked.map(({ serverId }) => serverId);
    const { rows } = await pool.query<{ server_id: string; at: number; value: number | null }>({
      name: `${name}_${level.name}`,
      text: sparkStatement(level, figures),
      values: [owner.organisationId, ids, from, to, bucketSeconds, asked.map(({ figure }) => figure)],
    });
    return rows.map(({ server_id: serverId, at, value }) => ({ serverId, at, value }));
  };
  return {
    hostSeries: (owner, serverId, query) => read('metrics', owner, serverId, query),
    networkSeries: (owner, serverId, query) => read('network', owner, serverId, query),
    sparks: (owner, asked, query) =>
      readEach(
        ['sparks', SPARKS],
        owner,
        asked.map(({ serverId, resource: figure }) => ({ serverId, figure })),
        query,
      ),
    compare: (owner, serverIds, figure, query) =>
      readEach(
        [`compare_${figure}`, CHART_FIGURES.metrics.filter(({ field }) => field === figure)],
        owner,
        serverIds.map((serverId) => ({ serverId, figure })),
        query,
      ),
  };
};
