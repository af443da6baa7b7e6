import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { poolConfigOf, silentLogger } from './connection.ts';
import type { Connection, StorageLogger } from './connection.ts';

/** The advisory lock `prisma migrate deploy` takes, so that both can be started at once (schema-engine, PostgreSQL). */
const PRISMA_MIGRATE_LOCK = 72_707_369;
const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/** The table as `prisma migrate deploy` creates and reads it. */
const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
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

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}
interface HistoryRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

const readMigrations = async (directory: string): Promise<Migration[]> => {
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

const apply = async (client: Client, { name, sql, checksum }: Migration): Promise<void> => {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new MigrationError(`Migration ${name} failed and was rolled back: ${(error as Error).message}`, {
      cause: error,
    });
  }
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
  const client = new Client(poolConfigOf(connection));
  await client.connect();
  try {
    // A migration may take long; the session's own limits are not for it. Closing the session frees the lock.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_MIGRATE_LOCK]);
    await client.query(CREATE_HISTORY);
    const { rows: history } = await client.query<HistoryRow>(
      `SELECT migration_name, checksum, finished_at FROM _prisma_migrations
       WHERE rolled_back_at IS NULL ORDER BY started_at`,
    );
    refuseBrokenHistory(history, migrations);
    const done = new Set(history.map((row) => row.migration_name));
    const pending = migrations.filter((migration) => !done.has(migration.name));
    for (const migration of pending) {
      await apply(client, migration);
      logger.info({ migration: migration.name }, 'migration applied');
    }
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
};
