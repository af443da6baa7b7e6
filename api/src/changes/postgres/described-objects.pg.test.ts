import type { DescribedObject } from '@plimsoll/contract/wire/described-object';
import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import { beforeEach, describe, expect, it } from 'vitest';
import * as kube from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const { NOW, SECONDS, item, nodeObject } = kube;

interface Row {
  action: string;
  kind: string;
  name: string;
  fields: { field: string; before: string | null; after: string | null; hidden: boolean }[];
  changed_by: string | null;
  at: Date;
}

describeEachPostgres('the changes of a cluster', (db) => {
  let cluster: kube.TestCluster;
  let serial = 0;
  const write = (parts: Partial<ClusterItem>, now = NOW) =>
    db.storage().kubernetes.reports.write(cluster.clusterKey, item(parts), now);
  const changes = () =>
    db.sql<Row>('SELECT action, kind, name, fields, changed_by, at FROM change WHERE cluster_key = $1 ORDER BY id', [
      cluster.clusterKey,
    ]);
  const object = (
    name: string,
    fields: Record<string, string>,
    more: Partial<DescribedObject> = {},
  ): DescribedObject => ({
    uid: `${name}-uid`,
    kind: 'Deployment',
    namespace: 'shop',
    name,
    form: 1,
    digest_key: '0'.repeat(8),
    by: null,
    edited_at: null,
    fields,
    digests: {},
    ...more,
  });
  const list = (objects: DescribedObject[], parts: Partial<ClusterItem> = {}) => {
    serial += 1;
    const listing = {
      id: `listing-${String(serial)}`,
      complete: true,
      covers: ['nodes' as const],
      covers_objects: ['Deployment' as const, 'EndpointSlice' as const],
    };
    return write({ objects, listing, nodes: [], ...parts });
  };
  const deleted = (more: object) => ({ nodes: [], pods: [], workloads: [], volumes: [], ...more });

  beforeEach(async () => {
    ({ cluster } = await kube.clusterOfItsOwn(db.storage()));
  });

  it('the first sight of an object is no change, also in several items, and after a restart of the collector', async () => {
    await write({ objects: [object('a', { replicas: '1' })] });
    await list([object('a', { replicas: '1' }), object('b', { replicas: '1' })]);
    await list([object('a', { replicas: '1' }), object('b', { replicas: '1' })]);
    expect(await changes()).toEqual([]);
  });

  it('names the field, the values, who and when', async () => {
    await list([object('a', { image: 'a:1' }, { edited_at: SECONDS - 900 })]);
    await write({ objects: [object('a', { image: 'a:2' }, { by: 'kubectl-edit', edited_at: SECONDS - 300 })] });
    expect(await changes()).toEqual([
      {
        action: 'changed',
        kind: 'Deployment',
        name: 'a',
        fields: [{ field: 'image', was: 'changed', before: 'a:1', after: 'a:2', hidden: false }],
        changed_by: 'kubectl-edit',
        at: new Date(NOW - 300_000),
      },
    ]);
  });

  it('a new object is a change only once a whole listing of its kind came; one that is gone too', async () => {
    await write({ objects: [object('early', {})] });
    await list([object('early', {})]);
    await write({ objects: [object('new', {}), object('other', {}, { kind: 'Service' })] });
    await write({ objects: [object('new', {})] });
    await write({ deleted: deleted({ objects: ['early-uid'] }) });
    await write({ deleted: deleted({ objects: ['early-uid'] }) });
    expect((await changes()).map(({ action, name }) => [action, name])).toEqual([
      ['added', 'new'],
      ['gone', 'early'],
    ]);
  });

  it('a listing ends what it does not name, of the kinds that it covers alone', async () => {
    await list([object('a', {}), object('b', {}), object('c', {}, { kind: 'Service' })]);
    await list([object('a', {})]);
    expect((await changes()).map(({ action, name }) => [action, name])).toEqual([['gone', 'b']]);
  });

  it('a listing that lost objects ends nothing', async () => {
    await list([object('a', {}), object('b', {})]);
    const listing = { id: 'lossy', complete: true, covers: [], covers_objects: ['Deployment' as const] };
    const refused = {
      kind: 'objects' as const,
      reader: 'objects',
      uid: null,
      namespace: null,
      name: null,
      problem: 'x',
    };
    const judged = { item: item({ objects: [object('a', {})], listing }), refused: [refused], unknown: [], lost: [] };
    await db.storage().kubernetes.reports.write(cluster.clusterKey, judged.item, NOW, judged);
    expect(await changes()).toEqual([]);
  });

  it('a new token and a new form of the description are no change', async () => {
    const digests = { 'env.A': '1'.repeat(16) };
    await list([object('a', { x: '1' }, { digests })]);
    await list([object('a', { x: '1' }, { digests: { 'env.A': '2'.repeat(16) }, digest_key: '1'.repeat(8) })]);
    await list([object('a', { y: '1' }, { digests, form: 2 })]);
    expect(await changes()).toEqual([]);
    await list([object('a', { y: '2' }, { digests, form: 2 })]);
    expect(await changes()).toHaveLength(1);
  });

  it('nodes: new, cordoned, tainted, upgraded, gone', async () => {
    const node = nodeObject('node-1');
    await list([], { nodes: [node] });
    await write({ nodes: [{ ...node, unschedulable: true, taints: ['gpu=yes:NoSchedule'] }] });
    await write({ nodes: [{ ...node, kubelet_version: 'v9' }, nodeObject('node-2')] });
    await write({ deleted: deleted({ nodes: [node.uid] }) });
    expect(
      (await changes()).map(({ action, name, fields }) => [action, name, ...fields.map(({ field }) => field)]),
    ).toEqual([
      ['changed', 'node-1', 'cordoned', 'taints.gpu=yes:NoSchedule'],
      ['changed', 'node-1', 'cordoned', 'kubeletVersion', 'taints.gpu=yes:NoSchedule'],
      ['added', 'node-2'],
      ['gone', 'node-1'],
    ]);
  });

  it('a slice of endpoints is a change by its number only', async () => {
    const slice = (name: string, ready: string) => object(name, { readyAddresses: ready }, { kind: 'EndpointSlice' });
    await list([slice('a', '3')]);
    await write({ objects: [slice('a', '0'), slice('b', '3')] });
    await write({ deleted: deleted({ objects: ['a-uid', 'b-uid'] }) });
    expect((await changes()).map(({ action, fields }) => [action, fields[0]?.after])).toEqual([['changed', '0']]);
  });

  describe('200 edits, each of another field', () => {
    const names = Array.from({ length: 20 }, (_, index) => `app-${String(index)}`);
    const paths = Array.from({ length: 10 }, (_, index) => `field-${String(index)}`);
    const start = (): Map<string, Record<string, string>> =>
      new Map(names.map((name) => [name, Object.fromEntries(paths.map((path) => [path, 'old']))]));
    const edits = names.flatMap((name) => paths.map((path) => [name, path] as const));

    /** A deterministic shuffle: the seed is printed by a failing test. */
    const shuffled = <T>(list: readonly T[], seed: number): T[] =>
      list
        .map((one, index) => ({ one, key: Math.sin(seed * 1000 + index * 7919) }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ one }) => one);

    it.each([1, 2, 3])('each is one change under repeats, restarts and an outage (seed %d)', async (seed) => {
      const state = start();
      const objectsOf = (some: Iterable<string>) => [...some].map((name) => object(name, { ...state.get(name) }));
      await list(objectsOf(names));
      const sent: DescribedObject[][] = [];
      let unsent = new Set<string>();
      for (const [index, [name, path]] of shuffled(edits, seed).entries()) {
        state.set(name, { ...state.get(name), [path]: 'new' });
        unsent.add(name);
        const isOut = index > 60 && index < 100;
        if (isOut || index % 3 !== 0) continue;
        const objects = objectsOf(unsent);
        unsent = new Set();
        // Killed before the request, after the transaction, or never: the next leader lists everything.
        if (index % 4 === 0) await list(objectsOf(names));
        else await write({ objects });
        if (index % 5 === 0) await write({ objects });
        sent.push(objects);
      }
      await list(objectsOf(names));
      await list(objectsOf(names));
      const found = (await changes()).flatMap(({ name, fields }) => fields.map(({ field }) => `${name} ${field}`));
      expect(found.toSorted()).toEqual(edits.map((edit) => edit.join(' ')).toSorted());
    });
  });
});
