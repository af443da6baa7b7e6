import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import type { ClientBase, PoolClient } from 'pg';
import { poolConfigOf } from './connection.ts';
import type { Connection, StorageLogger } from './connection.ts';
import { PrismaClient } from './generated/client.ts';

/** One pool under both: Prisma for rows of the plain nouns, `pool` for the statements that are written by hand. */
export interface Database {
  pool: Pool;
  prisma: PrismaClient;
}

/** A query that runs longer is a mistake or an attack; jobs set their own limit. */
const STATEMENT_TIMEOUT_MS = 5000;
const CONNECT_TIMEOUT_MS = 5000;
/** Per replica; a server's default of 100 connections then carries six of them. */
const DEFAULT_POOL_SIZE = 16;

/**
 * An acknowledged report must survive a crash: with synchronous_commit off, kills lose acknowledged rows. No statement
 * here runs long enough to win back the 100 ms and more that compiling it takes, and the planner's guess says otherwise.
 */
const SESSION_SETTINGS = `SET synchronous_commit = on; SET jit = off; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET TIME ZONE 'UTC'`;

/** The pool waits for what this returns, which its types leave out. */
const prepareSession = (client: ClientBase): unknown => client.query(SESSION_SETTINGS);

export const openDatabase = (connection: Connection, logger: StorageLogger, poolSize = DEFAULT_POOL_SIZE): Database => {
  const pool = new Pool({
    ...poolConfigOf(connection),
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

/** Runs `work` in one transaction on one connection. */
export const inTransaction = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  // A connection lost between two statements says so by an event; unheard, it would end the process. The next statement
  // fails in its place.
  client.on('error', ignore);
  try {
    await client.query('BEGIN');
    const result = await work(client);
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
