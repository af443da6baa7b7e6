import { CLUSTER_SHARES } from '@plimsoll/contract/rules/kubernetes-limits';
import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { clusterStatesAnswer, type ClusterState } from '@plimsoll/contract/wire/kubernetes';
import { page, scope } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso, rounded } from '../../http/units.ts';
import { rankClusters, selectClusters, summariseClusters, type RankedCluster } from '../cluster-ranking.ts';
import { clustersInScope } from '../scope.ts';
import { searchText } from './query.ts';

/** Compares the clusters of an organisation, worst first. */
export const clusterStateRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/clusters/states',
      actor: 'user',
      summary: 'Lists your clusters worst first, with headroom, nodes, broken pods, versions and alerts',
      tag: 'Kubernetes',
      query: {
        ...page(PAGE_LIMITS.other),
        share: z.enum(CLUSTER_SHARES).default('requested'),
        search: searchText,
        state: z.enum(['over', 'broken', 'silent']).optional(),
        version: searchText,
        scope: scope.optional(),
      },
      answer: clusterStatesAnswer,
    },
    async ({ actor, query }) => {
      const now = deps.clock.now();
      const within = await clustersInScope(deps.storage, actor.owner, query.scope, now);
      const loads = await deps.storage.kubernetes.views.clusterLoads({ owner: actor.owner, within }, now);
      const ranked = rankClusters(loads, query.share, now);
      const selected = selectClusters(ranked, query);
      const { readyNodes, brokenPods, mostBehind, newestVersion, overNames, ...counts } = summariseClusters(ranked);
      return {
        clusters: selected.slice(query.offset, query.offset + query.limit).map(shapeState),
        total: selected.length,
        summary: {
          ...counts,
          ready_nodes: readyNodes,
          broken_pods: brokenPods,
          most_behind: mostBehind,
          newest_version: newestVersion,
          over_names: overNames,
        },
      };
    },
  ),
];

const shares = ({ cpuPercent, memoryPercent }: RankedCluster['used']): ClusterState['used'] => ({
  cpu_percent: rounded(cpuPercent),
  memory_percent: rounded(memoryPercent),
});

const shapeState = (one: RankedCluster): ClusterState => ({
  cluster_id: one.id,
  name: one.name,
  version: one.version,
  versions_behind: one.versionsBehind,
  last_seen_at: iso(one.lastSeenAt),
  age_seconds: one.ageSeconds,
  silent: one.isSilent,
  nodes: one.nodes,
  ready_nodes: one.readyNodes,
  pods: one.pods,
  broken_pods: one.brokenPods,
  requested: shares(one.requested),
  used: shares(one.used),
  headroom: one.headroom && {
    ...one.headroom,
    points: rounded(one.headroom.points) ?? 0,
    value: rounded(one.headroom.value) ?? 0,
  },
  alerts: one.alerts,
});
