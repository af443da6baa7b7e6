/** Times are epoch milliseconds. */

/** A stretch in which a target was bad. */
export interface Truth {
  from: number;
  to: number | null;
  /** As many places as are needed could see it for two intervals. */
  isSeen: boolean;
}
export interface Found {
  kind: 'down' | 'unknown';
  began: number;
  ended: number | null;
}
/** The text of a page at a moment. */
export interface Sample {
  at: number;
  status: string;
  needed: number;
  votes: { vote: string; reason: string | null }[];
}
interface Seen {
  truths: readonly Truth[];
  outages: readonly Found[];
  samples: readonly Sample[];
}

/** Two clocks and the time of a request. */
const TOLERANCE_MS = 2000;

/**
 * Returns what was wrong, in words. `lingerMs`: the longest time that the votes of a place count after its last result, and
 * until the next one is judged.
 */
export function problemsOf(name: string, { truths, outages, samples }: Seen, lingerMs: number): string[] {
  const isTrueAt = (at: number, after = 0): boolean =>
    truths.some(({ from, to }) => at >= from - TOLERANCE_MS && (to === null || at <= to + after + TOLERANCE_MS));
  const problems: string[] = [];
  const down = outages.filter(({ kind }) => kind === 'down');
  for (const { began, ended } of down) {
    if (!isTrueAt(began)) problems.push(`${name}: a false outage began at ${new Date(began).toISOString()}`);
    else if (ended !== null && !isTrueAt(ended, lingerMs))
      problems.push(`${name}: an outage ended ${new Date(ended).toISOString()}, long after its target was good`);
  }
  for (const { from, to, isSeen } of truths)
    if (
      isSeen &&
      !down.some(({ began }) => began >= from - TOLERANCE_MS && (to === null || began <= to + TOLERANCE_MS))
    )
      problems.push(`${name}: the outage from ${new Date(from).toISOString()} was missed`);
  const wrong = samples.filter(({ at, status }) => status === 'down' && !isTrueAt(at, lingerMs));
  if (wrong.length > 0) problems.push(`${name}: ${String(wrong.length)} answers said down while the target was good`);
  const silent = samples.filter(({ votes }) => votes.some(({ vote, reason }) => vote === 'none' && reason === null));
  if (silent.length > 0) problems.push(`${name}: ${String(silent.length)} answers had a gap without a reason`);
  return problems;
}
