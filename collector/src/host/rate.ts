/** Difference of a counter; null when it went back (restart, wrap, hot-plug): that is no rate, never a negative one. */
export function increase(before: number | undefined, after: number | undefined): number | null {
  if (before === undefined || after === undefined) return null;
  const difference = after - before;
  return Number.isFinite(difference) && difference >= 0 ? difference : null;
}

/** Mean per second over the window; null without a window or when the counter went back. */
export function ratePerSecond(
  before: number | undefined,
  after: number | undefined,
  windowSeconds: number | null,
): number | null {
  const grown = increase(before, after);
  if (grown === null || windowSeconds === null || !(windowSeconds > 0)) return null;
  const rate = grown / windowSeconds;
  return Number.isFinite(rate) ? rate : null;
}

/**
 * Returns the counters to compare with: none when a leading one went back. The device began anew then, or the counter
 * wrapped at 32 bits, and what the other counters grew by says nothing.
 */
export function sameRun<Counters extends object>(
  before: Counters | undefined,
  now: Counters,
  leading: readonly (keyof Counters)[],
): Counters | undefined {
  if (before === undefined) return undefined;
  return leading.some((key) => Number(now[key]) < Number(before[key])) ? undefined : before;
}
