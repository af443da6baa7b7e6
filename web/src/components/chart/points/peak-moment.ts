import type { TimeseriesAnswer, TimeseriesPeak } from '@plimsoll/contract/wire/metrics';
import { spanText } from './series-shape.ts';
import { momentName } from './chart-ticks.ts';

type Peaks = TimeseriesAnswer['peaks'];
type Peaked = keyof NonNullable<Peaks>;

const isPeaked = (name: string, peaks: NonNullable<Peaks>): name is Peaked => Object.hasOwn(peaks, name);

/** Returns the highest moment of a figure; null if the API does not answer one. */
export const peakOfFigure = (peaks: Peaks, name: string): TimeseriesPeak | null =>
  peaks !== undefined && isPeaked(name, peaks) ? peaks[name] : null;

/** Rollups of this length still name the minutes of a peak. */
const NAMED_BY_MINUTE_SECONDS = 300;

/** "03:12", or "03:00–04:00" where only hours are stored. `span`: seconds that the chart shows. */
export const peakTime = ({ timestamp, step_seconds: step }: TimeseriesPeak, span: number): string =>
  step <= NAMED_BY_MINUTE_SECONDS ? momentName(timestamp, span) : spanText(timestamp, timestamp + step, span);

/** Returns the second at which the list of processes of a peak was stored, or the end of its rollup. */
export const peakSecond = ({ timestamp, step_seconds: step }: TimeseriesPeak): number => Math.ceil(timestamp + step);

/** Returns true if the peak lies in the bucket that begins at `bucket`. */
const isInBucket = ({ timestamp }: TimeseriesPeak, bucket: number, bucketSeconds: number): boolean =>
  timestamp >= bucket && timestamp < bucket + bucketSeconds;

/** Draws the bucket of a peak at the moment of the peak: its start is up to hours before a spike. */
export const movedToPeak = <P extends { at: number }>(
  points: readonly P[],
  peak: TimeseriesPeak | null,
  bucketSeconds: number,
): P[] =>
  points.map((point) =>
    peak !== null && isInBucket(peak, point.at, bucketSeconds) ? { ...point, at: peak.timestamp } : point,
  );

/** Returns the moment of the peak if someone picked its bucket; else the moment that was picked. Epoch seconds. */
export const pickedMoment = (at: number, peak: TimeseriesPeak | null, bucketSeconds: number): number =>
  peak !== null && isInBucket(peak, Math.floor(at / bucketSeconds) * bucketSeconds, bucketSeconds)
    ? peakSecond(peak)
    : at;
