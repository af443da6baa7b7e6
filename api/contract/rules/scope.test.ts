import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatScope, matchesScope, parseScope, SCOPE_KEYS, type Scope, type ScopedSubject } from './scope.ts';

const word = fc
  .string({ minLength: 1, maxLength: 12 })
  .map((text) => text.trim())
  .filter((text) => text !== '');
const term = fc.record({ key: fc.constantFrom(...SCOPE_KEYS), value: word });
const subject: fc.Arbitrary<ScopedSubject> = fc.record({
  tags: fc.dictionary(fc.constantFrom('env', 'team', 'prod'), fc.constantFrom('', 'prod', 'web'), {
    noNullPrototype: true,
  }),
  region: fc.constantFrom(null, 'fra', 'nyc'),
  clusters: fc.subarray(['uid-1', 'shop']),
  status: fc.constantFrom(null, 'active', 'offline'),
});
const likely = fc.record({
  key: fc.constantFrom(...SCOPE_KEYS),
  value: fc.constantFrom('prod', 'env=prod', 'env=web', 'FRA', 'nyc', 'shop', 'active', 'offline', 'nothing'),
});
const parsed = (text: string): Scope => {
  const result = parseScope(text);
  if ('problem' in result) throw new Error(result.problem);
  return result.scope;
};

test('a scope survives being written and parsed', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(term, { maxLength: 20, selector: (t) => `${t.key}:${t.value.toLowerCase()}` }),
      (terms) => {
        expect(parsed(formatScope(terms))).toEqual(terms);
      },
    ),
  );
});

test('any text is parsed or named as a problem', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const result = parseScope(text);
      const expected =
        'scope' in result
          ? { scope: parsed(formatScope(result.scope)) }
          : { problem: result.problem || 'the name of the problem' };
      expect(result).toEqual(expected);
    }),
  );
});

test('terms of one key are alternatives and keys are conditions', () => {
  fc.assert(
    fc.property(subject, fc.array(likely, { maxLength: 6 }), (server, scope) => {
      const expected = SCOPE_KEYS.every((key) => {
        const own = scope.filter((one) => one.key === key);
        return own.length === 0 || own.some((one) => matchesScope(server, [one]));
      });
      expect(matchesScope(server, scope)).toBe(expected);
    }),
  );
});

test('another term of a key widens the scope and another key narrows it', () => {
  fc.assert(
    fc.property(subject, fc.array(likely, { maxLength: 4 }), likely, (server, scope, more) => {
      const before = matchesScope(server, scope);
      const after = matchesScope(server, [...scope, more]);
      const widens = scope.some(({ key }) => key === more.key);
      expect(widens ? after || !before : before || !after).toBe(true);
    }),
  );
});

const SERVER: ScopedSubject = {
  tags: { env: 'prod', gpu: '' },
  region: 'fra',
  clusters: ['uid-1', 'shop'],
  status: 'active',
};
test.each([
  ['', true],
  ['tag:prod', true],
  ['tag:env', true],
  ['tag:env=prod', true],
  ['tag:env=web', false],
  ['tag:gpu', true],
  ['tag:gpu=', true],
  ['tag:PROD, region:FRA', true],
  ['tag:prod,region:nyc', false],
  ['region:nyc,region:fra', true],
  ['cluster:shop', true],
  ['cluster:uid-1,status:offline', false],
  ['status:active', true],
])('%j matches the server: %s', (text, expected) => {
  expect(matchesScope(SERVER, parsed(text))).toBe(expected);
});

test('unknown region and status match nothing', () => {
  const unknown: ScopedSubject = { tags: {}, region: null, clusters: [], status: null };
  for (const text of ['region:null', 'status:null', 'tag:x', 'cluster:x'])
    expect(matchesScope(unknown, parsed(text))).toBe(false);
});

test.each([
  ['prod', /"prod" has no key\. Write tag, region, cluster or status/],
  ['host:a', /"host" is not a key of a scope\. Use tag, region, cluster or status/],
  ['tag:', /"tag:" has no value/],
  [Array.from({ length: 21 }, (_, i) => `tag:${String(i)}`).join(','), /at most 20 terms/],
  [`tag:${'x'.repeat(1000)}`, /at most 1000 characters/],
])('%j is a problem', (text, problem) => {
  expect(parseScope(text)).toEqual({ problem: expect.stringMatching(problem) as string });
});
