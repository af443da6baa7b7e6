/** Records inside the container: a letter, the length of the body in four bytes, the body. */
import { ByteReader } from './container.ts';
import { BackupError } from './errors.ts';

export interface TableBackup {
  table: string;
  columns: string[];
  rows: number;
  /** Sum over the rows of a hash of each row; see `tables.ts`. */
  digest: string;
}
export interface Partition {
  parent: string;
  name: string;
  /** As PostgreSQL prints it: FOR VALUES FROM ('…') TO ('…'). */
  bound: string;
}
export interface Sequence {
  table: string;
  column: string;
  lastValue: string;
  isCalled: boolean;
}
export interface Manifest {
  kind: 'manifest';
  migrations: { name: string; checksum: string }[];
  tables: TableBackup[];
  partitions: Partition[];
  sequences: Sequence[];
  /** Base64; null where it was not requested. */
  secretKey: string | null;
  /** Identifies the key that sealed channel tokens and second factors, without revealing it; null: no key was found. */
  secretKeyId: string | null;
}
export type Control = Manifest | { kind: 'table'; table: string } | { kind: 'end'; tables: number };
export type Item = { rows: Buffer } | { control: Control };

const frame = (letter: 'D' | 'J', body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(letter, 'latin1');
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
};
export const controlRecord = (control: Control): Buffer => frame('J', Buffer.from(JSON.stringify(control)));
export const rowsRecord = (rows: Buffer): Buffer => frame('D', rows);

/** A record of rows holds one piece of COPY, and the manifest a few hundred names. */
const MAX_RECORD_BYTES = 256 * 1024 * 1024;

/** Throws where the content ends before its end record. */
export async function* readRecords(content: AsyncIterable<Buffer>): AsyncGenerator<Item, void> {
  const reader = new ByteReader(content);
  for (;;) {
    const head = await reader.take(5);
    const size = head.length === 5 ? head.readUInt32BE(1) : Infinity;
    const letter = head.toString('latin1', 0, 1);
    if (size > MAX_RECORD_BYTES || (letter !== 'D' && letter !== 'J')) throw unreadable();
    const body = await reader.take(size);
    if (body.length < size) throw unreadable();
    if (letter === 'D') {
      yield { rows: body };
      continue;
    }
    const control = JSON.parse(body.toString()) as Control;
    yield { control };
    if (control.kind === 'end') return;
  }
}

export const unreadable = (): BackupError =>
  new BackupError('damaged', 'The content of the backup does not make sense. Use another copy of the file.');
