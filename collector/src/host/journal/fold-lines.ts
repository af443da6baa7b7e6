import { MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { KERNEL_SEVERITIES, LINE_LIMITS, countedMessage, type HostLineKind } from '@plimsoll/contract/rules/lines';
import { redactText } from '@plimsoll/contract/redaction/text';
import type { EventPart } from '@plimsoll/contract/wire/report';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { JournalEntry } from './journal-entries.ts';
import { kernelEvent } from './kernel-events.ts';

const ERROR_PRIORITY = 3;
const CRITICAL_PRIORITY = 2;

/** Equal entries of one minute. */
interface Line {
  minute: number;
  kind: HostLineKind;
  subject: string | null;
  text: string;
  /** Equal for lines that differ in numbers only. */
  key: string;
  severity: EventPart['severity'];
  priority: number;
  at: number;
  count: number;
}

export interface FoldedLines {
  lines: Line[];
  /** Distinct lines above the limit of their minute. */
  leftOut: number;
}

/** A hash or an id in hex changes as a number does. A word such as "deadbeef" without a digit is a word. */
const NUMBER = /0x[\da-f]+|(?=[\da-f-]*\d)[\da-f]{8,}(?:-[\da-f]{4,})*|\d+/gi;
const withoutNumbers = (text: string): string => text.replaceAll(NUMBER, '#');

/** Null: neither an event of the kernel nor an error. */
function lineOf({ at, up, priority, isKernel, unit, text }: JournalEntry): Line | null {
  const event = isKernel ? kernelEvent(text, up) : null;
  if (event === null && priority > ERROR_PRIORITY) return null;
  const kind = event?.kind ?? 'journal_error';
  const subject = event === null ? unit : event.subject;
  const minute = Math.floor(at / MINUTE_MS);
  return {
    minute,
    kind,
    subject,
    text,
    key: `${String(minute)} ${kind} ${subject ?? ''} ${withoutNumbers(text)}`,
    severity: severityOf(event?.kind ?? null, priority),
    priority,
    at,
    count: 1,
  };
}

const severityOf = (kind: keyof typeof KERNEL_SEVERITIES | null, priority: number): Line['severity'] =>
  kind === null ? (priority <= CRITICAL_PRIORITY ? 'critical' : 'error') : KERNEL_SEVERITIES[kind];

/**
 * Returns the distinct lines of each minute, in order of time. Of more than the limit, the most urgent stay, then the most
 * frequent. Events of the kernel have a limit of their own, so no flood of errors hides them.
 */
export function foldLines(entries: readonly JournalEntry[]): FoldedLines {
  const known = new Map<string, Line>();
  for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
    const line = lineOf(entry);
    if (line === null) continue;
    const earlier = known.get(line.key);
    if (earlier) earlier.count += 1;
    else known.set(line.key, line);
  }
  const groups = Map.groupBy(
    known.values(),
    ({ minute, kind }) => `${String(minute)} ${String(kind === 'journal_error')}`,
  );
  const kept = [...groups.values()].flatMap((group) => group.toSorted(byUrgency).slice(0, LINE_LIMITS.distinct));
  return { lines: kept.toSorted((a, b) => a.at - b.at), leftOut: known.size - kept.length };
}

const byUrgency = (a: Line, b: Line): number =>
  a.priority - b.priority || b.count - a.count || a.at - b.at || (a.key < b.key ? -1 : 1);

const isService = (kind: HostLineKind): boolean => kind === 'journal_error';

/**
 * Returns the line as an event. Its id follows from the minute and the line, so a minute that a restarted collector reads
 * again adds nothing.
 */
export async function eventOf(line: Line, hash: (text: string) => Promise<string>): Promise<EventPart> {
  const { kind, subject, text, key, severity, at, count } = line;
  const named = subject === null ? null : cutToBytes(redactText(subject), LINE_LIMITS.subjectBytes);
  return {
    id: `line-${(await hash(key)).slice(0, 40)}`,
    event_type: kind,
    service_name: isService(kind) ? named : null,
    process_name: isService(kind) ? null : named,
    message: countedMessage(count, cutToBytes(redactText(text), LINE_LIMITS.textBytes)),
    severity,
    ts: at / 1000,
  };
}
