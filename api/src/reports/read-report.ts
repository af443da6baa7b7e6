import { LATE_SAMPLE_SECONDS, PROTOCOL_VERSIONS_SPOKEN, REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { reportEnvelope, type DroppedRange } from '@plimsoll/contract/wire/report';
import { z } from 'zod';
import { CodedError } from '../errors.ts';
import type { AcceptedItem, Refusal } from './types.ts';
import { judgeItem, type RejectedItem } from './judge-item.ts';
import { keepGoodParts, type Flaw, type Mending } from './keep-good-parts.ts';
import { noteFaults } from './note-faults.ts';
import { parseJson } from '../http/parse-json.ts';
import { protectDropped } from './protect-privacy.ts';
import type { Redactor } from './redactor.ts';
import { isPlainJson, sanitizeHead } from './sanitize.ts';

type Envelope = z.output<typeof reportEnvelope>;

export interface ParsedReport {
  envelope: Envelope;
  /** Flaws of the declared ranges that are left out. */
  flaws: readonly Flaw[];
  /** All texts are printable ASCII. */
  isPlain: boolean;
}
/** A reports request without its items. */
interface ReportHead {
  streamId: string;
  bootId: string;
  dropped: DroppedRange[];
  rejected: RejectedItem[];
  /** Set if nothing of the request can be stored and a report in it is new; null otherwise. */
  refusal: Refusal | null;
  /** Our clock − the sender's, by this request. */
  measuredSkewSeconds: number;
  /** Texts that the budget for redaction did not cover. */
  withheld: number;
}
export interface ReadReport {
  head: ReportHead;
  items: AcceptedItem[];
}

/** Parses the body of a reports request of this server. Throws coded errors for the request as a whole. */
export function parseReport(bytes: Uint8Array, serverId: string): ParsedReport {
  return { ...parseEnvelope(parseJson(bytes, REPORT_LIMITS.depth), serverId), isPlain: isPlainJson(bytes) };
}

/** Judges and redacts each item. `knownSkewSeconds`: of an earlier request, for items of an earlier boot. */
export function judgeReport(
  { envelope, flaws, isPlain }: ParsedReport,
  { receivedAt, knownSkewSeconds }: { receivedAt: number; knownSkewSeconds: number | null },
  redactor: Redactor,
): ReadReport {
  const measured = receivedAt / 1000 - envelope.sent_at;
  const skewSeconds = hasEarlierBoot(envelope) ? (knownSkewSeconds ?? measured) : measured;
  const arrival = { receivedAt, bootId: envelope.boot_id, upNow: envelope.up_now, skewSeconds };
  const items = new Map<number, AcceptedItem>();
  const rejected: RejectedItem[] = [];
  envelope.reports.forEach((item, index) => {
    const verdict = judgeItem(item, index, arrival, redactor, isPlain);
    if ('rejected' in verdict) rejected.push(verdict.rejected);
    else if (items.has(verdict.accepted.seq))
      rejected.push({ seq: verdict.accepted.seq, index, code: 'seq_repeated', detail: 'seq: twice in this request' });
    else items.set(verdict.accepted.seq, verdict.accepted);
  });
  requireFewEvents([...items.values()]);
  noteOnNewest([...items.values()], flaws);
  const { stream_id: streamId, boot_id: bootId } = envelope;
  const dropped = protectDropped(envelope.dropped, redactor);
  const refusal = items.size > 0 ? null : refusalOf(envelope, rejected);
  const { withheld } = redactor;
  const head = { streamId, bootId, dropped, rejected, refusal, measuredSkewSeconds: measured, withheld };
  return { head, items: [...items.values()] };
}

/** An old report of a backlog may be refused while new ones are stored: it says nothing about the server now. */
function refusalOf({ reports, sent_at: sentAt }: Envelope, rejected: readonly RejectedItem[]): Refusal | null {
  const isNew = ({ index }: RejectedItem): boolean => {
    const ts = (reports[index] as { ts?: unknown } | null | undefined)?.ts;
    return typeof ts !== 'number' || ts >= sentAt - LATE_SAMPLE_SECONDS;
  };
  const found = rejected.findLast(isNew);
  return found === undefined ? null : { code: found.code, detail: found.detail };
}

/**
 * A batch of 60 reports of our collector has at most 3,000. Each is a row: 40,000 in one statement exceed the
 * database's time limit, and their parameters take the API's thread 0.2 s.
 */
const MOST_EVENTS = 5000;

/** The collector answers this error by sending half of the reports. A single report stays below the limit. */
function requireFewEvents(items: readonly AcceptedItem[]): void {
  const events = items.reduce((sum, { report }) => sum + (report.events?.length ?? 0), 0);
  if (events > MOST_EVENTS)
    throw new CodedError('body_too_large', `reports: more than ${String(MOST_EVENTS)} events in one request`, {
      field: 'reports',
      remedy: 'Send fewer reports in one request.',
    });
}

function parseEnvelope(body: unknown, serverId: string): Omit<ParsedReport, 'isPlain'> {
  const version = typeof body === 'object' && body !== null && 'v' in body ? body.v : undefined;
  if (typeof version === 'number' && !PROTOCOL_VERSIONS_SPOKEN.includes(version))
    throw new CodedError('version_not_spoken', `v: must be one of ${PROTOCOL_VERSIONS_SPOKEN.join(', ')}`, {
      field: 'v',
      remedy: 'Update the server or the agent, whichever is older.',
    });
  const { head, flaws } = withGoodRanges(sanitizeHead(body));
  const parsed = reportEnvelope.safeParse(head);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.map(String).join('.') || 'body';
    throw new CodedError('invalid_parameter', `${field}: ${issue?.message ?? 'not valid'}`, { field });
  }
  if (parsed.data.server_id.toLowerCase() !== serverId)
    throw new CodedError('server_mismatch', 'server_id: this token belongs to another server', { field: 'server_id' });
  return { envelope: parsed.data, flaws };
}

const RANGES: Mending = { mends: 'parts', decisive: new Set(), isReport: true, emptiesLists: true };

/**
 * Leaves out declared ranges that are not valid: their reports count as lost without a reason, and the reports of the request
 * are stored.
 */
function withGoodRanges(head: unknown): { head: unknown; flaws: readonly Flaw[] } {
  if (typeof head !== 'object' || head === null || !('dropped' in head)) return { head, flaws: [] };
  const kept = keepGoodParts(z.object({ dropped: reportEnvelope.shape.dropped }), { dropped: head.dropped }, RANGES);
  return 'refused' in kept ? { head, flaws: [] } : { head: { ...head, ...kept.value }, flaws: kept.flaws };
}

/** Adds to the newest report what was left out of the head, because each later one replaces the notes of a server. */
function noteOnNewest(items: readonly AcceptedItem[], flaws: readonly Flaw[]): void {
  const [newest] = items.toSorted((a, b) => b.sampleAt - a.sampleAt);
  if (newest !== undefined && flaws.length > 0)
    newest.report = { ...newest.report, agent: noteFaults(newest.report.agent, flaws) };
}

export const hasEarlierBoot = ({ reports, boot_id: bootId, up_now: upNow }: Envelope): boolean =>
  reports.some((item) => {
    if (typeof item !== 'object' || item === null) return false;
    const { boot_id: own, up } = item as { boot_id?: unknown; up?: unknown };
    return (own !== undefined && own !== bootId) || (typeof up === 'number' && up > upNow + 1);
  });
