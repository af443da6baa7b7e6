import { SHORT_OUTAGE_SECONDS, type PublicDayState } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { PublicDay, PublicPart } from '@plimsoll/contract/wire/checks/public-status-page';
import type { DaySum } from './day-sums.ts';
import type { PartDay } from './types.ts';

const HUNDRED = 100;
/** 99.996 % is not 100 %. */
const PRECISION = 100;

/** Returns the sums of several servers by day, oldest first. */
function added(servers: readonly (readonly PartDay[])[]): readonly PartDay[] {
  const [first, ...others] = servers;
  if (first !== undefined && others.length === 0) return first;
  const byDay = new Map<number, PartDay>();
  for (const { day, ...sum } of servers.flat()) {
    const known = byDay.get(day) ?? { day, goodSeconds: 0, downSeconds: 0, unknownSeconds: 0 };
    byDay.set(day, {
      day,
      goodSeconds: known.goodSeconds + sum.goodSeconds,
      downSeconds: known.downSeconds + sum.downSeconds,
      unknownSeconds: known.unknownSeconds + sum.unknownSeconds,
    });
  }
  return [...byDay.values()].toSorted((a, b) => a.day - b.day);
}

function stateOf({ goodSeconds, downSeconds, unknownSeconds }: DaySum): PublicDayState | null {
  if (downSeconds >= SHORT_OUTAGE_SECONDS) return 'down';
  if (downSeconds > 0) return 'short';
  return unknownSeconds > goodSeconds ? 'unknown' : null;
}

/** Returns the share of the known time in per cent, rounded down; null: nothing is known. */
export function availabilityOf({
  goodSeconds,
  downSeconds,
}: Pick<DaySum, 'goodSeconds' | 'downSeconds'>): number | null {
  const known = goodSeconds + downSeconds;
  return known === 0 ? null : Math.floor((goodSeconds / known) * HUNDRED * PRECISION) / PRECISION;
}

/** Less unknown time in a day than this is in the sum of the part only. */
const TOLD_UNKNOWN_SECONDS = 3600;

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** Returns the longest value of each day on which there is one, over the servers of a part. */
function longest(
  servers: readonly (readonly PartDay[])[],
  field: 'downSeconds' | 'unknownSeconds',
): Map<number, number> {
  const byDay = new Map<number, number>();
  for (const days of servers)
    for (const each of days) if (each[field] > 0) byDay.set(each.day, Math.max(byDay.get(each.day) ?? 0, each[field]));
  return byDay;
}

/**
 * Returns what a part shows of its days. Of several servers the longest time of a day is shown, because theirs overlap;
 * availability is the share of all of them.
 */
export function partDays(
  servers: readonly (readonly PartDay[])[],
): Pick<PublicPart, 'since' | 'availability' | 'unknown_seconds' | 'days'> {
  const [down, unknown] = [longest(servers, 'downSeconds'), longest(servers, 'unknownSeconds')];
  const all = added(servers);
  const total = { goodSeconds: 0, downSeconds: 0 };
  for (const { goodSeconds, downSeconds } of all) {
    total.goodSeconds += goodSeconds;
    total.downSeconds += downSeconds;
  }
  const days = all.flatMap((sum): PublicDay[] => {
    const { day } = sum;
    const [downSeconds, unknownSeconds] = [down.get(day) ?? 0, unknown.get(day) ?? 0];
    if (downSeconds === 0 && unknownSeconds < TOLD_UNKNOWN_SECONDS) return [];
    const state = stateOf({ ...sum, downSeconds });
    return [{ date: dateOf(day), state, down_seconds: downSeconds, unknown_seconds: unknownSeconds }];
  });
  return {
    since: all[0] === undefined ? null : dateOf(all[0].day),
    availability: availabilityOf(total),
    unknown_seconds: [...unknown.values()].reduce((sum, seconds) => sum + seconds, 0),
    days,
  };
}
