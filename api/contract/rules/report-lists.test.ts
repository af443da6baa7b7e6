import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { z } from 'zod';
import { reportItem } from '../wire/report.ts';
import { createListCutter, cutList, leftOutText, LIST_NAMES, REPORT_LISTS, type BoundedList } from './report-lists.ts';

interface Entry {
  name: string;
  full: number;
}
const LINE = 80;
const list: BoundedList<Entry> = {
  most: 4,
  noun: 'things',
  keyOf: ({ name }) => name,
  isOver: ({ full }) => full >= LINE,
  compare: (a, b) => b.full - a.full || (a.name < b.name ? -1 : 1),
};
const namesOf = (entries: readonly Entry[]): string[] => entries.map(({ name }) => name);
const listing = fc.uniqueArray(
  fc.record({
    name: fc.integer({ min: 0, max: 11 }).map((n) => `d${String(n)}`),
    full: fc.integer({ max: 100, min: 0 }),
  }),
  { selector: ({ name }) => name, maxLength: 12 },
);

describe('a list that grows and shrinks', () => {
  it('keeps what was kept until it is gone, and never cuts what is over its line', () => {
    fc.assert(
      fc.property(fc.array(listing, { minLength: 2, maxLength: 12 }), (listings) => {
        const cut = createListCutter(list);
        let before: string[] = [];
        for (const entries of listings) {
          const kept = namesOf(cut(entries));
          expect(kept).toHaveLength(Math.min(entries.length, list.most));
          // The order is that of the machine.
          expect(kept).toEqual(namesOf(entries).filter((name) => kept.includes(name)));
          const over = namesOf(entries.filter(({ full }) => full >= LINE));
          const overAndCut = over.filter((name) => !kept.includes(name));
          expect(overAndCut.length).toBeLessThanOrEqual(Math.max(0, over.length - list.most));
          // A place is lost only to an entry over its line.
          const lost = before.filter((name) => namesOf(entries).includes(name) && !kept.includes(name));
          const newOver = over.filter((name) => kept.includes(name) && !before.includes(name));
          expect(lost.length).toBeLessThanOrEqual(newOver.length);
          before = kept;
        }
      }),
    );
  });

  it('gives a free place to the fullest, whatever the order', () => {
    const entries = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => ({ name, full: 10 * index }));
    const cut = createListCutter(list);
    expect(namesOf(cut(entries))).toEqual(['c', 'd', 'e', 'f']);
    expect(namesOf(cut(entries.filter(({ name }) => name !== 'd')))).toEqual(['b', 'c', 'e', 'f']);
    // The fuller one comes back and finds no place.
    expect(namesOf(cut(entries))).toEqual(['b', 'c', 'e', 'f']);
  });
});

test('without memory the names decide, not figures that move', () => {
  const entries = Array.from({ length: 9 }, (_, index) => ({ name: `d${String(index)}`, full: index }));
  expect(namesOf(cutList(list, entries.toReversed()).entries).toSorted()).toEqual(['d0', 'd1', 'd2', 'd3']);
});

test('short names come first, as the kernel numbers devices', () => {
  const entries = ['sdaa', 'sdz', 'sdab', 'sdb', 'sda'].map((name) => ({ name, full: 0 }));
  expect(namesOf(cutList(list, entries).entries)).toEqual(['sdaa', 'sdz', 'sdb', 'sda']);
});

test('entries with one name do not share a place', () => {
  const twins = Array.from({ length: 6 }, () => ({ name: 'x', full: 0 }));
  const cut = createListCutter(list);
  expect(cut(twins)).toHaveLength(4);
  expect(cut(twins)).toHaveLength(4);
});

test('the note names the list and how much is missing', () => {
  expect(leftOutText(REPORT_LISTS.disks, 240)).toBe('40 of 240 disks are left out: a report holds at most 200');
});

test('every list of the schema has a limit here', () => {
  const isList = (schema: z.ZodType): boolean => {
    const { issues } = schema.safeParse(Array(10_000).fill(null)).error ?? { issues: [] };
    const ofList = issues.filter(({ path }) => path.length === 0).map(({ code }) => code);
    return ofList.includes('too_big') && !ofList.includes('invalid_type');
  };
  const lists = Object.entries(reportItem.shape).flatMap(([name, schema]) => (isList(schema) ? [name] : []));
  expect(LIST_NAMES.toSorted()).toEqual(lists.toSorted());
});
