import { expect, test } from 'vitest';
import type { Transition } from './evaluation/evaluate.ts';
import { changeOf, currentMessage, offlineChange } from './message.ts';
import { defaultRule } from './rules/rules.ts';

const [cpu, disk] = [defaultRule('cpu_usage'), defaultRule('disk_usage')];
const transition = (parts: Partial<Transition>): Transition => ({
  kind: 'opened',
  isFlapping: false,
  rule: cpu,
  subject: '',
  at: 60_000,
  level: 'warning',
  threshold: 80,
  value: 91.26,
  ...parts,
});

test.each([
  ['a server', {}, 'CPU usage above 80%', 'CPU 91 %, 11 over for 5 min'],
  [
    'a filesystem, by its place',
    { rule: disk, subject: '/var', level: 'critical', threshold: 90 },
    'Disk usage above 90% on /var',
    'Disk /var 91 %, 1 over for 5 min',
  ],
  [
    'a resolved one: its worst value and how long it lasted',
    { kind: 'resolved', value: 33.2, fired: { forMs: 720_000, worst: 96.8 } },
    'CPU usage above 80%',
    'CPU back to 33 % after 12 min, at worst 97 %',
  ],
  [
    'a resolved one of version 0.1.0, which kept no worst value',
    { kind: 'resolved', value: 33.2, fired: { forMs: 720_000, worst: null } },
    'CPU usage above 80%',
    'CPU back to 33 % after 12 min',
  ],
  [
    'a disk that stopped growing',
    {
      kind: 'resolved',
      rule: defaultRule('disk_forecast'),
      subject: '/var',
      threshold: 4,
      value: null,
      fired: { forMs: 7_200_000, worst: 1.5 },
    },
    'Disk is filling up: /var',
    'Disk forecast /var back to normal after 2 h, at worst 1.5 days',
  ],
  [
    'swap that is full and harmless',
    { kind: 'resolved', rule: defaultRule('swap_usage'), value: 91, fired: { forMs: 720_000, worst: 97 } },
    'Swap usage above 80%',
    'Swap back to normal after 12 min, at worst 97 %',
  ],
  ['a value on its line', { value: 80 }, 'CPU usage above 80%', 'CPU 80 %, at its line for 5 min'],
  ['a value a little below it', { kind: 'value', value: 79.8 }, 'CPU usage above 80%', 'CPU 80 %, at its line'],
  [
    'one pod',
    { kind: 'resolved', rule: defaultRule('pod_pending'), threshold: 1, value: 0, fired: { forMs: 720_000, worst: 1 } },
    'Pods pending',
    'Pending pods back to 0 pods after 12 min, at worst 1 pod',
  ],
  ['one that waits to resolve', { kind: 'value', value: 77 }, 'CPU usage above 80%', 'CPU 77 %, 3 under the line'],
  [
    'a resolved state',
    {
      kind: 'resolved',
      rule: defaultRule('systemd_unit_failed'),
      subject: 'nginx.service',
      value: 0,
      fired: { forMs: 720_000, worst: 1 },
    },
    'Systemd unit failed: nginx.service',
    'Systemd unit failed: nginx.service, back to normal after 12 min',
  ],
  ['a value nobody knows', { value: null }, 'CPU usage above 80%', 'CPU unknown'],
  ['one minute', { rule: { ...cpu, forMs: 60_000 } }, 'CPU usage above 80%', 'CPU 91 %, 11 over for 1 min'],
  [
    'a metric with a unit of its own',
    { rule: defaultRule('load_per_core'), threshold: 2, value: 2.345 },
    'Load above 2 per core',
    'Load 2.35 per core, 0.35 over for 15 min',
  ],
  [
    'a state, which has a title of its own',
    { rule: defaultRule('systemd_unit_failed'), subject: 'nginx.service', detail: 'systemd reports it', value: 1 },
    'Systemd unit failed: nginx.service',
    'systemd reports it',
  ],
  [
    'a workload, by the name a person knows',
    {
      rule: defaultRule('pod_crash_loop'),
      subject: 'shop/Deployment/web',
      label: 'shop/web',
      detail: '3 of 5',
      value: 3,
    },
    'CrashLoopBackOff: shop/web',
    '3 of 5',
  ],
] as const)('%s', (_name, parts, title, message) => {
  expect(changeOf(transition(parts))).toMatchObject({ title, message });
});

test('a server that reports again says so', () => {
  expect(offlineChange('resolved', 60_000).message).toBe('Reports arrive again');
});

test('a state has no figures', () => {
  const rule = defaultRule('systemd_unit_failed');
  expect(changeOf(transition({ rule, value: 1, threshold: 1 }))).toMatchObject({ value: null, threshold: null });
});

test.each([
  ['opened', 'opened'],
  ['level', 'updated'],
  ['value', 'updated'],
  ['resolved', 'resolved'],
] as const)('%s is written as %s, with its figures', (kind, written) => {
  expect(changeOf(transition({ kind }))).toMatchObject({
    kind: written,
    rule: 'default-cpu',
    metric: 'cpu_usage',
    subject: '',
    level: 'warning',
    value: 91.26,
    threshold: 80,
    at: 60_000,
  });
});

test.each([
  [
    'an open offline alert counts on from the last report',
    1_000_000,
    1_000_000 + 57.9 * 60_000,
    'No report for 57 min',
  ],
  ['a report after it opened is about to end it', 1_180_001, 5_000_000, 'No report for 3 min'],
  ['another alert has no last report', null, 5_000_000, 'No report for 3 min'],
])('%s', (_what, silentSince, now, text) => {
  expect(currentMessage({ message: 'No report for 3 min', openedAt: 1_180_000, silentSince }, now)).toBe(text);
});
