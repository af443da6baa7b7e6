import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keepGoodParts, type Mending } from './keep-good-parts.ts';

const DECISIVE = new Set(['ready']);
const FIGURES: Mending = { mends: 'figures', decisive: DECISIVE };
const PARTS: Mending = { mends: 'parts', decisive: DECISIVE };

const inner = z.object({ count: z.number().nullable() });
const schema = z.object({
  size: z.number().nullable().optional(),
  ready: z.number().nullable().optional(),
  part: inner.optional(),
  nested: z.object({ ready: z.number().nullable() }).nullable().optional(),
  list: z.array(inner).max(2).optional(),
  labels: z.record(z.string().max(3), z.string()).optional(),
  unknown_fields: z.array(z.string()).max(1).optional(),
});
const keep = (value: unknown, mending: Mending) => keepGoodParts(schema, value, mending);
const fieldsOf = (kept: ReturnType<typeof keep>): string[] =>
  'refused' in kept ? ['refused', kept.refused.field] : kept.flaws.map(({ field }) => field);

describe('figures', () => {
  test('become unknown, with the field', () => {
    const kept = keep({ size: 'x', labels: { a: 'b', c: 1 } }, FIGURES);
    expect(kept).toMatchObject({ value: { size: null, labels: { a: 'b' } } });
    expect(fieldsOf(kept)).toEqual(['size', 'labels.c']);
  });
  test.each([
    ['a part', { part: 5 }, 'part'],
    ['a list', { list: 5 }, 'list'],
    ['an entry of a list', { list: [{ count: 1 }, 5] }, 'list.1'],
    ['a list that is too long', { list: [{ count: 1 }, { count: 2 }, { count: 3 }] }, 'list'],
    ['a decisive figure', { ready: 'x' }, 'ready'],
    ['a decisive figure in a part', { nested: { ready: 'x' } }, 'nested.ready'],
  ])('%s is not left out: the object is refused', (_, value, field) => {
    expect(fieldsOf(keep(value, FIGURES))).toEqual(['refused', field]);
  });
  test('a figure within a list becomes unknown in its place', () => {
    expect(keep({ list: [{ count: 'x' }, { count: 2 }] }, FIGURES)).toMatchObject({
      value: { list: [{ count: null }, { count: 2 }] },
      flaws: [{ field: 'list.0.count' }],
    });
  });
  test('the notes of the collector are left out, not the object', () => {
    const kept = keep({ size: 1, unknown_fields: 'x' }, FIGURES);
    expect(kept).toMatchObject({ value: { size: 1 } });
    expect(fieldsOf(kept)).toEqual(['unknown_fields']);
  });
});

describe('parts', () => {
  test('are left out one by one, with the number of an entry', () => {
    const kept = keep({ part: 5, list: [{ count: 1 }, 5], size: 'x' }, PARTS);
    expect(kept).toMatchObject({ value: { list: [{ count: 1 }], size: null } });
    expect(fieldsOf(kept)).toEqual(['size', 'part', 'list.1']);
  });
  test.each([
    [2, []],
    [3, ['list']],
  ])('a list of %i entries where two may be', (entries, flaws) => {
    const list = Array.from({ length: entries }, (_, count) => ({ count }));
    const kept = keep({ list, size: 'x' }, PARTS);
    expect(kept).toMatchObject({ value: { list: [{ count: 0 }, { count: 1 }] } });
    expect(fieldsOf(kept)).toEqual(['size', ...flaws]);
  });
  test('a decisive field refuses all, though the part around it may be absent', () => {
    expect(fieldsOf(keep({ nested: { ready: 'x' } }, PARTS))).toEqual(['refused', 'nested.ready']);
    expect(fieldsOf(keep({ ready: 'x' }, PARTS))).toEqual(['refused', 'ready']);
  });
  test('a decisive part refuses all for a field inside it', () => {
    const deep = z.object({ part: z.object({ ready: z.object({ at: z.number() }).nullable() }).optional() });
    const kept = keepGoodParts(deep, { part: { ready: { at: 'x' } } }, PARTS);
    expect(kept).toMatchObject({ refused: { field: 'part.ready.at' } });
  });
  test('what stands for a list leaves it out, or empties it where asked', () => {
    const required = z.object({ list: z.array(inner) });
    expect(keepGoodParts(required, { list: 5 }, PARTS)).toMatchObject({ refused: { field: 'list' } });
    expect(keepGoodParts(required, { list: 5 }, { ...PARTS, emptiesLists: true })).toMatchObject({
      value: { list: [] },
      flaws: [{ field: 'list' }],
    });
  });
  test('a hostile value names twenty flaws, each once', () => {
    const many = z.object({ list: z.array(z.number()) });
    const kept = keepGoodParts(many, { list: Array.from({ length: 1000 }, () => 'x') }, PARTS);
    expect(kept).toMatchObject({ value: { list: [] } });
    expect('flaws' in kept && kept.flaws).toHaveLength(20);
  });
});

test('a valid value is taken as the schema has it', () => {
  const defaulted = z.object({ size: z.number().default(7), name: z.string().transform((text) => text.length) });
  expect(keepGoodParts(defaulted, { name: 'abc' }, PARTS)).toEqual({ value: { size: 7, name: 3 }, flaws: [] });
});
