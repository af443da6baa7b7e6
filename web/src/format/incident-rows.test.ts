import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SAMPLE_ALERT } from '../testing/sample-alert.ts';
import {
  alertCount,
  GROUP_FROM,
  groupRows,
  incidentRows,
  isSilenced,
  openIds,
  openSince,
  rowOf,
  type AlertsRow,
} from './incident-rows.ts';

const alert = (alert_id: string, given: Partial<Alert> = {}): Alert => ({
  ...SAMPLE_ALERT,
  alert_id,
  timestamp: 100,
  ...given,
});
const of = (incident_id: string, below = 0) => ({ incident: { incident_id, folded: false, below } });
const ids = (rows: readonly AlertsRow[]) => rows.map((row) => row.id);
const many = (count: number, given: (index: number) => Partial<Alert>): Alert[] =>
  Array.from({ length: count }, (_, index) => alert(`m${index}`, { ...of(`i${index}`), ...given(index) }));

describe('rows of incidents', () => {
  it('are one for each incident, and one for an alert without', () => {
    const rows = incidentRows([alert('a', of('x')), alert('b'), alert('c', of('x')), alert('d')]);
    expect(rows.map(({ alerts }) => alerts.map((each) => each.alert_id))).toEqual([['a', 'c'], ['b'], ['d']]);
  });

  it('are led by the worst alert, then by what explains the others', () => {
    const [row] = incidentRows([
      alert('replicas', { ...of('x'), metric_name: 'replicas_missing', timestamp: 1 }),
      alert('kills', { ...of('x'), metric_name: 'pod_oom_kill', timestamp: 2 }),
      alert('loop', { ...of('x'), metric_name: 'pod_crash_loop', timestamp: 3 }),
    ]);
    expect(row?.alerts.map(({ alert_id: id }) => id)).toEqual(['loop', 'kills', 'replicas']);
    expect(row && openSince(row)).toBe(1);
    const [worst] = incidentRows([
      alert('loop', { ...of('x'), metric_name: 'pod_crash_loop' }),
      alert('c', { ...of('x'), level: 'critical' }),
    ]);
    expect(worst?.id).toBe('c');
  });

  it('are led by the first cause of all: reports that are missing explain a host that is offline', () => {
    const [row] = incidentRows([
      alert('host', { ...of('x'), metric_name: 'offline', timestamp: 1 }),
      alert('outage', { ...of('x'), metric_name: 'ingest_outage', timestamp: 2 }),
    ]);
    expect(row?.id).toBe('outage');
  });

  it('are led by the alert that is open longest, where neither explains the other', () => {
    const [row] = incidentRows([
      alert('later', { ...of('x'), timestamp: 300 }),
      alert('first', { ...of('x'), metric_name: 'memory_usage', timestamp: 200 }),
    ]);
    expect(row?.id).toBe('first');
  });

  it('come by level, then the longest open; an ingest outage is on top', () => {
    const rows = incidentRows([
      alert('new', { timestamp: 200 }),
      alert('old'),
      alert('critical', { level: 'critical', timestamp: 300 }),
      alert('outage', { metric_name: 'ingest_outage', timestamp: 400 }),
    ]);
    expect(ids(rows)).toEqual(['outage', 'critical', 'old', 'new']);
  });

  it('count the alerts that they stand for, and act on the open ones', () => {
    const [row] = incidentRows([alert('a', of('x', 14)), alert('b', { ...of('x'), status: 'resolved' })]);
    expect(row && alertCount(row)).toBe(16);
    expect(row && openIds(row)).toEqual(['a']);
  });

  it('are silenced when all their alerts are', () => {
    const silenced_until = '2026-11-22T22:00:00.000Z';
    expect(isSilenced({ alerts: [alert('a', { silenced_until }), alert('b')] })).toBe(false);
    expect(isSilenced({ alerts: [alert('a', { silenced_until })] })).toBe(true);
  });
});

describe('groups', () => {
  it('hold the incidents of one metric from ten on', () => {
    const memory = (count: number) => many(count, () => ({ metric_name: 'memory_usage' }));
    expect(groupRows(incidentRows(memory(GROUP_FROM - 1)))).toHaveLength(GROUP_FROM - 1);
    const [group, ...rest] = groupRows(incidentRows(memory(GROUP_FROM)));
    expect(rest).toEqual([]);
    expect(group).toMatchObject({ kind: 'group', id: 'group:memory_usage', metric: 'memory_usage' });
    expect(group?.alerts).toHaveLength(GROUP_FROM);
  });

  it('put the incident that is furthest past its line first', () => {
    const [group] = groupRows(incidentRows(many(12, (index) => ({ current_value: index === 7 ? 99 : 81 }))));
    expect(group?.lead.alert_id).toBe('m7');
  });

  it('put a value that went back behind its line last, however far it went', () => {
    const rows = incidentRows(many(12, (index) => ({ current_value: index === 7 ? 5 : 81 + index })));
    const [group] = groupRows(rows);
    expect(group?.lead).toMatchObject({ alert_id: 'm11', current_value: 92 });
    expect(group?.kind === 'group' && group.incidents.at(-1)?.id).toBe('m7');
  });

  it('put the lowest first where lower is worse, in parts of each line', () => {
    const days = (index: number) => ({
      metric_name: 'disk_forecast',
      threshold_value: index === 4 ? 40 : 4,
      // Ten days before a line of forty is further past it than two days before a line of four.
      current_value: index === 4 ? 10 : 2 + index / 10,
    });
    const [group] = groupRows(incidentRows(many(12, days)));
    expect(group?.lead.alert_id).toBe('m4');
    expect(group?.kind === 'group' && group.incidents[1]?.id).toBe('m0');
  });

  it('rank a value that is not known as one at its line, not as nought', () => {
    const values = (index: number) => ({ current_value: index === 0 ? null : index === 1 ? 60 : 81 });
    const [group] = groupRows(incidentRows(many(12, values)));
    expect(group?.kind === 'group' && group.incidents.slice(-2).map(({ id }) => id)).toEqual(['m0', 'm1']);
  });

  it('never hide a worse alert of another metric', () => {
    const worse = alert('worse', { ...of('i3'), metric_name: 'disk_usage', level: 'critical' });
    const rows = groupRows(incidentRows([...many(12, () => ({})), worse]));
    expect(rows[0]).toMatchObject({ kind: 'incident', id: 'worse' });
    expect(rows[1]?.kind === 'group' && rows[1].incidents).toHaveLength(11);
  });

  it('keep the other alerts of their incidents', () => {
    const also = alert('also', { ...of('i3'), metric_name: 'memory_usage' });
    const [group] = groupRows(incidentRows([...many(12, () => ({})), also]));
    expect(rowOf(group === undefined ? [] : [group], 'also')?.id).toBe('group:cpu_usage');
    expect(group?.alerts).toHaveLength(13);
  });

  const alerts = fc.array(
    fc.record({
      incident: fc.integer({ min: 0, max: 30 }),
      metric_name: fc.constantFrom('cpu_usage', 'memory_usage', 'offline', 'pod_crash_loop', 'made_up'),
      level: fc.constantFrom('critical', 'error', 'warning', 'info'),
      timestamp: fc.integer({ min: 0, max: 1000 }),
      current_value: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
    }),
    { maxLength: 120 },
  );
  it('and rows lose no alert, show none twice, and are ordered by level', () => {
    fc.assert(
      fc.property(alerts, (given) => {
        const all = given.map(({ incident, ...rest }, index) => alert(`a${index}`, { ...rest, ...of(`i${incident}`) }));
        const rows = groupRows(incidentRows(all));
        const shown = rows.flatMap((row) => row.alerts.map((each) => each.alert_id));
        expect(shown.toSorted()).toEqual(all.map((each) => each.alert_id).toSorted());
        const levels = rows.map(({ lead }) => ['critical', 'error', 'warning', 'info'].indexOf(lead.level));
        expect(levels).toEqual(levels.toSorted((a, b) => a - b));
        for (const row of rows) {
          const worst = Math.min(
            ...row.alerts.map(({ level }) => ['critical', 'error', 'warning', 'info'].indexOf(level)),
          );
          expect(['critical', 'error', 'warning', 'info'][worst]).toBe(row.lead.level);
        }
      }),
    );
  });
});
