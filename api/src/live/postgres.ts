// SQL for LISTEN and NOTIFY: Prisma has neither.
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { Connection, StorageLogger } from '../database/connection.ts';
import { openClient } from '../database/open-client.ts';
import type { Broadcast, BroadcastListener } from './store.ts';
import type { Database } from '../database/database.ts';

const CHANNEL = 'plimsoll';
/** A database that restarts is back within seconds; asking more often helps nobody. */
const RECONNECT_MS = 1000;
/** Interval at which the connection that listens is checked. */
const CHECK_MS = 20_000;
const SENDER_LENGTH = 36;

/** One connection that only listens; it is opened again whenever it breaks. */
class Listening {
  #client: Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #check: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #connection: Connection;
  readonly #logger: StorageLogger;
  readonly #onPayload: (payload: string) => void;
  readonly #onGap: () => void;

  constructor(
    connection: Connection,
    logger: StorageLogger,
    heard: { onPayload: (payload: string) => void; onGap: () => void },
  ) {
    this.#connection = connection;
    this.#logger = logger;
    this.#onPayload = heard.onPayload;
    this.#onGap = heard.onGap;
  }

  async connect(): Promise<void> {
    let client: Client | null = null;
    try {
      client = await openClient(this.#connection, 'plimsoll listen');
      await client.query(`LISTEN ${CHANNEL}`);
      this.#client = client;
      this.#watch(client);
    } catch (error) {
      await client?.end().catch(() => {});
      this.#retry(error);
    }
    if (this.#isStopped) await this.stop();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#check);
    await this.#client?.end();
  }

  #watch(client: Client): void {
    const lost = (cause: unknown): void => {
      if (this.#client !== client) return;
      this.#client = null;
      clearInterval(this.#check);
      client.end().catch(() => {});
      this.#retry(cause);
    };
    client.on('notification', ({ payload }) => this.#onPayload(payload ?? ''));
    client.once('error', lost);
    client.once('end', () => lost(new Error('the database closed the connection')));
    // A machine that vanished closes nothing, and a session that only listens would never find out.
    this.#check = setInterval(() => {
      const late = setTimeout(() => lost(new Error('the database does not respond')), CHECK_MS / 2);
      client.query('SELECT 1').then(
        () => clearTimeout(late),
        (error: unknown) => {
          clearTimeout(late);
          lost(error);
        },
      );
    }, CHECK_MS);
    this.#check.unref();
  }

  #retry(error: unknown): void {
    if (this.#isStopped) return;
    this.#logger.warn({ err: error }, 'connection for changes of other processes lost');
    this.#timer = setTimeout(() => void this.#reconnect(), RECONNECT_MS);
  }

  async #reconnect(): Promise<void> {
    await this.connect();
    if (this.#client !== null && !this.#isStopped) this.#onGap();
  }
}

/** Implements the broadcast with LISTEN and NOTIFY. `connection` is a session of its own, never a pooler's. */
export const createBroadcast = ({ pool }: Database, connection: Connection, logger: StorageLogger): Broadcast => {
  const self = randomUUID();
  return {
    send: async (text) => {
      await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, self + text]);
    },
    listen: async ({ onMessage, onGap }: BroadcastListener) => {
      const onPayload = (payload: string): void => {
        if (!payload.startsWith(self)) onMessage(payload.slice(SENDER_LENGTH));
      };
      const listening = new Listening(connection, logger, { onPayload, onGap });
      await listening.connect();
      return () => listening.stop();
    },
  };
};
