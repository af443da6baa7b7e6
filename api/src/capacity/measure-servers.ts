import { setImmediate } from 'node:timers/promises';
import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import { memoryTrend } from './server-usage.ts';
import type { ServerUsages } from './store.ts';

/** Servers of a run, and of one statement. */
const LIMITS = { run: 500, statement: 20 } as const;

/** Computes the use of the servers whose use is older than `maxAgeMs`. Returns their number. */
export async function measureServers(usages: ServerUsages, now: number, maxAgeMs: number = HOUR_MS): Promise<number> {
  const due = await usages.listDue(now - maxAgeMs, LIMITS.run);
  for (let first = 0; first < due.length; first += LIMITS.statement)
    for (const { memory, memoryTotalBytes, ...usage } of await usages.read(
      due.slice(first, first + LIMITS.statement),
      now,
    )) {
      const trend = memoryTotalBytes === null ? null : memoryTrend(memory, memoryTotalBytes, now);
      await usages.save(usage, trend);
      // A trend takes a few milliseconds; requests must not wait for those of the whole fleet.
      await setImmediate();
    }
  return due.length;
}
