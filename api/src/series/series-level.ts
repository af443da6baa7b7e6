import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';

/** Resolutions of the history: single samples, 5 min and 1 h rollups. */
export interface SeriesLevel {
  name: 'raw' | '5m' | '1h';
  /** Length of what one row stands for; 1 for a single sample. */
  stepSeconds: number;
  retentionDays: number;
}
const RAW_LEVEL: SeriesLevel = { name: 'raw', stepSeconds: 1, retentionDays: RETENTION_DAYS.raw };
export const ROLLUP_LEVELS: readonly [SeriesLevel, SeriesLevel] = [
  { name: '5m', stepSeconds: 300, retentionDays: RETENTION_DAYS.fiveMinutes },
  { name: '1h', stepSeconds: 3600, retentionDays: RETENTION_DAYS.oneHour },
];
const FINEST_FIRST = [RAW_LEVEL, ...ROLLUP_LEVELS];

const reachesTo = (level: SeriesLevel, from: number, now: number): boolean =>
  from >= now - level.retentionDays * DAY_MS;

/**
 * The coarsest level that still answers buckets of this length exactly and reaches back to `from` (epoch ms). Where the
 * finer levels were pruned it is coarser than requested: only every so many buckets holds a value. A caller that needs
 * every bucket filled uses `finestBucketSeconds`.
 */
export const levelFor = (from: number, bucketSeconds: number, now: number): SeriesLevel => {
  const reaching = FINEST_FIRST.filter((level) => reachesTo(level, from, now));
  const exact = reaching.filter((level) => bucketSeconds % level.stepSeconds === 0);
  return exact.at(-1) ?? reaching[0] ?? FINEST_FIRST[FINEST_FIRST.length - 1] ?? RAW_LEVEL;
};

/** Shortest bucket, in seconds, that every stretch since `from` can fill. */
export const finestBucketSeconds = (from: number, now: number): number =>
  FINEST_FIRST.find((level) => reachesTo(level, from, now))?.stepSeconds ?? 3600;

/** Length of the rollups that are kept longest. */
export const COARSEST_SECONDS = ROLLUP_LEVELS[1].stepSeconds;

/** The first moment from which buckets of this length can be answered exactly. */
export const exactFrom = (bucketSeconds: number, now: number): number => {
  const exact = FINEST_FIRST.filter(({ stepSeconds }) => bucketSeconds % stepSeconds === 0);
  return now - Math.max(0, ...exact.map(({ retentionDays }) => retentionDays)) * DAY_MS;
};
