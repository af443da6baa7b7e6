import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeTitle, compareStates, sectionTitle, type State } from './compare-states.ts';

const state = (
  fields: Record<string, string>,
  digests: Record<string, string> = {},
  more: Partial<State> = {},
): State => ({
  form: 1,
  fields,
  digests,
  digestKey: 'k',
  ...more,
});
const names = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor', 'toString');
const texts = fc.dictionary(names, fc.constantFrom('1', '2', '[redacted]'), { noNullPrototype: true });
const states = fc.record({ fields: texts, digests: texts }).map(({ fields, digests }) => state(fields, digests));

describe('compareStates', () => {
  it('says what was set, changed and removed, with the values', () => {
    expect(compareStates(state({ a: '1', b: '2' }), state({ b: '3', c: '4' }))).toEqual([
      { field: 'a', was: 'removed', before: '1', after: null, hidden: false },
      { field: 'b', was: 'changed', before: '2', after: '3', hidden: false },
      { field: 'c', was: 'set', before: null, after: '4', hidden: false },
    ]);
  });

  it('finds a change behind equal texts by the digest, and shows no value', () => {
    expect(compareStates(state({ a: '[redacted]' }, { a: '1' }), state({ a: '[redacted]' }, { a: '2' }))).toEqual([
      { field: 'a', was: 'changed', before: null, after: null, hidden: true },
    ]);
    expect(compareStates(state({}), state({}, { 'env.A': '1' }))).toEqual([
      { field: 'env.A', was: 'set', before: null, after: null, hidden: true },
    ]);
  });

  it('compares no digests of two keys, and no states of two forms', () => {
    expect(compareStates(state({}, { a: '1' }), state({}, { a: '2' }, { digestKey: 'other' }))).toEqual([]);
    expect(compareStates(state({ a: '1' }), state({ a: '2' }, {}, { form: 2 }))).toEqual([]);
  });

  it('any state: a repeat has no change, and the way back names the same fields', () => {
    fc.assert(
      fc.property(states, states, (before, after) => {
        expect(compareStates(before, structuredClone(before))).toEqual([]);
        const fields = (a: State, b: State) => compareStates(a, b).map(({ field }) => field);
        expect(fields(before, after)).toEqual(fields(after, before));
        expect(new Set(fields(before, after)).size).toBe(fields(before, after).length);
      }),
    );
  });

  it('any row of edits that nobody watched: each field whose value differs is named once, and no other', () => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.tuple(names, fc.option(fc.constantFrom('1', '2', '[redacted]')))),
        (start, edits) => {
          const end = new Map(Object.entries(start));
          for (const [name, value] of edits) {
            if (value === null) end.delete(name);
            else end.set(name, value);
          }
          const after = Object.fromEntries(end);
          const differing = [...new Set([...Object.keys(start), ...end.keys()])].filter(
            (name) => (Object.hasOwn(start, name) ? start[name] : null) !== (end.get(name) ?? null),
          );
          const found = compareStates(state(start), state(after)).map(({ field }) => field);
          expect(found).toEqual(differing.toSorted());
        },
      ),
    );
  });
});

describe('sectionTitle', () => {
  const entry = (field: string, was: 'set' | 'changed' | 'removed', before: string | null, after: string | null) => ({
    field,
    was,
    before,
    after,
    hidden: false,
  });
  it.each([
    ['ports', [entry('8081/tcp', 'set', null, 'listening')], '8081/tcp opened'],
    ['ports', [entry('80/tcp', 'removed', 'listening', null)], '80/tcp closed'],
    ['packages', [entry('nginx', 'changed', '1', '2')], 'nginx 1 → 2'],
    ['files', [entry('/etc/a', 'changed', '7 bytes', '8 bytes')], '/etc/a changed'],
    ['units', ['a', 'b', 'c'].map((name) => entry(name, 'set', null, 'yes')), 'a added, b added and 1 more'],
  ])('%s %j', (section, fields, words) => {
    expect(sectionTitle(section, fields)).toBe(words);
  });
});

describe('changeTitle', () => {
  it('names the tags alone where the repository of an image stayed', () => {
    const image = (before: string, after: string) =>
      changeTitle('changed', [{ field: 'containers.web.image', was: 'changed', before, after, hidden: false }]);
    expect(image('r.example:5000/shop/web:1.9.1', 'r.example:5000/shop/web:1.9.2')).toBe('image 1.9.1 → 1.9.2');
    expect(image('shop/web:1', 'other/web:1')).toBe('image shop/web:1 → other/web:1');
    expect(image('r.example:5000/web', 'r.example:5000/web:2')).toBe('image r.example:5000/web → r.example:5000/web:2');
  });

  const field = (name: string) => ({ field: name, was: 'changed' as const, before: '1', after: '2', hidden: false });
  it.each([
    ['added' as const, [], 'is new'],
    ['gone' as const, [], 'is gone'],
    ['changed' as const, [field('containers.web.image')], 'image 1 → 2'],
    ['changed' as const, [{ ...field('env.A'), hidden: true, before: null, after: null }], 'env.A changed'],
    ['changed' as const, ['a', 'b', 'c', 'd', 'e'].map(field), 'a 1 → 2, b, c and 2 more'],
    [
      'changed' as const,
      ['containers.w.env.A', 'replicas', 'containers.w.image'].map(field),
      'image 1 → 2, replicas, env.A',
    ],
  ])('%s %j', (action, fields, words) => {
    expect(changeTitle(action, fields)).toBe(words);
  });
});
