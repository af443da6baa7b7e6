// SQL for savepoints: Prisma's interactive transactions have none.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Pool, type PoolClient } from 'pg';
import type { Prisma, PrismaClient } from './generated/client.ts';

/** The first connection that a pool hands out below `slots.run`: that of the transaction which Prisma opens there. */
interface Slot {
  client: PoolClient | null;
}
const slots = new AsyncLocalStorage<Slot>();

type Connect = Pool['connect'];
type Connected = Parameters<Parameters<Connect>[0]>;

/** A pool that notes the connection which Prisma's transaction runs on, so that SQL can run on it too. */
export class NotingPool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: (...connected: Connected) => void): void;
  override connect(callback?: (...connected: Connected) => void): Promise<PoolClient> | void {
    if (callback !== undefined) return super.connect(callback);
    const slot = slots.getStore();
    return super.connect().then((client) => {
      if (slot !== undefined) slot.client ??= client;
      return client;
    });
  }
}

/** Pools that stand for one connection in a transaction. */
const boundClients = new WeakMap<Pool, PoolClient>();

/** Returns the connection whose transaction a pool stands for; null for a pool that opens its own. */
export const boundClientOf = (pool: Pool): PoolClient | null => boundClients.get(pool) ?? null;

/** Returns a pool whose statements run on `client`. Statements fail once `isOver` returns true. */
function poolOn(client: PoolClient, isOver: () => boolean): Pool {
  const query = (...statement: unknown[]): unknown => {
    if (isOver()) throw new Error('the transaction has ended; await every statement within it');
    return (client.query as (...statement: unknown[]) => unknown)(...statement);
  };
  const pool = { query } as unknown as Pool;
  boundClients.set(pool, client);
  return pool;
}

interface Both {
  pool: Pool;
  prisma: PrismaClient;
}

/** Milliseconds. Statements have timeouts of their own; Prisma would end the transaction under a statement of `pool`. */
const LONGEST_MS = 600_000;
const CONNECT_MS = 5000;

/**
 * Runs `work` in one transaction that Prisma opens: models and SQL of the database passed to `work` run on its connection.
 * A failure of `work` rolls everything back.
 */
export const inPrismaTransaction = <T>({ prisma }: Both, work: (bound: Both) => Promise<T>): Promise<T> => {
  const slot: Slot = { client: null };
  return slots.run(slot, () =>
    prisma.$transaction(
      async (transaction) => {
        const { client } = slot;
        if (client === null) throw new Error('Prisma opened its transaction on a connection of another pool');
        let isOver = false;
        try {
          return await work({
            pool: poolOn(client, () => isOver),
            prisma: transaction as unknown as PrismaClient,
          });
        } finally {
          isOver = true;
        }
      },
      { timeout: LONGEST_MS, maxWait: CONNECT_MS },
    ),
  );
};

/** Runs `work` in the transaction that `prisma` stands for, else in one of its own. */
export const withModels = <T>(
  { pool, prisma }: Both,
  work: (transaction: Prisma.TransactionClient) => Promise<T>,
  options?: { timeout: number; maxWait: number },
): Promise<T> => (boundClientOf(pool) === null ? prisma.$transaction(work, options) : work(prisma));

/** Runs `work` within the transaction of `client`. A failure undoes what `work` did and leaves the rest. */
export async function inSavepoint<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('SAVEPOINT nested');
  try {
    const result = await work();
    await client.query('RELEASE SAVEPOINT nested');
    return result;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT nested; RELEASE SAVEPOINT nested');
    throw error;
  }
}
