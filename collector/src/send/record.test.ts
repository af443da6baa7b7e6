import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeRecord,
  decodeReport,
  encodeRecord,
  encodeReport,
  RECORD_BYTES,
  RECORD_TYPE,
  scanRecords,
} from './record.ts';

const payload = fc.uint8Array({ minLength: 1, maxLength: 200 });
const records = fc.array(payload, { minLength: 1, maxLength: 6 });
const written = (payloads: readonly Uint8Array[]): Buffer =>
  Buffer.concat(payloads.map((bytes) => encodeRecord(RECORD_TYPE.report, 0, bytes)));
const read = (bytes: Buffer): string[] => scanRecords(bytes).records.map((one) => one.payload.toString('hex'));
const hex = (payloads: readonly Uint8Array[]): string[] => payloads.map((bytes) => Buffer.from(bytes).toString('hex'));

describe('records of a segment', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(records, (payloads) => {
        const bytes = written(payloads);
        const scan = scanRecords(bytes);
        expect([read(bytes), scan.goodBytes, scan.damagedBefore.size]).toEqual([hex(payloads), bytes.length, 0]);
      }),
    );
  });

  it('are never read otherwise than written, whatever byte is flipped', () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.integer({ min: 1, max: 255 }), (payloads, at, mask) => {
        const bytes = written(payloads);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ mask;
        const found = read(bytes);
        // One is lost; what is found is a part of what was written, in its order.
        const left = hex(payloads);
        for (const one of found) expect(left.splice(0, left.indexOf(one) + 1).at(-1)).toBe(one);
        expect(found.length).toBeGreaterThanOrEqual(payloads.length - 1);
      }),
    );
  });

  it('end where the file is cut', () => {
    fc.assert(
      fc.property(records, fc.nat(), (payloads, at) => {
        const bytes = written(payloads);
        const cut = bytes.subarray(0, at % bytes.length);
        const found = read(cut);
        expect(found).toEqual(hex(payloads).slice(0, found.length));
        expect(scanRecords(cut).goodBytes).toBeLessThanOrEqual(cut.length);
      }),
    );
  });

  it('of no length, or longer than any report, are damage', () => {
    expect(decodeRecord(encodeRecord(RECORD_TYPE.report, 0, Buffer.alloc(0)), 0)).toBeNull();
    const long = encodeRecord(RECORD_TYPE.report, 0, Buffer.alloc(RECORD_BYTES + 1));
    expect(decodeRecord(long, 0)).toBeNull();
  });
});

describe('a report in a record', () => {
  const head = fc.record({
    seq: fc.integer({ min: 1 }),
    ts: fc.double({ noNaN: true, min: 0, max: 4e9 }),
    up: fc.double({ noNaN: true, min: 0, max: 1e9 }),
    boot: fc.stringMatching(/^[0-9a-f-]{0,64}$/),
  });

  it('keeps its head and its bytes', () => {
    fc.assert(
      fc.property(head, payload, (of, packed) => {
        const decoded = decodeReport(encodeReport(of, packed));
        expect([decoded?.head, Buffer.from(packed).equals(decoded?.packed ?? Buffer.alloc(0))]).toEqual([of, true]);
      }),
    );
  });

  it('is none when it is cut within its head, or has no number', () => {
    const whole = encodeReport({ seq: 7, ts: 1, up: 1, boot: 'b'.repeat(36) }, Buffer.from('x'));
    for (let end = 0; end < 25 + 36; end += 1) expect(decodeReport(whole.subarray(0, end))).toBeNull();
    for (const seq of [0, -1, 1.5, Number.NaN])
      expect(decodeReport(encodeReport({ seq, ts: 1, up: 1, boot: '' }, Buffer.from('x')))).toBeNull();
  });
});
