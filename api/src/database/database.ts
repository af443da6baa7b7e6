// SQL begins and ends the transactions of adapters whose statements Prisma cannot express.
import { PrismaPg } from '@prisma/adapter-pg';
import type { ClientBase, Pool, PoolClient, QueryResult } from 'pg';
import type { Connection, StorageLogger } from './connection.ts';
import { createPoolHosts } from './pool-client.ts';
import { SET_SESSION } from './session-settings.ts';
import { boundClientOf, inSavepoint, NotingPool } from './transaction.ts';
import { PrismaClient } from './generated/client.ts';

/** One pool under both: Prisma for rows of the plain nouns, `pool` for the statements that are written by hand. */
export interface Database {
  pool: Pool;
  prisma: PrismaClient;
}

const CONNECT_TIMEOUT_MS = 5000;
/** Per replica; a server's default of 100 connections then carries six of them. */
const DEFAULT_POOL_SIZE = 16;

interface DatabaseOptions {
  /** Connections at most. */
  poolSize?: number | undefined;
  /** The connection leads through a pooler in transaction mode: the role has the settings of the session instead. */
  isPooled?: boolean;
}

export const openDatabase = (
  connection: Connection,
  logger: StorageLogger,
  { poolSize = DEFAULT_POOL_SIZE, isPooled = false }: DatabaseOptions = {},
): Database => {
  const hosts = createPoolHosts(connection, isPooled);
  /** The pool waits for what this returns, which its types leave out. */
  const prepareSession = (client: ClientBase): unknown => prepare(client);
  const prepare = async (client: ClientBase): Promise<void> => {
    await hosts.check(client);
    if (!isPooled) await client.query(SET_SESSION);
  };
  const pool = new NotingPool({
    Client: hosts.Client,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'plimsoll',
    onConnect: prepareSession,
  });
  // An idle connection that dies (a restarted database) is replaced at the next query.
  pool.on('error', (error) => logger.warn({ err: error }, 'idle database connection lost'));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: 'minimal' });
  return { pool, prisma };
};

/**
 * Runs `work` in one transaction on one connection. `opening`: statements without parameters that go to the database
 * together with BEGIN; `work` receives their results. Within the transaction of a verb it is a part of that one.
 */
export const inTransaction = async <T>(
  pool: Pool,
  work: (client: PoolClient, opened: readonly QueryResult[]) => Promise<T>,
  opening: readonly string[] = [],
): Promise<T> => {
  const bound = boundClientOf(pool);
  if (bound !== null)
    return inSavepoint(bound, async () => {
      const opened: QueryResult | QueryResult[] = opening.length === 0 ? [] : await bound.query(opening.join('; '));
      return work(bound, [opened].flat());
    });
  const client = await pool.connect();
  // A connection lost between two statements says so by an event; unheard, it would end the process. The next statement
  // fails in its place.
  client.on('error', ignore);
  try {
    const opened: QueryResult | QueryResult[] = await client.query(['BEGIN', ...opening].join('; '));
    const result = await work(client, [opened].flat().slice(1));
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even roll back is thrown away.
    await client.query('ROLLBACK').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
  } finally {
    client.off('error', ignore);
  }
};
const ignore = (): void => {};

/** Classes of SQLSTATE: data exception, integrity constraint violation, transaction rollback (deadlock). */
const CLASSES_OF_ONE_ROW = ['22', '23', '40'];
/**
 * Returns true if one row of a multi-row statement caused the failure by its content or a lock, and not the database.
 */
export const isCausedByOneRow = (error: unknown): boolean =>
  CLASSES_OF_ONE_ROW.includes((error as { code?: string } | null)?.code?.slice(0, 2) ?? '');

const PG_CODES = { uniqueViolation: '23505', foreignKeyViolation: '23503', queryCanceled: '57014' } as const;
const hasCode = (error: unknown, code: string): boolean => (error as { code?: string } | null)?.code === code;
/** Prisma wraps the errors of PostgreSQL and gives them codes of its own. */
const PRISMA_CODES = { uniqueViolation: 'P2002', rowMissing: 'P2025' } as const;
export const isUniqueViolation = (error: unknown): boolean =>
  hasCode(error, PG_CODES.uniqueViolation) || hasCode(error, PRISMA_CODES.uniqueViolation);
/** Returns null where Prisma's `delete` finds no row, and fails on any other error. */
export const nullWhereMissing = (error: unknown): null => {
  if (hasCode(error, PRISMA_CODES.rowMissing)) return null;
  throw error;
};
export const isForeignKeyViolation = (error: unknown): boolean => hasCode(error, PG_CODES.foreignKeyViolation);
/** Returns true if the statement took longer than the session allows. */
export const isStatementTimeout = (error: unknown): boolean => hasCode(error, PG_CODES.queryCanceled);

/** A text that is no uuid names nothing; asking PostgreSQL would be an error instead of "not found". */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
