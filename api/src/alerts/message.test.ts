import { expect, test } from 'vitest';
import type { Transition } from './evaluate.ts';
import { changeOf } from './message.ts';
import { DEFAULT_RULES } from './rules.ts';

const [cpu, , disk] = DEFAULT_RULES;
const transition = (parts: Partial<Transition>): Transition => ({
  kind: 'opened',
  rule: cpu!,
  subject: '',
  at: 60_000,
  level: 'warning',
  threshold: 80,
  value: 91.26,
  ...parts,
});

test.each([
  ['a server', {}, 'CPU usage above 80%', 'CPU usage is at or above 80% for 5 minutes, now 91.3 %'],
  [
    'a filesystem, by its place',
    { rule: disk!, subject: '/var', level: 'critical', threshold: 90 },
    'Disk usage above 90% on /var',
    'Disk usage on /var is at or above 90% for 5 minutes, now 91.3 %',
  ],
  [
    'a value nobody knows',
    { value: null },
    'CPU usage above 80%',
    'CPU usage is at or above 80% for 5 minutes, now unknown',
  ],
  [
    'one minute',
    { rule: { ...cpu!, forMs: 60_000 } },
    'CPU usage above 80%',
    'CPU usage is at or above 80% for 1 minute, now 91.3 %',
  ],
] as const)('%s', (_name, parts, title, message) => {
  expect(changeOf(transition(parts))).toMatchObject({ title, message });
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
