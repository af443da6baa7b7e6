import { NO_VOTE_REASONS } from '@plimsoll/contract/rules/check-limits';

/**
 * The state machine of a check: results of its places in the order of their times become "up", "down" and "unknown" with
 * exact times. Pure: the same results give the same outages, whenever they arrive. Times are epoch milliseconds.
 */

export interface FoldRule {
  /** Places that must fail. */
  needed: number;
  /** A place votes "down" after this many failures in a row beyond the first. */
  retries: number;
  /** A place without a result for this long does not vote. */
  freshMs: number;
}

export interface FoldEvent {
  place: number;
  at: number;
  /** null: the place says nothing about the target. */
  ok: boolean | null;
  reason: string | null;
  status: number | null;
  phase: string | null;
}

export interface PlaceVote {
  at: number;
  ok: boolean | null;
  /** Failures in a row. */
  fails: number;
  /** The first of them; null: the last result was good. */
  failingSince: number | null;
  reason: string | null;
  status: number | null;
  phase: string | null;
}

type CheckStatus = 'up' | 'down' | 'unknown';
export interface CheckFold {
  status: CheckStatus;
  since: number;
  /** By key of the place. */
  places: Record<string, PlaceVote>;
  /** Every event up to here is in it. */
  foldedTo: number;
  /** Revision of the check that the votes are about. Absent: none has voted. */
  rev?: number;
  /** Why it is down; absent: it is not, or the places say it. */
  reason?: string | null;
}

/** A change of the status at its exact time. */
export interface FoldChange {
  status: CheckStatus;
  at: number;
  reason: string | null;
  httpStatus: number | null;
  phase: string | null;
  failed: number;
  voted: number;
}

/** A new check is unknown until enough places have voted. */
export const newFold = (at: number): CheckFold => ({ status: 'unknown', since: at, places: {}, foldedTo: at });

/** A place votes for three intervals and the longest run after its last result. */
export const freshMsOf = (intervalSeconds: number, timeoutMs: number): number => 3 * intervalSeconds * 1000 + timeoutMs;

interface Verdict {
  status: CheckStatus;
  failing: PlaceVote[];
  voted: number;
}

/** Returns what the votes say at a moment. Fewer votes than needed are "unknown", never "down". */
export function judge(places: Readonly<Record<string, PlaceVote>>, rule: FoldRule, at: number): Verdict {
  const votes = Object.values(places).filter((vote) => vote.ok !== null && vote.at + rule.freshMs > at);
  const failing = votes.filter(({ fails }) => fails > rule.retries);
  const voted = votes.length;
  if (voted < rule.needed) return { status: 'unknown', failing, voted };
  return { status: failing.length >= rule.needed ? 'down' : 'up', failing, voted };
}

/** Adds events and the passing of time up to `to`. Events that are older than the last fold of their place are ignored. */
export function advance(
  before: CheckFold,
  rule: FoldRule,
  events: readonly FoldEvent[],
  to: number,
): { fold: CheckFold; changes: FoldChange[] } {
  const places: Record<string, PlaceVote> = { ...before.places };
  const fold: CheckFold = { ...before, places, foldedTo: Math.max(before.foldedTo, to) };
  const changes: FoldChange[] = [];
  const look = (at: number): void => {
    const verdict = judge(places, rule, at);
    if (verdict.status === fold.status) return;
    const change = changeOf(verdict, rule, Math.max(fold.since, at), fold.since);
    changes.push(change);
    fold.status = change.status;
    fold.since = change.at;
  };
  let last = before.foldedTo;
  /** A vote ends at a moment of its own, which no event marks. */
  const expireBefore = (limit: number): void => {
    for (;;) {
      const ends = Object.values(places)
        .map((vote) => vote.at + rule.freshMs)
        .filter((end) => end > last && end < limit);
      if (ends.length === 0) return;
      last = Math.min(...ends);
      look(last);
    }
  };
  const fresh = events.filter(({ at, place }) => at <= to && at > (before.places[place]?.at ?? -Infinity));
  const moments = [...Map.groupBy(fresh, ({ at }) => at)].toSorted(([a], [b]) => a - b);
  for (const [at, together] of moments) {
    expireBefore(at);
    last = Math.max(last, at);
    // One look at all that happens at one moment: in between the check is in no state.
    for (const event of together) places[event.place] = withEvent(places[event.place], event);
    look(last);
  }
  expireBefore(to + 1);
  return { fold, changes };
}

function withEvent(before: PlaceVote | undefined, { at, ok, reason, status, phase }: FoldEvent): PlaceVote {
  const noVote = ok === null || (!ok && reason !== null && NO_VOTE_REASONS.includes(reason));
  if (noVote) return { at, ok: null, fails: 0, failingSince: null, reason, status, phase };
  if (ok) return { at, ok, fails: 0, failingSince: null, reason: null, status, phase: null };
  const fails = (before?.fails ?? 0) + 1;
  return { at, ok, fails, failingSince: before?.failingSince ?? at, reason, status, phase };
}

/** An outage begins when the last of the needed places failed first, so retries do not shorten it. */
function changeOf({ status, failing, voted }: Verdict, rule: FoldRule, at: number, since: number): FoldChange {
  const base = { status, failed: failing.length, voted, reason: null, httpStatus: null, phase: null };
  if (status !== 'down') return { ...base, at };
  const begins = failing.map(({ failingSince }) => failingSince ?? at).toSorted((a, b) => a - b);
  const began = begins[rule.needed - 1] ?? at;
  const [first] = failing.toSorted((a, b) => (a.failingSince ?? 0) - (b.failingSince ?? 0));
  return {
    ...base,
    at: Math.max(since, Math.min(at, began)),
    reason: first?.reason ?? null,
    httpStatus: first?.status ?? null,
    phase: first?.phase ?? null,
  };
}
