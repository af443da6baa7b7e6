import type { TimeseriesAnswer, TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import { everyAnswer } from './every-answer.ts';

const STEP_SECONDS = 600;
const DAY_SECONDS = 86_400;
const STEPS = DAY_SECONDS / STEP_SECONDS;
/** End of the series, epoch seconds: a whole step at or before now. */
export const SERIES_END = Math.floor(Date.now() / 1000 / STEP_SECONDS) * STEP_SECONDS;

const FILLED = everyAnswer('/api/data/metrics/timeseries', Date.now()) as TimeseriesAnswer;
const band = (value: number | null) => ({ avg: value, min: value, max: value });
const pointAt = (timestamp: number, value: number | null): TimeseriesPoint => ({
  ...(FILLED.timeseries[0] as TimeseriesPoint),
  timestamp,
  time: new Date(timestamp * 1000).toISOString(),
  cpu: value,
  memory: value,
  disk: value,
  bands: { cpu: band(value), memory: band(value), disk: band(value), io_wait: band(value), iops: band(value) },
  count: value === null ? 0 : 10,
});

interface DayOptions {
  /** Whole days before now that the series ends. */
  daysAgo?: number;
  /** True for moments without a report, in hours before the end. */
  silent?: (hoursAgo: number) => boolean;
}

/** A day in steps of ten minutes in which every figure is `value`. */
export function daySeries(value: number, { daysAgo = 0, silent = () => false }: DayOptions = {}): TimeseriesAnswer {
  const to = SERIES_END - daysAgo * DAY_SECONDS;
  const from = to - DAY_SECONDS;
  const timeseries = Array.from({ length: STEPS + 1 }, (_, step) => {
    const at = from + step * STEP_SECONDS;
    return pointAt(at, silent((to - at) / 3600) ? null : value);
  });
  return { ...FILLED, timeseries, bucket_seconds: STEP_SECONDS, from, to, gaps: [] };
}
