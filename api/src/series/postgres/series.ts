// SQL reads series: buckets are averaged in the database.
import type { Clock } from '../../clock.ts';
import { fleetStepFor } from '../fleet-steps.ts';
import { levelFor } from '../series-level.ts';
import type { Owner } from '../../accounts/owner.ts';
import type { Band, NetworkBucket, SeriesQuery } from '../types.ts';
import type { MetricSeries } from '../store.ts';
import { isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import type { Figures } from './fleet-columns.ts';
import type { ConnectionState, RolledUp } from '../rollup-columns.ts';
import { connectionsOf } from '../sample-columns.ts';
import { seriesStatement, sparkStatement } from './series-sql.ts';

const HOST = {
  chart: 'host',
  names: ['cpu', 'memory', 'disk', 'io_wait', 'operations'],
  hasConnections: false,
} as const;
const NETWORK = { chart: 'network', names: ['receive', 'transmit'], hasConnections: true } as const;

type Bands = Record<`${RolledUp}_${'avg' | 'min' | 'max'}`, number | null>;
type BucketRow = { at: number; samples: number } & Bands & Record<`connections_${ConnectionState}`, number | null>;

const bandOf = (row: BucketRow, name: RolledUp): Band => ({
  avg: row[`${name}_avg`],
  min: row[`${name}_min`],
  max: row[`${name}_max`],
});

const networkBucketOf = (row: BucketRow): NetworkBucket => ({
  at: row.at,
  count: row.samples,
  receiveBytesPerSecond: bandOf(row, 'receive'),
  transmitBytesPerSecond: bandOf(row, 'transmit'),
  connections: connectionsOf(row),
});

export const seriesOn = ({ pool }: Database, clock: Clock): MetricSeries => {
  /** The one place that picks the level a range is read from. Buckets begin at whole multiples of their length. */
  const read = async (
    figures: Figures & { chart: string },
    owner: Owner,
    serverId: string | null,
    query: SeriesQuery,
  ): Promise<BucketRow[]> => {
    if (serverId !== null && !isUuid(serverId)) return [];
    const { from, bucketSeconds } = query;
    const now = clock.now();
    const level = levelFor(from, bucketSeconds, now);
    const step = serverId === null ? fleetStepFor(level, from, bucketSeconds, now) : null;
    const { rows } = await pool.query<BucketRow>({
      name: ['series', figures.chart, level.name, step?.seconds ?? 'servers'].join('_'),
      text: seriesStatement(level, figures, step),
      values: [owner.accountId, serverId, query.from, query.to, query.bucketSeconds],
    });
    return rows;
  };
  return {
    hostSeries: async (owner, serverId, query) => {
      const rows = await read(HOST, owner, serverId, query);
      return rows.map((row) => ({
        at: row.at,
        count: row.samples,
        cpuPercent: bandOf(row, 'cpu'),
        memoryPercent: bandOf(row, 'memory'),
        diskPercent: bandOf(row, 'disk'),
        ioWaitPercent: bandOf(row, 'io_wait'),
        operationsPerSecond: bandOf(row, 'operations'),
      }));
    },
    sparks: async (owner, asked, { from, to, bucketSeconds }) => {
      const level = levelFor(from, bucketSeconds, clock.now());
      const ids = asked.map(({ serverId }) => serverId);
      const resources = asked.map(({ resource }) => resource);
      const { rows } = await pool.query<{ server_id: string; at: number; value: number | null }>({
        name: `sparks_${level.name}`,
        text: sparkStatement(level),
        values: [owner.accountId, ids, from, to, bucketSeconds, resources],
      });
      return rows.map(({ server_id: serverId, at, value }) => ({ serverId, at, value }));
    },
    networkSeries: async (owner, serverId, query) => (await read(NETWORK, owner, serverId, query)).map(networkBucketOf),
  };
};
