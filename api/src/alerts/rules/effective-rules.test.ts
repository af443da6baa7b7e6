import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectiveRules, isInForce, type ServerRules } from './effective-rules.ts';
import { DEFAULT_LINES } from '../load-lines.ts';
import { appliesTo } from './rules.ts';
import { DEFAULT_RULES } from './rules.ts';
import type { AlertRule, RuleTarget } from '../types.ts';

const MINUTE = 60_000;
const SERVER = { id: 'server-1', tags: { env: 'prod', role: 'db' } };
let serial = 0;
const ruleOf = (target: RuleTarget, threshold: number, parts: Partial<AlertRule> = {}): AlertRule => {
  serial += 1;
  return {
    id: `rule-${String(serial)}`,
    metric: 'disk_usage',
    target,
    lines: [{ level: 'warning', threshold }],
    forMs: 5 * MINUTE,
    keepFiringForMs: 5 * MINUTE,
    hysteresisPoints: 5,
    enabled: true,
    object: null,
    createdAt: serial,
    updatedAt: serial,
    ...parts,
  };
};
const rulesOf = (...rules: AlertRule[]): ServerRules => effectiveRules(rules, SERVER, MINUTE);
/** The line of the disk rule that applies to a mount; null: none. */
const lineOf = ({ thresholds }: ServerRules, mount: string): number | null => {
  const found = thresholds.filter((rule) => rule.metric === 'disk_usage' && appliesTo(rule, mount));
  expect(found.length).toBeLessThan(2);
  return found[0]?.lines[0]?.threshold ?? null;
};

const ALL: RuleTarget = { kind: 'all' };
const TAG: RuleTarget = { kind: 'tag', key: 'env', value: 'prod' };
const OTHER_TAG: RuleTarget = { kind: 'tag', key: 'role', value: null };
const OF_SERVER: RuleTarget = { kind: 'server', serverId: 'server-1' };
const MOUNT: RuleTarget = { kind: 'mount', mount: '/var', serverId: null };
const MOUNT_OF_SERVER: RuleTarget = { kind: 'mount', mount: '/var', serverId: 'server-1' };

test('without a rule of the account the defaults apply', () => {
  const rules = rulesOf();
  expect(rules.thresholds).toEqual(DEFAULT_RULES);
  expect(rules.offline?.id).toBe('default-offline');
  expect(rules.lines).toEqual(DEFAULT_LINES);
});

test('a metric that is off by default is on with a rule of the account', () => {
  const rule = { ...ruleOf(ALL, 5), metric: 'updates_pending' as const };
  const metrics = (...rules: AlertRule[]) => rulesOf(...rules).thresholds.map(({ metric }) => metric);
  expect(metrics()).not.toContain('updates_pending');
  expect(metrics(rule)).toContain('updates_pending');
  expect(metrics({ ...rule, enabled: false })).not.toContain('updates_pending');
});

test('a mount overrides a server, a server a tag, a tag all', () => {
  const ordered = [ALL, TAG, OF_SERVER, MOUNT, MOUNT_OF_SERVER];
  for (let most = 1; most <= ordered.length; most += 1) {
    const rules = ordered.slice(0, most).map((target, index) => ruleOf(target, 90 - 5 * index));
    expect(lineOf(rulesOf(...rules.toReversed()), '/var')).toBe(90 - 5 * (most - 1));
  }
  expect(lineOf(rulesOf(ruleOf(OF_SERVER, 70), ruleOf(MOUNT, 95)), '/')).toBe(70);
});

test('of two tags the lower line applies', () => {
  expect(lineOf(rulesOf(ruleOf(TAG, 75), ruleOf(OTHER_TAG, 65)), '/')).toBe(65);
  expect(lineOf(rulesOf(ruleOf(OTHER_TAG, 65), ruleOf(TAG, 75)), '/')).toBe(65);
});

test('rules of other servers, tags and values do not apply', () => {
  const rules = rulesOf(
    ruleOf({ kind: 'server', serverId: 'server-2' }, 10),
    ruleOf({ kind: 'tag', key: 'env', value: 'test' }, 20),
    ruleOf({ kind: 'tag', key: 'toString', value: null }, 30),
    ruleOf({ kind: 'mount', mount: '/var', serverId: 'server-2' }, 40),
  );
  expect(lineOf(rules, '/var')).toBe(80);
});

describe('a disabled rule', () => {
  test('switches its metric off for its target', () => {
    const off = ruleOf(OF_SERVER, 70, { enabled: false });
    expect(lineOf(rulesOf(off, ruleOf(ALL, 60)), '/')).toBeNull();
    expect(rulesOf(off).lines.disk).toEqual(DEFAULT_LINES.disk);
    expect(isInForce(rulesOf(off), off.id, 'disk_usage', '/')).toBe(false);
  });
  test('gives way to an enabled rule of the same precedence', () => {
    expect(lineOf(rulesOf(ruleOf(TAG, 50, { enabled: false }), ruleOf(OTHER_TAG, 65)), '/')).toBe(65);
  });
  test('of a mount leaves the others alone', () => {
    const rules = rulesOf(ruleOf(MOUNT, 50, { enabled: false }));
    expect([lineOf(rules, '/var'), lineOf(rules, '/')]).toEqual([null, 80]);
  });
  test('of the metric offline leaves no offline alert', () => {
    const lines = [{ level: 'warning', threshold: null }] as const;
    const rule = ruleOf(ALL, 0, { metric: 'offline', lines, forMs: 10 * MINUTE });
    expect(rulesOf(rule).offline).toEqual({ id: rule.id, level: 'warning', forMs: 10 * MINUTE });
    expect(rulesOf({ ...rule, enabled: false }).offline).toBeNull();
  });
});

test('the lowest line is the load line, the highest one the critical line; a rule of a mount moves neither', () => {
  const lines = [
    { level: 'info', threshold: 50 },
    { level: 'warning', threshold: 60 },
    { level: 'critical', threshold: 70 },
  ] as const;
  const rules = rulesOf(ruleOf(ALL, 0, { metric: 'memory_usage', lines }), ruleOf(ALL, 40), ruleOf(MOUNT, 20));
  expect(rules.lines).toEqual({
    ...DEFAULT_LINES,
    memory: { warning: 50, critical: 70 },
    disk: { warning: 40, critical: null },
  });
});

test('1,000 random sets of rules: the same rule as a search by hand, in any order', () => {
  const targets = [ALL, TAG, OTHER_TAG, OF_SERVER, MOUNT, MOUNT_OF_SERVER];
  const one = fc.record({
    target: fc.constantFrom(...targets),
    threshold: fc.integer({ min: 1, max: 99 }),
    enabled: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 8 }), fc.constantFrom('/', '/var'), (drafts, mount) => {
      const rules = drafts.map(({ target, threshold, enabled }) => ruleOf(target, threshold, { enabled }));
      // Level by level from the most specific target; the first with a rule decides.
      const levels: RuleTarget[][] = [[MOUNT_OF_SERVER], [MOUNT], [OF_SERVER], [TAG, OTHER_TAG], [ALL]];
      let wanted: number | null = 80;
      for (const level of mount === '/var' ? levels : levels.slice(2)) {
        const here = rules.filter(({ target }) => level.includes(target));
        if (here.length === 0) continue;
        const on = here.filter(({ enabled }) => enabled).map(({ lines }) => lines[0]?.threshold ?? 0);
        wanted = on.length === 0 ? null : Math.min(...on);
        break;
      }
      expect(lineOf(rulesOf(...rules), mount)).toBe(wanted);
      expect(lineOf(rulesOf(...rules.toReversed()), mount)).toBe(wanted);
    }),
    { numRuns: 1000 },
  );
});
