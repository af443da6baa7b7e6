import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { describe, expect, it } from 'vitest';
import { SAMPLE_ALERT } from '../testing/sample-alert.ts';
import { groupRows, incidentRows, type AlertsRow, type IncidentRow } from './incident-rows.ts';
import {
  alertStateText,
  groupName,
  groupTitle,
  incidentText,
  lineText,
  metricWords,
  rowNotes,
  rowsSentence,
  subjectName,
  takenText,
} from './incident-words.ts';

const place = {
  cluster_id: 'c',
  cluster_name: 'prod-fra',
  namespace: 'shop',
  workload_kind: 'Deployment',
  name: 'checkout',
  nodes: ['n1'],
};
const alert = (given: Partial<Alert> = {}): Alert => ({ ...SAMPLE_ALERT, ...given });
const row = (...alerts: Partial<Alert>[]): IncidentRow => {
  const incident = { incident_id: 'i', folded: false, below: 0 };
  const [made] = incidentRows(alerts.map((given, index) => alert({ alert_id: `a${index}`, incident, ...given })));
  if (made === undefined) throw new Error('no row');
  return made;
};

describe('the name of what an alert is about', () => {
  it.each([
    ['a server', {}, 'build-hel-02'],
    ['a workload', { kubernetes: place }, 'shop/checkout'],
    ['a node', { kubernetes: { ...place, namespace: null, name: 'n1' } }, 'n1'],
    [
      'a cluster',
      { kubernetes: { ...place, namespace: null, name: null }, tags: { hostname: 'prod-fra' } },
      'prod-fra',
    ],
    ['a hostile host', { tags: { hostname: 'a\u202Eb' } }, 'a\\u202Eb'],
  ])('%s', (_, given, name) => expect(subjectName(alert(given))).toBe(name));
});

describe('what is wrong, without the name', () => {
  const node = { ...place, namespace: null, workload_kind: null, name: 'n1' };
  it.each([
    ['offline', 'active', 'No report for 12 min', null, 'is down, no report for 12 min'],
    ['offline', 'resolved', 'Reports arrive again', null, 'was down, reports arrive again'],
    ['node_not_ready', 'active', 'Node n1 is not ready', node, 'is not ready'],
    ['node_not_ready', 'active', 'Node n1 is not ready: KubeletDown', node, 'is not ready, KubeletDown'],
    ['node_pressure', 'active', 'Node n1 reports MemoryPressure', node, 'Node reports MemoryPressure'],
    ['volume_usage', 'active', 'Volume shop/checkout 91 %, 11 over', place, 'Volume 91 %, 11 over'],
    ['volume_usage', 'active', 'Volume shop/checkout-2 91 %', place, 'Volume shop/checkout-2 91 %'],
    ['cpu_usage', 'active', 'CPU 91 %, 11 over for 5 min', null, 'CPU 91 %, 11 over for 5 min'],
  ] as const)('%s, %s: %s', (metric_name, status, message, kubernetes, words) => {
    expect(alertStateText(alert({ metric_name, status, message, kubernetes }))).toBe(words);
  });

  it('ends with the reason that another alert of the workload knows', () => {
    const parts = row(
      { kubernetes: place, level: 'critical', metric_name: 'replicas_missing', message: '3 of 8 replicas missing' },
      { kubernetes: place, metric_name: 'pod_crash_loop', message: '3 of 8 pods in CrashLoopBackOff, OOMKilled' },
    );
    expect(incidentText(parts)).toBe('3 of 8 replicas missing · 3 of 8 pods in CrashLoopBackOff, OOMKilled');
    expect(rowNotes(parts)).toEqual(['2 alerts in one: Missing replicas, Pods in CrashLoopBackOff']);
  });
});

describe('words of metrics', () => {
  it('names a metric, also one that the page does not have', () => {
    expect([metricWords('cpu_usage'), metricWords('clock_skew')]).toEqual(['CPU usage', 'clock skew']);
  });

  it.each([
    ['memory_usage', 'Memory over its line'],
    ['disk_forecast', 'Disk forecast under its line'],
    ['offline', 'Offline'],
    ['pod_crash_loop', 'Pods in CrashLoopBackOff'],
    ['made_up', 'made up'],
  ])('names a group of %s', (metric, words) => expect(groupName(metric)).toBe(words));

  it.each([
    ['memory_usage', 80, '80 %'],
    ['pod_crash_loop', 1, '1 pod'],
    ['pod_restarts', 5, '5 restarts'],
    ['disk_forecast', 4, '4 days'],
    ['load_per_core', 1.5, '1.5 per core'],
    ['collector_late', 900, '900 s'],
    ['offline', null, null],
  ])('a line of %s has its unit', (metric_name, threshold_value, words) => {
    expect(lineText({ metric_name, current_value: 1, threshold_value })).toBe(words);
  });
});

describe('a group', () => {
  const servers = Array.from({ length: 100 }, (_, index) =>
    alert({
      alert_id: `a${index}`,
      metric_name: 'memory_usage',
      current_value: 81 + (index === 17 ? 15 : 0),
      tags: { hostname: `web-${index}` },
    }),
  );
  const rows: AlertsRow[] = groupRows(incidentRows(servers));

  it('says its line, how many it has, and the worst of them', () => {
    const [group] = rows;
    if (group?.kind !== 'group') throw new Error('no group');
    expect(groupTitle(group)).toBe('Memory over its line: 100 servers');
    expect(rowNotes(group)).toEqual(['highest web-17 at 96 %, line 80 %', '100 alerts in one']);
  });

  it('is one thing in the sentence of the page', () => {
    expect(rowsSentence(rows, [])).toBe('1 thing to look at. It stands for 100 alerts.');
  });
});

describe('the sentence of the page', () => {
  it('says how many things there are, how bad, and who is on them', () => {
    const seen = { acknowledged_at: '2026-11-22T21:00:00.000Z', acknowledged_by: 'Ada' };
    const incident = { incident_id: 'x', folded: false, below: 14 };
    const rows = [row({ level: 'critical', incident }), row({ alert_id: 'b', ...seen })];
    expect(rowsSentence(rows, [row({})])).toBe(
      '2 things to look at, 1 of them critical. They stand for 16 alerts. 1 has somebody on it. 1 silenced.',
    );
    expect(rowsSentence([], [])).toBe('No alert is active.');
  });

  it('says who acknowledged', () => {
    const seen = { acknowledged_at: '2026-11-22T21:00:00.000Z', acknowledged_by: 'Ada' };
    expect(takenText(row({}))).toBe('nobody yet');
    expect(takenText(row(seen, seen))).toBe('Acknowledged by Ada');
    expect(takenText(row(seen, {}))).toBe('1 of 2 acknowledged');
    expect(takenText(row({ ...seen, acknowledged_by: null }))).toBe('Acknowledged');
  });
});

it('counts the alerts of a row only where there are several, and names each kind once', () => {
  const notes = (...alerts: Partial<Alert>[]) => rowNotes(row(...alerts)).join(' · ');
  expect(notes({})).not.toContain('in one');
  expect(notes({}, {})).toContain('2 alerts in one');
  expect(notes({}, {})).not.toContain('2 alerts in one:');
  expect(notes({}, {}, { metric_name: 'memory_usage' })).toContain('3 alerts in one: CPU usage, Memory usage');
});
