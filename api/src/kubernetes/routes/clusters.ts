import {
  clusterOverviewAnswer,
  clustersAnswer,
  eventsAnswer,
  permissionsAnswer,
  type ClusterOverviewAnswer,
  type KubernetesNode,
  type Permission,
} from '@plimsoll/contract/wire/kubernetes';
import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { hours, page } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { meanOf } from '../../servers/fleet.ts';
import { costOf } from '../cluster-state.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { shapeEvent, shapeSummary } from './shape.ts';
import { type ClusterView, clusterId, clusterView, searchText } from './view.ts';
import { rangeOf, todayOf } from '../../series/range.ts';
import { iso, rounded } from '../../http/units.ts';

const tag = 'Kubernetes';
const HOUR_MS = 3_600_000;
const OVERVIEW_WARNINGS = 20;
const MOST_CAUSES = 5;
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
      summary: 'Your clusters',
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
  const { storage } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/cluster/overview',
      actor: 'user',
      summary: 'Counts, averages, restart ranking and warnings of your cluster(s)',
      tag,
      query: { cluster_id: clusterId },
      answer: clusterOverviewAnswer,
    },
    async ({ actor, query }) => {
      const { owner } = actor;
      const view = await clusterView(deps, owner, query.cluster_id);
      const filter = { owner, clusterId: query.cluster_id };
      const [summary, warnings] = await Promise.all([
        views.podsSummary(filter, view.now),
        views.events({
          ...filter,
          type: 'Warning',
          from: view.now - 24 * HOUR_MS,
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
        ...nodeTotals(view),
        total_pods: Object.values(summary.phases).reduce((sum, count) => sum + count, 0),
        running_pods: summary.phases.Running,
        pending_pods: summary.phases.Pending,
        failed_pods: summary.phases.Failed,
        succeeded_pods: summary.phases.Succeeded,
        unknown_pods: summary.phases.Unknown,
        summary: shapeSummary(summary, view.now),
        causes: { not_ready_nodes: notReady(view), failed_pods: failed },
        warnings: warnings.events.map(shapeEvent),
        age_seconds: newestAge(view),
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
      summary: 'Events of your cluster(s), last seen first',
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
      summary: 'What each reader of the collectors needs, what it found, and what it costs when it fails',
      tag,
      query: { cluster_id: clusterId },
      answer: permissionsAnswer,
    },
    async ({ actor, query }) => {
      const view = await clusterView(deps, actor.owner, query.cluster_id);
      const permissions = [...collectorReaders(view), ...kubeletReaders(view)];
      const failing = permissions.filter(({ state }) => state !== 'ok').length;
      return { permissions, total: permissions.length, failing };
    },
  );

const ageSeconds = (at: number, now: number): number => Math.max(0, (now - at) / 1000);
const newestAge = ({ clusters, now }: ClusterView): number | null =>
  clusters.length === 0 ? null : Math.min(...clusters.map(({ lastSeenAt }) => ageSeconds(lastSeenAt, now)));

type Totals = Pick<ClusterOverviewAnswer, 'total_nodes' | 'ready_nodes' | 'aggregate_metrics' | 'aggregate_origin'>;
function nodeTotals(view: ClusterView): Totals {
  const nodes = view.records.map((record) => view.shape(record));
  const mean = (of: (node: KubernetesNode) => number | null): number | null => rounded(meanOf(nodes.map(of)));
  const known = nodes.map(({ origins }) => origins.cpu_usage).filter(({ source }) => source !== null);
  const sources = new Set(known.map(({ source }) => source));
  const [source = null] = sources;
  const missing = nodes[0]?.origins.cpu_usage.reason ?? 'no nodes';
  return {
    total_nodes: nodes.length,
    ready_nodes: nodes.filter(({ ready }) => ready === true).length,
    aggregate_metrics: {
      avg_cpu_usage: mean(({ metrics }) => metrics.cpu_usage),
      avg_memory_usage: mean(({ metrics }) => metrics.memory_usage),
    },
    aggregate_origin: {
      source: sources.size === 1 ? source : null,
      age_seconds: known.length === 0 ? null : Math.max(...known.map((one) => one.age_seconds ?? 0)),
      reason: known.length === 0 ? missing : sources.size > 1 ? 'from several sources' : null,
    },
  };
}

const notReady = ({ records }: ClusterView): ClusterOverviewAnswer['causes']['not_ready_nodes'] =>
  records
    .filter(({ object }) => object.ready !== true)
    .slice(0, MOST_CAUSES)
    .map(({ object, serverId }) => ({
      node_name: object.name,
      server_id: serverId,
      reason: object.conditions.find(({ type }) => type === 'Ready')?.reason ?? null,
    }));

const collectorReaders = ({ clusters }: ClusterView): Permission[] =>
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

/** Those that fail, by name; the rest would be one line per node that says the same. */
function kubeletReaders({ records }: ClusterView): Permission[] {
  const rows = records.flatMap(({ agent, clusterId: id, object }): Permission[] =>
    agent === null
      ? []
      : [
          {
            cluster_id: id,
            who: object.name,
            reader: agent.kubelet.name,
            state: agent.kubelet.state,
            detail: agent.kubelet.detail ?? (agent.tlsVerified ? null : 'the kubelet’s certificate is not verified'),
            needs: agent.kubelet.needs,
            costs: costOf(agent.kubelet.name),
            since: iso(agent.kubelet.since * 1000),
          },
        ],
  );
  const telling = rows.filter(({ state, detail }) => state !== 'ok' || detail !== null).slice(0, MOST_NODES_NAMED);
  const well = rows.find(({ state, detail }) => state === 'ok' && detail === null);
  return well ? [...telling, { ...well, who: 'node agents' }] : telling;
}
