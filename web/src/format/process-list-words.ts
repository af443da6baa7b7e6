import { PROCESS_HISTORY, PROCESS_MINUTES } from '@plimsoll/contract/rules/limits';
import type { ProcessSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import { ageText } from '../time/age.ts';
import { clockTime } from '../time/zone.ts';

/** Says which of the stored lists is shown and how long lists of its kind are kept. */
export const LIST_WORDS: Record<NonNullable<ProcessSnapshotAnswer['list']>, string> = {
  minute: `Minute list: the top 10 by CPU and by memory. Kept for ${PROCESS_MINUTES.days * 24} hours.`,
  quarter_hour: `Quarter-hour list: the top ${PROCESS_HISTORY.entries} by CPU. Kept for ${PROCESS_HISTORY.days} days.`,
  alert: `List kept when an alert fired: the top ${PROCESS_HISTORY.entries} by CPU. Kept for ${PROCESS_HISTORY.days} days.`,
  newest: 'Newest list of this server.',
};

/** "snapshot of 14:00, 5 min before". */
export function snapshotText(snapshotAt: number, at: number): string {
  const before = Math.round(at - snapshotAt);
  return `snapshot of ${clockTime(snapshotAt * 1000)}, ${before < 1 ? 'at this moment' : `${ageText(before)} before`}`;
}
