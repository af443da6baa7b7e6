import { expect, test } from 'vitest';
import type { Transition } from './evaluate.ts';
import { changeOf } from './message.ts';
import { defaultRule } from './rules.ts';

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
  ['a resolved one', { kind: 'resolved', value: 33.2 }, 'CPU usage above 80%', 'CPU 33 %, 47 under the line'],
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
