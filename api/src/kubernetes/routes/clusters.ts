import {
  clusterOverviewAnswer,
  clustersAnswer,
  eventsAnswer,
  permissionsAnswer,
  type ClusterOverviewAnswer,
  type CollectorStatus,
  type Permission,
} from '@plimsoll/contract/wire/kubernetes';
import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { hours, page, scope } from '@plimsoll/contract/wire/query';
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { costOf, NODE_AGENTS, nodeFigures } from '../cluster-state.ts';
import { withCustomResourcesOff } from '../custom-resource-readers.ts';
import { collectorStatus, fails } from '../collector-status.ts';
import { readersWithRefusals, withLeftOut } from '../incomplete-readers.ts';
import { missingAgents } from '../missing-agents.ts';
import { remedyOf } from '../remedies.ts';
import { nameAddresses, refusedRival } from '../rival.ts';
import { clustersInScope } from '../scope.ts';
import type { KubeletRecord, NodeAgentSet, NodeTotals } from '../node-records.ts';
import type { ClusterState } from '../types.ts';
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
const MOST_PROBLEMS = 20;

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
      query: { scope: scope.optional() },
      answer: clustersAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const within = await clustersInScope(storage, actor.owner, query.scope, now);
      const clusters = (await views.clusters(actor.owner, within)).map((one) => ({
        cluster_id: one.id,
        name: one.name,
        version: one.version,
        first_seen_at: iso(one.firstSeenAt),
        last_seen_at: iso(one.lastSeenAt),
        age_seconds: ageSeconds(one.lastSeenAt, now),
        nodes: one.nodes,
        pods: one.pods,
        objects_rule_organisation: one.rulesOrganisation,
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
        warnings: warnings.events.map(shapeEvent),
        age_seconds: oldestAge(clusters, now),
        collectors: clusters
          .toSorted((a, b) => a.lastSeenAt - b.lastSeenAt)
          .map((cluster) => shapeCollector(cluster, now)),
        problems: problemsOf(clusters, kubelets, [
          ...rivals(clusters, now),
          ...missingReaders(agentSets, clusters, now),
        ]),
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
        reason: searchText,
        search: searchText,
        owner_kind: searchText,
        owner_name: searchText,
        hours,
        scope: scope.optional(),
      },
      answer: eventsAnswer,
    },
    async ({ actor, query }) => {
      const { cluster_id: cluster, hours: asked, scope: chosen, owner_kind: kind, owner_name: name, ...rest } = query;
      if ((kind === undefined) !== (name === undefined))
        throw new CodedError('invalid_parameter', 'owner_name: must be given together with owner_kind', {
          field: 'owner_name',
          remedy: 'Add the other one, or leave both out.',
        });
      const within = await clustersInScope(deps.storage, actor.owner, chosen, deps.clock.now());
      const { from } = rangeOf({ hours: asked }, todayOf(deps));
      const { events, ...found } = await views.events({
        ...rest,
        owner: actor.owner,
        clusterId: cluster,
        within,
        from,
        ...(kind !== undefined && name !== undefined && { workload: { kind, name } }),
      });
      return { events: events.map(shapeEvent), ...found };
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
      query: { cluster_id: clusterId, scope: scope.optional() },
      answer: permissionsAnswer,
    },
    async ({ actor, query }) => {
      const now = deps.clock.now();
      const within = await clustersInScope(deps.storage, actor.owner, query.scope, now);
      const filter = { owner: actor.owner, clusterId: query.cluster_id, within };
      const { views } = deps.storage.kubernetes;
      const [clusters, { failing: failingKubelets, well }, agentSets] = await Promise.all([
        views.clusterStates(filter),
        views.kubelets(filter, MOST_NODES_NAMED),
        views.nodeAgentSets(filter),
      ]);
      const missing = missingReaders(agentSets, clusters, now);
      // One line stands for all kubelets without a failure: each would say the same.
      const wellKubelets = well === null ? [] : [{ ...kubeletReader(well), who: 'node agents' }];
      const permissions = [
        ...rivals(clusters, now),
        ...collectorReaders(clusters),
        ...missing,
        ...failingKubelets.map(kubeletReader),
        ...wellKubelets,
      ];
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

/** The rest of what the reader reads is stored. */
const INCOMPLETE_COSTS = 'The fields named here. An object that is refused keeps its last accepted state';
const shapeReader = (clusterUid: string, who: string, reader: ReaderStatePart): Permission => ({
  cluster_id: clusterUid,
  who,
  reader: reader.name,
  state: reader.state,
  detail: reader.detail,
  needs: reader.needs,
  costs: reader.state === 'incomplete' ? INCOMPLETE_COSTS : costOf(reader.name),
  since: iso(reader.since * 1000),
  ...remedyOf(reader),
});

const collectorReaders = (clusters: ClusterState[]): Permission[] =>
  clusters.flatMap(({ id, readers, refusals }) =>
    readersWithRefusals(withCustomResourcesOff(readers), refusals).map((reader) =>
      shapeReader(id, 'cluster collector', reader),
    ),
  );

/** Name of the entry that the page gives a button. */
const SECOND_COLLECTOR = 'second cluster';
/** Returns an entry for each cluster with a second collector, which is refused: nothing of that one is shown. */
const rivals = (clusters: ClusterState[], now: number): Permission[] =>
  clusters.flatMap(({ id, apiAddresses, rival }) => {
    const refused = refusedRival(rival, now);
    if (refused === null) return [];
    const [here, there] = [nameAddresses(apiAddresses), nameAddresses(refused.addresses)];
    return [
      {
        cluster_id: id,
        who: SECOND_COLLECTOR,
        reader: 'another_collector_reports',
        state: 'forbidden',
        detail: `The collector at ${there} is refused: the one at ${here} reports for this cluster, and both have one uid`,
        needs: null,
        costs: 'Everything that the second cluster reports',
        since: iso(refused.firstAt),
        remedy: 'Stop one of the collectors. If the second one is a copy, press "This is another cluster".',
        command: null,
      },
    ];
  });

function kubeletReader({ clusterId: id, nodeName, kubelet, tlsVerified }: KubeletRecord): Permission {
  const shaped = shapeReader(id, nodeName, withLeftOut(kubelet));
  return { ...shaped, detail: shaped.detail ?? (tlsVerified ? null : 'the kubelet’s certificate is not verified') };
}

/** Returns an entry for each cluster whose node agents do not run: their nodes have no reader that could fail. */
const missingReaders = (sets: NodeAgentSet[], clusters: ClusterState[], now: number): Permission[] =>
  sets.flatMap((set) => {
    const readers = clusters.find(({ id }) => id === set.clusterId)?.readers ?? [];
    const missing = missingAgents(set, readers, now);
    if (missing === null) return [];
    const { since, ...words } = missing;
    const reader = { who: 'node agents', reader: NODE_AGENTS, needs: null, costs: costOf(NODE_AGENTS) };
    return [{ cluster_id: set.clusterId, ...reader, ...words, since: iso(since * 1000) }];
  });

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
