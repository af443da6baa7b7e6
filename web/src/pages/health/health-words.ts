import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import type { InstallationHealth } from '@plimsoll/contract/wire/installation-health';
import { bytesQuantity, numberText } from '../../format/figures.ts';
import { ageText, momentMs } from '../../time/age.ts';

const YEARS_10_DAYS = 3650;

/** "20 ms", "1.4 s", "12 min": a duration with its unit; null stays null. */
export function lagQuantity(seconds: number | null): { value: string | null; unit?: string } {
  if (seconds === null) return { value: null };
  // The unit follows the rounded figure: 59.7 s is 1 min, not 60 s.
  if (Math.round(seconds * 1000) < 1000) return { value: numberText(seconds * 1000), unit: 'ms' };
  if (Math.round(seconds) < MINUTE_SECONDS) return { value: numberText(seconds, seconds < 9.95 ? 1 : 0), unit: 's' };
  const minutes = Math.round(seconds / MINUTE_SECONDS);
  if (minutes * MINUTE_SECONDS < HOUR_SECONDS) return { value: numberText(minutes), unit: 'min' };
  return { value: numberText(seconds / HOUR_SECONDS, 1), unit: 'h' };
}

function bytesText(bytes: number): string {
  const { value, unit } = bytesQuantity(bytes);
  return `${value} ${unit}`;
}

type DatabaseHealth = InstallationHealth['database'];

/** "grows 12.0 MB a day, over 3 d", or why that is unknown. */
export function growthWords(database: DatabaseHealth, nowMs: number): string {
  const { growth_bytes_per_day: growth, growth_unknown_reason: reason, growth_measured_from: from } = database;
  if (growth === null) return `growth N/A: ${reason ?? 'unknown'}`;
  const since = momentMs(from);
  const over = since === null ? '' : `, over ${ageText((nowMs - since) / 1000)}`;
  if (growth === 0) return `does not grow${over}`;
  return growth > 0 ? `grows ${bytesText(growth)} a day${over}` : `shrinks ${bytesText(-growth)} a day${over}`;
}

/** "full in about 320 days", "full in about 9 h", or why that is unknown. */
export function untilFullWords(database: DatabaseHealth): string {
  const { days_until_full: days, days_until_full_unknown_reason: reason } = database;
  if (days === null) return `forecast N/A: ${reason ?? 'unknown'}`;
  if (days > YEARS_10_DAYS) return 'not full within 10 years';
  return days < 2 ? `full in about ${ageText(days * DAY_SECONDS)}` : `full in about ${numberText(days) ?? ''} days`;
}

/** "up to date", or how long the oldest closed bucket waits. */
export function behindWords({
  behind_seconds: seconds,
}: InstallationHealth['rollups']['levels'][number]): string | null {
  if (seconds === null) return null;
  return seconds === 0 ? 'up to date' : `${ageText(seconds)} behind`;
}

/** "5 min", "1 h": the width of a bucket. */
export const bucketWords = (seconds: number): string => ageText(seconds);

export const AGENT_KIND: Record<InstallationHealth['agents'][number]['kind'], string> = {
  host_agent: 'Host agent',
  node_agent: 'Node agent',
  cluster_collector: 'Cluster collector',
};
