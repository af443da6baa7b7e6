import { SHORT_OUTAGE_SECONDS, type PublicDayState } from '@plimsoll/contract/rules/status-page-limits';
import type { PublicDay, PublicPart } from '@plimsoll/contract/wire/public-status-page';
import type { DaySum } from './day-sums.ts';
import type { ServerDay } from './types.ts';

const HUNDRED = 100;
/** 99.996 % is not 100 %. */
const PRECISION = 100;

/** Returns the sums of several servers by day, oldest first. */
function added(servers: readonly (readonly ServerDay[])[]): ServerDay[] {
  const byDay = new Map<number, ServerDay>();
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

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** Returns what a part shows of its days. Of several servers the longest outage decides the state of a day. */
export function partDays(
  servers: readonly (readonly ServerDay[])[],
): Pick<PublicPart, 'since' | 'availability' | 'unknown_seconds' | 'days'> {
  const worst = new Map<number, number>();
  for (const { day, downSeconds } of servers.flat()) worst.set(day, Math.max(worst.get(day) ?? 0, downSeconds));
  const all = added(servers);
  const total = added([all.map((each) => ({ ...each, day: 0 }))])[0];
  const days = all.flatMap(({ day, ...sum }): PublicDay[] => {
    if (sum.downSeconds === 0 && sum.unknownSeconds === 0) return [];
    const state = stateOf({ ...sum, downSeconds: worst.get(day) ?? 0 });
    return [{ date: dateOf(day), state, down_seconds: worst.get(day) ?? 0, unknown_seconds: sum.unknownSeconds }];
  });
  return {
    since: all[0] === undefined ? null : dateOf(all[0].day),
    availability: total === undefined ? null : availabilityOf(total),
    unknown_seconds: total?.unknownSeconds ?? 0,
    days,
  };
}
