import { ALERT_RULE_LIMITS, RULE_IMPORT_LIMITS } from '@plimsoll/contract/rules/alert-rule-limits';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import type * as Yaml from 'js-yaml';
import { load } from 'js-yaml';
import { expect, test, vi } from 'vitest';
import type { AlertRule } from '../types.ts';
import { prometheusRules } from './export-rules.ts';
import { readRuleFile } from './read-rule-file.ts';
import { readPrometheusRules } from './read-rules.ts';

vi.mock('js-yaml', async (original) => {
  const yaml = await original<typeof Yaml>();
  return { ...yaml, load: vi.fn<typeof yaml.load>(yaml.load) };
});

const NONE: ReadonlySet<string> = new Set();
const NAMES = { hostnameOf: (id: string) => id, clusterNameOf: (id: string) => id };
const { lines, forSeconds, keepFiringForSeconds, hysteresisPoints } = ALERT_METRICS.cpu_usage;
const rule = (id: string, target: AlertRule['target']): AlertRule => ({
  id,
  metric: 'cpu_usage',
  target,
  lines,
  forMs: forSeconds * 1000,
  keepFiringForMs: keepFiringForSeconds * 1000,
  hysteresisPoints,
  enabled: true,
  object: null,
  createdAt: 0,
  updatedAt: 0,
});
const tagged = (count: number, value = 'v'): AlertRule[] =>
  Array.from({ length: count }, (_value, index) =>
    rule(`id-${String(index)}`, { kind: 'tag', key: `key-${String(index)}`, value }),
  );
/** A faulty rule as the export lays rules out. */
const bad = (index: number): string => `      - alert: Bad${String(index)}
        expr: "x"
        labels:
          severity: page
        annotations:
          summary: ${'CPU at or above 80 % (warning) '.repeat(4)}
          plimsoll: "{}"
`;
const fileOf = (rules: string): string => `groups:\n  - name: plimsoll\n    rules:\n${rules}`;
const badFile = (count: number): string =>
  fileOf(Array.from({ length: count }, (_value, index) => bad(index)).join(''));

test('35,000 bad rules are 50 errors, and no rule after the 500th is parsed', async () => {
  vi.mocked(load).mockClear();
  const { rules, errors, notChecked } = await readPrometheusRules(badFile(35_000));
  expect(rules).toEqual([]);
  expect(errors).toHaveLength(RULE_IMPORT_LIMITS.errors);
  expect(errors[0]?.detail).toMatch(/holds more than 500 rules that are new here/);
  expect(errors[1]).toMatchObject({ name: 'rule 1 (Bad0)', field: 'annotations.plimsoll: metric' });
  expect(notChecked).toBe(35_000 - (RULE_IMPORT_LIMITS.errors - 1));
  expect(load).toHaveBeenCalledTimes(RULE_IMPORT_LIMITS.rules + 1);
});

test('a short file with 60 bad rules has 50 errors and says how many rules were not checked', async () => {
  const { errors, notChecked } = await readPrometheusRules(badFile(60));
  expect([errors.length, notChecked]).toEqual([50, 10]);
});

test('entries of one id that has too many lines do not fill the file', async () => {
  const text = badFile(9000).replaceAll('severity: page', 'severity: page\n          plimsoll_rule: "known"');
  const { errors } = await readPrometheusRules(text, new Set(['known']));
  expect(errors.map(({ field }) => field)).toEqual(['yaml', 'annotations.plimsoll: metric']);
});

test('rules that exist are no new ones', async () => {
  const rules = tagged(RULE_IMPORT_LIMITS.rules + 1).map((one, index) => ({
    ...one,
    target: { kind: 'tag' as const, key: 'env', value: String(index) },
  }));
  const text = prometheusRules(rules, [], NAMES);
  const first = rules[0]?.id ?? '';
  expect((await readPrometheusRules(text)).errors).toMatchObject([
    { detail: expect.stringContaining('more than 500') },
  ]);
  const read = await readPrometheusRules(text, new Set([first]));
  expect([read.errors, read.rules.length]).toEqual([[], rules.length]);
});

test('a large file with long expressions is read as a short one is', async () => {
  const rules = [...tagged(120, 'ü "{}": '.repeat(30)), rule('all', { kind: 'all' })];
  const text = prometheusRules(rules, [], NAMES);
  expect(text.length).toBeGreaterThan(2 ** 20);
  const { entries, problem } = await readRuleFile(text, NONE);
  const whole = load(text) as { groups: { rules: unknown[] }[] };
  expect(problem).toBeNull();
  expect(entries.map(({ raw }) => raw)).toEqual(whole.groups[0]?.rules);
  expect(entries.length).toBe(rules.length * lines.length);
  expect(lines.length).toBeLessThanOrEqual(ALERT_RULE_LIMITS.lines);
});

test.each([
  [
    'groups and comments between the rules',
    (text: string) => `# mine\n${text.replace(/^(?= +- alert: Bad7$)/m, '  - name: second\n    # here\n    rules:\n')}`,
  ],
  ['Windows line ends', (text: string) => text.replaceAll('\n', '\r\n')],
  [
    'another field first',
    (text: string) => text.replaceAll(/- alert: (.*)\n {8}expr: "x"/g, '- expr: "x"\n        alert: $1'),
  ],
  ['less indentation', (text: string) => text.replaceAll(/^ {4}/gm, '  ').replaceAll(/^ {2}rules/gm, '    rules')],
])('a large file with %s is cut into its rules', async (_what, edit) => {
  const { entries, problem } = await readRuleFile(edit(badFile(480)), NONE);
  expect([problem, entries.length]).toEqual([null, 480]);
  expect(entries[479]?.name).toBe('rule 480 (Bad479)');
});

test.each([
  ['no rule file', 'x'.repeat(70_000), /not laid out as an export: line 1 /],
  ['one line of flow', `groups: [{rules: [${'{},'.repeat(30_000)}]}]`, /not laid out as an export: line 1 /],
  ['blank lines alone', `groups:\n${'\n'.repeat(5_000_000)}`, /holds no rule/],
  ['flow within a rule', fileOf(`      - alert: [${'{},'.repeat(30_000)}]\n`), /more than 16384 characters in line 4/],
  ['a fault in a late rule', badFile(400).replace('alert: Bad399', 'alert: ['), /is not YAML in line 279\d/],
  [
    'a key between the rules',
    badFile(400).replace('      - alert: Bad200', '  spec: 1\n      - alert: Bad200'),
    /line 1404 /,
  ],
])('a large file with %s says so, and parses no more than a rule at once', async (_what, text, problem) => {
  vi.mocked(load).mockClear();
  const file = await readRuleFile(text, NONE);
  expect([file.entries, file.problem]).toEqual([[], expect.stringMatching(problem)]);
  for (const [parsed] of vi.mocked(load).mock.calls) expect(parsed.length).toBeLessThan(2 ** 14);
});

test('a list of rules that aliases repeat 60 million times is refused', async () => {
  const repeated = `r: &r [${'1,'.repeat(5000)}]\ng: &g {rules: *r}\ngroups: [${'*g,'.repeat(12_000)}]`;
  const { entries, problem, notChecked } = await readRuleFile(repeated, NONE);
  expect([entries, problem, notChecked]).toEqual([[], expect.stringContaining('aliases'), 0]);
  const once = await readRuleFile(
    'r: &r [{alert: A}, {alert: B}]\ngroups: [{rules: *r}, {rules: *r}, {rules: null}, {}]',
    NONE,
  );
  expect(once.entries.map(({ name }) => name)).toEqual(['rule 1 (A)', 'rule 2 (B)', 'rule 3 (A)', 'rule 4 (B)']);
});
