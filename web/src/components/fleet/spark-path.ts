export interface SparkPoint {
  /** Any unit of time, growing. */
  at: number;
  /** Per cent; null is a gap and is not joined. */
  value: number | null;
}

interface Box {
  width: number;
  height: number;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** Runs of neighbouring points for which `keep` holds. */
function runs<T>(items: readonly T[], keep: (item: T) => boolean): T[][] {
  const found: T[][] = [];
  let open: T[] | null = null;
  for (const item of items) {
    if (!keep(item)) open = null;
    else if (open) open.push(item);
    else found.push((open = [item]));
  }
  return found;
}

interface Drawn {
  x: number;
  value: number;
}

/** The run with a point more wherever it crosses the line: without it a single point over the line has no length. */
const withCrossings = (run: readonly Drawn[], line: number): Drawn[] =>
  run.flatMap((point, index) => {
    const before = run[index - 1];
    if (before === undefined || before.value < line === point.value < line) return [point];
    const share = (line - before.value) / (point.value - before.value);
    return [{ x: round(before.x + share * (point.x - before.x)), value: line }, point];
  });

/** The drawn range is 0–100 per cent, whatever the values: a percentage is never scaled by its own data. */
export function sparkPaths(points: readonly SparkPoint[], line: number, { width, height }: Box) {
  const first = points[0]?.at ?? 0;
  const span = Math.max(1, (points.at(-1)?.at ?? 1) - first);
  const y = (value: number) => round(height - (Math.min(100, Math.max(0, value)) / 100) * height);
  const known = runs(
    points.map(({ at, value }) => ({ x: round(((at - first) / span) * width), value })),
    (point): boolean => point.value !== null,
  ) as Drawn[][];
  const path = (run: Drawn[]) =>
    run.map(({ x, value }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y(value)}`).join('');
  const lift = (run: Drawn[]) => runs(withCrossings(run, line), ({ value }) => value >= line);
  return {
    curve: known.map(path).join(''),
    over: known.flatMap(lift).map(path).join(''),
    area: known.map((run) => `${path(run)}L${run.at(-1)?.x ?? 0} ${height}L${run[0]?.x ?? 0} ${height}Z`).join(''),
    lineY: y(line),
  };
}
