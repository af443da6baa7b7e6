import * as fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diskAt } from '../runtime/disk.ts';
import { gzip } from '../runtime/gzip.ts';
import { memoryDisk, type MemoryDisk } from '../testing/memory-disk.ts';
import { countedStreams, smallReport } from '../testing/reports.ts';
import { Spool, SPOOL_LIMITS } from './spool.ts';

const BOOT = 'b41a76db-6d77-4b38-ae22-8a71b06b718b';
const open = (
  disk: MemoryDisk,
  newStream = countedStreams(),
  segmentBytes: number = SPOOL_LIMITS.segmentBytes,
): Spool => new Spool({ disk, newStream, segmentBytes });

async function filled(spool: Spool, count: number, from = 0): Promise<void> {
  for (let index = from; index < from + count; index += 1) await spool.append(smallReport(1000 + index, index), BOOT);
}
/** Streams of a later start. */
const streamsFrom = (first: number) => {
  let next = first;
  return () => String(next++).padStart(32, '0');
};
const seqs = (spool: Spool): number[] => spool.entries.map((entry) => entry.seq);

describe('Spool', () => {
  it('numbers reports from 1 and gives them back as they were', async () => {
    const spool = open(memoryDisk());
    await filled(spool, 3);
    const loaded = await spool.load(spool.entries);
    expect(loaded.map(({ report }) => report)).toEqual(
      [0, 1, 2].map((i) => ({ ...smallReport(1000 + i, i), seq: i + 1, boot_id: BOOT })),
    );
  });

  it('hands out the text it packed, the newest without reading it back', async () => {
    const disk = memoryDisk();
    const spool = open(disk);
    await filled(spool, 2);
    const reads: string[] = [];
    const readAt = disk.readAt.bind(disk);
    disk.readAt = (name, offset, length) => {
      reads.push(name);
      return readAt(name, offset, length);
    };
    const texts = (await spool.loadJson(spool.entries)).map(({ json }) => json);
    expect(reads).toHaveLength(1);
    expect(texts).toEqual(
      [0, 1].map((i) => `{"seq":${i + 1},"boot_id":"${BOOT}",${JSON.stringify(smallReport(1000 + i, i)).slice(1)}`),
    );
    const again = open(disk);
    expect((await again.loadJson(again.entries)).map(({ json }) => json)).toEqual(texts);
  });

  it('drops what unpacks to no report', async () => {
    const spool = open(memoryDisk());
    const head = { ts: 1, up: 1, boot: BOOT };
    for (const text of ['', '[]', 'null', '{}']) spool.appendPacked(head, await gzip(text), 0);
    spool.appendPacked(head, Buffer.from('no gzip'), 0);
    const [{ stream } = { stream: '' }] = spool.entries;
    expect(await spool.load(spool.entries)).toEqual([]);
    expect(spool.dropped.of(stream)).toEqual([{ from: 1, to: 5, n: 5, why: 'spool_damaged' }]);
  });

  it('goes on with the numbers after a restart, also when all is settled', async () => {
    const disk = memoryDisk();
    const streams = countedStreams();
    const spool = open(disk, streams);
    await filled(spool, 3);
    const stream = spool.entries[0]!.stream;
    spool.settle(stream, 3, []);
    const again = open(disk, streams);
    expect(again.entries).toEqual([]);
    const entry = await again.append(smallReport(2000, 9), BOOT);
    expect([entry.stream, entry.seq]).toEqual([stream, 4]);
  });

  it('settles by "upto" and by list', async () => {
    const spool = open(memoryDisk());
    await filled(spool, 6);
    spool.settle(spool.entries[0]!.stream, 2, [5]);
    expect(seqs(spool)).toEqual([3, 4, 6]);
    spool.settle('another stream', 6, []);
    expect(seqs(spool)).toEqual([3, 4, 6]);
  });

  it('removes segments that hold nothing pending', async () => {
    const disk = memoryDisk();
    const spool = open(disk, countedStreams(), 600);
    await filled(spool, 30);
    const before = disk.list().length;
    spool.settle(spool.entries[0]!.stream, 29, []);
    expect(before).toBeGreaterThan(5);
    expect(disk.list().filter((name) => name.endsWith('.seg')).length).toBeLessThanOrEqual(2);
    expect(seqs(open(disk))).toEqual([30]);
  });

  it('does not take removed segments for a loss', async () => {
    const disk = memoryDisk();
    const spool = open(disk, countedStreams(), 600);
    await filled(spool, 30);
    spool.settle(
      spool.entries[0]!.stream,
      0,
      Array.from({ length: 20 }, (_, index) => index + 5),
    );
    const again = open(disk);
    expect(seqs(again)).toEqual(seqs(spool));
    expect(again.dropped.streams()).toEqual([]);
  });

  it('skips a damaged stretch in the middle and declares what it held', async () => {
    const disk = memoryDisk();
    const spool = open(disk);
    await filled(spool, 5);
    const [, second, third] = spool.entries;
    const bytes = Buffer.from(disk.files.get('00000001.seg')!);
    bytes.fill(0xff, second!.place!.offset + 20, third!.place!.offset + 20);
    disk.files.set('00000001.seg', bytes);
    const again = open(disk);
    expect(seqs(again)).toEqual([1, 4, 5]);
    expect(again.dropped.of(second!.stream)).toEqual([{ from: 2, to: 3, n: 2, why: 'spool_damaged' }]);
  });

  it('declares a segment whose beginning is gone', async () => {
    const disk = memoryDisk();
    const spool = open(disk, countedStreams(), 600);
    await filled(spool, 12);
    const held = spool.entries
      .filter((entry) => entry.place?.segment.name === '00000002.seg')
      .map((entry) => entry.seq);
    disk.files.set('00000002.seg', Buffer.from('not a segment'));
    const again = open(disk);
    expect(seqs(again)).toEqual(seqs(spool).filter((seq) => !held.includes(seq)));
    const [from, to] = [held[0]!, held.at(-1)!];
    expect(again.dropped.of(spool.entries[0]!.stream)).toEqual([{ from, to, n: held.length, why: 'spool_damaged' }]);
  });

  it('declares every number after a cut end, for the newest report may be settled already', async () => {
    const disk = memoryDisk();
    const spool = open(disk);
    await filled(spool, 5);
    const [first, , third] = spool.entries;
    spool.settle(first!.stream, 0, [5]);
    disk.files.set('00000001.seg', disk.files.get('00000001.seg')!.subarray(0, third!.place!.offset + 20));
    const again = open(disk, streamsFrom(7));
    expect(seqs(again)).toEqual([1, 2]);
    expect(again.dropped.of(first!.stream)).toMatchObject([{ from: 3, n: 1, why: 'spool_damaged' }]);
    expect(again.dropped.of(first!.stream)[0]!.to).toBeGreaterThan(5);
    expect((await again.append(smallReport(2000 + 9, 9), BOOT)).stream).not.toBe(first!.stream);
  });

  it('knows the stream of a damaged header by what was settled of it, and leaves older streams alone', async () => {
    const disk = memoryDisk();
    const older = open(disk);
    await filled(older, 3);
    const [old] = older.entries;
    disk.files.set('00000001.seg', disk.files.get('00000001.seg')!.subarray(0, -5));
    const spool = open(disk, streamsFrom(7));
    const [stream, newest] = [
      (await spool.append(smallReport(2000 + 8, 8), BOOT)).stream,
      await spool.append(smallReport(2000 + 9, 9), BOOT),
    ];
    spool.settle(old!.stream, 1, []);
    spool.settle(stream, 0, [newest.seq]);
    spool.dropped.clear();
    const damaged = Buffer.from(disk.files.get('00000002.seg')!);
    damaged.fill(0, 0, 12);
    disk.files.set('00000002.seg', damaged);
    const again = open(disk, streamsFrom(9));
    expect(again.dropped.streams()).toEqual([stream]);
    expect(again.dropped.of(stream)).toMatchObject([{ from: 1, n: 1 }]);
    expect(again.entries.map((entry) => [entry.stream, entry.seq])).toEqual([
      [old!.stream, 1],
      [old!.stream, 2],
    ]);
  });

  it('knows the stream of a segment that is lost whole, also before the first answer', async () => {
    const disk = memoryDisk();
    await filled(open(disk), 3);
    disk.files.set('00000001.seg', Buffer.alloc(0));
    const again = open(disk, streamsFrom(7));
    expect(again.dropped.streams()).toEqual([countedStreams()()]);
    expect(again.dropped.of(countedStreams()())).toMatchObject([{ from: 1, n: 1 }]);
    expect(again.entries).toEqual([]);
  });

  it('knows the streams of all segments, also of an older one that is lost whole', async () => {
    const disk = memoryDisk();
    const older = open(disk);
    await filled(older, 3);
    const cut = disk.files.get('00000001.seg')!;
    disk.files.set('00000001.seg', cut.subarray(0, -5));
    const spool = open(disk, streamsFrom(7));
    await filled(spool, 2, 3);
    spool.dropped.clear();
    disk.files.set('00000001.seg', Buffer.from('lost'));
    const again = open(disk, streamsFrom(9));
    expect(again.dropped.streams()).toEqual([countedStreams()()]);
    expect(again.entries.map(({ stream }) => stream)).toEqual([streamsFrom(7)(), streamsFrom(7)()]);
  });

  it('drops a report that turns out unreadable when it is sent', async () => {
    const disk = memoryDisk();
    const spool = open(disk);
    await filled(spool, 2);
    const [first] = spool.entries;
    disk.files.get('00000001.seg')!.fill(0, first!.place!.offset + 30, first!.place!.offset + 40);
    expect((await spool.load(spool.entries)).map(({ entry }) => entry.seq)).toEqual([2]);
    expect(spool.dropped.of(first!.stream)).toEqual([{ from: 1, to: 1, n: 1, why: 'spool_damaged' }]);
  });

  it('keeps 60 reports in memory while the disk is full, under a stream of their own', async () => {
    const disk = memoryDisk();
    const states: boolean[] = [];
    const spool = new Spool({ disk, newStream: countedStreams(), onDiskState: (ok) => states.push(ok) });
    await filled(spool, 2);
    disk.fault.freeBytes = SPOOL_LIMITS.freeBytes - 1;
    await filled(spool, 70, 2);
    const held = spool.entries.filter((entry) => entry.held !== null);
    expect(held.map((entry) => entry.seq)).toEqual(Array.from({ length: 60 }, (_, index) => index + 11));
    expect(new Set(spool.entries.map((entry) => entry.stream)).size).toBe(2);
    expect(spool.dropped.of(held[0]!.stream)).toEqual([{ from: 1, to: 10, n: 10, why: 'spool_full' }]);
    disk.fault.freeBytes = 1e12;
    expect((await spool.append(smallReport(5000, 500), BOOT)).place).not.toBeNull();
    expect(states).toEqual([false, true]);
    expect(await spool.load(spool.entries)).toHaveLength(63);
  });

  it('never uses a number again after a write that failed half way', async () => {
    const disk = memoryDisk();
    const spool = open(disk);
    await filled(spool, 2);
    disk.fault.writes = true;
    const held = await spool.append(smallReport(1500, 50), BOOT);
    disk.fault.writes = false;
    const after = await spool.append(smallReport(1501, 51), BOOT);
    const used = [...spool.entries].map((entry) => `${entry.stream}/${entry.seq}`);
    expect(new Set(used).size).toBe(4);
    expect(held.held).not.toBeNull();
    expect(after.seq).toBe(1);
    expect(open(disk).entries.length).toBe(3);
  });

  it.each([
    ['a cut tail', (disk: MemoryDisk) => disk.truncate('00000001.seg', disk.read('00000001.seg').length - 1)],
    ['a lost segment', (disk: MemoryDisk) => disk.append('00000002.seg', Buffer.from('not a segment'), true)],
  ])('never uses a number again after %s, also when the first start after it ends at once', async (_what, damage) => {
    const disk = memoryDisk();
    const streams = countedStreams();
    const before = open(disk, streams);
    await filled(before, 2);
    const sent = before.entries.map(({ stream, seq }) => `${stream}/${seq}`);
    damage(disk);
    expect(open(disk, streams).entries.length).toBeGreaterThan(0);
    const { stream, seq } = await open(disk, streams).append(smallReport(2000, 9), BOOT);
    expect(sent).not.toContain(`${stream}/${seq}`);
    expect(sent.map((key) => key.split('/')[0])).not.toContain(stream);
  });

  it('never uses the number of a report again that was given up as damaged', async () => {
    const disk = memoryDisk();
    const streams = countedStreams();
    await filled(open(disk, streams), 1);
    const spool = open(disk, streams);
    const [entry] = spool.entries;
    disk.files.get('00000001.seg')!.fill(0, entry!.place!.offset + 30, entry!.place!.offset + 40);
    expect(await spool.load(spool.entries)).toEqual([]);
    expect((await open(disk, streams).append(smallReport(2000, 9), BOOT)).stream).not.toBe(entry!.stream);
  });

  it('renews: all that is pending under a new stream with new numbers', async () => {
    const disk = memoryDisk();
    const spool = open(disk);
    await filled(spool, 3);
    const before = spool.entries[0]!.stream;
    spool.renew();
    expect(spool.entries.map((entry) => [entry.stream === before, entry.seq, entry.ts])).toEqual([
      [false, 1, 1000],
      [false, 2, 1001],
      [false, 3, 1002],
    ]);
    expect(await spool.load(spool.entries)).toHaveLength(3);
  });

  it('starts from any bytes at all', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 4 }), (contents) => {
        const files = new Map(
          contents.map((bytes, i): [string, Buffer] => [`0000000${i + 1}.seg`, Buffer.from(bytes)]),
        );
        expect(open(memoryDisk(files)).entries).toEqual([]);
      }),
    );
  });
});

describe('a spool cut at every byte', { timeout: 120_000 }, () => {
  it('starts, keeps every whole record, and never gives out a number that may have been sent', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'spool-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const streams = countedStreams();
    const spool = new Spool({ disk: diskAt(directory), newStream: streams });
    await filled(spool, 3);
    const file = join(directory, '00000001.seg');
    const whole = readFileSync(file);
    const ends = spool.entries.map((entry) => entry.place!.offset + entry.bytes);
    const stream = spool.entries[0]!.stream;
    for (let cut = 0; cut <= whole.length; cut += 1) {
      for (const name of diskAt(directory).list()) rmSync(join(directory, name));
      writeFileSync(file, whole.subarray(0, cut));
      const again = new Spool({ disk: diskAt(directory), newStream: streams });
      expect(seqs(again)).toEqual(ends.flatMap((end, index) => (end <= cut ? [index + 1] : [])));
      expect(await again.load(again.entries)).toHaveLength(again.entries.length);
      const next = again.appendPacked({ ts: 9999, up: 1, boot: BOOT }, Buffer.from('x'), 0);
      const onRecordEnd =
        cut === ends[0]! || cut === ends[1]! || cut === ends[2]! || cut === spool.entries[0]!.place!.offset;
      expect(next.stream === stream).toBe(onRecordEnd);
    }
  });
});
