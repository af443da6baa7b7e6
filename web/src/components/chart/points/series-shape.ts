import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import type { NetworkPoint } from '@plimsoll/contract/wire/network';
import type { Gap, TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import type { GapReason } from '@plimsoll/contract/rules/limits';
import { highest, niceMax } from './chart-shape.ts';
import type { ChartPoint } from './chart-shape.ts';
import { megabytesPerSecond } from '../../../format/figures.ts';
import { clockTime, dayAndTime } from '../../../time/zone.ts';

export type BandName = keyof TimeseriesPoint['bands'];

const NO_BAND = { avg: null, min: null, max: null };

/** Says of a bucket over several servers that some did not report in it. */
export function lackingOf({
  servers_reported: reported,
  servers_installed: installed,
}: Pick<TimeseriesPoint, 'servers_reported' | 'servers_installed'>): { lacking?: string } {
  if (reported == null || installed == null || reported === 0 || reported >= installed) return {};
  return { lacking: `${String(reported)} of ${String(installed)} reported` };
}

/** One metric of the answer as points with their bands. */
export const bandPoints = (points: readonly TimeseriesPoint[], name: BandName): ChartPoint[] =>
  points.map((point) => ({ at: point.timestamp, ...(point.bands[name] ?? NO_BAND), ...lackingOf(point) }));

const rate = (value: number | null) => (value === null ? null : megabytesPerSecond(value));

/** Inbound or outbound in MB/s. */
export const ratePoints = (points: readonly NetworkPoint[], side: 'inbound' | 'outbound'): ChartPoint[] =>
  points.map((point) => ({
    at: point.timestamp,
    avg: rate(point[`${side}_bytes_per_sec`]),
    min: rate(point[`${side}_min`]),
    max: rate(point[`${side}_max`]),
    ...lackingOf(point),
  }));

/** Smallest top of the axis: below it, the chart of a quiet network would magnify measuring noise. */
const LEAST_RATE_TOP = 0.02;
/** Returns the top of the axis of rates in MB/s. */
export const rateTop = (all: readonly (readonly ChartPoint[])[]): number =>
  niceMax(Math.max(LEAST_RATE_TOP, highest(all) ?? 1));
/** A tick of such an axis, all of its places: "0.005", "0.0625", "2.5", "40". */
export const rateTick = (value: number): string => String(Number(value.toFixed(4)));

const REASON: Record<GapReason, string> = {
  host_off: 'host off',
  rebooted: 'host restarted',
  agent_stopped: 'agent stopped',
  suspended: 'host suspended',
  link_lost: 'link lost',
  server_down: 'dashboard was down',
  dropped: 'samples dropped',
  unexplained: 'unknown cause',
  silent: 'still silent',
};
/** A range of 24 h is up to an hour longer, because it begins and ends with whole buckets. */
const UNDATED_SECONDS = DAY_SECONDS + 3600;

/** "06:41–07:52", with days when it lasts, or stands in a range that lasts, longer than one. */
export function spanText(from: number, to: number, rangeSeconds = to - from): string {
  const name = Math.max(rangeSeconds, to - from) > UNDATED_SECONDS ? dayAndTime : clockTime;
  return `${name(from * 1000)}–${name(to * 1000)}`;
}

/** A gap as the chart draws it: its times and its reason, and the details of the reason on hover. */
export function chartGap({ from, to, reason, detail }: Gap, rangeSeconds?: number) {
  const span = spanText(from, to, rangeSeconds);
  const why = detail === '' ? REASON[reason] : `${REASON[reason]}: ${detail}`;
  const shortLabel = `no reports ${span}`;
  return { from, to, label: `${shortLabel}, ${REASON[reason]}`, shortLabel, words: `No reports ${span} (${why})` };
}

/** The gaps of an answer, with dates if its range has more than a day. */
export const chartGaps = ({ from, to, gaps }: { from: number; to: number; gaps: readonly Gap[] }) =>
  gaps.map((gap) => chartGap(gap, to - from));

/** The highest moment of a series; null when nothing is known. */
export function peakOf(points: readonly ChartPoint[]): { value: number; at: number } | null {
  return points.reduce<{ value: number; at: number } | null>((peak, { at, avg, max }) => {
    const value = max ?? avg;
    return value === null || (peak !== null && peak.value >= value) ? peak : { value, at };
  }, null);
}

/** When the present stretch at or over the line began (epoch seconds); null when the last known point is below. */
export function overSince(points: readonly ChartPoint[], line: number): number | null {
  let since: number | null = null;
  for (const { at, avg } of points) {
    if (avg === null) continue;
    since = avg < line ? null : (since ?? at);
  }
  return since;
}

const STATES = [
  { id: 'connections_established', label: 'Established', colour: 1 },
  { id: 'connections_listen', label: 'Listen', colour: 2 },
  { id: 'connections_time_wait', label: 'Time wait', colour: 3 },
  { id: 'connections_close_wait', label: 'Close wait', colour: 4 },
  { id: 'connections_syn_sent', label: 'SYN sent', colour: 5 },
  { id: 'connections_syn_recv', label: 'SYN recv', colour: 6 },
] as const;

/** One series for each state of a connection. */
export const connectionSeries = (points: readonly NetworkPoint[]) =>
  STATES.map((state) => ({
    ...state,
    points: points.map((point) => ({ at: point.timestamp, avg: point[state.id], ...lackingOf(point) })),
  }));
