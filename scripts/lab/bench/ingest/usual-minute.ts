import { MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { setTimeout as delay } from 'node:timers/promises';

const QUARTER_MS = 15 * 60_000;
/** A measurement takes no longer. */
const MEASUREMENT_MS = 45_000;

/**
 * Waits until no quarter of an hour starts soon. In its first minute every report also carries the history of its lists;
 * a fifteenth of a day is no measure of the rest.
 */
export async function awaitUsualMinute(): Promise<void> {
  const end = (Date.now() + MEASUREMENT_MS) % QUARTER_MS;
  const ms = MINUTE_MS + MEASUREMENT_MS - end;
  if (ms <= 0) return;
  console.log(`waits ${Math.ceil(ms / 1000)} s: the first minute of a quarter of an hour costs more`);
  await delay(ms);
}
