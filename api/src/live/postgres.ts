import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Connection, StorageLogger } from '../database/connection.ts';
import { poolConfigOf } from '../database/connection.ts';
import type { Broadcast, BroadcastListener } from './store.ts';
import type { Database } from '../database/database.ts';

const CHANNEL = 'plimsoll';
/** A database that restarts is back within seconds; asking more often helps nobody. */
const RECONNECT_MS = 1000;
const SENDER_LENGTH = 36;

/** One connection that only listens; it is opened again whenever it breaks. */
class Listening {
  #client: Client | null = null;
  #timer: NodeJS.Timeout | undefined;
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
    const client = new Client({
      ...poolConfigOf(this.#connection),
      keepAlive: true,
      application_name: 'plimsoll listen',
    });
    client.on('notification', ({ payload }) => this.#onPayload(payload ?? ''));
    client.once('error', (error) => this.#lost(client, error));
    client.once('end', () => this.#lost(client, new Error('the database closed the connection')));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      this.#lost(client, error);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#client?.end();
  }

  #lost(client: Client, error: unknown): void {
    if (this.#isStopped || this.#client !== client) return;
    this.#client = null;
    client.on('error', () => {});
    client.end().catch(() => {});
    this.#logger.warn({ err: error }, 'connection for changes of other processes lost');
    this.#timer = setTimeout(() => void this.#reconnect(), RECONNECT_MS);
  }

  async #reconnect(): Promise<void> {
    await this.connect();
    if (this.#client !== null && !this.#isStopped) this.#onGap();
  }
}

/**
 * Implements the broadcast with LISTEN and NOTIFY. Through a pooler in transaction mode, only this process receives its
 * changes.
 */
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
