import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { idList, storedValue } from './stored-value.ts';

/** Many times what one screen holds; older ids are forgotten. */
const REMEMBERED_IDS = 2000;

/** Ids of the alerts this browser has shown on the Alerts page. */
export const readAlertIds = storedValue('plimsoll.read-alerts', idList(REMEMBERED_IDS));

const COUNTED: ReadonlySet<string> = new Set(['critical', 'error', 'warning']);

/** The alerts the badge counts: critical, error or warning, and not read in this browser. */
export function unreadAlerts(alerts: readonly Alert[], read: readonly string[]): Alert[] {
  const known = new Set(read);
  return alerts.filter((alert) => COUNTED.has(alert.level) && !known.has(alert.alert_id));
}

/** `read` with the counted ones of `alerts` added; the same list when there is nothing to add. */
export function markRead(alerts: readonly Alert[], read: readonly string[]): readonly string[] {
  const fresh = unreadAlerts(alerts, read).map((alert) => alert.alert_id);
  return fresh.length === 0 ? read : [...new Set([...read, ...fresh])];
}
