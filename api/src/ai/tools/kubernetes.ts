import { cutText } from '@plimsoll/contract/rules/printable-text';
import {
  clusterOverviewAnswer,
  clustersAnswer,
  eventsAnswer,
  nodesAnswer,
  ownersAnswer,
  podAnswer,
  podsAnswer,
} from '@plimsoll/contract/wire/kubernetes';
import { POD_PHASES } from '@plimsoll/contract/rules/kubernetes-limits';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { iso, MOST_ROWS, tool } from './tool.ts';

const TEXT_CHARACTERS = 300;
const clusterId = z.string().max(64).optional().describe('default: all clusters');
const namespace = z.string().max(253).optional();

export const kubernetesTools: readonly Tool[] = [
  tool({
    name: 'cluster_summary',
    description:
      'Returns the clusters with the age of their data, nodes ready, pods by phase, averages, restarts of 24 h, and warnings.',
    input: z.object({ cluster_id: clusterId }),
    async run({ cluster_id: id }, { read }) {
      const [overview, { clusters }] = await Promise.all([
        read('/api/kubernetes/cluster/overview', clusterOverviewAnswer, { query: { cluster_id: id } }),
        read('/api/kubernetes/clusters', clustersAnswer),
      ]);
      const { summary, warnings, ...counts } = overview;
      return {
        content: {
          clusters: clusters.slice(0, MOST_ROWS),
          ...counts,
          restarts_24h: summary.restarts_24h,
          oom_kills_24h: summary.oom_kills_24h,
          top_restarts: summary.top_restarts,
          namespaces: summary.namespaces,
          warnings: warnings.slice(0, MOST_ROWS).map(({ message, ...event }) => ({
            ...event,
            message: cutText(message, TEXT_CHARACTERS),
          })),
        },
        sources: [screens.cluster(id ?? null)],
      };
    },
  }),
  tool({
    name: 'list_nodes',
    description: 'Lists Kubernetes nodes, least headroom first: readiness, figures, requested and allocatable.',
    input: z.object({ cluster_id: clusterId, ready: z.boolean().optional(), search: z.string().max(200).optional() }),
    async run({ cluster_id: id, ready, search }, { read }) {
      const { nodes, total, summary } = await read('/api/kubernetes/nodes', nodesAnswer, {
        query: { cluster_id: id, limit: MOST_ROWS, search, ready: ready === undefined ? undefined : String(ready) },
      });
      return {
        content: {
          total,
          summary,
          nodes: nodes.map((node) => ({
            node_name: node.node_name,
            ready: node.ready,
            unschedulable: node.unschedulable,
            metrics: node.metrics,
            headroom: node.headroom,
            allocatable: node.allocatable,
            requested: node.requested,
            restarts_24h: node.restarts_24h,
            conditions: node.conditions.filter(({ type, status }) => (type === 'Ready') !== (status === 'True')),
          })),
        },
        sources: [screens.nodes(id ?? null)],
      };
    },
  }),
  tool({
    name: 'list_pods',
    description: 'Lists pods, most restarts of the last 24 h first: phase, reason, usage, limits, last restart.',
    input: z.object({
      cluster_id: clusterId,
      namespace,
      phase: z.enum(POD_PHASES).optional(),
      search: z.string().max(200).optional(),
    }),
    async run({ cluster_id: id, search, ...filter }, { read }) {
      const { pods, total } = await read('/api/kubernetes/pods', podsAnswer, {
        query: { ...filter, search, cluster_id: id, limit: MOST_ROWS, sort: 'restarts_24h', order: 'desc' },
      });
      return {
        content: {
          total,
          pods: pods.map((pod) => ({
            namespace: pod.namespace,
            pod_name: pod.pod_name,
            node_name: pod.node_name,
            phase: pod.phase,
            reason: pod.reason,
            ready: pod.ready,
            cpu_usage_cores: pod.cpu_usage_cores,
            memory_usage_mb: pod.memory_usage_mb,
            limits: pod.limits,
            restart_count: pod.restart_count,
            restarts_24h: pod.restarts_24h,
            oom_kills_24h: pod.oom_kills_24h,
            last_restart: pod.last_restart,
            owner: pod.owner_name,
          })),
        },
        sources: [screens.pods({ cluster: id, ...filter, search })],
      };
    },
  }),
  tool({
    name: 'pod_details',
    description: 'Returns one pod with its containers, restarts with reasons and exit codes, events and volumes.',
    input: z.object({ namespace: z.string().min(1).max(253), pod: z.string().min(1).max(253), cluster_id: clusterId }),
    async run({ namespace: space, pod: name, cluster_id: id }, { read }) {
      const { pod, restarts, events, volumes } = await read('/api/kubernetes/pods/:namespace/:pod', podAnswer, {
        params: { namespace: space, pod: name },
        query: { cluster_id: id },
      });
      return {
        content: {
          namespace: pod.namespace,
          pod_name: pod.pod_name,
          phase: pod.phase,
          reason: pod.reason,
          node_name: pod.node_name,
          limits: pod.limits,
          requests: pod.requests,
          memory_usage_mb: pod.memory_usage_mb,
          cpu_usage_cores: pod.cpu_usage_cores,
          restart_count: pod.restart_count,
          containers: pod.containers,
          restarts: restarts
            .slice(0, MOST_ROWS)
            .map(({ timestamp, ...restart }) => ({ ...restart, at: iso(timestamp) })),
          events: events.slice(0, MOST_ROWS).map(({ message, ...event }) => ({
            ...event,
            message: cutText(message, TEXT_CHARACTERS),
          })),
          volumes,
        },
        sources: [screens.pod(pod)],
      };
    },
  }),
  tool({
    name: 'list_workloads',
    description: 'Lists workloads (owners of pods) with desired and ready pods, usage and restarts of 24 h.',
    input: z.object({ cluster_id: clusterId, namespace, search: z.string().max(200).optional() }),
    async run({ cluster_id: id, ...filter }, { read }) {
      const { owners, total } = await read('/api/kubernetes/owners', ownersAnswer, {
        query: { ...filter, cluster_id: id, limit: MOST_ROWS, sort: 'restarts_24h', order: 'desc' },
      });
      const isFiltered = filter.namespace !== undefined || filter.search !== undefined;
      return {
        content: { total, workloads: owners },
        // The page of workloads has no filter.
        sources: [isFiltered ? screens.pods({ cluster: id, ...filter }) : screens.workloads(id)],
      };
    },
  }),
  tool({
    name: 'kubernetes_events',
    description: 'Lists Kubernetes events, newest first. type Warning shows what went wrong.',
    input: z.object({
      cluster_id: clusterId,
      namespace,
      type: z.enum(['Warning', 'Normal']).optional(),
      name: z.string().max(253).optional().describe('name of the object'),
      hours: z.int().min(1).max(168).optional(),
    }),
    async run({ cluster_id: id, ...filter }, { read }) {
      const { events, total } = await read('/api/kubernetes/events', eventsAnswer, {
        query: { ...filter, cluster_id: id, limit: MOST_ROWS },
      });
      return {
        content: {
          total,
          events: events.map(({ message, ...event }) => ({ ...event, message: cutText(message, TEXT_CHARACTERS) })),
        },
        sources: [screens.cluster(id ?? null)],
      };
    },
  }),
];
