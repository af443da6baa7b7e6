/** The longest timer of Node: a longer one overflows 32 bits and fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A length that is not a number must neither fire at once, in a tight loop, nor never. */
const UNKNOWN_MS = 1000;

/** Returns a length that Node's timers keep. A caller that waits longer looks at its clock and waits again. */
export const timerMs = (ms: number): number =>
  Number.isNaN(ms) ? UNKNOWN_MS : Math.min(LONGEST_TIMER_MS, Math.max(0, ms));
