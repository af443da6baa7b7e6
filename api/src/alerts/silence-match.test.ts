import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ActiveSilences,
  isActive,
  matchesSilence,
  silenceText,
  type AlertFacts,
  type Silence,
} from './silence-match.ts';

const NOTHING = {
  serverId: null,
  tagKey: null,
  tagValue: null,
  metric: null,
  rule: null,
  subject: null,
  clusterId: null,
  namespace: null,
};

/** Few values, so that fields often agree; with names that objects inherit, and the empty string. */
const word = fc.constantFrom('', 'a', 'b', '__proto__', 'constructor', 'toString');
const maybe = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: word });
const facts: fc.Arbitrary<AlertFacts> = fc.record({
  serverId: maybe,
  tags: fc.dictionary(word, word),
  metric: word,
  rule: word,
  subject: word,
  clusterId: maybe,
  namespace: maybe,
});
const matcher = fc.record({
  serverId: maybe,
  tagKey: maybe,
  tagValue: maybe,
  metric: maybe,
  rule: maybe,
  subject: maybe,
  clusterId: maybe,
  namespace: maybe,
});
const silence: fc.Arbitrary<Silence> = fc
  .record({
    matcher,
    id: fc.uuid(),
    startsAt: fc.integer({ min: 0, max: 20 }),
    length: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ matcher: matching, id, startsAt, length }) => ({
    ...matching,
    id,
    startsAt,
    endsAt: startsAt + length,
    comment: '',
    covered: null,
    object: null,
    hostname: null,
    createdBy: null,
    createdAt: 0,
    updatedAt: 0,
  }));

/** Written apart from the code: the alert as a set of `name=value` statements, the silence as those it demands. */
function matchesByReference(given: typeof NOTHING & Record<string, string | null>, alert: AlertFacts): boolean {
  const holds = new Set<string>();
  const say = (name: string, value: string | null): void => {
    if (value !== null) holds.add(JSON.stringify([name, value]));
  };
  say('serverId', alert.serverId);
  say('metric', alert.metric);
  say('rule', alert.rule);
  say('subject', alert.subject);
  say('clusterId', alert.clusterId);
  say('namespace', alert.namespace);
  for (const [key, value] of Object.entries(alert.tags)) {
    holds.add(JSON.stringify(['tag', key]));
    holds.add(JSON.stringify(['tag', key, value]));
  }
  const demands: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === null || name === 'tagKey' || name === 'tagValue') continue;
    demands.push(JSON.stringify([name, value]));
  }
  if (given.tagKey !== null) {
    demands.push(
      JSON.stringify(given.tagValue === null ? ['tag', given.tagKey] : ['tag', given.tagKey, given.tagValue]),
    );
  }
  return demands.every((demand) => holds.has(demand));
}

test('a silence matches exactly the alerts of the reference, 1,000 times', () => {
  let matched = 0;
  fc.assert(
    fc.property(matcher, facts, (given, alert) => {
      const expected = matchesByReference(given as never, alert);
      if (expected) matched += 1;
      expect(matchesSilence(given, alert)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
  // Otherwise the property says nothing about silences that match.
  expect(matched).toBeGreaterThan(10);
});

test('a period of maintenance covers its servers, checks and clusters, and no other alert', () => {
  const covered = { maintenanceId: 'm', serverIds: ['s'], checkIds: ['c'], clusterIds: ['k'] };
  const match = (part: Partial<AlertFacts>): boolean =>
    matchesSilence(
      { ...NOTHING, covered },
      {
        serverId: null,
        tags: {},
        metric: 'cpu_usage',
        rule: 'r',
        subject: '',
        clusterId: null,
        namespace: null,
        ...part,
      },
    );
  expect(match({ serverId: 's' })).toBe(true);
  expect(match({ serverId: 't' })).toBe(false);
  expect(match({ serverId: 't', clusterId: 'k' })).toBe(true);
  expect(match({ metric: 'pod_failed', clusterId: 'k' })).toBe(true);
  expect(match({ metric: 'check_failed', subject: 'c' })).toBe(true);
  expect(match({ metric: 'check_failed', subject: 'd' })).toBe(false);
  // A mount point of another server with the id of a check for a name.
  expect(match({ serverId: 't', subject: 'c' })).toBe(false);
});

test('of the active silences that match, the one that ends last counts, 2,000 times', () => {
  fc.assert(
    fc.property(fc.array(silence, { maxLength: 12 }), facts, fc.integer({ min: 0, max: 40 }), (all, alert, now) => {
      const matching = all.filter(
        (each) => each.startsAt <= now && each.endsAt > now && matchesByReference(matcherOf(each), alert),
      );
      const end = Math.max(...matching.map(({ endsAt }) => endsAt));
      const found = new ActiveSilences(all, now).of(alert);
      expect(found?.endsAt ?? null).toBe(matching.length === 0 ? null : end);
      expect([null, ...matching.map(({ id }) => id)]).toContain(found?.id ?? null);
    }),
    { numRuns: 2000 },
  );
});

const matcherOf = (given: Silence): never =>
  Object.fromEntries(Object.keys(NOTHING).map((name) => [name, given[name as keyof typeof NOTHING]])) as never;

test('a silence begins with its start and is over at its end', () => {
  const given = { startsAt: 10, endsAt: 20 };
  expect([9, 10, 19, 20].map((now) => isActive(given, now))).toEqual([false, true, true, false]);
});

test.each([
  [
    { serverId: 'id', hostname: 'web-1', metric: 'disk_usage', subject: '/var' },
    'server web-1, metric disk_usage, subject /var',
  ],
  [{ tagKey: 'env', tagValue: 'prod' }, 'tag env=prod'],
  [{ tagKey: 'env' }, 'tag env'],
  [{ serverId: 'id', rule: 'default-cpu', subject: '' }, 'server id, rule default-cpu'],
  [{ clusterId: 'c', namespace: 'shop' }, 'cluster c, namespace shop'],
])('%o in words', (given, text) => {
  expect(silenceText({ ...NOTHING, hostname: null, ...given })).toBe(text);
});
