import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entityName, explainsWords, ownPage } from './cause-words.ts';

describe('a link of an answer', () => {
  it.each(['/servers/1', '/', '/kubernetes/pods?search=api#x'])('to %s stays in this product', (href) =>
    expect(ownPage(href)).toBe(href),
  );

  it.each([
    '//evil.example/x',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'servers/1',
    ' /servers',
    '',
    null,
  ])('to %j is none: a browser would leave the product', (href) => expect(ownPage(href)).toBeNull());

  it('never leads to another origin, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('/', '\\', 'a', ':', '.', '?', '#', ' ', '@') }), (href) => {
        const kept = ownPage(href);
        expect(kept === null ? 'http://own.example' : new URL(kept, 'http://own.example').origin).toBe(
          'http://own.example',
        );
      }),
    );
  });
});

it('says how much a cause explains', () => {
  expect(
    [
      [1, 1],
      [4, 4],
      [3, 4],
      [1, 2],
      [0, 1],
      [1200, 1500],
    ].map(([explained = 0, symptoms = 0]) => explainsWords(explained, symptoms)),
  ).toEqual([
    'explains the one symptom',
    'explains all 4 symptoms',
    'explains 3 of 4 symptoms',
    'explains 1 of 2 symptoms',
    'explains 0 of 1 symptom',
    'explains 1,200 of 1,500 symptoms',
  ]);
});

it('names an entity with its namespace', () => {
  expect(entityName({ namespace: 'shop', name: 'checkout' })).toBe('shop/checkout');
  expect(entityName({ namespace: null, name: 'web\u200B-01' })).toBe('web\\u200B-01');
});
