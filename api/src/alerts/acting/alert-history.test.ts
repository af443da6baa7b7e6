import { expect, test } from 'vitest';
import { alertHistory, type AlertEvent, type PastSilence } from './alert-history.ts';
import { alertRuleWords } from '../rules/alert-rule-words.ts';
import type { AlertRecord } from '../types.ts';

const alert: AlertRecord = {
  id: 'a',
  serverId: 's',
  hostname: 'web-1',
  level: 'critical',
  title: 'CPU',
  message: '',
  status: 'active',
  openedAt: 1e3,
  resolvedAt: null,
  silentSince: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  acknowledgedById: null,
  acknowledgedNote: null,
  cluster: null,
  tags: {},
  clusterId: null,
  incident: null,
  namespace: null,
  rule: 'default-cpu',
  metric: 'cpu_usage',
  subject: '',
  value: 97,
  threshold: 95,
};
const silence: PastSilence = {
  covered: null,
  object: null,
  serverId: 's',
  tagKey: null,
  tagValue: null,
  metric: null,
  rule: null,
  subject: null,
  clusterId: null,
  namespace: null,
  startsAt: 0,
  endsAt: 9e3,
  comment: 'deploy',
  id: 'q',
  hostname: 'web-1',
  createdBy: 'Ada',
  createdAt: 0,
  updatedAt: 0,
  deletedAt: null,
  deletedBy: null,
};
const event = (at: number, kind: AlertEvent['kind'], parts: Partial<AlertEvent> = {}): AlertEvent => ({
  at,
  kind,
  by: null,
  note: null,
  level: null,
  ...parts,
});
const none = { events: [], silences: [], deliveries: [] };
const kinds = (...[given, sources, now]: Parameters<typeof alertHistory>) =>
  alertHistory(given, sources, now).map(({ at, kind }) => [at, kind]);

test('tells opening, rises of the level, acknowledgement, messages and end in order', () => {
  const delivery = { channelId: 'c', channelName: 'ops', type: 'ntfy', attempt: 1 } as const;
  const history = alertHistory(
    { ...alert, resolvedAt: 9000 },
    {
      events: [
        event(2000, 'escalated', { level: 'critical', note: 'warning' }),
        event(3000, 'eased', { level: 'warning', note: 'critical' }),
        event(4000, 'acknowledged', { by: 'Ada', note: 'on it' }),
      ],
      silences: [],
      deliveries: [
        { ...delivery, at: 1500, outcome: 'failed', detail: 'no answer' },
        { ...delivery, at: 1600, outcome: 'delivered', detail: 'ok' },
        { ...delivery, at: 9100, outcome: 'refused', detail: 'gone' },
      ],
    },
    9999,
  );
  expect(history).toMatchObject([
    { at: 1000, kind: 'opened', level: 'warning' },
    { at: 1600, kind: 'message_sent', channelName: 'ops' },
    { at: 2000, kind: 'escalated', level: 'critical', note: null },
    { at: 4000, kind: 'acknowledged', by: 'Ada', note: 'on it' },
    { at: 9000, kind: 'resolved' },
    { at: 9100, kind: 'message_failed', note: 'gone' },
  ]);
});

test('an alert whose level never changed opened with it', () => {
  expect(alertHistory(alert, none, 2000)).toMatchObject([{ kind: 'opened', level: 'critical' }]);
});

test.each([
  ['one from before the alert holds it from its opening', {}, [[1000, 'silenced']]],
  ['one made later', { createdAt: 2000, startsAt: 2000 }, [[2000, 'silenced']]],
  [
    'one that has ended',
    { endsAt: 3000 },
    [
      [1000, 'silenced'],
      [3000, 'unsilenced'],
    ],
  ],
  [
    'one that was deleted',
    { deletedAt: 2500, deletedBy: 'Bob' },
    [
      [1000, 'silenced'],
      [2500, 'unsilenced'],
    ],
  ],
  ['one that ended before', { endsAt: 900 }, []],
  ['one that starts later than now', { startsAt: 6000, endsAt: 7000 }, []],
  ['one of another server', { serverId: 'x' }, []],
] as const)('silences: %s', (_name, parts, expected) => {
  const sources = { ...none, silences: [{ ...silence, ...parts }] };
  expect(kinds(alert, sources, 5000)).toEqual([[1000, 'opened'], ...expected]);
});

test('a silence that outlives the alert is not ended in its history', () => {
  const resolved = { ...alert, resolvedAt: 4000 };
  expect(kinds(resolved, { ...none, silences: [silence] }, 20_000)).toEqual([
    [1000, 'opened'],
    [1000, 'silenced'],
    [4000, 'resolved'],
  ]);
});

test.each([
  ['cpu_usage', 80, 300_000, 5, 'CPU at or above 80 % for 5 min; resolves below 75 %'],
  ['cpu_usage', 95, 0, 0, 'CPU at or above 95 %; resolves below 95 %'],
  ['disk_usage', 90, 3_600_000, 5, 'Disk at or above 90 % for 1 h; resolves below 85 %'],
  ['offline', null, 180_000, 0, 'No report for 3 min'],
] as const)('%s in words', (metric, threshold, forMs, hysteresisPoints, words) => {
  expect(alertRuleWords({ metric, forMs, hysteresisPoints }, threshold)).toBe(words);
});
