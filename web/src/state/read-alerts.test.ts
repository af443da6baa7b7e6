import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { describe, expect, it } from 'vitest';
import { markRead, unreadAlerts } from './read-alerts.ts';

const alert = (alert_id: string, level: Alert['level']): Alert => ({
  alert_id,
  level,
  server_id: 's',
  title: '',
  message: '',
  status: 'active',
  timestamp: 0,
  resolved_at: null,
  metric_name: 'cpu_usage',
  current_value: null,
  threshold_value: null,
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_note: null,
  silenced_until: null,
  silence_id: null,
  incident: null,
  rule_id: 'default-cpu',
  tags: { hostname: 'h' },
});
const alerts = [alert('a', 'critical'), alert('b', 'error'), alert('c', 'warning'), alert('d', 'info')];

describe('unread alerts', () => {
  it('counts critical, error and warning, never info', () => {
    expect(unreadAlerts(alerts, []).map((each) => each.alert_id)).toEqual(['a', 'b', 'c']);
    expect(unreadAlerts(alerts, ['b']).map((each) => each.alert_id)).toEqual(['a', 'c']);
  });

  it('marks all of them read at once, and nothing twice', () => {
    const read = markRead(alerts, ['b']);
    expect(read).toEqual(['b', 'a', 'c']);
    expect(markRead(alerts, read)).toBe(read);
    // The badge and the list have the same alert.
    expect(markRead([...alerts, ...alerts], [])).toEqual(['a', 'b', 'c']);
  });
});
