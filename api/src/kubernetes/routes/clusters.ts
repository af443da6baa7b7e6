import {
  clusterOverviewAnswer,
  clustersAnswer,
  eventsAnswer,
  permissionsAnswer,
  type ClusterOverviewAnswer,
  type Permission,
} from '@plimsoll/contract/wire/kubernetes';
import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { hours, page } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { costOf, nodeFigures } from '../cluster-state.ts';
import type { ClusterState, KubeletRecord, NodeTotals } from '../types.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { shapeEvent, shapeSummary } from './shape.ts';
import { clusterId, searchText } from './query.ts';
import { rangeOf, todayOf } from '../../series/range.ts';
import { iso, rounded } from '../../http/units.ts';

const tag = 'Kubernetes';
const HOUR_MS = 3_600_000;
const OVERVIEW_WARNINGS = 20;
/** Nodes whose kubelet cannot be read, named one by one. */
const MOST_NODES_NAMED = 100;

export const kubernetesRoutes = (deps: Deps): Route[] => [
  listClusters(deps),
  clusterOverview(deps),
  listEvents(deps),
  permissions(deps),
];

const listClusters = (deps: Deps): Route => {
  const { storage, clock } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/clusters',
      actor: 'user',
      summary: 'Lists your clusters',
      tag,
      answer: clustersAnswer,
    },
    async ({ actor }) => {
      const now = clock.now();
      const clusters = (await views.clusters(actor.owner)).map((one) => ({
        cluster_id: one.id,
        name: one.name,
        version: one.version,
        first_seen_at: iso(one.firstSeenAt),
        last_seen_at: iso(one.lastSeenAt),
        age_seconds: ageSeconds(one.lastSeenAt, now),
        nodes: one.nodes,
        pods: one.pods,
      }));
      return { clusters, total: clusters.length };
    },
  );
};

const clusterOverview = (deps: Deps): Route => {
  const { storage, clock } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/cluster/overview',
      actor: 'user',
      summary: 'Returns counts, averages, restart ranking and warnings of your cluster(s)',
      tag,
      query: { cluster_id: clusterId },
      answer: clusterOverviewAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const filter = { owner: actor.owner, clusterId: query.cluster_id };
      const [clusters, nodes, summary, warnings] = await Promise.all([
        views.clusterStates(filter),
        views.nodeTotals(filter, now),
        views.podsSummary(filter, now),
        views.events({
          ...filter,
          type: 'Warning',
          from: now - 24 * HOUR_MS,
          limit: OVERVIEW_WARNINGS,
          offset: 0,
        }),
      ]);
      const failed = summary.failed.map((pod) => ({
        namespace: pod.namespace,
        pod_name: pod.name,
        reason: pod.reason,
      }));
      return {
        total_nodes: nodes.nodes,
        ready_nodes: nodes.ready,
        aggregate_metrics: {
          avg_cpu_usage: rounded(nodes.cpuPercent),
          avg_memory_usage: rounded(nodes.memoryPercent),
        },
        aggregate_origin: originOf(nodes, now),
        total_pods: Object.values(summary.phases).reduce((sum, count) => sum + count, 0),
        running_pods: summary.phases.Running,
        pending_pods: summary.phases.Pending,
        failed_pods: summary.phases.Failed,
        succeeded_pods: summary.phases.Succeeded,
        unknown_pods: summary.phases.Unknown,
        summary: shapeSummary(summary, now),
        causes: {
          not_ready_nodes: nodes.notReady.map((node) => ({
            node_name: node.name,
            server_id: node.serverId,
            reason: node.reason,
          })),
          failed_pods: failed,
        },
        warnings: warnings.events.map(shapeEvent),
        age_seconds: oldestAge(clusters, now),
      };
    },
  );
};

const listEvents = (deps: Deps): Route => {
  const { views } = deps.storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/events',
      actor: 'user',
      summary: 'Lists events of your cluster(s), last seen first',
      tag,
      query: {
        ...page(PAGE_LIMITS.other),
        cluster_id: clusterId,
        namespace: searchText,
        type: searchText,
        kind: searchText,
        name: searchText,
        hours,
      },
      answer: eventsAnswer,
    },
    async ({ actor, query }) => {
      const { cluster_id: cluster, hours: asked, ...rest } = query;
      const { from } = rangeOf({ hours: asked }, todayOf(deps));
      const { events, total } = await views.events({ ...rest, owner: actor.owner, clusterId: cluster, from });
      return { events: events.map(shapeEvent), total };
    },
  );
};

const permissions = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/permissions',
      actor: 'user',
      summary: 'Lists the sources of the collectors: needed permissions, state, and the figures missing on failure',
      tag,
      query: { cluster_id: clusterId },
      answer: permissionsAnswer,
    },
    async ({ actor, query }) => {
      const filter = { owner: actor.owner, clusterId: query.cluster_id };
      const { views } = deps.storage.kubernetes;
      const [clusters, { failing: failingKubelets, well }] = await Promise.all([
        views.clusterStates(filter),
        views.kubelets(filter, MOST_NODES_NAMED),
      ]);
      // One line stands for all kubelets without a failure: each would say the same.
      const wellKubelets = well === null ? [] : [{ ...kubeletReader(well), who: 'node agents' }];
      const permissions = [...collectorReaders(clusters), ...failingKubelets.map(kubeletReader), ...wellKubelets];
      const failing = permissions.filter(({ state }) => state !== 'ok').length;
      return { permissions, total: permissions.length, failing };
    },
  );

const ageSeconds = (at: number, now: number): number => Math.max(0, (now - at) / 1000);
/** Returns the age of the cluster that reported longest ago, so that one silent cluster of many shows. */
const oldestAge = (clusters: ClusterState[], now: number): number | null =>
  clusters.length === 0 ? null : Math.max(...clusters.map(({ lastSeenAt }) => ageSeconds(lastSeenAt, now)));

function originOf(nodes: NodeTotals, now: number): ClusterOverviewAnswer['aggregate_origin'] {
  const { sources, oldestAt, first } = nodes;
  const [source = null] = sources;
  const missing = first === null ? 'no nodes' : nodeFigures(first, now).cpu.reason;
  return {
    source: sources.length === 1 ? source : null,
    age_seconds: oldestAt === null ? null : rounded(ageSeconds(oldestAt, now), 1),
    reason: sources.length === 0 ? missing : sources.length > 1 ? 'from several sources' : null,
  };
}

const collectorReaders = (clusters: ClusterState[]): Permission[] =>
  clusters.flatMap(({ id, readers }) =>
    readers.map((reader) => ({
      cluster_id: id,
      who: 'cluster collector',
      reader: reader.name,
      state: reader.state,
      detail: reader.detail,
      needs: reader.needs,
      costs: costOf(reader.name),
      since: iso(reader.since * 1000),
    })),
  );

const kubeletReader = ({ clusterId: id, nodeName, kubelet, tlsVerified }: KubeletRecord): Permission => ({
  cluster_id: id,
  who: nodeName,
  reader: kubelet.name,
  state: kubelet.state,
  detail: kubelet.detail ?? (tlsVerified ? null : 'the kubelet’s certificate is not verified'),
  needs: kubelet.needs,
  costs: costOf(kubelet.name),
  since: iso(kubelet.since * 1000),
});
