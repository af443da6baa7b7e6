import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import { TREND_HISTORY_DAYS, type ForecastConfidence } from '@plimsoll/contract/rules/host-metrics/disk-forecast';
import type { DiskTrend, FilesystemPoint } from './types.ts';

/**
 * Finds the steady growth of a filesystem. The trend does not depend on a load line: disk-forecast.ts combines it with the
 * line in force. Times are epoch milliseconds, sizes are bytes.
 */

/** The longest window that fits a line decides: it averages most. A shorter one finds growth that began later. */
const WINDOWS_MS = [TREND_HISTORY_DAYS * DAY_MS, 7 * DAY_MS, 3 * DAY_MS, DAY_MS, 6 * HOUR_MS] as const;
/** History that a trend reads. */
const TREND_HISTORY_MS: number = WINDOWS_MS[0];
/** Part of a window that the points must span, and points it must have. */
const LEAST_SPAN = 0.6;
const LEAST_POINTS = 7;
/** Bins of a window at most: Theil–Sen compares each pair. */
const MOST_BINS = 112;
const SEGMENTS = 7;
/** Newest bins that must agree with the line, so that sudden growth is not hidden by a long flat history. */
const NEWEST_BINS = 4;
/** Deviation from the line, as a part of the growth, that still counts as one trend: idle weekends are about 0.12. */
const MOST_BEND = 0.17;
/** Changes smaller than this part of the capacity mean nothing. */
const LEAST_CHANGE = 0.003;
const LEAST_JUMP = 0.01;
/** A change between two points is a jump if it exceeds this multiple of the usual change. */
const JUMP_FACTOR = 6;
/** Jumps this close to each other are one: a deletion can take an hour. A longer one is growth, not a jump. */
const ONE_JUMP_MS = 3 * HOUR_MS;
/** A rhythm must repeat this often inside a window before the window shows the growth beneath it. */
const LEAST_PERIODS = 2.5;

interface Jump {
  from: number;
  /** Time of the first point after the jump. */
  at: number;
  bytes: number;
}
interface Fit {
  slope: number;
  spread: number;
  growth: number;
  isOneTrend: boolean;
  /** The level at `levelAt`: the upper edge of what a rhythm or noise reaches. */
  level: number;
  /** Time of the newest bin, which can be more than an hour before the newest point. */
  levelAt: number;
}

/** Returns the trend of the points of one filesystem, oldest first; points after `now` are ignored. */
export function diskTrend(points: readonly FilesystemPoint[], capacityBytes: number, now: number): DiskTrend {
  const known = points.filter(({ at }) => at <= now && at > now - TREND_HISTORY_MS);
  const floor = capacityBytes * LEAST_CHANGE;
  const jumps = jumpsOf(known, capacityBytes);
  const period = periodOf(jumps);
  let hasWindow = false;
  for (const windowMs of WINDOWS_MS) {
    const inside = known.filter(({ at }) => at > now - windowMs);
    const spanMs = spanOf(inside);
    if (spanMs < windowMs * LEAST_SPAN || inside.length < LEAST_POINTS) continue;
    hasWindow = true;
    if (period !== null && spanMs < period * LEAST_PERIODS) continue;
    const bins = binned(inside, windowMs);
    const fit = fitOf(bins, period === null ? jumps.map(({ at }) => at) : [], floor);
    if (!fit.isOneTrend) continue;
    if (fit.growth < Math.max(floor, 2 * fit.spread)) return { kind: 'none', reason: 'not_growing' };
    return {
      kind: 'growing',
      bytesPerDay: fit.slope * DAY_MS,
      levelBytes: fit.level,
      levelAt: fit.levelAt,
      spanMs,
      confidence: confidenceOf(fit, spanMs),
    };
  }
  return { kind: 'none', reason: hasWindow ? 'no_steady_trend' : 'too_little_history' };
}

const spanOf = (points: readonly FilesystemPoint[]): number => (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0);

/** Returns the median of each bin. Bins start at fixed times, so one more point changes only the newest bin. */
function binned(points: readonly FilesystemPoint[], windowMs: number): FilesystemPoint[] {
  const binMs = Math.ceil(windowMs / MOST_BINS / 60_000) * 60_000;
  const bins = new Map<number, FilesystemPoint[]>();
  for (const point of points) {
    const bin = Math.floor(point.at / binMs);
    const inBin = bins.get(bin);
    if (inBin) inBin.push(point);
    else bins.set(bin, [point]);
  }
  return [...bins.values()].map((inBin) => ({
    at: mean(inBin.map(({ at }) => at)),
    usedBytes: median(inBin.map(({ usedBytes }) => usedBytes)),
  }));
}

/** Returns sudden changes: deletions, rotations, large copies. */
function jumpsOf(points: readonly FilesystemPoint[], capacityBytes: number): Jump[] {
  const changes = points.slice(1).map((point, index) => ({
    at: point.at,
    bytes: point.usedBytes - (points[index]?.usedBytes ?? point.usedBytes),
  }));
  const usual = median(changes.map(({ bytes }) => Math.abs(bytes)));
  const least = Math.max(capacityBytes * LEAST_JUMP, usual * JUMP_FACTOR);
  const jumps: Jump[] = [];
  for (const { at, bytes } of changes) {
    if (Math.abs(bytes) < least) continue;
    const last = jumps.at(-1);
    if (last && at - last.at <= ONE_JUMP_MS && Math.sign(last.bytes) === Math.sign(bytes)) {
      last.bytes += bytes;
      last.at = at;
    } else jumps.push({ from: at, at, bytes });
  }
  return jumps.filter(({ from, at }) => at - from <= ONE_JUMP_MS);
}

/** Returns the usual time between jumps that repeat, such as rotations of a log; null when none repeats. */
function periodOf(jumps: readonly Jump[]): number | null {
  const periods = [1, -1].flatMap((sign) => {
    const same = jumps.filter(({ bytes }) => Math.sign(bytes) === sign);
    const size = median(same.map(({ bytes }) => Math.abs(bytes)));
    const alike = same.filter(({ bytes }) => Math.abs(bytes) > size / 3 && Math.abs(bytes) < size * 3);
    return alike.length < 2 ? [] : [median(alike.slice(1).map(({ at }, index) => at - (alike[index]?.at ?? at)))];
  });
  return periods.length === 0 ? null : Math.max(...periods);
}

/** Fits a line by Theil–Sen. Pairs on two sides of a jump are not compared, so one deletion does not change the slope. */
function fitOf(bins: readonly FilesystemPoint[], cuts: readonly number[], floor: number): Fit {
  const newest = bins.at(-1)?.at ?? 0;
  const pieceOf = (at: number): number => cuts.filter((cut) => cut <= at).length;
  const pieces = new Map<number, FilesystemPoint[]>();
  for (const bin of bins) pieces.set(pieceOf(bin.at), [...(pieces.get(pieceOf(bin.at)) ?? []), bin]);
  const slope = median([...pieces.values()].flatMap(slopesOf));
  const residuals = [...pieces.values()].flatMap((piece) => {
    const offsets = piece.map(({ at, usedBytes }) => usedBytes - slope * (at - newest));
    const middle = median(offsets);
    return offsets.map((offset, index) => ({ at: piece[index]?.at ?? 0, residual: offset - middle }));
  });
  const spread = median(residuals.map(({ residual }) => Math.abs(residual)));
  const growth = slope * spanOf(bins);
  const most = Math.max(floor, 3 * spread, MOST_BEND * Math.abs(growth));
  const newestResidual = median(residuals.slice(-NEWEST_BINS).map(({ residual }) => residual));
  const isOneTrend =
    Math.abs(newestResidual) <= most && bendOf(residuals) <= Math.max(floor, 2 * spread, MOST_BEND * Math.abs(growth));
  const lastPiece = [...pieces.values()].at(-1) ?? [];
  const recent = lastPiece.filter(({ at }) => at > newest - Math.max(DAY_MS, spanOf(bins) / 8));
  const level = quantile(
    recent.map(({ at, usedBytes }) => usedBytes - slope * (at - newest)),
    0.9,
  );
  return { slope, spread, growth, isOneTrend, level, levelAt: newest };
}

function slopesOf(piece: readonly FilesystemPoint[]): number[] {
  const slopes: number[] = [];
  for (const [index, a] of piece.entries())
    for (const b of piece.slice(index + 1)) slopes.push((b.usedBytes - a.usedBytes) / (b.at - a.at));
  return slopes;
}

/** Returns the largest median deviation of a segment: near zero on a line, large where growth begins, ends or changes. */
function bendOf(residuals: readonly { at: number; residual: number }[]): number {
  const first = residuals[0]?.at ?? 0;
  const length = ((residuals.at(-1)?.at ?? 0) - first) / SEGMENTS;
  const segments = Array.from({ length: SEGMENTS }, (_, index) =>
    residuals.filter(({ at }) => at >= first + index * length && at <= first + (index + 1) * length),
  );
  return Math.max(
    ...segments.filter((each) => each.length > 0).map((each) => Math.abs(median(each.map(({ residual }) => residual)))),
  );
}

function confidenceOf({ growth, spread }: Fit, spanMs: number): ForecastConfidence {
  const noise = spread / growth;
  if (spanMs >= 3 * DAY_MS && noise <= 0.06) return 'high';
  return spanMs >= 12 * HOUR_MS && noise <= 0.2 ? 'medium' : 'low';
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the quantile between its two neighbours; 0 without values. */
function quantile(values: readonly number[], part: number): number {
  const sorted = Float64Array.from(values).toSorted();
  const place = (sorted.length - 1) * part;
  const low = sorted[Math.floor(place)] ?? 0;
  return low + ((sorted[Math.ceil(place)] ?? low) - low) * (place - Math.floor(place));
}
