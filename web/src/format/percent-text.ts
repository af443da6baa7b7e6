import { bandOf } from '@plimsoll/contract/rules/headroom';

/**
 * Returns whole per cent, or one place where rounding would show the colour of another band: two servers of "60" in two
 * colours are 59.9 and 60. Null stays null.
 */
export function percentText(value: number | null, line: number): string | null {
  if (value === null || !Number.isFinite(value)) return null;
  const whole = Math.round(value);
  return bandOf(whole, line) === bandOf(value, line) ? String(whole) : (Math.floor(value * 10) / 10).toFixed(1);
}
