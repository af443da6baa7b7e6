import { clusterMomentAnswer } from '@plimsoll/contract/wire/kubernetes-moment';
import { RESTART_WINDOW_HOURS } from '@plimsoll/contract/rules/kubernetes-limits';
import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import { moment, scope, wholeNumber } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { rounded } from '../../http/units.ts';
import { requireMoment } from '../../series/range.ts';
import { clustersInScope } from '../scope.ts';
import { clusterId } from './query.ts';
import { cores, megabytes } from './shape.ts';

const HOUR_MS = 3_600_000;
const MOST_PODS = 1000;
const DEFAULT_PODS = 100;
const NOT_STORED = ['phases of pods', 'readiness and conditions of nodes', 'requests and limits', 'workload totals'];

/** Ends of containers are kept as long as samples: earlier than this, restarts of the window before are not all known. */
const restartsReason = (at: number, now: number): string | null =>
  at - RESTART_WINDOW_HOURS * HOUR_MS >= now - RETENTION_DAYS.raw * 24 * HOUR_MS
    ? null
    : `Restarts are kept for ${String(RETENTION_DAYS.raw)} days`;

export const clusterMomentRoutes = (deps: Deps): Route[] => [clusterMoment(deps)];

const clusterMoment = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/at',
      actor: 'user',
      summary: 'Nodes and pods at a moment of the past: usage and restarts, from stored history',
      tag: 'Kubernetes',
      query: {
        at: moment,
        cluster_id: clusterId,
        limit: wholeNumber(1, MOST_PODS).default(DEFAULT_PODS),
        scope: scope.optional(),
      },
      answer: clusterMomentAnswer,
    },
    async ({ actor: { owner }, query }) => {
      const now = deps.clock.now();
      await requireMoment(deps, owner, query.at, 'metrics');
      const within = await clustersInScope(deps.storage, owner, query.scope, now);
      const filter = { owner, clusterId: query.cluster_id, within };
      const found = await deps.storage.kubernetes.views.clusterAt(filter, query.at, query.limit);
      const reason = restartsReason(query.at, now);
      const counted = (count: number): number | null => (reason === null ? count : null);
      return {
        nodes: found.nodes.map((node) => ({
          server_id: node.serverId,
          cluster_id: node.clusterId,
          node_name: node.name,
          cpu_usage: rounded(node.cpuPercent),
          memory_usage: rounded(node.memoryPercent),
          pods_count: node.pods,
          restarts_24h: counted(node.restarts),
        })),
        pods: found.pods.map((pod) => ({
          cluster_id: pod.clusterId,
          namespace: pod.namespace,
          pod_name: pod.name,
          node_name: pod.nodeName,
          cpu_usage_cores: cores(pod.cpuCores),
          memory_usage_mb: megabytes(pod.memoryBytes),
          restarts_24h: counted(pod.restarts),
          oom_kills_24h: counted(pod.oomKills),
        })),
        total_pods: found.totalPods,
        restarts_reason: reason,
        not_stored: NOT_STORED,
      };
    },
  );
