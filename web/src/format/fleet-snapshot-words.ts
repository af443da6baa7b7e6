import { PROCESS_HISTORY, PROCESS_MINUTES } from '@plimsoll/contract/rules/limits';
import type { FleetSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import { sinceMoment } from '../time/since-moment.ts';
import { clockTime } from '../time/zone.ts';
import { escapeInvisible } from './escape-invisible.ts';
import { plural } from './figures.ts';

const NAMED = 3;

const listed = (names: readonly string[], total: number): string => {
  const more = total - Math.min(names.length, NAMED);
  return [...names.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

/** True if a list was taken in the minute that begins at `minute`, epoch seconds. */
export const isOfMinute = (at: number, minute: number): boolean =>
  Math.floor(at / PROCESS_MINUTES.stepSeconds) * PROCESS_MINUTES.stepSeconds === minute;

/** "03:05", or with its day if that is another one than `minute` lies in. */
export const listTime = (at: number, minute: number): string => sinceMoment(at * 1000, minute * 1000);

/** Says which lists a ranking of all servers is made of, a sentence each. */
export function fleetSnapshotWords(answer: FleetSnapshotAnswer): string[] {
  const { minute, servers, in_minute: inMinute, nearest, nearest_total: near, without, without_total: none } = answer;
  const time = clockTime(minute * 1000);
  const whole =
    inMinute === servers
      ? `Lists of ${time} from ${servers === 1 ? 'the server' : `all ${servers} servers`}.`
      : inMinute === 0
        ? `No server has a list of ${time}.`
        : `Lists of ${time} from ${inMinute} of ${plural(servers, 'server')}.`;
  const others = nearest.map((one) => `${escapeInvisible(one.hostname)} ${listTime(one.snapshot_at, minute)}`);
  const lacking = without.map(({ hostname }) => escapeInvisible(hostname));
  return [
    ...(servers === 0 ? [] : [whole]),
    ...(near === 0 ? [] : [`Nearest lists instead: ${listed(others, near)}.`]),
    ...(none === 0 ? [] : [`No list within ${PROCESS_HISTORY.reachSeconds / 60} minutes: ${listed(lacking, none)}.`]),
  ];
}
