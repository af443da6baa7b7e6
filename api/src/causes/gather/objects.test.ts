import { expect, it } from 'vitest';
import type { ToolContext } from '../../ai/types.ts';
import { notFound } from '../../errors.ts';
import { readObjects } from './objects.ts';

const node = (name: string) => ({
  node_name: name,
  server_id: `id-of-${name}`,
  cluster_id: 'c',
  conditions: [],
  taints: [],
  metrics: { cpu_usage: 95, memory_usage: 20 },
  capacity: { cpu_cores: 4 },
});

it('reads the figures of the node with the alert before those of busier ones', async () => {
  const asked: string[] = [];
  const read = async (path: string, _: unknown, { params }: { params?: { node: string } }) => {
    if (path === '/api/kubernetes/nodes') return { nodes: ['busiest', 'busy', 'alarmed'].map(node) };
    if (params === undefined) return {};
    asked.push(params.node);
    throw notFound('Node');
  };
  const context = { read: read as unknown as ToolContext['read'], now: 1000, serverId: null, rangeMinutes: 60 };
  const place = { clusterId: 'c', namespaces: [], alarmed: new Set<string>(), nodes: new Set(['alarmed']) };
  await readObjects(context, { ...place, first: 900, last: 900 });
  expect(asked).toEqual(['id-of-alarmed', 'id-of-busiest']);
});
