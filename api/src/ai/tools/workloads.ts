import { clusterStatesAnswer, ownersAnswer, type ClusterState } from '@plimsoll/contract/wire/kubernetes';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { readDataAges } from './data-ages.ts';
import { MOST_ROWS, tool } from './tool.ts';

const order = z.enum(['highest', 'lowest']).default('highest');
/** Workloads that the tool itself looks through for those that are not ready. */
const MOST_OWNERS = 1000;
const MOST_CLUSTERS = 500;

const VALUE: Record<'cpu' | 'memory' | 'pods' | 'nodes', (state: ClusterState) => number | null> = {
  cpu: ({ used }) => used.cpu_percent,
  memory: ({ used }) => used.memory_percent,
  pods: ({ pods }) => pods,
  nodes: ({ nodes }) => nodes,
};

/** Rankings of workloads and of whole clusters. */
export const workloadTools: readonly Tool[] = [
  tool({
    name: 'rank_workloads',
    description:
      'Ranks workloads (owners of pods) by CPU (cores), memory (MB), pods or restarts of 24 h, with desired and ready pods. unready: only those with fewer ready pods than desired.',
    input: z.object({
      by: z.enum(['cpu', 'memory', 'pods', 'restarts']).default('restarts'),
      order,
      cluster_id: z.string().max(64).optional().describe('default: all clusters'),
      namespace: z.string().max(253).optional(),
      search: z.string().max(200).optional().describe('part of the name'),
      unready: z.boolean().optional(),
    }),
    async run({ by, order: asked, unready, ...filter }, { read }) {
      const { owners, total } = await read('/api/kubernetes/owners', ownersAnswer, {
        query: {
          ...filter,
          sort: by === 'restarts' ? 'restarts_24h' : by,
          order: asked === 'highest' ? 'desc' : 'asc',
          limit: unready === true ? MOST_OWNERS : MOST_ROWS,
        },
      });
      const { clusters, nameOf } = await readDataAges(read);
      const shown = unready === true ? owners.filter(({ desired, ready }) => (ready ?? 0) < (desired ?? 0)) : owners;
      return {
        content: {
          by,
          clusters,
          total: unready === true ? shown.length : total,
          workloads: shown.slice(0, MOST_ROWS).map((owner) => ({
            cluster: nameOf(owner.cluster_id),
            namespace: owner.namespace,
            kind: owner.owner_kind,
            name: owner.owner_name,
            pods: owner.pods,
            desired: owner.desired,
            ready: owner.ready,
            cpu_usage_cores: owner.cpu_usage_cores,
            memory_usage_mb: owner.memory_usage_mb,
            restarts_24h: owner.restarts_24h,
          })),
        },
        sources: [screens.workloads(undefined)],
      };
    },
  }),
  tool({
    name: 'rank_clusters',
    description:
      'Ranks Kubernetes clusters, the worst first, or by CPU or memory in use (per cent of allocatable), pods or nodes: nodes ready, broken pods, headroom, open alerts, age of the data. A silent cluster holds its last known figures.',
    input: z.object({
      by: z.enum(['state', 'cpu', 'memory', 'pods', 'nodes']).default('state'),
      order,
      search: z.string().max(200).optional().describe('part of the name'),
    }),
    async run({ by, order: asked, search }, { read }) {
      const { clusters, total, summary } = await read('/api/kubernetes/clusters/states', clusterStatesAnswer, {
        query: { search, limit: MOST_CLUSTERS },
      });
      const sign = asked === 'highest' ? -1 : 1;
      // An unknown value has no rank.
      const rankOf = (state: ClusterState): number => (by === 'state' ? 0 : (VALUE[by](state) ?? sign * -Infinity));
      const ranked = clusters.toSorted((a, b) => (rankOf(a) === rankOf(b) ? 0 : sign * (rankOf(a) - rankOf(b))));
      return {
        content: { by, total, summary, clusters: ranked.slice(0, MOST_ROWS) },
        sources: [screens.cluster(null)],
      };
    },
  }),
];
