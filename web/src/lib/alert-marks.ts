import type { Alert } from '@plimsoll/contract/alerts';
import { momentMs } from './age.ts';
import { visible } from './visible.ts';

const TONE = { critical: 'over', error: 'over', warning: 'near', info: 'info' } as const;

/** Alerts as marks under a chart: from when they fired until they resolved, or until now. */
export const alertMarks = (alerts: readonly Alert[], nowMs: number) =>
  alerts.map((alert) => ({
    id: alert.alert_id,
    from: alert.timestamp,
    to: (momentMs(alert.resolved_at) ?? nowMs) / 1000,
    tone: alert.status === 'resolved' && alert.level === 'info' ? ('quiet' as const) : TONE[alert.level],
    words: `${visible(alert.tags.hostname)}: ${visible(alert.message)}`,
  }));
