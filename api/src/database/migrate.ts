// SQL applies the migrations: they create the tables that Prisma reads.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { silentLogger } from './connection.ts';
import type { Connection, StorageLogger } from './connection.ts';
import { openClient } from './open-client.ts';

/** The advisory lock `prisma migrate deploy` takes, so that both can be started at once (schema-engine, PostgreSQL). */
export const PRISMA_MIGRATE_LOCK = 72_707_369;
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/** The table as `prisma migrate deploy` creates and reads it. */
export const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  varchar(36) PRIMARY KEY NOT NULL,
  checksum            varchar(64) NOT NULL,
  finished_at         timestamptz,
  migration_name      varchar(255) NOT NULL,
  logs                text,
  rolled_back_at      timestamptz,
  started_at          timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`;

/** A history that must not be built upon; the message says what to do. */
export class MigrationError extends Error {
  readonly code = 'migration_refused';
}

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}
interface HistoryRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

export const readMigrations = async (directory: string): Promise<Migration[]> => {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(`${directory}/${name}/migration.sql`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
};

const refuseBrokenHistory = (history: HistoryRow[], migrations: Migration[]): void => {
  for (const row of history) {
    if (row.finished_at === null) {
      throw new MigrationError(
        `Migration ${row.migration_name} started and never finished. Restore the backup taken before the update, or repair the tables and run: npx prisma migrate resolve --applied ${row.migration_name} (or --rolled-back).`,
      );
    }
    const file = migrations.find((migration) => migration.name === row.migration_name);
    if (!file) {
      throw new MigrationError(
        `The database has migration ${row.migration_name}, which a newer version of Plimsoll added. Start that version again, or restore the backup taken before the update.`,
      );
    }
    if (file.checksum !== row.checksum) {
      throw new MigrationError(
        `Migration ${row.migration_name} was changed after it was applied. Restore the file prisma/migrations/${row.migration_name}/migration.sql of the release you installed.`,
      );
    }
  }
};

/** Runs a migration and records it, in the transaction of the caller. */
export const runMigration = async (client: Client, { name, sql, checksum }: Migration): Promise<void> => {
  await client.query(sql);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
};

const apply = async (client: Client, migration: Migration): Promise<void> => {
  const { name } = migration;
  await client.query('BEGIN');
  try {
    await runMigration(client, migration);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new MigrationError(`Migration ${name} failed and was rolled back: ${(error as Error).message}`, {
      cause: error,
    });
  }
};

const HISTORY = `SELECT migration_name, checksum, finished_at FROM _prisma_migrations
  WHERE rolled_back_at IS NULL ORDER BY started_at`;

/** Returns the migrations to apply. Throws on a history that must not be built upon. */
const pendingOf = async (client: Client, migrations: Migration[]): Promise<Migration[]> => {
  const { rows: history } = await client.query<HistoryRow>(HISTORY);
  refuseBrokenHistory(history, migrations);
  const done = new Set(history.map((row) => row.migration_name));
  return migrations.filter((migration) => !done.has(migration.name));
};

/** A backup holds the lock while it reads. A start that has nothing to apply must not wait for it. */
const isUpToDate = async (client: Client, migrations: Migration[]): Promise<boolean> => {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists",
  );
  if (rows[0]?.exists !== true) return false;
  const { rows: history } = await client.query<HistoryRow>(HISTORY);
  const done = new Set(history.map((row) => row.finished_at && `${row.migration_name} ${row.checksum}`));
  return (
    history.length === migrations.length && migrations.every(({ name, checksum }) => done.has(`${name} ${checksum}`))
  );
};

/**
 * Brings the tables up to this version, one transaction a migration, and answers the names applied. Several processes
 * may call it at once: one applies, the others wait and find nothing to do.
 */
export const migrate = async (
  connection: Connection,
  logger: StorageLogger = silentLogger,
  directory: string = MIGRATIONS_DIRECTORY,
): Promise<string[]> => {
  const migrations = await readMigrations(directory);
  const client = await openClient(connection, 'plimsoll-migrate');
  try {
    // A migration may take long; the session's own limits are not for it. Closing the session frees the lock.
    await client.query('SET statement_timeout = 0');
    if (await isUpToDate(client, migrations)) return [];
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_MIGRATE_LOCK]);
    await client.query(CREATE_HISTORY);
    const pending = await pendingOf(client, migrations);
    for (const migration of pending) {
      await apply(client, migration);
      logger.info({ migration: migration.name }, 'migration applied');
    }
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
};
