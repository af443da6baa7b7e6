// A backup is COPY of every table in one snapshot, which Prisma cannot express.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Connection } from '../connection.ts';
import { LOCKS } from '../maintenance.ts';
import { PRISMA_MIGRATE_LOCK } from '../migrate.ts';
import { openClient } from '../open-client.ts';
import { prepareSeal, sealContent } from './container.ts';
import { BackupError } from './errors.ts';
import { controlRecord, rowsRecord, type Manifest, type TableBackup } from './records.ts';
import { contentsOf, copyOut, digestTable, listPartitions, listSequences, listTables, SESSION } from './tables.ts';

export interface BackupOptions {
  connection: Connection;
  version: string;
  now: number;
  /** null: the file is not encrypted. */
  passphrase: string | null;
  /** Only ever given together with a passphrase. */
  secretKey: Buffer | null;
  secretKeyId: string | null;
  progress?: Progress;
  signal?: AbortSignal;
}
export interface Progress {
  /** A table is done. */
  table(table: TableBackup): void;
  /** A piece of its rows has this many bytes. */
  piece(table: TableBackup, bytes: number): void;
}
export interface BackupSummary {
  tables: number;
  rows: number;
  bytes: number;
  /** Migrations of the database when it was read. */
  migrations: number;
}

/** Rows travel in pieces of this size. */
const PIECE_BYTES = 256 * 1024;

/**
 * Jobs that drop and attach partitions take locks that would make reports wait behind the backup, and a migration would
 * change tables under it. Both wait for the end of the session; a start with nothing to migrate does not.
 */
const holdBackJobs = async (client: Client): Promise<void> => {
  await client.query('SELECT pg_advisory_lock_shared($1)', [PRISMA_MIGRATE_LOCK]);
  for (const lock of Object.values(LOCKS)) await client.query('SELECT pg_advisory_lock($1)', [lock]);
};

const readMigrations = async (client: Client): Promise<Manifest['migrations']> => {
  if ((await contentsOf(client)) !== 'ours')
    throw new BackupError('not_ours', 'The database has no tables of Plimsoll. Check DATABASE_URL.');
  const { rows } = await client.query<Manifest['migrations'][number]>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL ORDER BY started_at, migration_name`,
  );
  return rows;
};

async function readManifest(client: Client, options: BackupOptions): Promise<Manifest> {
  const migrations = await readMigrations(client);
  const tables: TableBackup[] = [];
  for (const table of await listTables(client)) tables.push({ ...table, ...(await digestTable(client, table)) });
  return {
    kind: 'manifest',
    migrations,
    tables,
    partitions: await listPartitions(client),
    sequences: await listSequences(client),
    secretKey: options.secretKey?.toString('base64') ?? null,
    secretKeyId: options.secretKeyId,
  };
}

async function* rowsOf(client: Client, table: TableBackup): AsyncGenerator<Buffer, void> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of client.query(copyTo(copyOut(table))) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pieces);
}

async function* contentOf(client: Client, manifest: Manifest, options: BackupOptions): AsyncGenerator<Buffer, void> {
  yield controlRecord(manifest);
  for (const table of manifest.tables) {
    yield controlRecord({ kind: 'table', table: table.table });
    for await (const piece of rowsOf(client, table)) {
      options.progress?.piece(table, piece.length);
      yield rowsRecord(piece);
    }
    options.progress?.table(table);
  }
  yield controlRecord({ kind: 'end', tables: manifest.tables.length });
}

/** Writes all tables as they were at one moment. The API and its collectors keep working meanwhile. */
export async function writeBackup(target: NodeJS.WritableStream, options: BackupOptions): Promise<BackupSummary> {
  const client = await openClient(options.connection, 'plimsoll-backup');
  // Ends a query under way, too: the pipeline below sees the signal only once rows are read.
  const cut = (): void => void client.end().catch(() => {});
  options.signal?.addEventListener('abort', cut, { once: true });
  let lost: Error | undefined;
  client.once('error', (error) => (lost = error));
  try {
    options.signal?.throwIfAborted();
    await client.query(SESSION);
    await holdBackJobs(client);
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const manifest = await readManifest(client, options);
    const sealing = await prepareSeal(
      { plimsoll: options.version, createdAt: new Date(options.now).toISOString() },
      options.passphrase,
    );
    let bytes = 0;
    await pipeline(
      contentOf(client, manifest, options),
      // The processor is shared with the API: the fastest level takes a third of the default's time.
      createGzip({ level: constants.Z_BEST_SPEED }),
      async function* (packed: AsyncIterable<Buffer>) {
        for await (const piece of sealContent(packed, sealing)) {
          bytes += piece.length;
          yield piece;
        }
      },
      target,
      { signal: options.signal },
    );
    await client.query('COMMIT');
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { tables: manifest.tables.length, rows, bytes, migrations: manifest.migrations.length };
  } catch (error) {
    if (lost === undefined) throw error;
    // The driver has the name of a system call alone, such as "write EPIPE".
    throw new BackupError(
      'connection_lost',
      `The connection to the database ended: ${lost.message}. Start the backup again when the database is back.`,
    );
  } finally {
    options.signal?.removeEventListener('abort', cut);
    await client.end();
  }
}

/**
 * Writes the backup beside its place and moves it there when it is whole and on disk, so that no unfinished file has the
 * name of a backup.
 */
export async function writeBackupFile(path: string, options: BackupOptions): Promise<BackupSummary> {
  const draft = `${path}.part`;
  // `flush` brings the bytes to the disk before the file is closed.
  const file = createWriteStream(draft, { mode: 0o600, flush: true });
  const closed = once(file, 'close');
  closed.catch(() => {});
  try {
    const summary = await writeBackup(file, options);
    await closed;
    await rename(draft, path);
    return summary;
  } catch (error) {
    file.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}
