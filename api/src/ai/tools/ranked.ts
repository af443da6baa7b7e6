import { CONTAINER_FILTERS, CONTAINER_SORTS } from '@plimsoll/contract/rules/container-states';
import { NODE_SORTS, POD_PHASES, type OwnerSort } from '@plimsoll/contract/rules/kubernetes-limits';
import { containersAnswer } from '@plimsoll/contract/wire/containers';
import { nodesAnswer, ownersAnswer, podsAnswer, type Pod } from '@plimsoll/contract/wire/kubernetes';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { readDataAges } from './data-ages.ts';
import { chosenServer } from './named-server.ts';
import { iso, MOST_ROWS, tool } from './tool.ts';

const order = z.enum(['highest', 'lowest']).default('highest');
const directionOf = (asked: 'highest' | 'lowest'): 'asc' | 'desc' => (asked === 'highest' ? 'desc' : 'asc');
const namespace = z.string().max(253).optional();
/** Pods that a filter of the tool itself looks through. */
const MOST_PODS = 1000;

const clusterId = z.string().max(64).optional().describe('default: all clusters');
const bounds = {
  above: z.number().optional().describe('in the unit of the figure'),
  below: z.number().optional(),
};
/** A value that is not known is neither above nor below. */
function isBetween(
  value: number | null,
  { above, below }: { above?: number | undefined; below?: number | undefined },
): boolean {
  if (above === undefined && below === undefined) return true;
  return value !== null && value > (above ?? -Infinity) && value < (below ?? Infinity);
}

const isUnwell = ({ ready, phase }: Pod): boolean => !ready && phase !== 'Succeeded';

/** Rankings of what runs on the servers: containers, pods, nodes and namespaces. */
export const rankedTools: readonly Tool[] = [
  tool({
    name: 'list_containers',
    description:
      'Lists containers of Docker and Podman by CPU, memory, restarts, or the worst first (broken, then least headroom against the memory limit), with counts over all of them.',
    input: z.object({
      by: z.enum(CONTAINER_SORTS).default('worst'),
      state: z.enum(CONTAINER_FILTERS).optional(),
      server: z.string().max(200).optional(),
    }),
    async run({ by, state, server }, context) {
      const chosen = await chosenServer(context, server);
      const { containers, total, summary } = await context.read('/api/containers', containersAnswer, {
        query: { sort: by, state, server_id: chosen?.id, limit: MOST_ROWS },
      });
      return {
        content: {
          total,
          summary,
          containers: containers.map((entry) => ({
            hostname: entry.hostname,
            name: entry.name ?? entry.id.slice(0, 12),
            image: entry.image,
            state: entry.state,
            is_broken: entry.is_broken,
            since: entry.since === null ? null : iso(entry.since),
            restarts: entry.restarts,
            restarts_last_hour: entry.restarts_last_hour,
            cpu_cores: entry.cpu_cores,
            memory_mb: entry.memory_bytes === null ? null : Math.round(entry.memory_bytes / 2 ** 20),
            memory_percent_of_limit: entry.memory_percent,
          })),
        },
        sources: [screens.containers()],
      };
    },
  }),
  tool({
    name: 'rank_pods',
    description:
      'Ranks pods by CPU (cores), memory (MB), restarts of 24 h, or state (the worst first). unhealthy: only pods that are not ready. above and below: only pods with more or less of the figure, cores or MB. Filters look at 1000 pods, see looked_at.',
    input: z.object({
      by: z.enum(['cpu', 'memory', 'restarts', 'state']).default('restarts'),
      order,
      cluster_id: clusterId,
      namespace,
      phase: z.enum(POD_PHASES).optional(),
      search: z.string().max(200).optional().describe('part of the name'),
      node: z.string().max(253).optional().describe('the whole name of a node'),
      unhealthy: z.boolean().optional(),
      reasons: z.array(z.string().max(63)).max(5).optional().describe('why a container waits: CrashLoopBackOff …'),
      ...bounds,
    }),
    async run({ by, order: asked, unhealthy, reasons, above, below, node, ...filter }, { read }) {
      const isWanted = (pod: Pod): boolean =>
        (unhealthy !== true || isUnwell(pod)) &&
        (reasons === undefined || reasons.includes(pod.reason ?? '')) &&
        isBetween(by === 'memory' ? pod.memory_usage_mb : pod.cpu_usage_cores, { above, below });
      const isFiltered = [unhealthy, reasons, above, below].some((one) => one !== undefined && one !== false);
      const sort = by === 'restarts' ? 'restarts_24h' : by;
      const { pods, total } = await read('/api/kubernetes/pods', podsAnswer, {
        query: {
          ...filter,
          node_name: node,
          sort,
          order: directionOf(asked),
          limit: isFiltered ? MOST_PODS : MOST_ROWS,
        },
      });
      const shown = pods.filter(isWanted);
      const { clusters, nameOf } = await readDataAges(read);
      return {
        content: {
          by,
          clusters,
          total: isFiltered ? shown.length : total,
          // Beyond these, the filter has looked at none.
          looked_at: pods.length,
          of: total,
          pods: shown.slice(0, MOST_ROWS).map((pod) => ({
            cluster: nameOf(pod.cluster_id),
            namespace: pod.namespace,
            pod_name: pod.pod_name,
            node_name: pod.node_name,
            phase: pod.phase,
            reason: pod.reason,
            ready: pod.ready,
            cpu_usage_cores: pod.cpu_usage_cores,
            memory_usage_mb: pod.memory_usage_mb,
            restarts_24h: pod.restarts_24h,
            oom_kills_24h: pod.oom_kills_24h,
          })),
        },
        sources: [screens.pods({ ...filter, cluster: filter.cluster_id })],
      };
    },
  }),
  tool({
    name: 'rank_nodes',
    description:
      'Ranks Kubernetes nodes by CPU, memory or disk in per cent, pods, or least headroom, with their readiness. above and below: only nodes with more or less CPU, memory or disk in use.',
    input: z.object({
      by: z.enum(NODE_SORTS).default('headroom'),
      order,
      cluster_id: clusterId,
      ready: z.boolean().optional(),
      search: z.string().max(200).optional().describe('part of the name'),
      ...bounds,
    }),
    async run({ by, order: asked, ready, search, above, below, cluster_id: id }, { read }) {
      const isFiltered = above !== undefined || below !== undefined;
      const { nodes, total, summary } = await read('/api/kubernetes/nodes', nodesAnswer, {
        query: {
          sort: by,
          // Least headroom is the worst.
          order: by === 'headroom' ? 'asc' : directionOf(asked),
          limit: isFiltered ? MOST_PODS : MOST_ROWS,
          cluster_id: id,
          search,
          ready: ready === undefined ? undefined : String(ready),
        },
      });
      const found = nodes.filter(({ metrics }) => {
        const share = { cpu: metrics.cpu_usage, memory: metrics.memory_usage, disk: metrics.disk_usage };
        return isBetween(by in share ? share[by as keyof typeof share] : null, { above, below });
      });
      const { clusters, nameOf } = await readDataAges(read);
      return {
        content: {
          by,
          clusters,
          total: isFiltered ? found.length : total,
          summary,
          nodes: found.slice(0, MOST_ROWS).map((node) => ({
            cluster: nameOf(node.cluster_id),
            node_name: node.node_name,
            ready: node.ready,
            unschedulable: node.unschedulable,
            headroom: node.headroom,
            metrics: node.metrics,
            restarts_24h: node.restarts_24h,
          })),
        },
        sources: [screens.nodes(id ?? null)],
      };
    },
  }),
  tool({
    name: 'rank_namespaces',
    description: 'Ranks namespaces by pods, CPU (cores), memory (MB) or restarts of 24 h: sums over their pods.',
    input: z.object({
      by: z.enum(['pods', 'cpu', 'memory', 'restarts']).default('pods'),
      order,
      cluster_id: clusterId,
      namespace,
    }),
    async run({ by, order: asked, cluster_id: id, namespace: named }, { read }) {
      const sort: OwnerSort = by === 'restarts' ? 'restarts_24h' : by;
      const { owners, total } = await read('/api/kubernetes/owners', ownersAnswer, {
        query: { by: 'namespace', cluster_id: id, namespace: named, sort, order: directionOf(asked), limit: MOST_ROWS },
      });
      const { clusters, nameOf } = await readDataAges(read);
      return {
        content: {
          by,
          clusters,
          total,
          namespaces: owners.map((owner) => ({
            cluster: nameOf(owner.cluster_id),
            namespace: owner.namespace,
            pods: owner.pods,
            cpu_usage_cores: owner.cpu_usage_cores,
            memory_usage_mb: owner.memory_usage_mb,
            restarts_24h: owner.restarts_24h,
          })),
        },
        sources: [screens.cluster(null)],
      };
    },
  }),
];
