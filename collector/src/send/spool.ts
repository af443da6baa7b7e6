import type { Report } from '@plimsoll/contract/wire/report';
import type { Disk } from '../runtime/disk.ts';
import { gunzip, gzip } from '../runtime/gzip.ts';
import { orNull } from '../runtime/or-null.ts';
import { type DroppedLedger, droppedLedger } from './dropped.ts';
import { decodeRecord, decodeReport, encodeRecord, encodeReport, RECORD_TYPE, type ReportHead } from './record.ts';
import { type Entry, insertByTime, noteStreams, openSegments, type Segment, segmentName } from './segments.ts';

/** A report without its number: the spool gives it one. */
export type Unnumbered = Omit<Report, 'seq'>;

/** Remaining content of a report: all of it, without its long lists, or its events alone. */
export const LEVEL = { whole: 0, thinned: 1, eventsOnly: 2 } as const;

export interface SpoolOptions {
  disk: Disk;
  newStream: () => string;
  /** Called when the disk is too full to write and when it is fine again. */
  onDiskState?: (ok: boolean, reason: string) => void;
  segmentBytes?: number;
}

export const SPOOL_LIMITS = {
  segmentBytes: 1_048_576,
  /** A spool never takes more of the disk than this. */
  bytes: 16 * 1_048_576,
  ageSeconds: 24 * 3600,
  /** Below either, reports stay in memory: the collector never fills a disk. */
  freeBytes: 64 * 1_048_576,
  freeShare: 0.05,
  heldReports: 60,
  /** A report unpacked; the server takes 8 MiB for a whole request. */
  unpackedBytes: 4 * 1_048_576,
} as const;

/**
 * Reports that the server has not settled yet, oldest first, on disk before they are sent. A number is used once per
 * stream; where that cannot be guaranteed (damage, full disk) a new stream begins.
 */
export class Spool {
  readonly dropped: DroppedLedger;
  readonly #options: SpoolOptions;
  readonly #disk: Disk;
  #entries: Entry[] = [];
  #segments: Segment[] = [];
  #stream: string;
  #nextSeq: number;
  #held: { stream: string; nextSeq: number };
  #diskOk = true;
  #nextOrdinal: number;
  /** The newest report as text, so that it is not read back and unpacked to be sent. */
  #fresh: { entry: Entry; text: string } | null = null;

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#disk = options.disk;
    this.dropped = droppedLedger(options.disk);
    const found = openSegments(options.disk, this.dropped);
    this.#segments = found.segments;
    this.#entries = found.entries;
    this.#stream = found.stream ?? options.newStream();
    this.#nextSeq = found.stream === null ? 1 : found.nextSeq;
    this.#held = { stream: options.newStream(), nextSeq: 1 };
    this.#nextOrdinal = found.nextOrdinal;
    // At once: a start that ends before its first report must not leave the old numbers to be given out again.
    if (found.stream === null && found.segments.length > 0) orNull(() => this.#activeSegment());
  }

  /** Oldest first. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }
  get bytes(): number {
    return this.#entries.reduce((sum, entry) => sum + entry.bytes, 0);
  }
  /** Bytes of the segments on disk. */
  get diskBytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Numbers the report and makes it durable, or keeps it in memory when the disk cannot take it. */
  async append(report: Unnumbered, boot: string, level: number = LEVEL.whole): Promise<Entry> {
    const text = JSON.stringify(report);
    const entry = this.appendPacked({ ts: report.ts, up: report.up, boot }, await gzip(text), level);
    this.#fresh = { entry, text };
    return entry;
  }

  appendPacked(head: Omit<ReportHead, 'seq'>, packed: Uint8Array, level: number): Entry {
    if (this.#diskHasRoom()) {
      try {
        return this.#write(head, packed, level);
      } catch (error) {
        // The number may be half on disk: it is never used again.
        this.#noteDisk(false, error instanceof Error ? error.message : String(error));
        this.#beginStream();
      }
    }
    return this.#hold(head, packed, level);
  }

  /** The reports as they go on the wire, in JSON. Those that cannot be read any more are dropped with a reason. */
  async loadJson(entries: readonly Entry[]): Promise<{ entry: Entry; json: string }[]> {
    const loaded: { entry: Entry; json: string }[] = [];
    for (const entry of entries) {
      const text = this.#fresh?.entry === entry ? this.#fresh.text : await this.#textOf(entry);
      if (text === null) this.drop(entry, 'spool_damaged');
      else loaded.push({ entry, json: numbered(entry, text) });
    }
    return loaded;
  }

  async load(entries: readonly Entry[]): Promise<{ entry: Entry; report: Report }[]> {
    const loaded = await this.loadJson(entries);
    return loaded.map(({ entry, json }) => ({ entry, report: JSON.parse(json) as Report }));
  }

  /** The packed report of an entry, to be written again under another number. Null when it is damaged. */
  packed(entry: Entry): Buffer | null {
    const record = entry.held ?? this.#readRecord(entry);
    const raw = record && decodeRecord(record, 0);
    return raw ? (decodeReport(raw.payload)?.packed ?? null) : null;
  }

  /** The server has these: every seq of the stream up to `upto`, and those in `also`. */
  settle(stream: string, upto: number, also: readonly number[]): void {
    const listed = new Set(also);
    this.#forget(stream, (entry) => entry.stream === stream && (entry.seq <= upto || listed.has(entry.seq)));
  }

  /** Gives a report up and records the drop for the server. */
  drop(entry: Entry, why: string): void {
    this.dropped.add(entry.stream, entry.seq, entry.seq, why);
    this.#forget(entry.stream, (other) => other === entry);
  }

  /** New stream, new numbers; what is pending moves over. After a stream conflict: another machine has our numbers. */
  renew(): void {
    const pending = this.#entries;
    const packed = pending.map((entry) => this.packed(entry));
    this.clear();
    for (const [index, entry] of pending.entries()) {
      const bytes = packed[index];
      if (bytes) this.appendPacked(entry, bytes, entry.level);
    }
  }

  /** Forgets everything, on disk too. */
  clear(): void {
    for (const segment of this.#segments) this.#disk.remove(segment.name);
    this.#segments = [];
    this.#entries = [];
    this.#fresh = null;
    this.dropped.clear();
    this.#beginStream();
    this.#held = { stream: this.#options.newStream(), nextSeq: 1 };
  }

  #write(head: Omit<ReportHead, 'seq'>, packed: Uint8Array, level: number): Entry {
    const segment = this.#activeSegment();
    const seq = this.#nextSeq;
    const record = encodeRecord(RECORD_TYPE.report, level, encodeReport({ ...head, seq }, packed));
    this.#disk.append(segment.name, record, true);
    const place = { segment, offset: segment.bytes };
    segment.bytes += record.length;
    segment.pending += 1;
    this.#nextSeq += 1;
    this.#noteDisk(true, '');
    return this.#insert({
      ...pickHead(head),
      seq,
      stream: this.#stream,
      level,
      bytes: record.length,
      place,
      held: null,
    });
  }

  #hold(head: Omit<ReportHead, 'seq'>, packed: Uint8Array, level: number): Entry {
    const { stream, nextSeq: seq } = this.#held;
    this.#held.nextSeq += 1;
    const held = encodeRecord(RECORD_TYPE.report, level, encodeReport({ ...head, seq }, packed));
    const entry = { ...pickHead(head), seq, stream, level, bytes: held.length, place: null, held };
    const others = this.#entries.filter((other) => other.held !== null);
    const surplus = Math.max(0, others.length + 1 - SPOOL_LIMITS.heldReports);
    for (const other of others.slice(0, surplus)) this.drop(other, 'spool_full');
    return this.#insert(entry);
  }

  #insert(entry: Entry): Entry {
    insertByTime(this.#entries, entry);
    return entry;
  }

  #activeSegment(): Segment {
    const last = this.#segments.at(-1);
    const limit = this.#options.segmentBytes ?? SPOOL_LIMITS.segmentBytes;
    if (last && last.stream === this.#stream && last.bytes < limit) return last;
    const ordinal = this.#nextOrdinal;
    // Counted before the write: a name that was tried once may hold half a header.
    this.#nextOrdinal += 1;
    const header = Buffer.from(JSON.stringify({ v: 1, stream: this.#stream, first: this.#nextSeq }));
    const record = encodeRecord(RECORD_TYPE.header, 0, header);
    const segment = { name: segmentName(ordinal), stream: this.#stream, bytes: record.length, pending: 0 };
    noteStreams(this.#disk, [...this.#segments, segment]);
    this.#disk.append(segment.name, record, true);
    this.#segments.push(segment);
    this.#removeSettledSegments();
    return segment;
  }

  #beginStream(): void {
    this.#stream = this.#options.newStream();
    this.#nextSeq = 1;
  }

  #forget(stream: string, matches: (entry: Entry) => boolean): void {
    const gone = this.#entries.filter(matches);
    if (gone.length === 0) return;
    this.#entries = this.#entries.filter((entry) => !matches(entry));
    if (this.#fresh && matches(this.#fresh.entry)) this.#fresh = null;
    for (const { place } of gone) if (place) place.segment.pending -= 1;
    this.#noteSettled(
      stream,
      gone.filter((entry) => entry.place).map((entry) => entry.seq),
    );
    this.#removeSettledSegments();
  }

  /** Only spares sending them again after a restart, so it need not be durable. */
  #noteSettled(stream: string, seqs: number[]): void {
    const segment = this.#segments.at(-1);
    if (!segment || seqs.length === 0) return;
    try {
      const record = encodeRecord(RECORD_TYPE.settled, 0, Buffer.from(JSON.stringify({ stream, seqs })));
      this.#disk.append(segment.name, record, false);
      segment.bytes += record.length;
    } catch (error) {
      this.#noteDisk(false, error instanceof Error ? error.message : String(error));
      this.#beginStream();
    }
  }

  /** The last segment stays: it holds the next number. */
  #removeSettledSegments(): void {
    for (const segment of this.#segments.slice(0, -1)) if (segment.pending <= 0) this.#disk.remove(segment.name);
    this.#segments = this.#segments.filter((one, index) => one.pending > 0 || index === this.#segments.length - 1);
  }

  async #textOf(entry: Entry): Promise<string | null> {
    try {
      const packed = this.packed(entry);
      const text = packed && (await gunzip(Uint8Array.from(packed), SPOOL_LIMITS.unpackedBytes));
      return text?.startsWith('{"') === true ? text : null;
    } catch {
      return null;
    }
  }

  #readRecord(entry: Entry): Buffer | null {
    if (!entry.place) return null;
    try {
      return this.#disk.readAt(entry.place.segment.name, entry.place.offset, entry.bytes);
    } catch {
      return null;
    }
  }

  #diskHasRoom(): boolean {
    const { bytes, share } = this.#disk.free();
    const room = bytes >= SPOOL_LIMITS.freeBytes && share >= SPOOL_LIMITS.freeShare;
    if (!room) this.#noteDisk(false, `only ${Math.floor(bytes / 1_048_576)} MiB free`);
    return room;
  }

  #noteDisk(ok: boolean, reason: string): void {
    if (ok !== this.#diskOk) this.#options.onDiskState?.(ok, reason);
    this.#diskOk = ok;
  }
}

/** A report is an object that is never empty: its number goes before its first field. */
const numbered = ({ seq, boot }: Entry, text: string): string =>
  `{"seq":${seq},"boot_id":${JSON.stringify(boot)},${text.slice(1)}`;

const pickHead = ({ ts, up, boot }: Omit<ReportHead, 'seq'>): Omit<ReportHead, 'seq'> => ({ ts, up, boot });
