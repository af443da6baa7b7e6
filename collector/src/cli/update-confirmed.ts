import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeReport, type RawRecord, RECORD_TYPE, scanRecords } from '../send/record.ts';

/**
 * Whether the server has accepted a report that was collected at `since` (epoch seconds) or later. Reads the spool of
 * the running service without touching it: the spool notes each report before it is sent and again once it is settled.
 */
export function acceptedSince(stateDir: string, since: number): boolean {
  const folder = join(stateDir, 'spool');
  if (!existsSync(folder)) return false;
  const recent = new Set<string>();
  for (const name of readdirSync(folder).toSorted()) {
    if (!name.endsWith('.seg')) continue;
    const { records } = scanRecords(readFileSync(join(folder, name)));
    const stream = streamOf(records[0]);
    for (const record of records) {
      const head = record.type === RECORD_TYPE.report ? decodeReport(record.payload)?.head : undefined;
      if (head && head.ts >= since) recent.add(`${stream} ${String(head.seq)}`);
      if (settledIn(record).some((key) => recent.has(key))) return true;
    }
  }
  return false;
}

const streamOf = (header: RawRecord | undefined): string =>
  header?.type === RECORD_TYPE.header ? String(parse<{ stream: unknown }>(header).stream) : '';

function settledIn(record: RawRecord): string[] {
  if (record.type !== RECORD_TYPE.settled) return [];
  const { stream, seqs } = parse<{ stream: unknown; seqs: unknown }>(record);
  return Array.isArray(seqs) ? seqs.map((seq) => `${String(stream)} ${String(seq)}`) : [];
}

/** The record's checksum held, so what does not parse was written by another version: nothing can be read from it. */
function parse<T>(record: RawRecord): Partial<T> {
  try {
    return JSON.parse(record.payload.toString('utf8')) as Partial<T>;
  } catch {
    return {};
  }
}
