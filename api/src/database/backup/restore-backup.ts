// A restore is COPY into every table in one transaction, which Prisma cannot express.
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Connection } from '../connection.ts';
import {
  CREATE_HISTORY,
  type Migration,
  MIGRATIONS_DIRECTORY,
  PRISMA_MIGRATE_LOCK,
  readMigrations,
  runMigration,
} from '../migrate.ts';
import { openClient } from '../open-client.ts';
import { type Header, openContainer } from './container.ts';
import { BackupError } from './errors.ts';
import { type Control, type Item, type Manifest, readRecords, type TableBackup, unreadable } from './records.ts';
import * as sql from './tables.ts';
import type { Progress } from './write-backup.ts';

export interface RestoreOptions {
  connection: Connection;
  passphrase: string | null;
  /** Replaces the rows that the database has. */
  overwrite: boolean;
  progress?: Progress;
  /** Tests restore into another history. */
  migrations?: string;
}
export interface RestoredBackup {
  header: Header;
  manifest: Manifest;
  rows: number;
}

/** Errors of gunzip mean the same as a wrong digest: the content is not what was written. */
async function* unpacked(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const gunzip = createGunzip();
  const fed = pipeline(content, gunzip);
  fed.catch(() => {});
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) yield piece;
  } catch (error) {
    throw error instanceof BackupError ? error : unreadable();
  }
  await fed;
}

/** Reads records ahead by one, so that the rows of a table end where the next table begins. */
class Records {
  readonly #items: AsyncGenerator<Item, void>;
  #next: Item | null = null;
  constructor(items: AsyncGenerator<Item, void>) {
    this.#items = items;
  }
  async #peek(): Promise<Item | null> {
    if (this.#next === null) {
      const { value } = await this.#items.next();
      this.#next = value ?? null;
    }
    return this.#next;
  }
  async control<Kind extends Control['kind']>(kind: Kind): Promise<Extract<Control, { kind: Kind }>> {
    const item = await this.#peek();
    this.#next = null;
    if (item === null || !('control' in item) || item.control.kind !== kind) throw unreadable();
    return item.control as Extract<Control, { kind: Kind }>;
  }
  async *rows(): AsyncGenerator<Buffer, void> {
    for (let item = await this.#peek(); item !== null && 'rows' in item; item = await this.#peek()) {
      this.#next = null;
      yield item.rows;
    }
  }
  /** Nothing follows the end; the container finds out that its last chunk came. */
  async finish(): Promise<void> {
    await this.control('end');
    if ((await this.#peek()) !== null) throw unreadable();
  }
}

interface OpenedBackup {
  header: Header;
  manifest: Manifest;
  records: Records;
  /** Reads to the end of the file. */
  drain: () => Promise<void>;
}
async function openBackup(source: AsyncIterable<Buffer>, passphrase: string | null): Promise<OpenedBackup> {
  const { header, content } = await openContainer(source, passphrase);
  const bytes = unpacked(content);
  const records = new Records(readRecords(bytes));
  const manifest = await records.control('manifest');
  const drain = async (): Promise<void> => {
    await records.finish();
    if (!(await bytes.next()).done) throw unreadable();
  };
  return { header, manifest, records, drain };
}

const countRows = (piece: Buffer): number => {
  let rows = 0;
  for (let at = piece.indexOf(0x0a); at !== -1; at = piece.indexOf(0x0a, at + 1)) rows += 1;
  return rows;
};

/** Reads a whole backup without a database: every seal is checked and every row counted. */
export async function checkBackup(source: AsyncIterable<Buffer>, passphrase: string | null): Promise<RestoredBackup> {
  const { header, manifest, records, drain } = await openBackup(source, passphrase);
  let total = 0;
  for (const { table, rows } of manifest.tables) {
    await records.control('table');
    let counted = 0;
    for await (const piece of records.rows()) counted += countRows(piece);
    if (counted !== rows)
      throw new BackupError('damaged', `${table}: the backup has ${String(counted)} rows instead of ${String(rows)}.`);
    total += counted;
  }
  await drain();
  return { header, manifest, rows: total };
}

/** Returns the files of the backup's migrations. Throws where this version lacks one. */
async function migrationsOf(manifest: Manifest, { plimsoll }: Header, directory: string): Promise<Migration[]> {
  const files = await readMigrations(directory);
  return manifest.migrations.map(({ name, checksum }) => {
    const file = files.find((migration) => migration.name === name && migration.checksum === checksum);
    if (file === undefined)
      throw new BackupError(
        'newer',
        `The backup was made by Plimsoll ${plimsoll} and needs its migration ${name}. Restore it with that version or a newer one.`,
      );
    return file;
  });
}

async function refuseUse(client: Client): Promise<void> {
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'plimsoll'`,
  );
  if (rows[0]?.n !== 0)
    throw new BackupError(
      'in_use',
      'Plimsoll is running on this database. Stop it, in a cluster with: kubectl scale --replicas=0 deployment …-api',
    );
}

async function refuseContents(client: Client, overwrite: boolean): Promise<void> {
  const contents = await sql.contentsOf(client);
  if (contents === 'foreign')
    throw new BackupError(
      'not_empty',
      'The database has tables of another program. Create a database for Plimsoll alone.',
    );
  if (contents === 'ours' && !overwrite && (await sql.hasRows(client)))
    throw new BackupError(
      'not_empty',
      'The database is not empty. Restore into an empty database, or add --overwrite to replace everything in it.',
    );
}

/** A partition's name and bounds come from the file, so both are checked before they become SQL. */
const BOUND = /^FOR VALUES FROM \('[\d :.+-]+'\) TO \('[\d :.+-]+'\)$/;
async function createPartitions(client: Client, { partitions, tables }: Manifest): Promise<void> {
  for (const { parent, name, bound } of partitions) {
    if (!BOUND.test(bound) || !tables.some(({ table }) => table === parent)) throw unreadable();
    await client.query(`CREATE TABLE ${sql.quote(name)} PARTITION OF ${sql.quote(parent)} ${bound}`);
  }
}

async function* watched(
  rows: AsyncIterable<Buffer>,
  table: TableBackup,
  progress: Progress | undefined,
): AsyncGenerator<Buffer, void> {
  for await (const piece of rows) {
    progress?.piece(table, piece.length);
    yield piece;
  }
}

async function loadTables(client: Client, backup: OpenedBackup, options: RestoreOptions): Promise<void> {
  const { manifest, records } = backup;
  const known = new Map((await sql.listTables(client)).map((table) => [table.table, table.columns]));
  for (const table of manifest.tables) {
    const { table: name } = await records.control('table');
    const columns = known.get(name);
    if (name !== table.table || !table.columns.every((column) => columns?.includes(column))) throw unreadable();
    await pipeline(watched(records.rows(), table, options.progress), client.query(copyFrom(sql.copyIn(table))));
    options.progress?.table(table);
  }
  await backup.drain();
}

async function restoreSequences(client: Client, { sequences }: Manifest): Promise<void> {
  for (const { table, column, lastValue, isCalled } of sequences) {
    await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3::bigint, $4)', [
      sql.quote(table),
      column,
      lastValue,
      isCalled,
    ]);
  }
}

async function verify(client: Client, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    const { rows, digest } = await sql.digestTable(client, table);
    if (rows === table.rows && digest === table.digest) continue;
    throw new BackupError(
      'damaged',
      `${table.table}: ${String(rows)} rows were restored of ${String(table.rows)}, or their content differs. Nothing was changed. Use another copy of the file.`,
    );
  }
}

/**
 * Restores in one transaction: creates the tables of the backup's version, loads them and compares counts and hashes.
 * Whatever fails, the database stays as it was. The caller applies the migrations that came later.
 */
export async function restoreBackup(source: AsyncIterable<Buffer>, options: RestoreOptions): Promise<RestoredBackup> {
  const backup = await openBackup(source, options.passphrase);
  const { header, manifest } = backup;
  const migrations = await migrationsOf(manifest, header, options.migrations ?? MIGRATIONS_DIRECTORY);
  const client = await openClient(options.connection, 'plimsoll-restore');
  try {
    await client.query(sql.SESSION);
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_MIGRATE_LOCK]);
    await client.query('BEGIN');
    await refuseUse(client);
    await refuseContents(client, options.overwrite);
    await sql.dropEverything(client);
    await client.query(CREATE_HISTORY);
    for (const migration of migrations) await runMigration(client, migration);
    const resumeChecks = await sql.suspendChecks(client);
    await createPartitions(client, manifest);
    await loadTables(client, backup, options);
    await resumeChecks();
    await restoreSequences(client, manifest);
    await verify(client, manifest);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return { header, manifest, rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0) };
  } finally {
    // Without COMMIT the end of the session rolls back.
    await client.end();
  }
}
