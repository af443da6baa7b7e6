import { compareNames } from '@plimsoll/contract/rules/compare-names';
import { nodesAnswer, recentNodesAnswer } from '@plimsoll/contract/wire/kubernetes';
import { NODE_SORTS, RECENT_NODES, SORT_ORDERS, type NodeSort } from '@plimsoll/contract/rules/kubernetes-limits';
import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { page, scope, wholeNumber } from '@plimsoll/contract/wire/query';
import type { LoadLines } from '@plimsoll/contract/wire/servers';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { meanOf } from '../../servers/fleet.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { nodeFigures, type NodeFigures, type Traced } from '../cluster-state.ts';
import { clustersInScope } from '../scope.ts';
import type { RankedNode } from '../node-records.ts';
import { clusterId, searchText } from './query.ts';
import { shapeNode } from './shape.ts';
import { rounded } from '../../http/units.ts';
import { oneNodeRoutes } from './one-node.ts';

const tag = 'Kubernetes';
interface Candidate {
  node: RankedNode;
  figures: NodeFigures;
}
const byName = ({ node: a }: Candidate, { node: b }: Candidate): number =>
  compareNames(a.object.name, b.object.name) || (a.serverId < b.serverId ? -1 : 1);

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
  ...oneNodeRoutes(deps),
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
      const rules = await alertRules.of(actor.owner.organisationId);
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
      const rules = await alertRules.of(actor.owner.organisationId);
      const linesOf = (serverId: string): LoadLines => rules.of(serverId).lines;
      const found = all
        .filter((node) => matches(node, query.search?.toLowerCase(), query.ready))
        .map((node): Candidate => ({ node, figures: nodeFigures(node, now, linesOf(node.serverId)) }));
      const chosen = sortNodes(found, query.sort, query.order)
        .slice(query.offset, query.offset + query.limit)
        .map(({ node }) => node);
      const wanted = { ...filter, serverIds: chosen.map(({ serverId }) => serverId) };
      const nodes = new Map((await views.nodes(wanted, now)).map((node) => [node.serverId, node]));
      const ready = found.filter(({ node }) => node.object.ready === true).length;
      const mean = (of: (figures: NodeFigures) => Traced): number | null =>
        rounded(meanOf(found.map(({ figures }) => rounded(of(figures).value))));
      return {
        nodes: chosen.flatMap(({ serverId }) => {
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
