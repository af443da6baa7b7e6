import type { CheckSeriesAnswer } from '@plimsoll/contract/wire/checks/checks';

/** Pure geometry of the chart of phases: times and milliseconds to paths. */

export const PHASES = [
  { key: 'dns_ms', name: 'DNS' },
  { key: 'connect_ms', name: 'Connect' },
  { key: 'tls_ms', name: 'TLS' },
  { key: 'wait_ms', name: 'Wait' },
  { key: 'transfer_ms', name: 'Transfer' },
] as const;
type Point = CheckSeriesAnswer['points'][number];

export interface Plot {
  /** Epoch milliseconds. */
  from: number;
  to: number;
  width: number;
  height: number;
  /** Milliseconds at the top. */
  top: number;
}

const STEPS = [1, 2, 5, 10];
/** Returns the least round number that holds all sums and the line: 1, 2 or 5 times a power of ten. */
export function topOf(points: readonly Point[], lineMs: number | null): number {
  const most = Math.max(1, lineMs ?? 0, ...points.map(({ total_ms: total }) => total ?? 0)) * 1.1;
  const power = 10 ** Math.floor(Math.log10(most));
  return (STEPS.find((step) => step * power >= most) ?? 10) * power;
}

export const xOf = ({ from, to, width }: Plot, at: number): number =>
  ((Math.min(to, Math.max(from, at)) - from) / (to - from)) * width;
export const yOf = ({ height, top }: Plot, ms: number): number =>
  height - (Math.min(top, Math.max(0, ms)) / top) * height;

/** Returns runs of points without a missing bucket: between them the chart is empty. */
export function runsOf(points: readonly Point[], stepSeconds: number): Point[][] {
  const runs: Point[][] = [];
  let last: Point | null = null;
  for (const point of points) {
    if (point.total_ms === null) {
      last = null;
      continue;
    }
    const isNext = last !== null && Date.parse(point.time) - Date.parse(last.time) <= stepSeconds * 2500;
    if (isNext) runs.at(-1)?.push(point);
    else runs.push([point]);
    last = point;
  }
  return runs;
}

/** Returns the stretches whose p95 is past the line, as first and last time, epoch milliseconds. */
export function slowStretches(
  points: readonly Point[],
  stepSeconds: number,
  lineMs: number | null,
): [number, number][] {
  if (lineMs === null) return [];
  const slow = points.filter(({ p95_ms: p95 }) => p95 !== null && p95 >= lineMs);
  return runsOf(slow, stepSeconds).map((run) => [
    Date.parse(run[0]?.time ?? ''),
    Date.parse(run.at(-1)?.time ?? '') + stepSeconds * 1000,
  ]);
}

/** Returns the area of one phase on top of those below it. */
export function areaPath(run: readonly Point[], phase: number, plot: Plot): string {
  const sum = (point: Point, count: number): number =>
    PHASES.slice(0, count).reduce((total, { key }) => total + (point[key] ?? 0), 0);
  const at = (point: Point): number => xOf(plot, Date.parse(point.time));
  const text = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const upper = run.map((point) => text(at(point), yOf(plot, sum(point, phase + 1))));
  const lower = run.toReversed().map((point) => text(at(point), yOf(plot, sum(point, phase))));
  return `M${[...upper, ...lower].join('L')}Z`;
}
