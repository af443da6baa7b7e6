import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { describe, expect, it } from 'vitest';
import { SAMPLE_ALERT } from '../../testing/sample-alert.ts';
import { alertRows, filterOptions, mergeAlerts, type AlertFilters } from './alert-list.ts';

const alert = (alert_id: string, given: Partial<Alert> = {}): Alert => ({ ...SAMPLE_ALERT, alert_id, ...given });
const ids = (alerts: readonly { alert_id: string }[]) => alerts.map((each) => each.alert_id);
const NONE: AlertFilters = { search: '', level: '', rule: '', tag: '', cluster: '' };
const TAGS = new Map([['s1', ['role=web']]]);

describe('alert list', () => {
  it('keeps what is still active from before the range', () => {
    expect(ids(mergeAlerts([alert('a')], [alert('a'), alert('old')], ''))).toEqual(['a', 'old']);
    expect(ids(mergeAlerts([], [alert('a', { server_id: 's1' }), alert('b', { server_id: 's2' })], 's2'))).toEqual([
      'b',
    ]);
  });

  it('keeps silenced and resolved rows apart, the latest end first', () => {
    const rows = alertRows(
      [
        alert('a'),
        alert('held', { silenced_until: '2026-11-22T22:00:00.000Z' }),
        alert('early', { status: 'resolved', resolved_at: '2026-11-22T20:00:00.000Z' }),
        alert('late', { status: 'resolved', resolved_at: '2026-11-22T21:00:00.000Z' }),
        alert('silent', { status: 'unknown' }),
      ],
      NONE,
      TAGS,
    );
    expect(rows.active.map(({ id }) => id).toSorted()).toEqual(['a', 'silent']);
    expect(rows.silenced.map(({ id }) => id)).toEqual(['held']);
    expect(rows.resolved.map(({ id }) => id)).toEqual(['late', 'early']);
  });

  const place = {
    cluster_id: 'c1',
    cluster_name: 'prod',
    namespace: 'shop',
    workload_kind: 'Deployment',
    name: 'web',
    nodes: ['n7'],
  };
  const all = [
    alert('cpu', { server_id: 's1', tags: { hostname: 'web-01' } }),
    alert('disk', { server_id: 's2', metric_name: 'disk_usage', level: 'critical', message: 'Disk /var 97 %' }),
    alert('loop', { server_id: null, kubernetes: place, metric_name: 'pod_crash_loop', tags: { hostname: 'prod' } }),
  ];
  it.each([
    [{}, ['disk', 'cpu', 'loop']],
    [{ search: 'WEB-01' }, ['cpu']],
    [{ search: 'shop web' }, ['loop']],
    [{ search: 'n7' }, ['loop']],
    [{ search: '/var 97' }, ['disk']],
    [{ search: 'nothing' }, []],
    [{ level: 'critical' }, ['disk']],
    [{ rule: 'pod_crash_loop' }, ['loop']],
    [{ tag: 'role=web' }, ['cpu']],
    [{ cluster: 'c1' }, ['loop']],
    [{ cluster: 'c1', level: 'critical' }, []],
  ] satisfies [Partial<AlertFilters>, string[]][])('%j leaves %j', (given, left) => {
    expect(alertRows(all, { ...NONE, ...given }, TAGS).active.map(({ id }) => id)).toEqual(left);
  });

  it('groups equal silenced alerts, too', () => {
    const held = Array.from({ length: 12 }, (_, index) =>
      alert(`a${String(index)}`, { silenced_until: '2026-11-22T22:00:00.000Z' }),
    );
    expect(alertRows(held, NONE, TAGS).silenced.map(({ id }) => id)).toEqual(['group:cpu_usage']);
  });

  it('keeps an incident whole when one of its alerts matches', () => {
    const incident = { incident_id: 'i', folded: false, below: 0 };
    const both = [alert('cpu', { incident }), alert('disk', { incident, metric_name: 'disk_usage' })];
    const [row] = alertRows(both, { ...NONE, rule: 'disk_usage' }, TAGS).active;
    expect(ids(row?.alerts ?? [])).toEqual(['cpu', 'disk']);
  });

  it('offers the values that its alerts have, in words', () => {
    expect(filterOptions(all, TAGS)).toEqual({
      level: [
        { value: '', label: 'All' },
        { value: 'critical', label: 'Critical' },
        { value: 'warning', label: 'Warning' },
      ],
      rule: [
        { value: '', label: 'All' },
        { value: 'cpu_usage', label: 'CPU usage' },
        { value: 'disk_usage', label: 'Disk usage' },
        { value: 'pod_crash_loop', label: 'Pods in CrashLoopBackOff' },
      ],
      tag: [
        { value: '', label: 'All' },
        { value: 'role=web', label: 'role=web' },
      ],
      cluster: [
        { value: '', label: 'All' },
        { value: 'c1', label: 'prod' },
      ],
    });
  });
});
