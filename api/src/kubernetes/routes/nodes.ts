import { percentOf } from '@plimsoll/contract/rules/percent-of';
import {
  kubernetesNode,
  nodeHistoryAnswer,
  nodePodsAnswer,
  nodesAnswer,
  type NodeMetricsPoint,
  recentNodesAnswer,
} from '@plimsoll/contract/wire/kubernetes';
import {
  NODE_SORTS,
  POD_PHASES,
  POD_SORTS,
  RECENT_NODES,
  SORT_ORDERS,
  type NodeSort,
} from '@plimsoll/contract/rules/kubernetes-limits';
import { PAGE_LIMITS, SERIES_BUCKETS } from '@plimsoll/contract/rules/limits';
import { dates, hours, page, scope, wholeNumber } from '@plimsoll/contract/wire/query';
import type { LoadLines } from '@plimsoll/contract/wire/servers';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { fillBuckets } from '../../series/buckets.ts';
import { meanOf } from '../../servers/fleet.ts';
import type { Owner } from '../../accounts/owner.ts';
import { CodedError, notFound } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { nodeFigures, type NodeFigures, type Traced } from '../cluster-state.ts';
import { clustersInScope } from '../scope.ts';
import type { NodeRecord, RankedNode, UsageBucket } from '../types.ts';
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

interface Candidate {
  node: RankedNode;
  figures: NodeFigures;
}
const byName = ({ node: a }: Candidate, { node: b }: Candidate): number =>
  a.object.name.localeCompare(b.object.name, 'en', { numeric: true }) || (a.serverId < b.serverId ? -1 : 1);

/** Compared as they are displayed. */
const VALUES: Record<Exclude<NodeSort, 'name'>, (candidate: Candidate) => number | null> = {
  headroom: ({ figures }) => figures.headroom && (rounded(figures.headroom.points) ?? 0),
  cpu: ({ figures }) => rounded(figures.cpu.value),
  memory: ({ figures }) => rounded(figures.memory.value),
  disk: ({ figures }) => rounded(figures.disk.value),
  pods: ({ node }) => node.pods,
  age: ({ node }) => -node.object.created_at,
};
/** Not ready, or out of the control plane's sight. */
const isBroken = ({ node }: Candidate): boolean => node.object.ready !== true;

/**
 * Sorts unknown values last in either order. By headroom, nodes that are not ready stand first: they are worse than any
 * load, and their load means little.
 */
function sortNodes(nodes: Candidate[], sort: NodeSort, order: 'asc' | 'desc'): Candidate[] {
  const sign = order === 'asc' ? 1 : -1;
  if (sort === 'name') return nodes.toSorted((a, b) => sign * byName(a, b));
  const value = VALUES[sort];
  return nodes.toSorted((a, b) => {
    if (sort === 'headroom' && (isBroken(a) || isBroken(b))) {
      return Number(isBroken(b)) - Number(isBroken(a)) || byName(a, b);
    }
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byName(a, b);
    return sign * (x - y) || byName(a, b);
  });
}

const matches = (
  { object, serverId }: RankedNode,
  search: string | undefined,
  ready: 'true' | 'false' | undefined,
): boolean =>
  (ready === undefined || (object.ready === true) === (ready === 'true')) &&
  (search === undefined || object.name.toLowerCase().includes(search) || serverId.startsWith(search));

export const kubernetesNodeRoutes = (deps: Deps): Route[] => [
  recentNodes(deps),
  listNodes(deps),
  oneNode(deps),
  podsOfNode(deps),
  nodeHistory(deps),
];

const recentNodes = ({ storage, clock, alertRules }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/nodes/recent',
      actor: 'user',
      summary: 'The nodes that connected last; with token_id, those that enrolled with that cluster token',
      tag,
      query: {
        limit: wholeNumber(1, PAGE_LIMITS.max).default(RECENT_NODES),
        token_id: z.uuid().optional(),
        cluster_id: clusterId,
      },
      answer: recentNodesAnswer,
    },
    async ({ actor, query }) => {
      const { cluster_id: cluster, token_id: tokenId, limit } = query;
      const now = clock.now();
      const filter = { owner: actor.owner, clusterId: cluster, tokenId, limit };
      const { nodes, total } = await storage.kubernetes.views.recentNodes(filter, now);
      const rules = await alertRules.of(actor.owner.accountId);
      return { nodes: nodes.map((node) => shapeNode(node, now, rules.of(node.serverId).lines)), total };
    },
  );

const listNodes = ({ storage, clock, alertRules }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/nodes',
      actor: 'user',
      summary: 'Your nodes, least headroom first, with counts and averages over all that match',
      tag,
      query: {
        ...page(PAGE_LIMITS.other),
        cluster_id: clusterId,
        search: searchText,
        ready: z.enum(['true', 'false']).optional(),
        sort: z.enum(NODE_SORTS).default('headroom'),
        order: z.enum(SORT_ORDERS).default('asc'),
        scope: scope.optional(),
      },
      answer: nodesAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const { views } = storage.kubernetes;
      const within = await clustersInScope(storage, actor.owner, query.scope, now);
      const filter = { owner: actor.owner, clusterId: query.cluster_id, within };
      const all = await views.rankedNodes(filter, query.sort === 'pods');
      const rules = await alertRules.of(actor.owner.accountId);
      const linesOf = (serverId: string): LoadLines => rules.of(serverId).lines;
      const found = all
        .filter((node) => matches(node, query.search?.toLowerCase(), query.ready))
        .map((node): Candidate => ({ node, figures: nodeFigures(node, now, linesOf(node.serverId)) }));
      const chosen = sortNodes(found, query.sort, query.order)
        .slice(query.offset, query.offset + query.limit)
        .map(({ node }) => node.serverId);
      const nodes = new Map(
        (await views.nodes({ ...filter, serverIds: chosen }, now)).map((node) => [node.serverId, node]),
      );
      const ready = found.filter(({ node }) => node.object.ready === true).length;
      const mean = (of: (figures: NodeFigures) => Traced): number | null =>
        rounded(meanOf(found.map(({ figures }) => rounded(of(figures).value))));
      return {
        nodes: chosen.flatMap((serverId) => {
          const node = nodes.get(serverId);
          return node ? [shapeNode(node, now, linesOf(serverId))] : [];
        }),
        total: found.length,
        summary: {
          total: found.length,
          ready,
          not_ready: found.length - ready,
          with_agent: found.filter(({ node }) => node.agent !== null).length,
          avg_cpu_usage: mean(({ cpu }) => cpu),
          avg_memory_usage: mean(({ memory }) => memory),
          avg_disk_usage: mean(({ disk }) => disk),
        },
      };
    },
  );

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
      const rules = await deps.alertRules.of(actor.owner.accountId);
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
  avg: percentOf(band.avg, whole),
  min: percentOf(band.min, whole),
  max: percentOf(band.max, whole),
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
