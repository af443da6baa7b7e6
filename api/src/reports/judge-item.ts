import { cutText } from '@plimsoll/contract/rules/printable-text';
import { hash } from 'node:crypto';
import { CLUSTER_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { reportItem, type Report } from '@plimsoll/contract/wire/report';
import type { AcceptedItem } from './types.ts';
import { keepGoodParts, type Flaw, type Mending } from './keep-good-parts.ts';
import { noteFaults } from './note-faults.ts';
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

/**
 * Judges one item on its own: a bad one never costs its neighbours, and a bad part not the rest of its item. `isPlain`: its
 * document `isPlainJson`.
 */
export function judgeItem(raw: unknown, index: number, arrival: Arrival, redactor: Redactor, isPlain = false): Verdict {
  const clean = sanitizeTree(raw, isPlain);
  const seq = seqOf(clean);
  const reject = (code: RejectedItem['code'], detail: string): Verdict => ({ rejected: { seq, index, code, detail } });
  const kind = fieldOf(clean, 'kind');
  if (typeof kind === 'string' && !KINDS.includes(kind))
    return reject('kind_unknown', `kind: "${kind}" is not supported`);
  const read = readReport(clean);
  if ('fault' in read)
    return reject('invalid_item', cutText(`${read.fault.field || 'item'}: ${read.fault.problem}`, 200));
  const { report } = read;
  const { ts, up, boot_id: bootId } = report;
  const sampleAt = sampleTime({ ts, up, bootId }, arrival);
  if (sampleAt === null)
    return reject('time_out_of_range', 'ts: more than 26 h in the past or 5 min ahead of the server');
  return {
    accepted: {
      seq: report.seq,
      sampleAt,
      up,
      bootId: bootId ?? arrival.bootId,
      contentHash: fingerprint(report),
      report: protect(report, redactor),
    },
  };
}

/** Beyond the budget a mark replaces a text, which would look like a change of the described state: it is left out. */
function protect(report: Report, redactor: Redactor): Report {
  const before = redactor.withheld;
  const { described, ...safe } = protectReport(report, redactor);
  return described === undefined || redactor.withheld > before ? safe : { ...safe, described };
}

/** `boot_id` is never left out: without it the item would count as one of the request's boot. */
const DECISIVE = new Set(['boot_id']);
const NODE_PARTS: Mending = { mends: 'parts', decisive: DECISIVE, emptiesLists: true };
const HOST_PARTS: Mending = { mends: 'parts', decisive: DECISIVE, isReport: true };

/** Nearly every report is valid as it is. Of another, the good parts are kept and the bad ones noted. */
function readReport(clean: unknown): { report: Report } | { fault: Flaw } {
  const isNode = typeof fieldOf(clean, 'kubernetes') === 'object';
  const kept = keepGoodParts(reportItem, clean, isNode ? NODE_PARTS : HOST_PARTS);
  if ('refused' in kept) return { fault: kept.refused };
  const { flaws } = kept;
  const value = flaws.some(({ field }) => field.startsWith('described')) ? withoutDescribed(kept.value) : kept.value;
  if (flaws.length === 0) return { report: value };
  return { report: isNode ? withLeftOut(value, flaws) : { ...value, agent: noteFaults(value.agent, flaws) } };
}

/** An entry that is missing would look like one that was removed. */
function withoutDescribed(report: Report): Report {
  const { described, ...rest } = report;
  return described === undefined ? report : rest;
}

/** The notes of a node stand beside those of its kubelet. */
function withLeftOut({ kubernetes, ...host }: Report, flaws: readonly Flaw[]): Report {
  if (kubernetes === undefined) return host;
  const { kubelet } = kubernetes;
  const reasons = flaws.map(({ field, problem }) => `${field}: ${problem}`);
  const leftOut = [...(kubelet.left_out ?? []), ...reasons].slice(0, CLUSTER_LIMITS.unknownFields);
  return { ...host, kubernetes: { ...kubernetes, kubelet: { ...kubelet, left_out: leftOut } } };
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
