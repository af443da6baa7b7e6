import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { STATUS_PAGE_DAYS } from '@plimsoll/contract/rules/checks/status-page-limits';
import { sumDay } from './day-sums.ts';
import type { DayWriter, ServerDays } from './store.ts';

/** Servers and days that one statement reads at most; 500 servers of 8 days. */
const MOST_AT_ONCE = 4000;

interface Work {
  serverKeys: number[];
  from: number;
}

/** Returns the servers by the day that they are computed from: since the newest day, or all days of a new server. */
function workOf(newest: Awaited<ReturnType<DayWriter['newest']>>, today: number, backTo: number): Work[] {
  const oldest = today - (STATUS_PAGE_DAYS - 1) * DAY_MS;
  const byFrom = Map.groupBy(newest, ({ day }) =>
    Math.max(oldest, Math.min(backTo, day === null ? oldest : day - DAY_MS)),
  );
  return [...byFrom].map(([from, servers]) => ({ from, serverKeys: servers.map(({ serverKey }) => serverKey) }));
}

/**
 * Writes the days of the servers on status pages: at least the last `atLeast`, today included. Returns the number of days
 * that changed; null: another replica is at it.
 */
export function recordDays(days: ServerDays, now: number, atLeast: number): Promise<number | null> {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return days.exclusively(async (writer) => {
    let changed = 0;
    const backTo = today - (atLeast - 1) * DAY_MS;
    for (const { serverKeys, from } of workOf(await writer.newest(), today, backTo)) {
      const length = Math.max(1, Math.floor(MOST_AT_ONCE / serverKeys.length)) * DAY_MS;
      for (let start = from; start <= today; start += length) {
        const range = { from: start, to: Math.min(start + length, today + DAY_MS) };
        const facts = await writer.facts(serverKeys, range);
        const sums = facts.flatMap(({ serverKey, facts: of }) => {
          const sum = sumDay(of);
          return sum === null ? [] : [{ serverKey, day: of.day, ...sum }];
        });
        changed += await writer.write(sums);
      }
    }
    return changed;
  });
}
