import { randomBytes } from 'node:crypto';
import { OWNER_SORTS, POD_PHASES, POD_SORTS, SORT_ORDERS } from '@plimsoll/contract/rules/kubernetes-limits';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ownerOf, type Owner } from '../../tenancy/owner.ts';
import { newAccount } from '../../testing/batches.ts';
import { fleets, NODE_NAMES, writeFleet, type FleetPod } from '../../testing/kubernetes-fleet.ts';
import { naiveNodes, naiveOwners, naivePods, naiveSummary, restartsOf } from '../../testing/kubernetes-naive.ts';
import type { NaiveFilter } from '../../testing/kubernetes-naive.ts';
import { clusterOfItsOwn, listing, NOW, podObject, testCluster } from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const FLEETS = 6;
const MOST_PODS = 40;
const PAGE = 7;
const ALL = 1000;

/** Random questions, as many as there are ways to sort. */
const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const filters: fc.Arbitrary<NaiveFilter> = fc.record({
  cluster: sometimes(fc.constantFrom(0, 1)),
  namespace: sometimes(fc.constantFrom('shop', 'data', 'nowhere')),
  phase: sometimes(fc.constantFrom(...POD_PHASES)),
  nodeName: sometimes(fc.constantFrom(...NODE_NAMES)),
  ownerKind: sometimes(fc.constantFrom('none', 'Deployment', 'CronJob')),
  ownerName: sometimes(fc.constantFrom('web', 'Nightly')),
  search: sometimes(fc.constantFrom('WEB', 'nightly', 'a', '-1', '%', '_')),
});

describeEachPostgres('a fleet of pods', (db) => {
  const views = () => db.storage().kubernetes.views;
  const idsOf = async (owner: Owner, fleet: readonly FleetPod[]): Promise<[string, string]> => {
    const ids = [0, 1].map(() => `cluster-${randomBytes(4).toString('hex')}`) as [string, string];
    for (const [index, id] of ids.entries()) {
      const cluster = await testCluster(db.storage(), owner.organisationId, id);
      await writeFleet(
        cluster,
        fleet.filter((one) => one.cluster === index),
      );
    }
    return ids;
  };
  /** Runs `check` on fleets of one account each; a fleet of somebody else lies in the same tables. */
  const onFleets = (check: (fleet: FleetPod[], owner: Owner, ids: [string, string]) => Promise<void>): Promise<void> =>
    fc.assert(
      fc.asyncProperty(fleets(MOST_PODS), async (fleet) => {
        const owner = ownerOf(await newAccount(db.storage()));
        await check(fleet, owner, await idsOf(owner, fleet));
      }),
      { numRuns: FLEETS, endOnFailure: true },
    );
  const askedOf = (owner: Owner, ids: [string, string], { cluster, ...rest }: NaiveFilter) => ({
    owner,
    ...rest,
    ...(cluster !== undefined && { clusterId: ids[cluster] }),
  });

  it('is filtered, sorted and cut into pages as by hand, with the true total on each page', async () => {
    await onFleets(async (fleet, owner, ids) => {
      const questions = fc.sample(filters, POD_SORTS.length * SORT_ORDERS.length);
      for (const sort of POD_SORTS)
        for (const order of SORT_ORDERS)
          for (const filter of [{}, questions.pop() ?? {}]) {
            const wanted = naivePods(fleet, filter, sort, order);
            const asked = { ...askedOf(owner, ids, filter), sort, order };
            const found: string[] = [];
            for (let offset = 0; offset <= wanted.length; offset += PAGE) {
              const { pods, total } = await views().pods({ ...asked, limit: PAGE, offset }, NOW);
              expect(total).toBe(wanted.length);
              found.push(...pods.map(({ object }) => object.uid));
            }
            expect([sort, order, filter, found]).toEqual([sort, order, filter, wanted]);
          }
    });
  });

  it('is summed up as by hand', async () => {
    await onFleets(async (fleet, owner, ids) => {
      for (const filter of [{}, { cluster: 0 }, { cluster: 1 }] as const) {
        const summary = await views().podsSummary(askedOf(owner, ids, filter), NOW);
        const naive = naiveSummary(fleet, filter);
        expect(summary).toMatchObject({
          ...naive,
          namespaces: naive.namespaces.map(({ cluster, ...one }) => ({ clusterId: ids[cluster], ...one })),
        });
        const ranked = fleet.filter((one) => filter.cluster === undefined || one.cluster === filter.cluster);
        const most = ranked.map(restartsOf).filter((n) => n > 0);
        expect(summary.topRestarts.map(({ restarts }) => restarts)).toEqual(most.toSorted((a, b) => b - a).slice(0, 5));
        for (const { name, restarts, phase } of summary.topRestarts) {
          const one = ranked.find((pod) => pod.name === name);
          expect([restarts, phase]).toEqual([one && restartsOf(one), one?.gone ? null : one?.phase]);
        }
        const newest = ranked.filter((one) => !one.gone && one.phase === 'Failed').map(({ ageSeconds }) => ageSeconds);
        const failed = summary.failed.map(({ name }) => ranked.find((one) => one.name === name)?.ageSeconds);
        expect(failed).toEqual(newest.toSorted((a, b) => a - b).slice(0, 5));
      }
    });
  });

  it('is grouped by owner as by hand, each group on one page', async () => {
    await onFleets(async (fleet, owner, ids) => {
      const questions = fc.sample(filters, OWNER_SORTS.length * SORT_ORDERS.length);
      for (const sort of OWNER_SORTS)
        for (const order of SORT_ORDERS) {
          const { cluster, namespace, ownerKind, search } = questions.pop() ?? {};
          const filter = { cluster, namespace, ownerKind, search };
          const wanted = naiveOwners(fleet, filter, sort, order);
          const asked = { ...askedOf(owner, ids, filter), sort, order };
          const found: unknown[] = [];
          for (let offset = 0; offset <= wanted.length; offset += PAGE) {
            const { owners, total } = await views().owners({ ...asked, limit: PAGE, offset }, NOW);
            expect(total).toBe(wanted.length);
            found.push(...owners);
          }
          expect([sort, order, filter, found]).toEqual([
            sort,
            order,
            filter,
            wanted.map(({ cluster: index, ...rest }) => ({
              clusterId: ids[index],
              ...rest,
              desired: null,
              ready: null,
            })),
          ]);
        }
    });
  });

  it('holds its nodes as by hand: pods on them, what they asked for, restarts', async () => {
    await onFleets(async (fleet, owner, ids) => {
      for (const index of [0, 1] as const) {
        const nodes = await views().nodes({ owner, clusterId: ids[index] }, NOW);
        expect(
          nodes.map(({ object, pods, requests, limits, restarts }) => ({
            node: object.name,
            pods,
            requests,
            limits,
            restarts,
          })),
        ).toEqual(naiveNodes(fleet, index));
      }
    });
  });

  it('is counted by cluster, and all of it is asked for in one page of the largest size', async () => {
    await onFleets(async (fleet, owner, ids) => {
      const clusters = await views().clusters(owner);
      const counts = ids.map((id) => clusters.find((one) => one.id === id)?.pods);
      expect(counts).toEqual([0, 1].map((n) => fleet.filter((one) => one.cluster === n && !one.gone).length));
      const all = await views().pods({ owner, sort: 'name', order: 'asc', limit: ALL, offset: 0 }, NOW);
      expect(all.pods.map(({ restarts }) => restarts)).toEqual(
        all.pods.map(({ object }) => restartsOf(fleet.find(({ uid }) => uid === object.uid)!)),
      );
    });
  });

  it('shows each of many owners of one name once, however they are cut into pages', async () => {
    const { owner, cluster } = await clusterOfItsOwn(db.storage());
    // Custom resources own pods under kinds of their own.
    const kinds = Array.from({ length: 300 }, (_, index) => `Kind${String((index * 7919) % 300)}`);
    const pods = kinds.map((kind, index) => podObject(`web-${String(index)}`, { owner: { kind, name: 'web' } }));
    await cluster.write(listing({ pods }));
    await db.sql('ANALYZE kube_pod');
    const found: (string | null)[] = [];
    for (let offset = 0; offset < kinds.length; offset += PAGE) {
      const asked = { owner, sort: 'pods', order: 'desc', limit: PAGE, offset } as const;
      found.push(...(await views().owners(asked, NOW)).owners.map(({ kind }) => kind));
    }
    expect([found.length, new Set(found).size]).toEqual([kinds.length, kinds.length]);
  });
});
