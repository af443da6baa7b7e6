/** Geometry of a chart: pure, in px from the corner of the plot, y growing downwards. Times are epoch seconds. */

export interface ChartPoint {
  at: number;
  /** Null is a gap: neighbours are not joined over it. */
  avg: number | null;
  min?: number | null;
  max?: number | null;
  /** Source of the point, where it differs from the rest: "Prometheus". */
  source?: string;
  /** Set on a sum or mean that lacks servers: "31 of 36 reported". */
  lacking?: string;
}

/** A plot of so many px, and where a moment or a value stands in it. */
export interface Plot {
  from: number;
  to: number;
  yMax: number;
  width: number;
  height: number;
  x: (at: number) => number;
  /** Values beyond the scale stand at its edge. */
  y: (value: number) => number;
  timeAt: (x: number) => number;
}

/** A scale of the chart library: from a domain to px of the whole drawing. */
interface Scale {
  (value: number): number;
  domain: () => number[];
  invert: (px: number) => number;
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

const round = (value: number) => Math.round(value * 10) / 10;
const within = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value));

/** The plot of two linear scales and the area they draw into. */
export function plotOf(xScale: Scale, yScale: Scale, { left, top, width, height }: Area): Plot {
  const [from = 0, to = 0] = xScale.domain();
  const yMax = yScale.domain()[1] ?? 0;
  return {
    from,
    to,
    yMax,
    width,
    height,
    x: (at) => round(xScale(at) - left),
    y: (value) => round(yScale(within(0, value, yMax)) - top),
    timeAt: (x) => xScale.invert(left + within(0, x, width)),
  };
}

/** Stretches of points that belong together: no null between them. */
function stretches<T>(points: readonly ChartPoint[], pick: (point: ChartPoint) => T | null): T[][] {
  const found: T[][] = [];
  let open: T[] | null = null;
  for (const point of points) {
    const picked = pick(point);
    if (picked === null) open = null;
    else if (open === null) found.push((open = [picked]));
    else open.push(picked);
  }
  return found;
}

const trace = (run: readonly (readonly [number, number])[]) =>
  run.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');

/** Points without a known neighbour, to be drawn thick: a line of 1.5 px would hide them. */
export function lonePath(plot: Plot, points: readonly ChartPoint[]): string {
  return stretches(points, ({ at, avg }) => (avg === null ? null : ([plot.x(at), plot.y(avg)] as const)))
    .filter((run) => run.length === 1)
    .map((run) => `${trace(run)}h0`)
    .join('');
}

/** Lowest to highest of each bucket as closed shapes: a spike survives any range. */
export function bandPath(plot: Plot, points: readonly ChartPoint[]): string {
  const shape = ({ at, min, max }: ChartPoint) =>
    min === null || min === undefined || max === null || max === undefined
      ? null
      : { x: plot.x(at), top: plot.y(max), foot: plot.y(min) };
  return stretches(points, shape)
    .filter((run) => run.length > 1)
    .map((run) => {
      const top = run.map(({ x, top: y }) => [x, y] as const);
      const foot = run.toReversed().map(({ x, foot: y }) => [x, y] as const);
      return `${trace([...top, ...foot])}Z`;
    })
    .join('');
}

/** The point nearest to a moment, by halving; null when there are none. `points` grow in time. */
export function nearestPoint(points: readonly ChartPoint[], at: number): ChartPoint | null {
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const after = points[low];
  const before = points[low - 1];
  if (!after || !before) return after ?? null;
  return at - before.at < after.at - at ? before : after;
}

/** A round number at or above `value`: 1, 2, 2.5 or 5 times a power of ten; 1 when there is nothing. */
export function niceMax(value: number): number {
  if (!Number.isFinite(value) || value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 4, 5, 10].map((factor) => factor * power).find((step) => step >= value * 0.999_999) ?? value;
}

/** Highest value of any series, bands too; null when all are unknown. */
export function highest(all: readonly (readonly ChartPoint[])[]): number | null {
  let top: number | null = null;
  for (const points of all) {
    for (const { avg, max } of points) {
      const value = max ?? avg;
      if (value !== null && (top === null || value > top)) top = value;
    }
  }
  return top;
}

/** Numbers on the left edge: nought and even steps, without those a drawn line already names. */
export function valueTicks(yMax: number, count: number, taken: readonly number[] = []): number[] {
  const step = yMax / count;
  return Array.from({ length: count + 1 }, (_, index) => step * index).filter(
    (tick) => !taken.some((line) => Math.abs(line - tick) < yMax * 0.09),
  );
}

/** One series as the chart library takes it: moments and values, with null for a gap, which is not joined. */
export function chartLine(points: readonly ChartPoint[], yMax: number) {
  return {
    moments: points.map(({ at }) => at),
    // A value beyond the scale is drawn at its edge; the library would leave the plot.
    values: points.map(({ avg }) => (avg === null ? null : Math.min(yMax, Math.max(0, avg)))),
  };
}
