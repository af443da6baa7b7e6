import { CLUSTER_LIMITS as L, LISTED_KINDS } from '@plimsoll/contract/rules/kubernetes-limits';
import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutIntoItems, endQueue, eventQueue, FactQueue, type Item, type Part } from './outgoing-queue.ts';

const KEYS = ['nodes', 'pods', 'workloads', 'volumes', 'events', 'ends', 'usage'] as const;
const MOST: Record<(typeof KEYS)[number], number> = {
  nodes: L.nodesPerItem,
  pods: L.podsPerItem,
  workloads: L.workloadsPerItem,
  volumes: L.volumesPerItem,
  events: L.eventsPerItem,
  ends: L.endsPerItem,
  usage: L.nodesPerItem,
};
const uids = (count: number): { uid: string }[] => Array.from({ length: count }, (_, index) => ({ uid: `u${index}` }));
const partOf = (sizes: Partial<Record<(typeof KEYS)[number], number>>, more: Partial<Part> = {}): Part => ({
  ...Object.fromEntries(Object.entries(sizes).map(([key, size]) => [key, uids(size)])),
  ...more,
});
const cutThem = (...args: Parameters<typeof cutIntoItems>): Item[] => [...cutIntoItems(...args)];
const kindsIn = (item: Item): string[] => Object.keys(item).filter((key) => key !== 'listing');
const gone = (pods: number): Part['deleted'] => ({
  nodes: [],
  pods: uids(pods).map(({ uid }) => uid),
  workloads: ['w'],
  volumes: [],
});

describe('cutIntoItems', () => {
  it('loses nothing, changes no order and makes no item larger than the protocol takes', () => {
    const size = fc.integer({ min: 0, max: 4500 });
    const sizes = fc.record(Object.fromEntries(KEYS.map((key) => [key, size])));
    fc.assert(
      fc.property(sizes, fc.boolean(), (lengths, listed) => {
        const part = partOf(lengths);
        const items = cutThem(part, listed ? LISTED_KINDS : null);
        for (const key of KEYS) {
          const pieces = items.flatMap((item): unknown[][] => (item[key] ? [item[key]] : []));
          expect(pieces.flat()).toEqual(part[key]);
          expect(pieces.every((piece) => piece.length > 0 && piece.length <= MOST[key])).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('cuts a list whose objects are large, so that the server takes each request', () => {
    const nodes = Array.from({ length: 1000 }, (_, index) => ({ uid: `u${index}`, text: 'ü'.repeat(20_000) }));
    const items = cutThem({ nodes: nodes as unknown as Part['nodes'] & object }, ['nodes']);
    expect(items.flatMap((item) => item.nodes ?? [])).toEqual(nodes);
    for (const item of items) expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(REPORT_LIMITS.inflatedBytes);
    expect(items.at(-1)?.listing).toMatchObject({ complete: true, items: items.length });
    const single = { uid: 'u', text: 'x'.repeat(3_000_000) };
    expect(cutThem({ nodes: [single] as unknown as Part['nodes'] & object }, null)).toHaveLength(1);
  });

  it('tells of ends before the pods they are of, and of what is gone and who could read last', () => {
    const readers = [{ name: 'pods' }] as unknown as Part['readers'];
    const part = partOf({ pods: 1, ends: 1, nodes: 1, workloads: 1, volumes: 1, usage: 1, events: 1 }, { readers });
    const items = cutThem({ ...part, deleted: gone(1) }, null);
    expect(items.map(kindsIn).map((keys) => keys.join())).toEqual([
      'ends',
      'nodes',
      'workloads',
      'volumes',
      'pods',
      'usage',
      'events',
      'deleted',
      'readers',
    ]);
  });

  it('cuts the uids of what is gone, too: a namespace may hold more pods than an item', () => {
    const items = cutThem({ deleted: gone(L.deletionsPerItem * 2 + 1) }, null);
    expect(items.map(({ deleted }) => [deleted?.pods.length, deleted?.workloads])).toEqual([
      [L.deletionsPerItem, ['w']],
      [L.deletionsPerItem, []],
      [1, []],
    ]);
    expect(new Set(items.flatMap(({ deleted }) => deleted?.pods)).size).toBe(L.deletionsPerItem * 2 + 1);
  });

  it('a listing has one id in all its items, and is complete with the last, also when there is nothing', () => {
    const items = cutThem(partOf({ pods: 2500, nodes: 3 }), ['nodes', 'pods']);
    expect(new Set(items.map(({ listing }) => listing?.id)).size).toBe(1);
    expect(items.map(({ listing }) => listing?.complete)).toEqual([false, false, false, false, true]);
    expect(items.every(({ listing }) => listing?.covers.join() === 'nodes,pods')).toBe(true);
    const [empty, ...others] = cutThem({}, ['nodes']);
    expect([empty?.listing?.complete, others]).toEqual([true, []]);
    expect(empty?.listing?.id).not.toBe(items[0]?.listing?.id);
  });

  it('reads a piece when its item is asked for', () => {
    const read: number[] = [];
    const pods = {
      length: L.podsPerItem * 2,
      slice: (from: number, to: number) => {
        read.push(from, to);
        return [];
      },
    };
    const items = cutIntoItems({ pods }, null);
    expect(read).toEqual([]);
    items.next();
    expect(read).toEqual([0, L.podsPerItem]);
  });

  it('makes no item of nothing', () => {
    expect(cutThem(partOf({ pods: 0 }), null)).toEqual([]);
  });
});

describe('FactQueue', () => {
  const queue = (most: number): FactQueue<{ text: string; minor?: boolean }> =>
    new FactQueue(most, ({ minor }) => minor === true);
  const textsIn = (facts: FactQueue<{ text: string }>): string[] =>
    [...facts.take(100).values()].map(({ text }) => text);

  it('gives the oldest first, again until they are settled', () => {
    const facts = queue(10);
    for (const text of ['a', 'b', 'c']) facts.add(text, { text });
    const taken = facts.take(2);
    expect([[...taken.keys()], textsIn(facts)]).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
    facts.commit(taken);
    expect([textsIn(facts), facts.size]).toEqual([['c'], 1]);
  });

  it('keeps what became newer while the older was on its way', () => {
    const facts = queue(10);
    facts.add('a', { text: 'old' });
    const taken = facts.take(1);
    facts.add('a', { text: 'new' });
    facts.commit(taken);
    expect(textsIn(facts)).toEqual(['new']);
  });

  it('drops the oldest minor fact when it is full, and the oldest of all only when none is minor', () => {
    const facts = queue(3);
    facts.add('a', { text: 'a' });
    facts.add('b', { text: 'b', minor: true });
    facts.add('c', { text: 'c', minor: true });
    facts.add('d', { text: 'd' });
    expect([textsIn(facts), facts.dropped]).toEqual([['a', 'c', 'd'], 1]);
    facts.add('e', { text: 'e' });
    facts.add('f', { text: 'f' });
    expect([textsIn(facts), facts.dropped]).toEqual([['d', 'e', 'f'], 3]);
  });

  it('a fact told again takes no room', () => {
    const facts = queue(2);
    for (let time = 0; time < 5; time += 1) facts.add('a', { text: `a${time}` });
    expect([facts.size, facts.dropped]).toEqual([1, 0]);
  });

  it('keeps warnings when events pour in, and bounds ends', () => {
    const events = eventQueue();
    const event = (type: string): Parameters<typeof events.add>[1] => ({ type }) as Parameters<typeof events.add>[1];
    for (let index = 0; index < 100; index += 1) events.add(`w${index}`, event('Warning'));
    for (let index = 0; index < 6000; index += 1) events.add(`n${index}`, event('Normal'));
    expect([events.size, events.dropped]).toEqual([5000, 1100]);
    expect([...events.take(5000).values()].filter(({ type }) => type === 'Warning')).toHaveLength(100);
    const ends = endQueue();
    for (let index = 0; index < 20_001; index += 1) ends.add(String(index), {} as Parameters<typeof ends.add>[1]);
    expect(ends.size).toBe(20_000);
  });
});
