import type { EventObject } from '@plimsoll/contract/wire/cluster-objects';
import * as fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { ownerOf, type Owner } from '../../tenancy/owner.ts';
import { newAccount } from '../../testing/batches.ts';
import {
  clusterOfItsOwn,
  endOf,
  item,
  NOW,
  podObject,
  SECONDS,
  listing,
  type TestCluster,
} from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { EventFilter } from '../types.ts';

const HOUR = 3_600_000;
const PAGE = 4;
const KINDS = ['Pod', 'Node'] as const;
const NAMES = ['web-1', 'web-2'] as const;
const NAMESPACES = ['shop', ''] as const;
const TYPES = ['Warning', 'Normal'] as const;

const events: fc.Arbitrary<EventObject[]> = fc
  .array(
    fc.record({
      type: fc.constantFrom(...TYPES),
      kind: fc.constantFrom(...KINDS),
      name: fc.constantFrom(...NAMES),
      namespace: fc.constantFrom(...NAMESPACES),
      lastAgo: fc.constantFrom(10, 60, 3600, 3601, 7200),
    }),
    { maxLength: 30 },
  )
  .map((all) =>
    all.map(({ lastAgo, ...rest }, index) => ({
      ...rest,
      uid: `event-${String(index).padStart(2, '0')}`,
      reason: 'BackOff',
      message: 'm',
      object_uid: null,
      component: null,
      count: 1,
      first_at: SECONDS - 9000,
      last_at: SECONDS - lastAgo,
    })),
  );
const sometimes = <T>(...values: T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined });
const filters = fc.record({
  type: sometimes(...TYPES, 'Other'),
  kind: sometimes(...KINDS),
  name: sometimes(...NAMES),
  namespace: sometimes(...NAMESPACES),
  from: fc.constantFrom(NOW - HOUR, NOW - 2 * HOUR, 0),
});

describeEachPostgres('events of a cluster', (db) => {
  let owner: Owner;
  let cluster: TestCluster;
  const views = () => db.storage().kubernetes.views;
  const newCluster = async (): Promise<void> => {
    ({ owner, cluster } = await clusterOfItsOwn(db.storage()));
  };
  beforeEach(newCluster);
  const list = (parts: Partial<EventFilter> = {}) =>
    views().events({ owner, from: 0, limit: 1000, offset: 0, ...parts });

  it('are filtered, ordered and cut into pages as by hand, each on one page', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.array(filters, { minLength: 8, maxLength: 8 }), async (all, asked) => {
        await newCluster();
        await cluster.write(item({ events: all }));
        for (const filter of asked) {
          const { type, kind, name, namespace, from } = filter;
          const wanted = all
            .filter((one) => one.last_at * 1000 >= from)
            .filter((one) => [type, undefined].includes(one.type) || type === undefined)
            .filter((one) => kind === undefined || one.kind === kind)
            .filter((one) => name === undefined || one.name === name)
            .filter((one) => namespace === undefined || one.namespace === namespace)
            .toSorted((a, b) => b.last_at - a.last_at || (a.uid < b.uid ? -1 : 1))
            .map(({ uid }) => uid);
          const found: string[] = [];
          for (let offset = 0; offset <= wanted.length; offset += PAGE) {
            const page = await list({ ...filter, limit: PAGE, offset });
            expect(page.total).toBe(wanted.length);
            found.push(...page.events.map(({ id }) => id));
          }
          expect([filter, found]).toEqual([filter, wanted]);
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('hold the newest count and message, in whatever order they came', async () => {
    const [first] = fc.sample(
      events.filter((all) => all.length > 0),
      1,
    ) as [EventObject[]];
    const told = (count: number, ago: number): EventObject => ({
      ...first[0]!,
      uid: 'e',
      count,
      message: `seen ${String(count)} times`,
      last_at: SECONDS - ago,
    });
    const orders = fc.shuffledSubarray([told(1, 50), told(2, 40), told(3, 30), told(4, 20)], { minLength: 4 });
    for (const order of fc.sample(orders, 5)) {
      await newCluster();
      for (const one of order) await cluster.write(item({ events: [one] }));
      expect((await list()).events).toMatchObject([
        { count: 4, message: 'seen 4 times', firstAt: (SECONDS - 9000) * 1000, lastAt: (SECONDS - 20) * 1000 },
      ]);
    }
  });

  it('of one owner are not found by another, nor by a cluster that is not theirs', async () => {
    const [all] = fc.sample(
      events.filter((one) => one.length > 3),
      1,
    ) as [EventObject[]];
    await cluster.write(item({ events: all }));
    const stranger = ownerOf(await newAccount(db.storage()));
    expect(await list({ owner: stranger })).toMatchObject({ events: [], total: 0 });
    await expect(list({ owner: stranger, clusterId: cluster.clusterId })).rejects.toMatchObject({ code: 'not_found' });
    expect((await list({ clusterId: cluster.clusterId })).total).toBe(all.length);
  });

  it('of the ends of containers, the newest two hundred are told, newest first', async () => {
    const pod = podObject('busy');
    const ends = Array.from({ length: 230 }, (_, run) =>
      endOf(pod, run, { at: SECONDS - 1000 + run, reason: 'Error' }),
    );
    await cluster.write(listing({ pods: [pod], ends }));
    const record = await views().pod({ owner }, 'shop', 'busy', NOW);
    const told = await views().terminations(record!, owner, 0);
    expect(told).toHaveLength(200);
    expect(told.map(({ run }) => run)).toEqual(Array.from({ length: 200 }, (_, index) => 229 - index));
    expect(await views().terminations(record!, owner, NOW)).toEqual([]);
  });
});
