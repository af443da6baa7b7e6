import { crc32c } from './crc32c.ts';

/**
 * One record of a spool segment:
 * "PL" · type (1 byte) · level (1) · payload length (4, little endian) · CRC-32C of all but itself (4) · payload.
 */
export const RECORD_TYPE = { header: 1, report: 2, settled: 3 } as const;
export interface RawRecord {
  type: number;
  level: number;
  /** Offset of the record in its segment. */
  offset: number;
  /** Bytes of the whole record. */
  length: number;
  payload: Buffer;
}
export interface Scan {
  records: RawRecord[];
  /** Indexes into `records` before which bytes were unreadable. */
  damagedBefore: Set<number>;
  /** Bytes up to the end of the last good record. */
  goodBytes: number;
}

const HEAD_BYTES = 12;
const MAGIC = Buffer.from('PL');
/** No report comes near it (64 KiB is a very full one); a length above it is damage. */
export const RECORD_BYTES = 1_048_576;

export function encodeRecord(type: number, level: number, payload: Uint8Array): Buffer {
  const record = Buffer.alloc(HEAD_BYTES + payload.length);
  MAGIC.copy(record);
  record.writeUInt8(type, 2);
  record.writeUInt8(level, 3);
  record.writeUInt32LE(payload.length, 4);
  record.set(payload, HEAD_BYTES);
  record.writeUInt32LE(checksum(record), 8);
  return record;
}

/** The record at the offset, or null when it is cut or damaged. */
export function decodeRecord(bytes: Buffer, offset: number): RawRecord | null {
  if (offset + HEAD_BYTES > bytes.length || bytes[offset] !== MAGIC[0] || bytes[offset + 1] !== MAGIC[1]) return null;
  const size = bytes.readUInt32LE(offset + 4);
  if (size === 0 || size > RECORD_BYTES || offset + HEAD_BYTES + size > bytes.length) return null;
  const record = bytes.subarray(offset, offset + HEAD_BYTES + size);
  if (record.readUInt32LE(8) !== checksum(record)) return null;
  const [type = 0, level = 0] = [record[2], record[3]];
  return { type, level, offset, length: record.length, payload: record.subarray(HEAD_BYTES) };
}

/** Chained over head and payload, the checksum's own four bytes left out. */
function checksum(record: Buffer): number {
  return (crc32c(record.subarray(0, 8)) ^ crc32c(record.subarray(HEAD_BYTES))) >>> 0;
}

/** All good records of a segment. After a bad stretch it looks for the next record, so one bad sector costs little. */
export function scanRecords(bytes: Buffer): Scan {
  const scan: Scan = { records: [], damagedBefore: new Set(), goodBytes: 0 };
  let offset = 0;
  while (offset < bytes.length) {
    const record = decodeRecord(bytes, offset);
    if (record) {
      if (offset !== scan.goodBytes) scan.damagedBefore.add(scan.records.length);
      scan.records.push(record);
      offset += record.length;
      scan.goodBytes = offset;
      continue;
    }
    const next = bytes.indexOf(MAGIC, offset + 1);
    if (next === -1) break;
    offset = next;
  }
  return scan;
}

/** Fields of a report that the spool reads without unpacking it. */
export interface ReportHead {
  seq: number;
  ts: number;
  up: number;
  boot: string;
}

/** seq, ts, up as doubles · length of boot id (1 byte) · boot id · the packed report. */
export function encodeReport(head: ReportHead, packed: Uint8Array): Buffer {
  const boot = Buffer.from(head.boot).subarray(0, 64);
  const payload = Buffer.alloc(25 + boot.length + packed.length);
  payload.writeDoubleLE(head.seq, 0);
  payload.writeDoubleLE(head.ts, 8);
  payload.writeDoubleLE(head.up, 16);
  payload.writeUInt8(boot.length, 24);
  boot.copy(payload, 25);
  payload.set(packed, 25 + boot.length);
  return payload;
}

export function decodeReport(payload: Buffer): { head: ReportHead; packed: Buffer } | null {
  if (payload.length < 25) return null;
  const bootEnd = 25 + payload.readUInt8(24);
  if (payload.length < bootEnd) return null;
  const head = {
    seq: payload.readDoubleLE(0),
    ts: payload.readDoubleLE(8),
    up: payload.readDoubleLE(16),
    boot: payload.toString('utf8', 25, bootEnd),
  };
  return Number.isSafeInteger(head.seq) && head.seq > 0 ? { head, packed: payload.subarray(bootEnd) } : null;
}
