import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import type { SeriesLevel } from './series-level.ts';

/** Bucket widths whose figures over all servers of an account are kept ready. */
export interface FleetStep {
  seconds: number;
  /** Level whose rows make up a bucket. */
  source: SeriesLevel['name'];
  /** Level whose writing says that a bucket changed. */
  due: Exclude<SeriesLevel['name'], 'raw'>;
  retentionDays: number;
}
/** One and two minutes are charted for hours (1 h to 12 h); kept longer they would outweigh the samples of one server. */
const MINUTES_DAYS = 2;

const of = (source: '5m' | '1h', retentionDays: number, widths: readonly number[]): FleetStep[] =>
  widths.map((seconds) => ({ seconds, source, due: source, retentionDays }));
/** Every width of buckets.ts, so that no chart of a whole fleet is summed when it is requested. */
export const FLEET_STEPS: readonly FleetStep[] = [
  ...[60, 120].map((seconds) => ({ seconds, source: 'raw', due: '5m', retentionDays: MINUTES_DAYS }) as const),
  ...of('5m', RETENTION_DAYS.fiveMinutes, [300, 600, 900, 1800]),
  ...of('1h', RETENTION_DAYS.oneHour, [3600, 7200, 10_800, 21_600, 43_200, 86_400, 604_800]),
];

/**
 * The step that holds ready buckets of this width from `from` (epoch ms) on, null when none does. The first bucket may begin
 * before the retention, because a range is widened to whole buckets.
 */
export const fleetStepFor = (level: SeriesLevel, from: number, bucketSeconds: number, now: number): FleetStep | null =>
  FLEET_STEPS.find(
    ({ seconds, source, retentionDays }) =>
      seconds === bucketSeconds && source === level.name && from > now - retentionDays * DAY_MS - seconds * 1000,
  ) ?? null;
