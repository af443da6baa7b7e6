import type { Alert } from '@plimsoll/contract/wire/alerts';
import { describe, expect, it } from 'vitest';
import { alertsSentence, mergeAlerts, sortAlerts } from './alert-list.ts';

const alert = (alert_id: string, given: Partial<Alert> = {}): Alert => ({
  alert_id,
  server_id: 's1',
  level: 'warning',
  title: '',
  message: '',
  status: 'active',
  timestamp: 100,
  resolved_at: null,
  metric_name: 'cpu_usage',
  current_value: 90,
  threshold_value: 80,
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_note: null,
  silenced_until: null,
  silence_id: null,
  incident: null,
  rule_id: 'default-cpu',
  tags: { hostname: 'h' },
  ...given,
});
const ids = (alerts: Alert[]) => alerts.map((each) => each.alert_id);

describe('alert list', () => {
  it('keeps what is still active from before the range', () => {
    expect(ids(mergeAlerts([alert('a')], [alert('a'), alert('old')], ''))).toEqual(['a', 'old']);
    expect(ids(mergeAlerts([], [alert('a'), alert('b', { server_id: 's2' })], 's2'))).toEqual(['b']);
  });

  it('puts open ones first, worst first, then the newest', () => {
    const sorted = sortAlerts([
      alert('ended', { status: 'resolved', level: 'critical', timestamp: 900 }),
      alert('warning-old'),
      alert('warning-new', { timestamp: 200 }),
      alert('critical', { level: 'critical' }),
      alert('silent', { status: 'unknown', level: 'error' }),
    ]);
    expect(ids(sorted)).toEqual(['critical', 'silent', 'warning-new', 'warning-old', 'ended']);
  });

  it('puts an ingest outage on top, until it is over', () => {
    const outage = alert('outage', { metric_name: 'ingest_outage', server_id: null });
    const sorted = sortAlerts([alert('critical', { level: 'critical' }), outage]);
    expect(ids(sorted)).toEqual(['outage', 'critical']);
    const over: Partial<Alert> = { status: 'resolved', timestamp: 50 };
    expect(ids(sortAlerts([alert('x'), { ...outage, ...over }, alert('y', { status: 'resolved' })]))).toEqual([
      'x',
      'y',
      'outage',
    ]);
  });

  it('counts an incident as one, and says how many are below it', () => {
    const incident = { incident_id: 'i', folded: false, below: 14 };
    expect(alertsSentence([alert('a', { incident })])).toBe('1 active on 1 server, 14 below it.');
    expect(alertsSentence([alert('a', { incident }), alert('b')])).toBe('2 active on 1 server, 14 below them.');
  });

  it('says how many are active and where', () => {
    expect(alertsSentence([])).toBe('No alert is active.');
    expect(alertsSentence([alert('a'), alert('b', { acknowledged_at: '2026-01-01T00:00:00Z' })])).toBe(
      '2 active on 1 server. 1 acknowledged.',
    );
  });
});
