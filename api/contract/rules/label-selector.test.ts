import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatSelector, meets, parseSelector, type LabelRequirement } from './label-selector.ts';

const key = fc.stringMatching(/^[a-z][a-z0-9./_-]{0,20}$/);
const value = fc.stringMatching(/^[A-Za-z0-9._-]{0,12}$/);
const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({
    key,
    operator: fc.constantFrom('In' as const, 'NotIn' as const),
    values: fc.array(value, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ key, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const), values: fc.constant([]) }),
  fc.record({
    key,
    operator: fc.constantFrom('Gt' as const, 'Lt' as const),
    values: fc.integer().map((number) => [String(number)]),
  }),
);

test('what is formatted is parsed to the same requirements', () => {
  fc.assert(
    fc.property(fc.array(requirement, { maxLength: 6 }), (requirements) => {
      const text = formatSelector(requirements);
      expect(text === null ? null : parseSelector(text)).toEqual(requirements);
    }),
  );
});

test('any text is parsed without an exception, and what is parsed has the same text', () => {
  const again = (text: string): string | null => {
    const parsed = parseSelector(text);
    return parsed === null ? text : formatSelector(parsed);
  };
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^!?a( in \(|>|,|\)|b)*$/)), (text) => again(text) === text),
  );
  expect(again('a in (b),!c')).toBe('a in (b),!c');
});

test.each([
  ['app in (api,web)', { app: 'web' }, true],
  ['app in (api,web)', {}, false],
  ['app notin (api)', {}, true],
  ['app notin (api)', { app: 'api' }, false],
  ['zone', { zone: '' }, true],
  ['!zone', { zone: '' }, false],
  ['cores>4', { cores: '10' }, true],
  ['cores>4', { cores: '4' }, false],
  ['cores<9', { cores: 'many' }, false],
  ['app in (api),zone', { app: 'api' }, false],
  ['', {}, true],
])('%s with %j: %s', (text, labels, expected) => {
  expect(meets(labels, parseSelector(text) ?? [{ key: 'x', operator: 'Exists', values: [] }])).toBe(expected);
});

test('a condition that Kubernetes does not accept has no text', () => {
  expect(formatSelector([{ key: 'a b', operator: 'Exists', values: [] }])).toBeNull();
  expect(formatSelector([{ key: 'a', operator: 'In', values: [] }])).toBeNull();
  expect(formatSelector([{ key: 'a', operator: 'Gt', values: ['x'] }])).toBeNull();
  expect(formatSelector([{ key: 'a', operator: 'In', values: ['x,y'] }])).toBeNull();
});
