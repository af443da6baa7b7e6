import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Connection } from '../../../../api/src/database/connection.ts';
import { clientConfigOf } from '../../../../api/src/database/connection.ts';
import type { Replica } from './replica.ts';

/** Transactions of jobs hold one advisory lock; application_name is the name of the replica. */
const HELD = `SELECT a.application_name AS name, l.objid::text AS lock
  FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE l.locktype = 'advisory' AND l.granted AND a.application_name = ANY($1)`;
const LOOK_EVERY_MS = 2;
/** Every job has had its turn by then. */
const WITHIN_MS = 120_000;

export interface Leaders {
  /** Stops a replica with SIGSTOP while it holds the lock of a job. */
  pauseOne(among: readonly Replica[]): Promise<{ replica: Replica; lock: string }>;
  /** Milliseconds until this replica no longer holds the lock; null: it still does after `withinMs`. */
  untilLost(replica: Replica, lock: string, withinMs: number): Promise<number | null>;
  end(): Promise<void>;
}

export async function watchLeaders(connection: Connection): Promise<Leaders> {
  const client = new Client(clientConfigOf(connection));
  await client.connect();
  const held = async (among: readonly Replica[]): Promise<{ name: string; lock: string }[]> =>
    (await client.query<{ name: string; lock: string }>(HELD, [among.map(({ name }) => name)])).rows;
  return {
    pauseOne: async (among) => {
      const deadline = performance.now() + WITHIN_MS;
      while (performance.now() < deadline) {
        const [leader] = await held(among);
        const replica = among.find(({ name }) => name === leader?.name);
        if (leader !== undefined && replica !== undefined) {
          replica.signal('SIGSTOP');
          const still = (await held([replica])).some(({ lock }) => lock === leader.lock);
          if (still) return { replica, lock: leader.lock };
          replica.signal('SIGCONT');
        }
        await delay(LOOK_EVERY_MS);
      }
      throw new Error('no replica held the lock of a job');
    },
    untilLost: async (replica, lock, withinMs) => {
      const begun = performance.now();
      while (performance.now() - begun < withinMs) {
        if (!(await held([replica])).some((one) => one.lock === lock)) return performance.now() - begun;
        await delay(100);
      }
      return null;
    },
    end: () => client.end(),
  };
}
