/** Stored state of the whole installation's ingest. Times are epoch milliseconds. */
export interface IngestWatchState {
  /** A replica last ran then. */
  seenAt: number;
  /** The newest report of any server arrived then; null: none ever did. */
  receivedAt: number | null;
  /** No server is judged silent before. */
  pausedUntil: number;
}

/** A replica looks this often. */
export const LOOK_EVERY_MS = 15_000;
/** Longer without a look of any replica means that the API was away. */
const MOST_UNSEEN_MS = 2.5 * LOOK_EVERY_MS;
const PAUSE_INTERVALS = 2;
/** A report may be this late, in intervals, before it counts as a gap of the installation. */
const LATE_INTERVALS = 1.5;
/** A collector waits at most this long after its last failed attempt. */
const LONGEST_BACKOFF_MS = 301_000;

/**
 * Returns how long servers need to report again after a gap: two intervals. After a longer gap collectors wait longer
 * between two attempts, so the pause is as long as the gap, up to the longest wait of a collector.
 */
const pauseMs = (gapMs: number, intervalMs: number): number =>
  Math.max(PAUSE_INTERVALS * intervalMs, Math.min(gapMs, LONGEST_BACKOFF_MS));

/** Returns when servers are judged again after the gap of an account's servers that ended at `end`. */
export const pausedAfter = (gap: { from: number; end: number }, intervalMs: number): number =>
  gap.end + pauseMs(gap.end - gap.from, intervalMs);

/**
 * Returns the state after a look. A gap begins a pause when it ends: a time without any replica, or a time without any
 * report. A gap that lasts begins none, because its servers are silent. `before` null: the first look ever.
 */
export function nextIngestWatch(
  before: IngestWatchState | null,
  look: { now: number; receivedAt: number | null },
  intervalMs: number,
): IngestWatchState {
  const { now, receivedAt } = look;
  const unseenMs = before === null ? LONGEST_BACKOFF_MS : now - before.seenAt;
  const pauses = [before?.pausedUntil ?? 0];
  if (unseenMs > MOST_UNSEEN_MS) pauses.push(now + pauseMs(unseenMs, intervalMs));
  if (before?.receivedAt != null && receivedAt !== null) {
    const gapMs = receivedAt - before.receivedAt;
    // The stored time is that of the previous look: reports may have arrived since.
    if (gapMs > LATE_INTERVALS * intervalMs + Math.max(0, unseenMs))
      pauses.push(receivedAt + pauseMs(gapMs, intervalMs));
  }
  // A clock that was set back must not prolong a pause.
  const longest = now + Math.max(LONGEST_BACKOFF_MS, PAUSE_INTERVALS * intervalMs);
  return { seenAt: now, receivedAt, pausedUntil: Math.min(Math.max(...pauses), longest) };
}
