import {
  clusterOverviewAnswer,
  type ClusterOverviewAnswer,
  type CollectorStatus,
  type Permission,
} from '@plimsoll/contract/wire/kubernetes';
import { scope } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso, rounded } from '../../http/units.ts';
import { nodeFigures } from '../cluster-state.ts';
import { collectorStatus, fails, secondsSince } from '../collector-status.ts';
import type { DegradedPart } from '../degraded.ts';
import type { KubeletRecord, NodeAgentSet, NodeTotals } from '../node-records.ts';
import type { PodsSummaryRecord } from '../pod-records.ts';
import { clustersInScope } from '../scope.ts';
import type { ClusterState, EventRecord } from '../types.ts';
import { clusterId } from './query.ts';
import { collectorReaders, kubeletReader, missingReaders, MOST_NODES_NAMED, rivals } from './readers.ts';
import { shapeEvent, shapeSummary } from './shape.ts';

const HOUR_MS = 3_600_000;
const OVERVIEW_WARNINGS = 20;
const MOST_PROBLEMS = 20;

export const clusterOverview = (deps: Deps): Route => {
  const { storage, clock } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/cluster/overview',
      actor: 'user',
      summary: 'Returns counts, averages, restart ranking and warnings of your cluster(s)',
      tag: 'Kubernetes',
      query: { cluster_id: clusterId, scope: scope.optional() },
      answer: clusterOverviewAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const within = await clustersInScope(storage, actor.owner, query.scope, now);
      const filter = { owner: actor.owner, clusterId: query.cluster_id, within };
      const [clusters, { failing: kubelets }, agentSets, nodes, summary, degraded, warnings] = await Promise.all([
        views.clusterStates(filter),
        views.kubelets(filter, MOST_NODES_NAMED),
        views.nodeAgentSets(filter),
        views.nodeTotals(filter, now),
        views.podsSummary(filter, now),
        views.listDegraded(filter, now),
        views.events({
          ...filter,
          type: 'Warning',
          from: now - 24 * HOUR_MS,
          limit: OVERVIEW_WARNINGS,
          offset: 0,
        }),
      ]);
      const read = { clusters, kubelets, agentSets, nodes, summary, degraded, warnings: warnings.events };
      return shapeOverview(read, now);
    },
  );
};

interface Overview {
  clusters: ClusterState[];
  kubelets: KubeletRecord[];
  agentSets: NodeAgentSet[];
  nodes: NodeTotals;
  summary: PodsSummaryRecord;
  degraded: DegradedPart[];
  warnings: EventRecord[];
}

function shapeOverview(
  { clusters, kubelets, agentSets, nodes, summary, degraded, warnings }: Overview,
  now: number,
): ClusterOverviewAnswer {
  const looping = degraded.find(({ kind }) => kind === 'crash_looping');
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
      crash_looping_pods: (looping?.examples ?? []).map(({ namespace, name }) => ({ namespace, pod_name: name })),
    },
    crash_looping_pods: looping?.count ?? 0,
    degraded: degraded.map(({ kind, count, examples }) => ({
      kind,
      count,
      examples: examples.map(({ clusterId: cluster, namespace, name }) => ({
        cluster_id: cluster,
        namespace,
        name,
      })),
    })),
    warnings: warnings.map(shapeEvent),
    age_seconds: oldestAge(clusters, now),
    collectors: clusters.toSorted((a, b) => a.lastSeenAt - b.lastSeenAt).map((cluster) => shapeCollector(cluster, now)),
    problems: problemsOf(clusters, kubelets, [...rivals(clusters, now), ...missingReaders(agentSets, clusters, now)]),
  };
}

/** Returns the age of the cluster that reported longest ago, so that one silent cluster of many shows. */
const oldestAge = (clusters: ClusterState[], now: number): number | null =>
  clusters.length === 0 ? null : Math.max(...clusters.map(({ lastSeenAt }) => secondsSince(lastSeenAt, now)));

function originOf(nodes: NodeTotals, now: number): ClusterOverviewAnswer['aggregate_origin'] {
  const { sources, oldestAt, first } = nodes;
  const [source = null] = sources;
  const missing = first === null ? 'no nodes' : nodeFigures(first, now).cpu.reason;
  return {
    source: sources.length === 1 ? source : null,
    age_seconds: oldestAt === null ? null : rounded(secondsSince(oldestAt, now), 1),
    reason: sources.length === 0 ? missing : sources.length > 1 ? 'from several sources' : null,
  };
}

/** Readers that fail; nodes with the same failure share one entry, which the first of them stands for. */
function problemsOf(clusters: ClusterState[], kubelets: KubeletRecord[], missing: Permission[]): Permission[] {
  const nodes = new Map<string, Permission[]>();
  for (const reader of kubelets.map(kubeletReader).filter(fails)) {
    const key = `${reader.cluster_id} ${reader.reader} ${reader.state} ${reader.command ?? ''}`;
    nodes.set(key, [...(nodes.get(key) ?? []), reader]);
  }
  const grouped = [...nodes.values()].flatMap((same) =>
    same.slice(0, 1).map((one) => ({ ...one, who: same.length === 1 ? one.who : `${same.length} nodes` })),
  );
  return [...missing, ...collectorReaders(clusters).filter(fails), ...grouped].slice(0, MOST_PROBLEMS);
}

function shapeCollector(cluster: ClusterState, now: number): CollectorStatus {
  const { state, ageSeconds: age, nodeAgentsAgeSeconds: nodeAgentsAge, ...words } = collectorStatus(cluster, now);
  return {
    cluster_id: cluster.id,
    cluster_name: cluster.name,
    state,
    last_seen_at: iso(cluster.lastSeenAt),
    age_seconds: age,
    node_agents_age_seconds: nodeAgentsAge,
    ...words,
  };
}
