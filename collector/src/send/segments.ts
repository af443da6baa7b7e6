import type { Disk } from '../runtime/disk.ts';
import type { DroppedLedger } from './dropped.ts';
import { decodeReport, type RawRecord, type ReportHead, RECORD_TYPE, type Scan, scanRecords } from './record.ts';

export interface Segment {
  name: string;
  stream: string;
  bytes: number;
  /** Reports in it that are not settled. */
  pending: number;
}
export interface Entry extends ReportHead {
  stream: string;
  level: number;
  bytes: number;
  /** Position of the record; null for one in memory because the disk is full. */
  place: { segment: Segment; offset: number } | null;
  /** The record itself, when it is held in memory. */
  held: Buffer | null;
}

export interface Found {
  segments: Segment[];
  entries: Entry[];
  /** The stream to go on with; null when a new one must begin. */
  stream: string | null;
  nextSeq: number;
  nextOrdinal: number;
}

/** Holds the stream of each segment, for those whose header is lost. */
const STREAMS_FILE = 'streams.json';

/** Notes which stream each segment has, in a file of its own. */
export function noteStreams(disk: Disk, segments: readonly Pick<Segment, 'name' | 'stream'>[]): void {
  try {
    disk.replace(STREAMS_FILE, JSON.stringify(Object.fromEntries(segments.map(({ name, stream }) => [name, stream]))));
  } catch {
    // A full disk must not stop the report.
  }
}

function readStreams(disk: Disk): (name: string) => string | undefined {
  const parsed = parseJson(readOrEmpty(disk, STREAMS_FILE)) as Record<string, unknown> | null;
  return (name) => {
    const stream = parsed?.[name];
    return typeof stream === 'string' ? stream : undefined;
  };
}

export const segmentName = (ordinal: number): string => `${String(ordinal).padStart(8, '0')}.seg`;
const SEGMENT_NAME = /^(\d{8,})\.seg$/;

/** Keeps the list oldest first; a thinned report comes back late under a higher number. */
export function insertByTime(entries: Entry[], entry: Entry): void {
  let index = entries.length;
  while (index > 0 && isLater(entries[index - 1], entry)) index -= 1;
  entries.splice(index, 0, entry);
}

/** Within a boot the uptime decides, whatever was done to the wall clock. */
function isLater(one: Entry | undefined, other: Entry): boolean {
  if (!one) return false;
  return one.boot === other.boot ? one.up > other.up : one.ts > other.ts;
}

/** Numbers of a stream that were in a damaged place. Where they end is not known yet. */
interface Loss {
  stream: string;
  from: number;
}

/** Reads what an earlier run left. A bad tail is cut, a bad stretch skipped and declared; nothing stops the start. */
export function openSegments(disk: Disk, dropped: DroppedLedger): Found {
  const found: Found = { segments: [], entries: [], stream: null, nextSeq: 1, nextOrdinal: 1 };
  const names = disk.list().filter((name) => SEGMENT_NAME.test(name));
  const streamOf = readStreams(disk);
  let end: Ending = { isDamaged: false, loss: null };
  for (const name of names) {
    found.nextOrdinal = Number(SEGMENT_NAME.exec(name)?.[1]) + 1;
    end = openSegment(disk, name, found, dropped, { lossBefore: end.loss, noted: streamOf(name) });
  }
  // The newest report is sent first: the server may have numbers after those of the damaged end, and waits for them.
  if (end.loss !== null) dropped.addRest(end.loss.stream, end.loss.from, 'spool_damaged');
  // A cut record may have been sent already: its number must not be used again.
  found.stream = end.isDamaged ? null : (found.segments.at(-1)?.stream ?? null);
  removeEmpty(disk, found);
  return found;
}

interface Ending {
  isDamaged: boolean;
  loss: Loss | null;
}

/**
 * Returns what its end lost. `lossBefore`: the loss at the end of the segment before. Only then is a hole in the numbers
 * a loss; else the segment between was settled and removed. `noted`: its stream as noted elsewhere.
 */
function openSegment(
  disk: Disk,
  name: string,
  found: Found,
  dropped: DroppedLedger,
  { lossBefore, noted }: { lossBefore: Loss | null; noted: string | undefined },
): Ending {
  const bytes = readOrEmpty(disk, name);
  const scan = scanRecords(bytes);
  const header = scan.records[0] ? parseHeader(scan.records[0]) : null;
  const last = found.segments.at(-1);
  if (!header) {
    disk.remove(name);
    const stream = noted ?? streamIn(scan, found.segments) ?? last?.stream;
    // Reports of an older stream may still wait in its segments: nothing of it is given up.
    const isOlder = stream !== last?.stream && found.segments.some((one) => one.stream === stream);
    if (stream === undefined || isOlder || stream === lossBefore?.stream) return { isDamaged: true, loss: lossBefore };
    if (lossBefore !== null) dropped.addRest(lossBefore.stream, lossBefore.from, 'spool_damaged');
    return { isDamaged: true, loss: { stream, from: stream === last?.stream ? found.nextSeq : 1 } };
  }
  const segment = { name, stream: header.stream, bytes: scan.goodBytes, pending: 0 };
  if (lossBefore !== null && lossBefore.stream !== header.stream)
    dropped.addRest(lossBefore.stream, lossBefore.from, 'spool_damaged');
  else if (lossBefore !== null && header.first > lossBefore.from)
    dropped.add(header.stream, lossBefore.from, header.first - 1, 'spool_damaged');
  found.segments.push(segment);
  found.nextSeq = last?.stream === header.stream ? Math.max(found.nextSeq, header.first) : header.first;
  const isUnsure = readRecords(scan, segment, found, dropped);
  const isCut = scan.goodBytes !== bytes.length;
  if (isCut) disk.truncate(name, scan.goodBytes);
  const isDamaged = isUnsure || isCut;
  return { isDamaged, loss: isDamaged ? { stream: header.stream, from: found.nextSeq } : null };
}

/** Returns the stream of a segment without a header: one that it settled numbers of and that no segment before has. */
function streamIn(scan: Scan, before: readonly Segment[]): string | undefined {
  return scan.records
    .filter(({ type }) => type === RECORD_TYPE.settled)
    .map(({ payload }) => (parseJson(payload) as { stream?: unknown } | null)?.stream)
    .find((name): name is string => typeof name === 'string' && before.every(({ stream }) => stream !== name));
}

/** Returns true if no report after the last damage shows how many numbers were in it. */
function readRecords(scan: Scan, segment: Segment, found: Found, dropped: DroppedLedger): boolean {
  let damagedSince = false;
  for (const [index, record] of scan.records.entries()) {
    damagedSince ||= scan.damagedBefore.has(index);
    if (record.type === RECORD_TYPE.settled) applySettled(record, found);
    const report = record.type === RECORD_TYPE.report ? decodeReport(record.payload) : null;
    if (!report) continue;
    const { seq } = report.head;
    if (damagedSince && seq > found.nextSeq) dropped.add(segment.stream, found.nextSeq, seq - 1, 'spool_damaged');
    damagedSince = false;
    found.nextSeq = seq + 1;
    segment.pending += 1;
    const place = { segment, offset: record.offset };
    insertByTime(found.entries, {
      ...report.head,
      stream: segment.stream,
      level: record.level,
      bytes: record.length,
      place,
      held: null,
    });
  }
  return damagedSince;
}

function applySettled(record: RawRecord, found: Found): void {
  const parsed = parseJson(record.payload) as { stream?: unknown; seqs?: unknown } | null;
  const seqs = new Set(Array.isArray(parsed?.seqs) ? parsed.seqs : []);
  found.entries = found.entries.filter((entry) => {
    const settled = entry.stream === parsed?.stream && seqs.has(entry.seq);
    if (settled && entry.place) entry.place.segment.pending -= 1;
    return !settled;
  });
}

function removeEmpty(disk: Disk, found: Found): void {
  const kept = found.segments.filter(
    (segment, index) => segment.pending > 0 || (index === found.segments.length - 1 && found.stream !== null),
  );
  for (const segment of found.segments) if (!kept.includes(segment)) disk.remove(segment.name);
  found.segments = kept;
}

function parseHeader(record: RawRecord): { stream: string; first: number } | null {
  if (record.type !== RECORD_TYPE.header) return null;
  const parsed = parseJson(record.payload) as { stream?: unknown; first?: unknown } | null;
  if (typeof parsed?.stream !== 'string' || !Number.isSafeInteger(parsed.first)) return null;
  return { stream: parsed.stream, first: Number(parsed.first) };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

function readOrEmpty(disk: Disk, name: string): Buffer {
  try {
    return disk.read(name);
  } catch {
    return Buffer.alloc(0);
  }
}
