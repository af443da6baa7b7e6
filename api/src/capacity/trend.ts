import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { CapacityDay, Trend } from './types.ts';
import { counted } from './words.ts';

/** The day on which the requests of a cluster reach what its nodes can give, or why there is none. */

const RULES = {
  /** Days of history before a date. */
  leastDays: 7,
  mostDays: 60,
  /** A date further away is nobody's plan. */
  horizonDays: 365,
  /** The halves of the history must grow alike; a step, or a growth that ended, does not. */
  halves: { least: 0.4, most: 2.5 },
  /** Growth over the history beside its daily noise. */
  signal: 3,
  /** Nodes that came more than once are an autoscaler. */
  nodeSteps: 2,
  stepShare: 0.03,
} as const;

type Point = readonly [day: number, value: number];
type Resource = Trend['resource'];

/** Returns the trend of one resource. `now`: epoch milliseconds. */
export function trendOf(days: readonly CapacityDay[], resource: Resource, now: number): Trend {
  const known = days
    .flatMap((one) => {
      const requested = resource === 'cpu' ? one.cpuRequested : one.memoryRequested;
      const allocatable = resource === 'cpu' ? one.cpuAllocatable : one.memoryAllocatable;
      return requested === null || allocatable === null ? [] : [{ day: one.day, requested, allocatable }];
    })
    .toSorted((a, b) => a.day - b.day)
    .slice(-RULES.mostDays);
  const nothing = (reason: string, growthPerDay: number | null = null): Trend => ({
    resource,
    at: null,
    earliest: null,
    latest: null,
    growthPerDay,
    days: known.length,
    reason,
  });
  if (known.length < RULES.leastDays)
    return nothing(
      `Its requests are known for ${counted(known.length, 'day')}; a date needs ${String(RULES.leastDays)}.`,
    );
  if (countSteps(known.map(({ allocatable }) => allocatable)) >= RULES.nodeSteps)
    return nothing('Nodes were added more than once in this time, so the cluster grows by itself.');
  const raw = known.map(({ day, requested }): Point => [day, requested]);
  const points = withoutWeekdays(raw);
  const { slope, least, most } = theilSen(points);
  if (slope <= 0) return nothing('Its requests do not grow.', slope);
  const half = Math.floor(points.length / 2);
  const halves = [points.slice(0, half), points.slice(-half)].map((part) => theilSen(part).slope / slope);
  if (halves.some((share) => share < RULES.halves.least || share > RULES.halves.most))
    return nothing('Its requests do not grow evenly.', slope);
  const level = median(points.map(([day, value]) => value - slope * day));
  const noise = median(points.map(([day, value]) => Math.abs(value - level - slope * day)));
  const [first] = points;
  const last = points.at(-1);
  const span = (last?.[0] ?? 0) - (first?.[0] ?? 0);
  if (least <= 0 || slope * span < RULES.signal * noise)
    return nothing('Its requests vary more from day to day than they grow.', slope);
  const today = now / DAY_MS;
  const whole = median(known.slice(-3).map(({ allocatable }) => allocatable));
  const missing = whole - (level + slope * today);
  if (missing / slope > RULES.horizonDays) return nothing('At this growth it is not full within a year.', slope);
  const after = (growth: number): number => now + Math.max(0, missing / growth) * DAY_MS;
  return {
    resource,
    at: after(slope),
    earliest: after(most),
    latest: after(least),
    growthPerDay: slope,
    days: known.length,
    reason: null,
  };
}

/** Counts rises that stay. A node that is replaced is away for a day and comes back. */
function countSteps(values: readonly number[]): number {
  let steps = 0;
  let most = values[0] ?? 0;
  for (const value of values) {
    if (value <= most * (1 + RULES.stepShare)) continue;
    steps += 1;
    most = value;
  }
  return steps;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Median of the slopes between all pairs of days, with the bounds of its 90 % interval (Sen 1968). */
function theilSen(points: readonly Point[]): { slope: number; least: number; most: number } {
  const slopes: number[] = [];
  for (const [index, [day, value]] of points.entries())
    for (const [otherDay, otherValue] of points.slice(index + 1))
      if (otherDay !== day) slopes.push((otherValue - value) / (otherDay - day));
  slopes.sort((a, b) => a - b);
  const count = points.length;
  const spread = 1.645 * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const at = (rank: number): number => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(rank)))] ?? 0;
  return {
    slope: median(slopes),
    least: at((slopes.length - spread) / 2),
    most: at((slopes.length + spread) / 2),
  };
}

/** Takes the profile of the week away, once three weeks show it. */
function withoutWeekdays(points: readonly Point[]): Point[] {
  if (points.length < 21) return [...points];
  const { slope } = theilSen(points);
  const rest = points.map(([day, value]): Point => [day, value - slope * day]);
  const whole = median(rest.map(([, value]) => value));
  const profile = new Map(
    [...Map.groupBy(rest, ([day]) => Math.floor(day) % 7)].map(([weekday, own]) => [
      weekday,
      median(own.map(([, value]) => value)) - whole,
    ]),
  );
  return points.map(([day, value]) => [day, value - (profile.get(Math.floor(day) % 7) ?? 0)]);
}
