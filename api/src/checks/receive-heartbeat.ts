import { redactText } from '@plimsoll/contract/redaction/text';
import { cutText, printableLines } from '@plimsoll/contract/rules/printable-text';
import type { Deps } from '../deps.ts';
import { hashHeartbeatKey } from './create-check.ts';
import { judgeHeartbeat } from './rules/heartbeat-status.ts';
import type { Check, HeartbeatState } from './types.ts';

export interface HeartbeatCall {
  kind: 'ok' | 'start' | 'fail';
  exitCode: number | null;
  /** The body as text; empty: there was none. */
  output: string;
}

/** Characters of a job's output that are kept: all that the route reads, and its note about the rest. */
const OUTPUT_CHARACTERS = 10_400;

/** Returns the heartbeat of a key; null: none has it. */
export const findHeartbeat = ({ storage }: Pick<Deps, 'storage'>, key: string): Promise<Check | null> =>
  storage.checkResults.byHeartbeatKey(hashHeartbeatKey(key));

/** Stores a call. What was missed before it becomes an outage first, so that no call hides one. */
export async function receiveHeartbeat(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  check: Check,
  call: HeartbeatCall,
): Promise<void> {
  const { heartbeat: wanted } = check;
  if (wanted === null) return;
  const hasChanged = await storage.checkResults.changeHeartbeat(check.key, (before) => {
    // With the state that it changes, so that of two calls at once the one stored later has the later time.
    const now = clock.now();
    if (before.heartbeat === null) return null;
    const missed = judgeHeartbeat(before.fold, before.heartbeat, wanted, now);
    const heartbeat = withCall(before.heartbeat, call, now);
    const after = judgeHeartbeat(missed.fold, heartbeat, wanted, now);
    return { heartbeat, fold: after.fold, changes: [...missed.changes, ...after.changes] };
  });
  // Most calls change nothing that others see: thousands of jobs would make every open page reload.
  if (hasChanged) changes.publish(check.organisationId, { topic: 'alerts', serverId: null });
}

function withCall(before: HeartbeatState, { kind, exitCode, output }: HeartbeatCall, at: number): HeartbeatState {
  const text = cutText(redactText(printableLines(output)), OUTPUT_CHARACTERS);
  const lastCall = { at, kind, exitCode, output: text === '' ? null : text };
  if (kind === 'start') return { ...before, lastCall, startedAt: at };
  const durationMs = before.startedAt === null ? null : at - before.startedAt;
  return { goodAt: kind === 'ok' ? at : before.goodAt, lastCall, startedAt: null, durationMs };
}
