import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeReport, RECORD_TYPE, scanRecords } from '../../collector/src/send/record.ts';

/** When the reports were collected (epoch seconds) that a spool holds and the server has not settled. Only reads. */
export function pendingReports(folder: string): number[] {
  const pending = new Map<number, number>();
  for (const name of readdirSync(folder).toSorted()) {
    if (!name.endsWith('.seg')) continue;
    for (const record of scanRecords(readFileSync(join(folder, name))).records) {
      const head = record.type === RECORD_TYPE.report ? decodeReport(record.payload)?.head : undefined;
      if (head) pending.set(head.seq, head.ts);
      if (record.type === RECORD_TYPE.settled) {
        const { seqs } = JSON.parse(record.payload.toString('utf8')) as { seqs: number[] };
        for (const seq of seqs) pending.delete(seq);
      }
    }
  }
  return [...pending.values()];
}
