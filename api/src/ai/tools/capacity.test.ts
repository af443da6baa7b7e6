import { expect, it } from 'vitest';
import type { ReadCall } from '../types.ts';
import { capacityTools } from './capacity.ts';

const head = (id: string) => ({ cluster_id: id, cluster_name: `name of ${id}`, computed_at: null, reason: null });
/** The node is in the second cluster; the first one is worst off. */
const read = ((path: string, _schema: unknown, { query }: { query: { cluster_id?: string; node?: string } }) => {
  if (!path.endsWith('/loss'))
    return Promise.resolve({ cluster: { ...head('a'), loss: [], loss_total: 0 }, clusters: [head('a'), head('b')] });
  const loss = query.cluster_id === 'b' && query.node === 'node-b' ? { node: 'node-b', pending: 0 } : null;
  const reason = loss === null ? 'The node is not in the last plan.' : null;
  return Promise.resolve({ ...head(query.cluster_id ?? ''), reason, loss });
}) as unknown as ReadCall;
const lossOf = async (node: string, clusterId?: string) => {
  const tool = capacityTools.find(({ name }) => name === 'without_node');
  const input = { node, cluster_id: clusterId } as never;
  return tool?.run(input, { read, now: 0, serverId: null, rangeMinutes: 60 });
};

it('looks for a node in every cluster, unless one is named', async () => {
  expect(await lossOf('node-b')).toMatchObject({
    content: { cluster: 'name of b', loss: { pending: 0 } },
    sources: [{ href: '/kubernetes/capacity?cluster=b' }],
  });
  expect(await lossOf('node-b', 'a')).toMatchObject({ content: { loss: null } });
  expect(await lossOf('gone')).toMatchObject({ content: { reason: 'The node is not in the last plan.', loss: null } });
});
