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

/** Characters of a job's output that are kept. */
const OUTPUT_CHARACTERS = 10_240;

/** Returns the heartbeat of a key; null: none has it. */
export const findHeartbeat = ({ storage }: Pick<Deps, 'storage'>, key: string): Promise<Check | null> =>
  storage.checkResults.byHeartbeatKey(hashHeartbeatKey(key));

/** Stores a call. What was missed before it becomes an outage first, so that no call hides one. */
export async function receiveHeartbeat(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  check: Check,
  call: HeartbeatCall,
): Promise<void> {
  const now = clock.now();
  const { checkResults } = storage;
  const before = (await checkResults.listStates([check.key])).get(check.key);
  if (check.heartbeat === null || before?.heartbeat == null) return;
  const missed = judgeHeartbeat(before.fold, before.heartbeat, check.heartbeat, now);
  const heartbeat = withCall(before.heartbeat, call, now);
  const after = judgeHeartbeat(missed.fold, heartbeat, check.heartbeat, now);
  const changed = [...missed.changes, ...after.changes];
  await checkResults.heartbeat(check.key, heartbeat);
  // If two calls run at once, the later one finds another version. The next look judges the rest.
  if (changed.length > 0)
    await checkResults.judge([{ checkKey: check.key, version: before.version, fold: after.fold, changes: changed }]);
  changes.publish(check.organisationId, { topic: 'alerts', serverId: null });
}

function withCall(before: HeartbeatState, { kind, exitCode, output }: HeartbeatCall, at: number): HeartbeatState {
  const text = cutText(redactText(printableLines(output)), OUTPUT_CHARACTERS);
  const lastCall = { at, kind, exitCode, output: text === '' ? null : text };
  if (kind === 'start') return { ...before, lastCall, startedAt: at };
  const durationMs = before.startedAt === null ? null : at - before.startedAt;
  return { goodAt: kind === 'ok' ? at : before.goodAt, lastCall, startedAt: null, durationMs };
}
