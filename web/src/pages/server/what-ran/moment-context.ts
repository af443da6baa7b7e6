import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import type { Gap } from '@plimsoll/contract/wire/metrics';
import type { ProcessSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import { ageText, momentMs } from '../../../time/age.ts';
import { chartGap } from '../../../components/chart/points/series-shape.ts';
import { plural } from '../../../format/figures.ts';
import { AROUND_SECONDS } from '../../../time/moment.ts';
import { sinceMoment } from '../../../time/since-moment.ts';
import { dayAndTime } from '../../../time/zone.ts';

/** "Processes at 14:05", with its day when that is not today. `at`: epoch seconds. */
export const momentTitle = (at: number, nowMs: number): string => `Processes at ${sinceMoment(at * 1000, nowMs)}`;

interface Missing {
  at: number;
  answer: Pick<ProcessSnapshotAnswer, 'kept_since'>;
  gaps: readonly Gap[];
  /** ISO time the server was added. */
  createdAt: string;
  nowMs: number;
}

/** The clock of the browser may be ahead of the API's by this much. */
const CLOCK_SECONDS = 60;

/** Returns true for a moment that has not come yet: nothing ran then. */
export const isFuture = (at: number, nowMs: number): boolean => at > nowMs / 1000 + CLOCK_SECONDS;

/** Why nothing is known of what ran: the sentence and its reason. */
export function noSnapshot({ at, answer, gaps, createdAt, nowMs }: Missing): { sentence: string; reason: string } {
  if (isFuture(at, nowMs))
    return { sentence: 'This moment has not come yet', reason: 'Choose an earlier moment on a chart.' };
  if (at < answer.kept_since) {
    const days = Math.round((nowMs / 1000 - answer.kept_since) / DAY_SECONDS);
    return {
      sentence: 'Older than the retention time',
      reason: `Lists of processes are kept for ${plural(days, 'day')}.`,
    };
  }
  const gap = gaps.find(({ from, to }) => from <= at && at <= to);
  if (gap !== undefined) return { sentence: 'No snapshot: the server was silent', reason: `${chartGap(gap).words}.` };
  const added = momentMs(createdAt);
  if (added !== null && at < added / 1000)
    return { sentence: 'Before this server was added', reason: `It was added ${dayAndTime(added)}.` };
  return {
    sentence: 'No snapshot near this moment',
    reason: `The agent sent no process list in the ${PROCESS_HISTORY.reachSeconds / 60} minutes before.`,
  };
}

export type Happening =
  | { kind: 'alert'; id: string; at: number; alert: Alert }
  | { kind: 'event'; id: string; at: number; event: ActivityEvent };

/** Returns true if the alert was firing at that moment, or fired or ended around it. */
function touches(alert: Alert, at: number): boolean {
  const end = momentMs(alert.resolved_at);
  return alert.timestamp <= at + AROUND_SECONDS && (end === null || end / 1000 >= at - AROUND_SECONDS);
}

/** Lists the events around a moment in order of time; an alert that had fired before stands first. Each alert once. */
export function happenings(events: readonly ActivityEvent[], alerts: readonly Alert[], at: number): Happening[] {
  const known = new Map(alerts.map((alert) => [alert.alert_id, alert]));
  return [
    ...[...known.values()]
      .filter((alert) => touches(alert, at))
      .map((alert) => ({ kind: 'alert' as const, id: alert.alert_id, at: alert.timestamp, alert })),
    ...events
      .filter(({ timestamp }) => Math.abs(timestamp - at) <= AROUND_SECONDS)
      .map((event) => ({ kind: 'event' as const, id: event.id, at: event.timestamp, event })),
  ].toSorted((a, b) => a.at - b.at);
}

/** "2 min before", "since 13:10" or "since 17 Nov 13:10" for what began earlier, "4 min after"; "then" within seconds. */
export function distanceWords(happened: number, at: number): string {
  const apart = Math.round(happened - at);
  if (apart < -AROUND_SECONDS) return `since ${sinceMoment(happened * 1000, at * 1000)}`;
  if (apart === 0) return 'then';
  return apart < 0 ? `${ageText(-apart)} before` : `${ageText(apart)} after`;
}
