import { usagePercent } from '../cluster-state.ts';
import {
  kubernetesNode,
  nodeHistoryAnswer,
  nodePodsAnswer,
  type NodeMetricsPoint,
} from '@plimsoll/contract/wire/kubernetes';
import { POD_PHASES, POD_SORTS, SORT_ORDERS } from '@plimsoll/contract/rules/kubernetes-limits';
import { PAGE_LIMITS, SERIES_BUCKETS } from '@plimsoll/contract/rules/limits';
import { dates, hours, page, wholeNumber } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { fillBuckets } from '../../series/buckets.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { CodedError, notFound } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import type { NodeRecord } from '../node-records.ts';
import type { UsageBucket } from '../types.ts';
import type { SeriesBucket } from '../../series/types.ts';
import { clusterId, searchText } from './query.ts';
import { shapeNode, shapePod } from './shape.ts';
import { bucketRange, todayOf } from '../../series/range.ts';
import { epochSeconds, iso, rounded } from '../../http/units.ts';

const tag = 'Kubernetes';
const nodeParam = { node: z.string().min(1).max(253) };

/** By server_id or by name. Throws `not_found`, or `node_ambiguous` for a name that several clusters use. */
async function requireNode(
  { storage, clock }: Deps,
  owner: Owner,
  cluster: string | undefined,
  wanted: string,
): Promise<NodeRecord> {
  const found = await storage.kubernetes.views.nodes({ owner, clusterId: cluster, named: wanted }, clock.now());
  const byId = found.find(({ serverId }) => serverId === wanted.toLowerCase());
  if (byId) return byId;
  if (found.length > 1)
    throw new CodedError('node_ambiguous', 'node: several of your clusters have a node of this name', {
      field: 'node',
      remedy: 'Use its server_id, or add cluster_id.',
    });
  if (!found[0]) throw notFound('Node');
  return found[0];
}

/** The calls about one node. */
export const oneNodeRoutes = (deps: Deps): Route[] => [oneNode(deps), podsOfNode(deps), nodeHistory(deps)];

const oneNode = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/nodes/:node',
      actor: 'user',
      summary: 'One node, by server_id or by a name that is unique among yours',
      tag,
      params: nodeParam,
      query: { cluster_id: clusterId },
      answer: kubernetesNode,
    },
    async ({ actor, params, query }) => {
      const node = await requireNode(deps, actor.owner, query.cluster_id, params.node);
      const rules = await deps.alertRules.of(actor.owner.organisationId);
      return shapeNode(node, deps.clock.now(), rules.of(node.serverId).lines);
    },
  );

const podsOfNode = (deps: Deps): Route => {
  const { storage } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/nodes/:node/pods',
      actor: 'user',
      summary: 'The pods of one node',
      tag,
      params: nodeParam,
      query: {
        ...page(PAGE_LIMITS.pods),
        cluster_id: clusterId,
        namespace: searchText,
        phase: z.enum(POD_PHASES).optional(),
        sort: z.enum(POD_SORTS).default('name'),
        order: z.enum(SORT_ORDERS).default('asc'),
      },
      answer: nodePodsAnswer,
    },
    async ({ actor, params, query }) => {
      const node = await requireNode(deps, actor.owner, query.cluster_id, params.node);
      const now = deps.clock.now();
      const { cluster_id: _, ...asked } = query;
      const filter = { ...asked, owner: actor.owner, clusterId: node.clusterId, nodeName: node.object.name };
      const { pods, total } = await views.pods(filter, now);
      return { pods: pods.map((pod) => shapePod(pod, now)), total };
    },
  );
};

const nodeHistory = (deps: Deps): Route => {
  const { storage } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/nodes/:node/metrics/history',
      actor: 'user',
      summary: 'CPU, memory and disk of one node over time',
      tag,
      params: nodeParam,
      query: {
        hours,
        ...dates,
        cluster_id: clusterId,
        buckets: wholeNumber(10, SERIES_BUCKETS.max).default(SERIES_BUCKETS.default),
      },
      answer: nodeHistoryAnswer,
    },
    async ({ actor, params, query }) => {
      const node = await requireNode(deps, actor.owner, query.cluster_id, params.node);
      const buckets = bucketRange(query, todayOf(deps));
      const ofNode = async (range: typeof buckets): Promise<Point[]> =>
        (await views.nodeSeries(node, actor.owner, range)).map((row) => ofCapacity(row, node.object.capacity));
      // The agent of a node measures from its installation on; history from Prometheus comes before it.
      const before = { ...buckets, to: Math.min(buckets.to, node.firstSeenAt) };
      const rows = node.server
        ? [
            ...(before.from < before.to ? await ofNode(before) : []),
            ...(await storage.series.hostSeries(actor.owner, node.serverId, buckets)),
          ]
        : await ofNode(buckets);
      return {
        metrics: fillBuckets(rows, buckets, emptyBucket).map(shapePoint),
        from: epochSeconds(buckets.from),
        to: epochSeconds(buckets.to),
        bucket_seconds: buckets.bucketSeconds,
      };
    },
  );
};

type Point = Pick<SeriesBucket, 'at' | 'count' | 'cpuPercent' | 'memoryPercent' | 'diskPercent'> & { isTold?: boolean };
const NO_BAND = { avg: null, min: null, max: null };
const emptyBucket = (at: number): Point => ({
  at,
  count: 0,
  cpuPercent: NO_BAND,
  memoryPercent: NO_BAND,
  diskPercent: NO_BAND,
});

type Band = Point['cpuPercent'];
const scaled = (band: Band, whole: number | null): Band => ({
  avg: usagePercent(band.avg, whole),
  min: usagePercent(band.min, whole),
  max: usagePercent(band.max, whole),
});
const ofCapacity = (row: UsageBucket, capacity: { cpu_cores: number | null; memory_bytes: number | null }): Point => ({
  at: row.at,
  count: row.count,
  isTold: row.isTold,
  cpuPercent: scaled(row.cpuCores, capacity.cpu_cores),
  memoryPercent: scaled(row.memoryBytes, capacity.memory_bytes),
  diskPercent: NO_BAND,
});

const roundedBand = (band: Band): Band => ({ avg: rounded(band.avg), min: rounded(band.min), max: rounded(band.max) });
const shapePoint = (point: Point): NodeMetricsPoint => ({
  timestamp: epochSeconds(point.at),
  time: iso(point.at),
  cpu_usage: rounded(point.cpuPercent.avg),
  memory_usage: rounded(point.memoryPercent.avg),
  disk_usage: rounded(point.diskPercent.avg),
  bands: {
    cpu: roundedBand(point.cpuPercent),
    memory: roundedBand(point.memoryPercent),
    disk: roundedBand(point.diskPercent),
  },
  count: point.count,
  ...(point.isTold ? { source: 'prometheus' } : {}),
});
