import { expect, it } from 'vitest';
import type { ReadCall } from '../types.ts';
import { rankedTools } from './ranked.ts';

const pod = (name: string, memory: number | null, reason: string | null = null) => ({
  pod_name: name,
  cluster_id: 'a',
  reason,
  memory_usage_mb: memory,
  cpu_usage_cores: null,
});
const PODS = [pod('big', 2000, 'CrashLoopBackOff'), pod('small', 100), pod('unknown', null, 'ErrImagePull')];
const node = (name: string, cpu: number | null) => ({
  node_name: name,
  cluster_id: 'a',
  metrics: { cpu_usage: cpu, memory_usage: 99, disk_usage: null },
});
const read = ((path: string) =>
  Promise.resolve({
    pods: PODS,
    nodes: [node('busy', 90), node('quiet', 5), node('silent', null)],
    clusters: [],
    total: path.endsWith('/pods') ? 2400 : 3,
    summary: {},
  })) as unknown as ReadCall;
const namesFrom = async (tool: string, input: Record<string, unknown>): Promise<unknown> => {
  const found = rankedTools.find(({ name }) => name === tool);
  const result = await found?.run(input as never, { read, now: 0, serverId: null, rangeMinutes: 60 });
  const {
    pods = [],
    nodes = [],
    ...content
  } = (result?.content ?? {}) as Record<string, { [name: string]: unknown }[]>;
  return [content['total'], ...[...pods, ...nodes].map((row) => row['pod_name'] ?? row['node_name'])];
};

it.each([
  ['rank_pods', { by: 'memory', above: 1024 }, [1, 'big']],
  ['rank_pods', { by: 'memory', below: 1024 }, [1, 'small']],
  // A figure that is not known is neither.
  ['rank_pods', { by: 'cpu', above: 0 }, [0]],
  ['rank_pods', { by: 'restarts', reasons: ['ImagePullBackOff', 'ErrImagePull'] }, [1, 'unknown']],
  ['rank_pods', { by: 'restarts' }, [2400, 'big', 'small', 'unknown']],
  ['rank_nodes', { by: 'cpu', above: 50 }, [1, 'busy']],
  ['rank_nodes', { by: 'cpu', below: 50 }, [1, 'quiet']],
  ['rank_nodes', { by: 'cpu' }, [3, 'busy', 'quiet', 'silent']],
])('%s %j', async (tool, input, expected) => {
  expect(await namesFrom(tool, input)).toEqual(expected);
});
