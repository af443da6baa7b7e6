import type { Entry } from '../send/segments.ts';
import { Spool } from '../send/spool.ts';
import { memoryDisk, type MemoryDisk } from './memory-disk.ts';
import { countedStreams, smallReport } from './reports.ts';

export type Step =
  | { do: 'append' | 'renew' | 'restart' | 'clear' }
  /** The server has the oldest so many, or every second one of them. */
  | { do: 'settle'; share: number; scattered: boolean }
  | { do: 'drop'; share: number }
  /** Power goes: the newest segment loses its last bytes. */
  | { do: 'cut'; bytes: number }
  /** One byte of one pending report goes bad on the disk. */
  | { do: 'damage'; share: number }
  | { do: 'disk'; full: boolean };

/** A spool beside the plainest account of what it must hold: reports are known by their moment. */
export class SpoolModel {
  readonly disk: MemoryDisk = memoryDisk();
  readonly streams = countedStreams();
  spool = this.open();
  /** Kept and neither settled nor given up. */
  readonly pending = new Set<number>();
  /** Settled or given up: after a cut they may come back, which the server takes for a repetition. */
  readonly finished = new Set<number>();
  /** Report of each number, over all time. */
  readonly numbers = new Map<string, number>();
  /** Bad on the disk, and good in memory as long as this program lives and keeps its stream. */
  readonly #rotten = new Set<number>();
  now = 1000;
  /** Violations that were found. */
  readonly faults: string[] = [];

  open(): Spool {
    return new Spool({ disk: this.disk, newStream: this.streams, segmentBytes: 600 });
  }

  async run(one: Step): Promise<void> {
    const { entries } = this.spool;
    const at = (part: number): Entry | undefined => entries[Math.floor(part * (entries.length - 1))];
    if (one.do === 'append') await this.#append();
    else if (one.do === 'renew') this.#renew();
    else if (one.do === 'restart') this.restart();
    else if (one.do === 'settle') this.#settle(one);
    else if (one.do === 'drop') this.#drop(at(one.share));
    else if (one.do === 'cut') this.#cut(one.bytes);
    else if (one.do === 'damage') await this.#damage(at(one.share));
    else if (one.do === 'disk') this.disk.fault.writes = one.full;
    this.#look();
  }

  /** A program that ends forgets what it held in memory. */
  restart(): void {
    for (const { ts, held } of this.spool.entries) if (held !== null) this.pending.delete(ts);
    this.#forgetRotten();
    this.disk.fault.writes = false;
    this.spool = this.open();
  }

  #renew(): void {
    this.spool.renew();
    this.#forgetRotten();
  }

  #forgetRotten(): void {
    for (const ts of this.#rotten) this.pending.delete(ts);
    this.#rotten.clear();
  }

  async #append(): Promise<void> {
    this.now += 60;
    await this.spool.append(smallReport(this.now, this.now), 'boot');
    this.pending.add(this.now);
  }

  #finish(entries: readonly Entry[]): void {
    for (const { ts } of entries) {
      this.pending.delete(ts);
      this.finished.add(ts);
    }
  }

  #settle({ share: part, scattered }: { share: number; scattered: boolean }): void {
    const [first] = this.spool.entries;
    if (!first) return;
    const of = this.spool.entries.filter(({ stream }) => stream === first.stream).toSorted((a, b) => a.seq - b.seq);
    const some = of.slice(0, Math.ceil(part * of.length)).filter((_, index) => !scattered || index % 2 === 1);
    const upto = scattered ? 0 : (some.at(-1)?.seq ?? 0);
    this.spool.settle(
      first.stream,
      upto,
      some.map(({ seq }) => seq),
    );
    this.#finish(some);
  }

  #drop(entry: Entry | undefined): void {
    if (!entry) return;
    const { stream, seq } = entry;
    this.spool.drop(entry, 'spool_full');
    this.#finish([entry]);
    this.#mustBeDeclared(stream, seq);
  }

  /** Only what lay in the bytes that are gone may be missing afterwards. */
  #cut(bytes: number): void {
    const last = this.spool.segments.at(-1);
    const file = last && this.disk.files.get(last.name);
    if (!last || !file) return this.restart();
    const left = Math.max(0, file.length - bytes);
    for (const { ts, place, bytes: length } of this.spool.entries)
      if (place?.segment === last && place.offset + length > left) this.pending.delete(ts);
    // A byte of junk: what was synced does not vanish at the very end of a record.
    this.disk.files.set(last.name, Buffer.concat([file.subarray(0, left), Buffer.from([0xff])]));
    this.restart();
  }

  /** Found when it is to be sent: it is given up and declared, and the others are sent. */
  async #damage(entry: Entry | undefined): Promise<void> {
    if (!entry?.place || this.#rotten.has(entry.ts)) return;
    const file = Buffer.from(this.disk.read(entry.place.segment.name));
    const at = entry.place.offset + entry.bytes - 3;
    file[at] = (file[at] ?? 0) ^ 0xff;
    this.disk.files.set(entry.place.segment.name, file);
    // The newest is sent from memory as long as the program lives.
    const [stream, seq] = [entry.stream, entry.seq];
    const loaded = await this.spool.load([entry]);
    if (loaded.length > 0) {
      this.#rotten.add(entry.ts);
      return;
    }
    this.#finish([entry]);
    this.#mustBeDeclared(stream, seq);
  }

  #mustBeDeclared(stream: string, seq: number): void {
    const told = this.spool.dropped.of(stream).some(({ from, to }) => from <= seq && seq <= to);
    if (!told) this.faults.push(`${stream}/${seq} was given up and is not declared`);
  }

  #look(): void {
    const { entries } = this.spool;
    const moments = entries.map(({ ts }) => ts);
    const ordered = [...new Set(moments)].toSorted((a, b) => a - b);
    if (moments.join() !== ordered.join()) this.faults.push(`out of order or twice: ${moments.join()}`);
    const kept = moments.filter((ts) => !this.finished.has(ts));
    const owed = [...this.pending].toSorted((a, b) => a - b);
    if (kept.join() !== owed.join()) this.faults.push(`holds ${kept.join()}, must hold ${owed.join()}`);
    for (const { stream, seq, ts } of entries) {
      const key = `${stream}/${seq}`;
      if ((this.numbers.get(key) ?? ts) !== ts) this.faults.push(`${key} was given out twice`);
      this.numbers.set(key, ts);
    }
  }
}
