import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { takenText } from '../../../format/incident-words.ts';
import type { AlertsRow } from '../../../format/incident-rows.ts';
import { ageText, momentMs } from '../../../time/age.ts';
import { clockTime, dayAndTime } from '../../../time/zone.ts';

/** "08:00" within a day, else with the day. */
const untilText = (at: number) => (at - Date.now() < DAY_MS ? clockTime(at) : dayAndTime(at));

/** Returns how long a resolved alert lasted: "resolved after 22 min". */
function lastedText({ timestamp, resolved_at: resolved }: Alert): string {
  const end = momentMs(resolved);
  return end === null ? 'resolved' : `resolved after ${ageText(end / 1000 - timestamp)}`;
}

/** Returns who is on a row, until when it is silenced, or how long it lasted. */
export function stateParts(row: AlertsRow): string[] {
  const { lead, alerts } = row;
  if (lead.status === 'resolved') return [lastedText(lead)];
  const held = alerts.flatMap(({ silenced_until: until }) => momentMs(until) ?? []);
  const parts = [takenText(row)];
  if (held.length > 0)
    parts.push(
      held.length < alerts.length
        ? `${String(held.length)} of ${String(alerts.length)} silenced`
        : `silenced until ${untilText(Math.min(...held))}`,
    );
  if (lead.status === 'unknown') parts.push('unknown, the server is silent');
  return parts;
}
