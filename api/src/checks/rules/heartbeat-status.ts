import type { HeartbeatState, Schedule } from '../types.ts';
import { nextRun } from './cron-schedule.ts';
import type { CheckFold, FoldChange } from './fold.ts';

/** A clock that is a little fast lets a short job call before its time. Such a call is not the miss of that time. */
const EARLY_MS = 30_000;

/** Returns when the next call is due, in milliseconds; null: the schedule has no next run. */
export const dueAt = (schedule: Schedule, { goodAt }: HeartbeatState): number | null =>
  schedule.kind === 'interval'
    ? goodAt + schedule.seconds * 1000
    : nextRun(schedule.expression, schedule.zone, goodAt + EARLY_MS);

const changeTo = (status: FoldChange['status'], at: number, reason: string | null): FoldChange => ({
  status,
  at,
  reason,
  httpStatus: null,
  phase: null,
  failed: status === 'down' ? 1 : 0,
  voted: status === 'unknown' ? 0 : 1,
});

/** A heartbeat is down from the end of its grace, or from a call that reports a failure, to its next good call. */
export function judgeHeartbeat(
  fold: CheckFold,
  state: HeartbeatState,
  { schedule, graceSeconds }: { schedule: Schedule; graceSeconds: number },
  now: number,
): { fold: CheckFold; changes: FoldChange[] } {
  const due = dueAt(schedule, state);
  const missedAt = due === null ? Infinity : due + graceSeconds * 1000;
  const { lastCall } = state;
  const failed = lastCall?.kind === 'fail' ? lastCall.at : null;
  const change = (() => {
    if (failed !== null && failed <= missedAt)
      return fold.status === 'down' ? null : changeTo('down', failed, 'job_failed');
    if (now >= missedAt) return fold.status === 'down' ? null : changeTo('down', missedAt, 'heartbeat_missed');
    // A start says nothing about how the job ends: what failed before it stays failed.
    if (lastCall?.kind === 'start' && fold.reason === 'job_failed') return null;
    // Before the first call nothing is known.
    if (lastCall === null || lastCall.kind === 'start')
      return fold.status === 'down' ? changeTo('up', state.goodAt, null) : null;
    return fold.status === 'up' ? null : changeTo('up', state.goodAt, null);
  })();
  if (change === null) return { fold: { ...fold, foldedTo: now }, changes: [] };
  const at = Math.max(fold.since, change.at);
  return {
    fold: { ...fold, status: change.status, since: at, foldedTo: now, reason: change.reason },
    changes: [{ ...change, at }],
  };
}
