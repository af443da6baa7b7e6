/** When the cause of an open incident is computed, and how often. */
export const DUE = {
  /** Between two computations of one incident. */
  leastMs: 20_000,
  /** A young incident is computed again after this time, because reports, events and lines arrive late. */
  againMs: 60_000,
  youngMs: 10 * 60_000,
  /** Computations a minute in the whole installation. */
  aMinute: 30,
  /** Computations of one run of the job. */
  aRun: 4,
} as const;
