/** Returns part ÷ whole in per cent; null when one is unknown or there is no whole. */
export const percentOf = (part: number | null | undefined, whole: number | null | undefined): number | null =>
  part == null || whole == null || !(whole > 0) ? null : (part / whole) * 100;

/** Returns part ÷ whole in per cent, cut to 0–100: for counters that are read one after the other, and for bars. */
export function boundedPercentOf(part: number | null | undefined, whole: number | null | undefined): number | null {
  const percent = percentOf(part, whole);
  return percent === null ? null : Math.min(100, Math.max(0, percent));
}
