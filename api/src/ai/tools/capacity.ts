import { capacityAnswer, capacityLossAnswer, sizingAnswer, type SizedResource } from '@plimsoll/contract/wire/capacity';
import { idleServersAnswer } from '@plimsoll/contract/wire/idle-servers';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool, ToolContext } from '../types.ts';
import { MOST_ROWS, tool } from './tool.ts';

const clusterId = z.string().max(128).optional().describe('default: the cluster that the loss of a node hits most');

const readCapacity = ({ read }: ToolContext, id: string | undefined) =>
  read('/api/kubernetes/capacity', capacityAnswer, { query: { cluster_id: id } });

export const capacityTools: readonly Tool[] = [
  tool({
    name: 'what_fits',
    description:
      'Returns how many more pods of each workload fit into a cluster and what runs out first, requests beside what the nodes can give, and when the requests fill the cluster.',
    input: z.object({
      cluster_id: clusterId,
      search: z.string().max(200).optional().describe('part of namespace/name of a workload'),
    }),
    async run({ cluster_id: id, search }, context) {
      const { cluster } = await readCapacity(context, id);
      const wanted = search?.toLowerCase() ?? '';
      const fits = (cluster?.fits ?? []).filter(({ namespace, name }) =>
        `${namespace}/${name}`.toLowerCase().includes(wanted),
      );
      return {
        content:
          cluster === null
            ? { reason: 'There is no cluster.' }
            : {
                cluster: cluster.cluster_name ?? cluster.cluster_id,
                computed_at: cluster.computed_at,
                reason: cluster.reason,
                notes: cluster.notes,
                resources: cluster.resources,
                trends: cluster.trends,
                total: fits.length,
                fits: fits.slice(0, MOST_ROWS),
              },
        sources: [screens.capacity(cluster?.cluster_id)],
      };
    },
  }),
  tool({
    name: 'without_node',
    description:
      'Returns which pods stay pending if a node of a cluster is lost. Without a node: the losses of all nodes, the worst first.',
    input: z.object({ cluster_id: clusterId, node: z.string().max(253).optional() }),
    async run({ cluster_id: id, node }, context) {
      const { cluster, clusters } = await readCapacity(context, id);
      if (cluster === null)
        return { content: { reason: 'There is no cluster.' }, sources: [screens.capacity(undefined)] };
      const head = { cluster: cluster.cluster_name ?? cluster.cluster_id, computed_at: cluster.computed_at };
      const sources = [screens.capacity(cluster.cluster_id)];
      if (node === undefined) {
        const { reason, loss_total: total, loss } = cluster;
        return { content: { ...head, reason, total, loss: loss.slice(0, MOST_ROWS), clusters }, sources };
      }
      // Without a cluster, the node may be in any of them.
      const ids = id === undefined ? clusters.map((one) => one.cluster_id) : [cluster.cluster_id];
      for (const of of ids) {
        const { reason, loss, ...found } = await context.read('/api/kubernetes/capacity/loss', capacityLossAnswer, {
          query: { cluster_id: of, node },
        });
        if (loss === null && of !== ids.at(-1)) continue;
        const content = { cluster: found.cluster_name ?? of, computed_at: found.computed_at, reason, loss };
        return { content, sources: [screens.capacity(of)] };
      }
      return { content: { reason: 'There is no cluster.' }, sources };
    },
  }),
  tool({
    name: 'sizing',
    description:
      'Returns containers whose CPU or memory requests do not match their use of 14 days: request, limit, p95, maximum, advice, OOM kills and what the advice frees. Those that are too small come first.',
    input: z.object({
      cluster_id: clusterId,
      namespace: z.string().max(253).optional(),
      workload: z.string().max(253).optional().describe('the whole name of a Deployment, StatefulSet or DaemonSet'),
    }),
    async run({ cluster_id: given, namespace, workload }, context) {
      const { cluster } = await readCapacity(context, given);
      if (cluster === null)
        return { content: { reason: 'There is no cluster.' }, sources: [screens.capacity(undefined)] };
      const { sizing, total, ...answer } = await context.read('/api/kubernetes/sizing', sizingAnswer, {
        query: { cluster_id: cluster.cluster_id, namespace, name: workload, limit: MOST_ROWS },
      });
      return {
        content: {
          cluster: cluster.cluster_name ?? cluster.cluster_id,
          reason: answer.cluster?.reason ?? null,
          total,
          containers: sizing.map(({ cpu_cores: cpu, memory_bytes: memory, ...row }) => ({
            ...row,
            cpu_cores: withoutHistogram(cpu),
            memory_bytes: withoutHistogram(memory),
          })),
        },
        sources: [screens.capacity(cluster.cluster_id)],
      };
    },
  }),
  tool({
    name: 'idle_servers',
    description:
      'Returns servers that can be given back: p95 of CPU below 5 % and memory below 20 % for 14 days without growth, with the established connections that speak against it. Nodes of clusters are not among them.',
    input: z.object({}),
    async run(_input, { read }) {
      const answer = await read('/api/servers/idle', idleServersAnswer, { query: { limit: MOST_ROWS } });
      return { content: { ...answer, unknown: answer.unknown.slice(0, MOST_ROWS) }, sources: [screens.servers()] };
    },
  }),
];

/** The buckets would take most of the answer. */
const withoutHistogram = ({ request, limit, p95, max, advice }: SizedResource) => ({
  request,
  limit,
  p95,
  max,
  advice,
});
