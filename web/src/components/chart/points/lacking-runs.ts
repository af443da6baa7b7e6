import type { ChartPoint } from './chart-shape.ts';

/** A stretch of a sum or mean in which servers are missing, epoch seconds. */
interface LackingRun {
  from: number;
  to: number;
  /** Text of the bucket with the fewest servers: "29 of 36 reported". */
  fewest: string;
}

/** Numbers of two such words are compared by the servers that reported. */
const reportedIn = (words: string): number => Number.parseInt(words, 10);

/** Returns the stretches of neighbouring buckets that lack servers, each half a bucket wider than its moments. */
export function lackingRuns(points: readonly ChartPoint[]): LackingRun[] {
  const [first, second] = points;
  if (first === undefined) return [];
  const half = second === undefined ? 0 : (second.at - first.at) / 2;
  const runs: LackingRun[] = [];
  let open: LackingRun | null = null;
  for (const { at, lacking } of points) {
    if (lacking === undefined) open = null;
    else if (open === null) runs.push((open = { from: at - half, to: at + half, fewest: lacking }));
    else {
      open.to = at + half;
      if (reportedIn(lacking) < reportedIn(open.fewest)) open.fewest = lacking;
    }
  }
  return runs;
}
