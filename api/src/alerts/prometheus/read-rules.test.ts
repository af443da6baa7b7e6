import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { ALERT_RULE_METRICS, targetsOf, type AlertRuleTarget } from '@plimsoll/contract/rules/alert-rule-limits';
import { describe, expect, test } from 'vitest';
import { draftOf } from '../rules/rule-draft.ts';
import type { AlertRule, RuleTarget } from '../types.ts';
import { prometheusRules } from './export-rules.ts';
import { readPrometheusRules, secondsOf } from './read-rules.ts';

const SERVER = '00000000-0000-4000-8000-00000000000a';
/** Names with what YAML, PromQL, regular expressions and templates of Prometheus treat as special. */
const TARGETS: Record<AlertRuleTarget, RuleTarget> = {
  all: { kind: 'all' },
  tag: { kind: 'tag', key: 'team/env', value: 'a "b" \\ c: # {{ $value }}' },
  server: { kind: 'server', serverId: SERVER },
  mount: { kind: 'mount', mount: '/srv "x" {y}', serverId: SERVER },
  cluster: { kind: 'cluster', clusterId: 'prod' },
  namespace: { kind: 'namespace', namespace: 'shop', clusterId: 'prod' },
  workload: { kind: 'workload', namespace: 'shop', workload: 'web.1', workloadKind: null, clusterId: null },
};
const NAMES = { hostnameOf: () => 'web.1 "x"', clusterNameOf: () => 'prod "eu" \\' };
const rule = (metric: AlertRule['metric'], target: RuleTarget): AlertRule => {
  const { lines, forSeconds, keepFiringForSeconds, hysteresisPoints } = ALERT_METRICS[metric];
  const timings = { forMs: forSeconds * 1000, keepFiringForMs: keepFiringForSeconds * 1000, hysteresisPoints };
  return {
    id: `${metric} ${target.kind}`,
    metric,
    target,
    lines,
    ...timings,
    enabled: true,
    object: null,
    createdAt: 0,
    updatedAt: 0,
  };
};
const CPU = prometheusRules([rule('cpu_usage', TARGETS.tag), rule('cpu_usage', TARGETS.all)], [], NAMES);
const ONE = prometheusRules([rule('cpu_usage', TARGETS.all)], [], NAMES);

test.each([true, false])(
  'every metric with every target comes back as it was exported, enabled: %j',
  async (enabled) => {
    const rules = ALERT_RULE_METRICS.flatMap((metric) =>
      targetsOf(metric).map((kind) => ({ ...rule(metric, TARGETS[kind]), enabled })),
    );
    const text = prometheusRules(rules, [], NAMES);
    // Prometheus would expand it in an annotation.
    expect(text.split('\n').filter((line) => line.includes(' plimsoll: ') && line.includes('{{'))).toEqual([]);
    const { rules: read, errors } = await readPrometheusRules(text);
    expect(errors).toEqual([]);
    const found = new Map(read.map(({ id, request }) => [id, draftOf(request)]));
    for (const { id, object: _object, createdAt: _created, updatedAt: _updated, ...draft } of rules)
      expect(found.get(id)).toEqual(draft);
    expect(found.size).toBe(rules.length);
    expect(read.find(({ id }) => id === 'cpu_usage server')).toMatchObject({ server: 'web.1 "x"', cluster: null });
  },
);

test('a rule is switched off and on in the file', async () => {
  const off = CPU.replaceAll(/^( +expr: .*)"$/gm, '$1 and on () (vector(0) == 1)"');
  const enabled = async (text: string) => {
    const { rules, errors } = await readPrometheusRules(text);
    expect(errors).toEqual([]);
    return rules.map(({ request }) => request.enabled);
  };
  expect(await enabled(off)).toEqual([false, false]);
  expect(await enabled(off.replaceAll(' and on () (vector(0) == 1)', ''))).toEqual([true, true]);
});

test('another number, level and duration is read', async () => {
  const changed = CPU.replaceAll('>= 80)', '>= 72.5)')
    .replaceAll('severity: warning', 'severity: info')
    .replaceAll('for: 300s', 'for: 1h30m');
  const { rules, errors } = await readPrometheusRules(changed);
  expect(errors).toEqual([]);
  expect(rules[0]?.request).toMatchObject({
    lines: [
      { level: 'info', threshold: 72.5 },
      { level: 'critical', threshold: 95 },
    ],
    for_seconds: 5400,
  });
});

test.each([
  ['0s', 0],
  ['0', 0],
  ['90s', 90],
  ['1h30m', 5400],
  ['1d', 86_400],
  ['5', null],
  ['five minutes', null],
  ['', null],
])('the duration %j is %j seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

describe('a faulty file says what is wrong where', () => {
  const edited = (from: string | RegExp, to: string): string => CPU.replace(from, to);
  test.each([
    ['text', 'hello', 'yaml', /no Prometheus rule file/],
    ['nothing', '', 'yaml', /is not YAML/],
    ['broken YAML', 'groups:\n  - [', 'yaml', /is not YAML in line \d/],
    ['no rule', 'groups: []', 'yaml', /holds no rule/],
    ['a list', '- 1', 'yaml', /no Prometheus rule file/],
    ['another severity', edited('severity: warning', 'severity: page'), 'lines.0.level', /critical/],
    ['a level out of order', edited('severity: warning', 'severity: critical'), 'lines.1.level', /higher/],
    ['a line out of bounds', edited('>= 95)', '>= 950)'), 'lines.1.threshold', /0–100|1–100/],
    ['a duration', edited('for: 300s', 'for: soon'), 'for', /same for all lines/],
    ['another expression', edited('mode=\\"idle\\"', 'mode=\\"user\\"'), 'expr', /must begin with \(100/],
    [
      'a line of two switched off',
      edited('>= 80)', '>= 80) and on () (vector(0) == 1)'),
      'expr',
      /all lines of a disabled/,
    ],
    ['no number', edited('>= 80)', '>= x)'), 'expr', /compares with no number/],
    ['an unknown field', edited('        labels:', '        limit: 3\n        labels:'), 'limit', /unknown here/],
    ['a recording rule', edited(/alert: PlimsollCpuUsage/, 'record: cpu'), 'alert', /./],
    ['a missing annotation', CPU.replaceAll(/^ +plimsoll: .*\n/gm, ''), 'annotations.plimsoll', /is missing/],
    ['NUL in JSON', CPU.replaceAll('team/env', String.raw`team\\u0000env`), 'annotations.plimsoll', /cannot be stored/],
    [
      'JSON that nests deeper than calls can',
      ONE.replaceAll(/plimsoll: "\{/g, `plimsoll: "{\\"x\\":${'['.repeat(12_000)}${']'.repeat(12_000)},`),
      'x',
      /unknown here/,
    ],
    ['no JSON', edited(/plimsoll: "\{/, 'plimsoll: "'), 'annotations.plimsoll', /./],
  ])('%s', async (_what, text, field, detail) => {
    const { errors } = await readPrometheusRules(text);
    expect(errors[0]?.field).toBe(field);
    expect(errors[0]?.detail).toMatch(detail);
  });

  test('and the other rules of the file are read', async () => {
    const { rules, errors } = await readPrometheusRules(edited('severity: warning', 'severity: page'));
    expect(errors).toMatchObject([{ name: 'rule 1 (PlimsollCpuUsage)' }]);
    expect(rules).toHaveLength(1);
  });
});
