import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import type { ChartPoint } from '../../components/chart/points/chart-shape.ts';
import type { TimeRange } from '../../time/range.ts';

/** A day and what its ends are rounded to. */
const A_DAY_AT_MOST = DAY_SECONDS + 2 * 3600;

/** Returns the earlier range to compare with: the day before for a day or less, else the week before. */
export function comparison({ from, to }: { from: number; to: number }) {
  return to - from <= A_DAY_AT_MOST
    ? { shiftSeconds: DAY_SECONDS, name: 'yesterday' as const }
    : { shiftSeconds: 7 * DAY_SECONDS, name: 'last week' as const };
}

/** The same stretch so many seconds earlier. */
export const earlier = ({ from, to }: { from: number; to: number }, shiftSeconds: number): TimeRange => ({
  kind: 'absolute',
  from: from - shiftSeconds,
  to: to - shiftSeconds,
});

/** Averages of then under the moments of now; without bands, which would hide the present. */
export const asOfNow = (points: readonly ChartPoint[], shiftSeconds: number): ChartPoint[] =>
  points.map(({ at, avg }) => ({ at: at + shiftSeconds, avg }));
