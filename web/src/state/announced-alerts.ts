import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { flag, storedValue } from './stored-value.ts';

/** True while this browser shows a web notification for each new incident. */
export const webNotifications = storedValue('plimsoll.web-notifications', flag(false));

/** Returns what names the incident of an alert: one web notification stands for all its alerts. */
export const incidentKey = (alert: Alert): string => alert.incident?.incident_id ?? alert.alert_id;

const ANNOUNCED: ReadonlySet<string> = new Set(['critical', 'error', 'warning']);

/**
 * Returns the alerts to announce, one for each incident, and the ids that are known from now on. The first list after a
 * page was loaded announces nothing: its alerts are not new. `known` null: there was no list yet.
 */
export function announce(
  alerts: readonly Alert[],
  known: ReadonlySet<string> | null,
): { fresh: Alert[]; known: ReadonlySet<string> } {
  const all = new Set([...(known ?? []), ...alerts.map((alert) => alert.alert_id), ...alerts.map(incidentKey)]);
  if (known === null) return { fresh: [], known: all };
  const fresh = new Map<string, Alert>();
  for (const alert of alerts) {
    const isQuiet = alert.silenced_until !== null || alert.acknowledged_at !== null || alert.incident?.folded === true;
    if (alert.status !== 'active' || isQuiet || !ANNOUNCED.has(alert.level)) continue;
    if (known.has(alert.alert_id) || known.has(incidentKey(alert)) || fresh.has(incidentKey(alert))) continue;
    fresh.set(incidentKey(alert), alert);
  }
  return { fresh: [...fresh.values()], known: all };
}
