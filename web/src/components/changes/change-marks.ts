import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import type { Change } from '@plimsoll/contract/wire/changes';
import { momentMs } from '../../time/age.ts';
import { sinceMoment } from '../../time/since-moment.ts';
import type { ChartMarker } from '../chart/markers/cluster-markers.ts';
import { changeText } from './change-words.ts';

/** Returns changes as marks below a chart. */
export const changeMarks = (changes: readonly Change[]): ChartMarker[] =>
  changes.map((change) => {
    const ms = momentMs(change.at) ?? 0;
    return {
      id: `change-${change.id}`,
      from: ms / 1000,
      to: null,
      tone: 'event',
      words: `${sinceMoment(ms)} ${changeText(change)}`,
    };
  });

/** Events that say the same as a change of this kind. */
const SAME: Partial<Record<ActivityEvent['event_type'], string>> = {
  update_installed: 'packages',
  config_change: 'files',
};
const SAME_SECONDS = 180;

/** Returns the ids of events that a change of the same moment says better. */
export const repeatedEvents = (events: readonly ActivityEvent[], changes: readonly Change[]): Set<string> =>
  new Set(
    events
      .filter(({ event_type: type, timestamp }) =>
        changes.some(
          ({ kind, at }) => kind === SAME[type] && Math.abs((momentMs(at) ?? 0) / 1000 - timestamp) < SAME_SECONDS,
        ),
      )
      .map(({ id }) => id),
  );
