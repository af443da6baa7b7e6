import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeReport, RECORD_TYPE, scanRecords } from '../../../collector/src/send/record.ts';

/** When the reports were collected (epoch seconds) that a spool holds and the server has not settled. Only reads. */
export function pendingReports(folder: string): number[] {
  const pending = new Map<string, number>();
  for (const name of readdirSync(folder).toSorted()) {
    if (!name.endsWith('.seg')) continue;
    // Numbers are of one stream; a collector that was killed while it wrote begins another.
    let stream = '';
    for (const record of scanRecords(contentOf(join(folder, name))).records) {
      if (record.type === RECORD_TYPE.header) stream = (jsonOf(record.payload) as { stream: string }).stream;
      const head = record.type === RECORD_TYPE.report ? decodeReport(record.payload)?.head : undefined;
      if (head) pending.set(`${stream} ${String(head.seq)}`, head.ts);
      if (record.type === RECORD_TYPE.settled) {
        const settled = jsonOf(record.payload) as { stream: string; seqs: number[] };
        for (const seq of settled.seqs) pending.delete(`${settled.stream} ${String(seq)}`);
      }
    }
  }
  return [...pending.values()];
}

const jsonOf = (payload: Buffer): unknown => JSON.parse(payload.toString('utf8'));

/** A segment in which all is settled may go at any moment: nothing in it waits. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
