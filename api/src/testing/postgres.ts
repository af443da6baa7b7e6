/**
 * Real PostgreSQL for tests. Each test file gets a fresh, migrated database; the clusters start on first use on private
 * sockets and stop with the run, and a PostgreSQL found on the machine is never touched.
 *
 *     describeEachPostgres('sessions', (db) => {        // once on the bundled PostgreSQL, once on the machine's
 *       it('…', async () => { await db.storage().sessions.find(…) });
 *     });
 *
 *     const db = testStorage();                         // at the top of a file or describe: the bundled one only
 *     it('…', async () => { createApp({ storage: db.storage(), … }) });
 *
 * `db.sql(text, values)` looks behind the ports; `db.connection()` is for what opens its own.
 */
import { randomUUID } from 'node:crypto';
import { Client, Pool } from 'pg';
import type { FieldDef, PoolClient, QueryResultRow } from 'pg';
import { afterAll, beforeAll, describe, inject, vi } from 'vitest';
import type { Connection } from '../database/connection.ts';
import { inTransaction } from '../database/database.ts';
import { createPostgresStorage } from '../postgres-storage.ts';
import type { Storage } from '../storage.ts';
import { clusterOf, MISSING_SERVER_HINT, serverBinaries, TEMPLATE_DATABASE } from './postgres-clusters.ts';
import type { Cluster, ClusterKind } from './postgres-clusters.ts';

export interface TestDatabase {
  /** Which PostgreSQL this is. */
  kind: ClusterKind;
  storage(): Storage;
  connection(): Connection;
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Columns of the result, also of one without rows. */
  fields(text: string, values: unknown[]): Promise<FieldDef[]>;
}

const withAdmin = async (cluster: Cluster, statement: string): Promise<void> => {
  const client = new Client({ ...cluster, database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Waits for connections being closed to be gone: cutting them off would throw into the test run. */
const drop = (cluster: Cluster, name: string): Promise<void> =>
  vi.waitFor(() => withAdmin(cluster, `DROP DATABASE ${name}`), { timeout: 60_000, interval: 20 });

const registerDatabase = (kind: ClusterKind): TestDatabase => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  let opened: { cluster: Cluster; connection: Connection; storage: Storage; pool: Pool } | undefined;
  const use = () => {
    if (!opened) throw new Error('The database is there in hooks and tests only, not while tests are being collected.');
    return opened;
  };
  beforeAll(async () => {
    const cluster = await clusterOf(kind, inject('postgresFolder'));
    await withAdmin(cluster, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE}`);
    const connection = { host: cluster.host, port: cluster.port, user: cluster.user, database: name };
    opened = {
      cluster,
      connection,
      storage: createPostgresStorage({ connection }),
      pool: new Pool({ ...connection, max: 4 }),
    };
  });
  afterAll(async () => {
    if (!opened) return;
    await opened.storage.close();
    await opened.pool.end();
    await drop(opened.cluster, name);
  });
  return {
    kind,
    storage: () => use().storage,
    connection: () => use().connection,
    sql: async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
      (await use().pool.query<Row>(text, values)).rows,
    transaction: (work) => inTransaction(use().pool, work),
    fields: async (text, values) => (await use().pool.query(text, values)).fields,
  };
};

/** A database on the bundled PostgreSQL for the tests of this file or describe block. */
export const testStorage = (): TestDatabase => registerDatabase('bundled');

/**
 * Runs the same tests on the bundled PostgreSQL and on the machine's own programs. Without those the second run is
 * named as skipped with the command that brings them; with CI=true it fails.
 */
export const describeEachPostgres = (name: string, tests: (db: TestDatabase) => void): void => {
  describe(`${name} (bundled PostgreSQL)`, () => {
    tests(registerDatabase('bundled'));
  });
  const isMissing = serverBinaries() === null;
  describe.skipIf(isMissing && !inject('isCi'))(
    `${name} (server PostgreSQL)${isMissing ? `: ${MISSING_SERVER_HINT}` : ''}`,
    () => {
      tests(registerDatabase('server'));
    },
  );
};
