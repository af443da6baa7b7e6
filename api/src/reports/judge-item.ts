import { hash } from 'node:crypto';
import { reportItem, type Report } from '@plimsoll/contract/wire/report';
import type { AcceptedItem } from './types.ts';
import { protectReport } from './protect-privacy.ts';
import type { Redactor } from './redactor.ts';
import { sampleTime, type Arrival } from './sample-time.ts';
import { sanitizeTree } from './sanitize.ts';

export interface RejectedItem {
  /** null when the item carried none that could be read. */
  seq: number | null;
  index: number;
  code: 'invalid_item' | 'kind_unknown' | 'time_out_of_range' | 'seq_repeated';
  /** Names the field at fault; values are not echoed. */
  detail: string;
}
export type Verdict = { accepted: AcceptedItem } | { rejected: RejectedItem };

const KINDS: readonly unknown[] = [reportItem.shape.kind.value];

/** Judges one item on its own: a bad one never costs its neighbours. `isPlain`: its document `isPlainJson`. */
export function judgeItem(raw: unknown, index: number, arrival: Arrival, redactor: Redactor, isPlain = false): Verdict {
  const clean = sanitizeTree(raw, isPlain);
  const seq = seqOf(clean);
  const reject = (code: RejectedItem['code'], detail: string): Verdict => ({ rejected: { seq, index, code, detail } });
  const kind = fieldOf(clean, 'kind');
  if (typeof kind === 'string' && !KINDS.includes(kind))
    return reject('kind_unknown', `kind: "${kind}" is not supported`);
  const parsed = reportItem.safeParse(clean);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = issue?.path.map(String).join('.') ?? '';
    return reject('invalid_item', `${path || 'item'}: ${issue?.message ?? 'not valid'}`.slice(0, 200));
  }
  const { ts, up, boot_id: bootId } = parsed.data;
  const sampleAt = sampleTime({ ts, up, bootId }, arrival);
  if (sampleAt === null)
    return reject('time_out_of_range', 'ts: more than 26 h in the past or 5 min ahead of the server');
  return {
    accepted: {
      seq: parsed.data.seq,
      sampleAt,
      up,
      bootId: bootId ?? arrival.bootId,
      contentHash: fingerprint(parsed.data),
      report: protectReport(parsed.data, redactor),
    },
  };
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? (value as Record<string, unknown>)[name] : undefined;

function seqOf(value: unknown): number | null {
  const seq = fieldOf(value, 'seq');
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? seq : null;
}

/**
 * Tells a replay from a second writer on the same stream. Only what a collector never changes between two sends goes
 * in: lists may have been thinned in its spool, and `boot_id` depends on when it is sent.
 */
function fingerprint(report: Report): Buffer {
  const { seq, ts, up, cpu, memory, interfaces } = report;
  return hash('sha256', JSON.stringify([seq, ts, up, cpu ?? null, memory ?? null, interfaces ?? null]), 'buffer');
}
