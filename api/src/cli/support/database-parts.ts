// SQL, because it reads the catalog and the statistics of PostgreSQL.
import type { Client } from 'pg';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../../database/migrate.ts';

/** Settings that explain speed and safety. Others may hold a password, such as `primary_conninfo`: only their names leave. */
const SETTINGS = `autovacuum autovacuum_max_workers autovacuum_naptime checkpoint_timeout data_checksums
  default_transaction_isolation effective_cache_size effective_io_concurrency fsync full_page_writes hot_standby
  huge_pages idle_in_transaction_session_timeout in_hot_standby io_method jit lc_collate lock_timeout
  log_min_duration_statement maintenance_work_mem max_connections max_locks_per_transaction max_parallel_workers
  max_parallel_workers_per_gather max_wal_size max_worker_processes min_wal_size password_encryption random_page_cost
  server_encoding server_version shared_buffers ssl statement_timeout synchronous_commit TimeZone
  transaction_timeout wal_compression wal_level work_mem`.split(/\s+/);

const MOST_TABLES = 30;
const CONNECTIONS = `
SELECT backend_type, state, wait_event_type, count(*)::integer AS connections,
    round(max(extract(epoch FROM now() - xact_start)))::integer AS longest_transaction_seconds
FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
GROUP BY 1, 2, 3 ORDER BY 4 DESC`;
const TABLES = `
SELECT relname AS name, pg_total_relation_size(relid) AS bytes, n_live_tup AS live_rows, n_dead_tup AS dead_rows,
    last_vacuum, last_autovacuum, last_autoanalyze
FROM pg_stat_user_tables ORDER BY 2 DESC LIMIT ${String(MOST_TABLES)}`;
const STATE = `
SELECT version(), pg_is_in_recovery() AS is_standby, pg_database_size(current_database()) AS database_bytes,
    (SELECT age(datfrozenxid) FROM pg_database WHERE datname = current_database()) AS oldest_transaction_age,
    (SELECT count(*)::integer FROM pg_locks WHERE NOT granted) AS locks_waiting,
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS is_superuser,
    pg_postmaster_start_time() AS started_at`;

/** Versions, settings, connections and tables of PostgreSQL. No row of Plimsoll's tables. */
export async function describePostgres(client: Client): Promise<object> {
  const rows = async (statement: string, values: unknown[] = []) =>
    (await client.query<Record<string, unknown>>(statement, values)).rows;
  const [state] = await rows(STATE);
  return {
    ...state,
    extensions: await rows('SELECT extname AS name, extversion AS version FROM pg_extension ORDER BY 1'),
    settings: await rows('SELECT name, setting, unit, source FROM pg_settings WHERE name = ANY($1) ORDER BY 1', [
      SETTINGS,
    ]),
    other_changed_settings: (
      await rows("SELECT name FROM pg_settings WHERE name <> ALL($1) AND source NOT IN ('default', 'override')", [
        SETTINGS,
      ])
    ).map(({ name }) => name),
    connections: await rows(CONNECTIONS),
    largest_tables: await rows(TABLES),
  };
}

interface Applied {
  name: string;
  checksum: string;
  started_at: Date;
  finished_at: Date | null;
  rolled_back_at: Date | null;
}

/** Compares the migrations of the database with those of this version. */
export async function describeMigrations(client: Client): Promise<object> {
  const files = await readMigrations(MIGRATIONS_DIRECTORY);
  const { rows } = await client.query<Applied>(
    `SELECT migration_name AS name, checksum, started_at, finished_at, rolled_back_at
     FROM _prisma_migrations ORDER BY started_at, migration_name`,
  );
  const current = rows.filter(({ rolled_back_at }) => rolled_back_at === null);
  const done = new Map(current.map((row) => [row.name, row]));
  const known = new Map(files.map((file) => [file.name, file]));
  return {
    of_this_version: files.length,
    applied: current.length,
    last: rows.at(-1) ?? null,
    pending: files.filter(({ name }) => !done.has(name)).map(({ name }) => name),
    of_a_newer_version: current.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    changed_after_they_were_applied: current
      .filter(({ name, checksum }) => known.has(name) && known.get(name)?.checksum !== checksum)
      .map(({ name }) => name),
    unfinished: current.filter(({ finished_at }) => finished_at === null).map(({ name }) => name),
  };
}
