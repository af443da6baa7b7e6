import {
  networkConnectionsAnswer,
  networkMetricsAnswer,
  networkTimeseriesAnswer,
  type NetworkConnection,
  type NetworkMetrics,
  type NetworkPoint,
} from '@plimsoll/contract/wire/network';
import { dates, page, scope, serverId } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import type { ConnectionRecord } from '../../processes/types.ts';
import { CHART_FIGURES, emptyBucket } from '../chart-buckets.ts';
import type { MeanName, STORED_FIGURES } from '../stored-figures.ts';
import type { Sample } from '../types.ts';
import type { NetworkBucket } from '../types.ts';
import { serversInScope } from '../../servers/scope.ts';
import { given } from '@plimsoll/contract/rules/given';
import { listFilter, scopedFilter } from '../../servers/list-filter.ts';
import { rangeOf, todayOf } from '../range.ts';
import { requireServer } from '../../servers/require-server.ts';
import { seriesQuery, timeseriesOf } from './timeseries.ts';
import { epochSeconds, iso, rounded } from '../../http/units.ts';

const tag = 'Network';

const COUNTS = CHART_FIGURES.network.filter(({ keeps }) => keeps === 'mean');
type Counts = Record<MeanName<'network'>, number | null>;
type CountField = (typeof STORED_FIGURES)[MeanName<'network'>]['rollup']['field'];
const shapeConnections = (counts: Counts) =>
  Object.fromEntries(COUNTS.map(({ name, field }) => [field, counts[name as MeanName<'network'>]])) as Record<
    CountField,
    number | null
  >;

const shapePoint = (bucket: NetworkBucket): NetworkPoint => ({
  timestamp: epochSeconds(bucket.at),
  time: iso(bucket.at),
  inbound_bytes_per_sec: rounded(bucket.receiveBytesPerSecond.avg),
  outbound_bytes_per_sec: rounded(bucket.transmitBytesPerSecond.avg),
  inbound_min: rounded(bucket.receiveBytesPerSecond.min),
  inbound_max: rounded(bucket.receiveBytesPerSecond.max),
  outbound_min: rounded(bucket.transmitBytesPerSecond.min),
  outbound_max: rounded(bucket.transmitBytesPerSecond.max),
  ...shapeConnections(bucket),
});

const shapeMetrics = (serverId: string, sample: Sample): NetworkMetrics => ({
  server_id: serverId,
  timestamp: epochSeconds(sample.sampleAt),
  inbound_bytes_per_sec: rounded(sample.receiveBytesPerSecond),
  outbound_bytes_per_sec: rounded(sample.transmitBytesPerSecond),
  ...shapeConnections(sample),
});

const shapeConnection = (connection: ConnectionRecord): NetworkConnection => ({
  server_id: connection.serverId,
  timestamp: epochSeconds(connection.sampleAt),
  remote_ip: connection.remote_ip,
  remote_port: connection.remote_port,
  local_port: connection.local_port,
  protocol: connection.protocol,
  state: connection.state,
  pid: connection.pid,
  family: connection.family,
  importance_score: connection.importance_score,
});

const listQuery = { server_id: serverId.optional(), scope: scope.optional(), ...page(), ...dates };

export const networkRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/network/timeseries',
      actor: 'user',
      summary: 'Returns bandwidth and connection states over time, of one server or summed over your servers',
      tag,
      query: seriesQuery,
      answer: networkTimeseriesAnswer,
    },
    ({ actor: { owner }, query }) =>
      timeseriesOf(deps, owner, query, {
        chart: 'network',
        withoutSums: ({ at }) => emptyBucket('network', at),
        point: shapePoint,
      }),
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/network/metrics',
      actor: 'user',
      summary: 'Returns network figures: samples of one server, newest first, or the latest of each server',
      tag,
      query: listQuery,
      answer: networkMetricsAnswer,
    },
    async ({ actor, query }) => {
      if (query.server_id === undefined) {
        const { limit, offset, start_date: start, end_date: end } = query;
        const isDated = start !== undefined || end !== undefined;
        const sampled = isDated ? rangeOf({ hours: 24, ...query }, todayOf(deps)) : {};
        const within = await serversInScope(deps.storage.servers, actor.owner, query.scope, deps.clock.now());
        const { servers, total } = await deps.storage.servers.list(actor.owner, {
          sampled,
          limit,
          offset,
          ...given('within', within),
        });
        const latest = servers.flatMap(({ server, latest: { sample } }) =>
          sample ? [shapeMetrics(server.id, sample)] : [],
        );
        return { metrics: latest, total };
      }
      const server = await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const range = rangeOf({ hours: 24, ...query }, todayOf(deps));
      const found = await deps.storage.history.listSamples(server, range, query);
      return { metrics: found.samples.map((sample) => shapeMetrics(server.server.id, sample)), total: found.total };
    },
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/network/connections',
      actor: 'user',
      summary: 'Lists open connections, most important first; remote addresses are masked',
      tag,
      query: listQuery,
      answer: networkConnectionsAnswer,
    },
    async ({ actor, query }) => {
      if (query.server_id !== undefined) await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const { connections, total } = await deps.storage.lists.connections(
        actor.owner,
        await scopedFilter(deps, actor.owner, query, listFilter),
        query,
        deps.clock.now(),
      );
      return { connections: connections.map(shapeConnection), total };
    },
  ),
];
