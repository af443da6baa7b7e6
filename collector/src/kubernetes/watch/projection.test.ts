import { describe, expect, it } from 'vitest';
import { listInto } from '../testing/list-into.ts';
import { Projection } from './projection.ts';

interface Thing {
  uid: string;
  size: number;
}
const thing = (uid: string, size = 0): Thing => ({ uid, size });
const uids = (things: Thing[]) => things.map(({ uid }) => uid).toSorted();

describe('Projection', () => {
  it('hands out each change once', () => {
    const projection = new Projection<Thing>();
    listInto(projection, [thing('a'), thing('b')]);
    expect(uids(projection.take(false).changed)).toEqual(['a', 'b']);
    expect(projection.take(false)).toEqual({ changed: [], deleted: [] });
    projection.upsert(thing('a', 1));
    projection.remove(thing('b'));
    expect(projection.take(false)).toEqual({ changed: [thing('a', 1)], deleted: ['b'] });
  });

  it('a second listing that says the same is no news, and ends what it does not name', () => {
    const projection = new Projection<Thing>();
    listInto(projection, [thing('a'), thing('b')]);
    projection.take(false);
    listInto(projection, [thing('b')]);
    expect(projection.take(false)).toEqual({ changed: [], deleted: ['a'] });
  });

  it('gives back what did not arrive, in its newest state', () => {
    const projection = new Projection<Thing>();
    listInto(projection, [thing('a'), thing('b'), thing('c')]);
    projection.take(false);
    projection.upsert(thing('a', 1));
    projection.remove(thing('b'));
    const taken = projection.take(false);
    projection.upsert(thing('a', 2));
    projection.upsert(thing('b', 3));
    projection.rollback(taken);
    const again = projection.take(false);
    expect(again.deleted).toEqual([]);
    expect(again.changed.toSorted((x, y) => x.size - y.size)).toEqual([thing('a', 2), thing('b', 3)]);
  });

  it('takes everything for a full listing and is clean afterwards', () => {
    const projection = new Projection<Thing>();
    listInto(projection, [thing('a'), thing('b')]);
    projection.take(false);
    expect(uids(projection.take(true).changed)).toEqual(['a', 'b']);
    expect(projection.pending).toBe(0);
  });

  it('tells of every change with the state before it', () => {
    const seen: [number | null, number][] = [];
    const projection = new Projection<Thing>((before, after) => seen.push([before?.size ?? null, after.size]));
    projection.upsert(thing('a', 1));
    projection.upsert(thing('a', 1));
    projection.upsert(thing('a', 2));
    projection.remove(thing('a', 3));
    expect(seen).toEqual([
      [null, 1],
      [1, 2],
      [2, 3],
    ]);
  });
});
