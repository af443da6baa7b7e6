import { RULE_FILE_CHARACTERS } from '@plimsoll/contract/wire/alerts/alert-rule-import';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { CodedError } from '../../errors.ts';
import type { AlertRule, RuleTarget } from '../types.ts';
import { prometheusRules } from './export-rules.ts';

const NAMES = { hostnameOf: (id: string) => id, clusterNameOf: (id: string) => id };
const rule = (metric: AlertRule['metric'], target: RuleTarget, createdAt = 0): AlertRule => ({
  id: `${metric} ${JSON.stringify(target)}`,
  metric,
  target,
  lines: [
    { level: 'warning', threshold: 50 },
    { level: 'critical', threshold: 90 },
  ],
  forMs: 0,
  keepFiringForMs: 0,
  hysteresisPoints: 0,
  enabled: true,
  object: null,
  createdAt,
  updatedAt: 0,
});
const textOf = (rules: readonly AlertRule[]): string => prometheusRules(rules, [], NAMES);

/** Returns the selectors that the last rule excludes. */
function excludedBy(metric: AlertRule['metric'], targets: readonly RuleTarget[]): string[] {
  const rules = targets.map((target, index) => rule(metric, target, index));
  const file = load(textOf(rules)) as { groups: { rules: { expr: string; annotations: { plimsoll: string } }[] }[] };
  const [own = '', ...excluded] = (file.groups[0]?.rules.at(-1)?.expr ?? '').split(' unless ');
  expect(own).toContain(' >= 90)');
  return excluded.map((part) => /\{(.*?)\}/.exec(part)?.[1] ?? part);
}

const server = (serverId: string): RuleTarget => ({ kind: 'server', serverId });
const tag = (key: string, value: string | null): RuleTarget => ({ kind: 'tag', key, value });
const mount = (path: string, serverId: string | null): RuleTarget => ({ kind: 'mount', mount: path, serverId });
const namespace = (name: string, clusterId: string | null = null): RuleTarget => ({
  kind: 'namespace',
  namespace: name,
  clusterId,
});
const workload = (name: string, inNamespace = 'shop'): RuleTarget => ({
  kind: 'workload',
  namespace: inNamespace,
  workload: name,
  workloadKind: null,
  clusterId: null,
});
const ALL: RuleTarget = { kind: 'all' };
const CPU = 'mode="idle",';
const DISK = 'fstype!~"tmpfs|ramfs|squashfs|overlay|erofs|cramfs|iso9660|udf|cd9660",';

test.each<[string, AlertRule['metric'], RuleTarget[], string[]]>([
  [
    'servers, in one selector',
    'cpu_usage',
    [server('a.b'), server('c'), ALL],
    [`${CPU}instance=~"(a\\\\.b|c)(:[0-9]+)?"`],
  ],
  ['no other server', 'cpu_usage', [server('a'), server('b')], []],
  [
    'a server whose name has a port',
    'cpu_usage',
    [server('a:9100'), server('a')],
    [`${CPU}instance=~"a:9100(:[0-9]+)?"`],
  ],
  ['values of a tag', 'cpu_usage', [tag('env', 'p|q'), tag('env', 'r'), ALL], [`${CPU}env=~"p\\\\|q|r"`]],
  ['no other value of the same tag', 'cpu_usage', [tag('env', 'p'), tag('env', 'q')], []],
  ['another tag', 'cpu_usage', [tag('env', 'p'), tag('role', 'q')], [`${CPU}env="p"`]],
  ['a value beside any value', 'cpu_usage', [tag('env', 'p'), tag('env', null)], [`${CPU}env="p"`]],
  [
    'any value and a value apart',
    'cpu_usage',
    [tag('env', null), tag('env', 'p'), ALL],
    [`${CPU}env!=""`, `${CPU}env="p"`],
  ],
  [
    'a mount on servers, and mounts',
    'disk_usage',
    [mount('/a', 'x'), mount('/a', 'y'), mount('/b', null), mount('/c', null), ALL],
    [`${DISK}mountpoint="/a",instance=~"(x|y)(:[0-9]+)?"`, `${DISK}mountpoint=~"/b|/c"`],
  ],
  [
    'mounts of the same server only',
    'disk_usage',
    [mount('/a', 'x'), mount('/a', 'y'), server('x')],
    [`${DISK}mountpoint="/a",instance=~"x(:[0-9]+)?"`],
  ],
  ['no other mount', 'disk_usage', [mount('/a', 'x'), mount('/b', null)], []],
  ['namespaces', 'pod_pending', [namespace('a'), namespace('b'), ALL], ['phase="Pending",namespace=~"a|b"']],
  ['no namespace of another cluster', 'pod_pending', [namespace('a', 'one'), namespace('a', 'two')], []],
  ['no workload of another namespace', 'pod_pending', [workload('web', 'shop'), namespace('mail')], []],
  ['no other workload', 'pod_pending', [workload('api'), workload('web')], []],
  [
    'a workload whose pods have the same prefix',
    'pod_pending',
    [workload('web-api'), workload('web')],
    ['phase="Pending",namespace="shop",pod=~"web-api-.+"'],
  ],
])('a rule excludes %s', (_what, metric, targets, selectors) => {
  expect(excludedBy(metric, targets)).toEqual(selectors);
});

test('a disabled rule never fires, and a general one still leaves its series out', () => {
  const off = { ...rule('cpu_usage', server('a')), enabled: false };
  const file = load(textOf([off, rule('cpu_usage', ALL, 1)])) as {
    groups: { rules: { expr: string; annotations: { summary: string } }[] }[];
  };
  const [first, second, general] = file.groups[0]?.rules ?? [];
  for (const one of [first, second]) {
    expect(one?.expr).toMatch(/\) and on \(\) \(vector\(0\) == 1\)$/);
    expect(one?.annotations.summary).toMatch(/^Off: CPU /);
  }
  expect(general?.expr).toContain('unless (');
  expect(general?.annotations.summary).toMatch(/^CPU /);
});

const rulesOf = (targetOf: (index: number) => RuleTarget): AlertRule[] =>
  Array.from({ length: 500 }, (_value, index) => rule('disk_usage', targetOf(index), index));

test('500 servers with a rule each are a small file', () => {
  expect(textOf(rulesOf((index) => server(`web-${String(index)}.example.com`))).length).toBeLessThan(2 * 2 ** 20);
});

test('a file that the import would refuse is not written', () => {
  const tags = rulesOf((index) => tag(`key-${String(index)}`, 'x'.repeat(60)));
  expect(textOf(tags.slice(0, 50)).length).toBeLessThan(RULE_FILE_CHARACTERS);
  expect(() => textOf(tags)).toThrow(CodedError);
});
