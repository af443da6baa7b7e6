import { MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';

const UNITS = new Map([
  ['s', 1],
  ['min', MINUTE_SECONDS],
  ['m', MINUTE_SECONDS],
  ['h', 3600],
  ['d', 86_400],
]);

/** "5 min", "90 s", "1 h": the largest unit that leaves no rest. */
export function durationText(seconds: number): string {
  const unit =
    (['d', 'h', 'min'] as const).find((name) => seconds > 0 && seconds % (UNITS.get(name) ?? 1) === 0) ?? 's';
  return `${seconds / (UNITS.get(unit) ?? 1)} ${unit}`;
}

/** Returns the seconds of "5 min", "90s" or "5", which is minutes; null for anything else. */
export function readDuration(text: string): number | null {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\s*(s|min|m|h|d)?$/.exec(text.trim().toLowerCase()) ?? [];
  if (count === undefined) return null;
  const seconds = Number(count) * (UNITS.get(unit ?? 'min') ?? MINUTE_SECONDS);
  return Number.isInteger(seconds) ? seconds : null;
}
