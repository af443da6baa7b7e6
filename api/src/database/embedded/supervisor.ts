// SQL creates the database and holds a lock of the session: both come before the schema that Prisma reads.
import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { StorageLogger } from '../connection.ts';
import { hasOurRules, writeRules } from './access.ts';
import { EmbeddedError } from './errors.ts';
import { clearSockets, takeOver } from './folders.ts';
import { CLUSTER_USER } from './init-cluster.ts';
import { disownPostmaster, ownPostmaster, processIsEnding, stopOwnPostmaster } from './own-postmasters.ts';
import type { Places } from './places.ts';
import {
  isAlive,
  logTail,
  postmasterOf,
  progressOf,
  removeStalePidFile,
  socketFolderOf,
  spawnPostmaster,
  stopPostmaster,
} from './postmaster.ts';
import type { RunAs } from './run-as.ts';

/** Dependencies of one supervisor. */
export interface Setup {
  binaries: string;
  places: Places;
  runAs: RunAs | null;
  logger: StorageLogger;
}

const DATABASE = 'plimsoll';
/** A start that shows no progress for so long is given up. PostgreSQL logs the progress of a recovery every 10 s. */
const START_TIMEOUT_MS = 120_000;
/** After a postmaster was killed its children need a moment to go; until then a new one refuses to start. */
const RESTART_WINDOW_MS = 5000;
/** On a busy machine those children take longer; PostgreSQL names them as the reason. */
const LEFTOVERS_WINDOW_MS = 60_000;
const LEFTOVERS = /still in use|lock file/;
/** The lock of a Plimsoll that was just killed goes with its connection. */
const LOCK_WINDOW_MS = 5000;
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 25;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
/** Held by the one Plimsoll that runs this cluster, for as long as it lives. */
const SUPERVISOR_LOCK = 0x70_6c_69_6d;

export const connectionTo = (places: Pick<Places, 'socket'>, database = DATABASE) => ({
  host: places.socket,
  port: 5432,
  user: CLUSTER_USER,
  database,
});

const connect = async (places: Pick<Places, 'socket'>): Promise<Client | null> => {
  const client = new Client({ ...connectionTo(places, 'postgres'), connectionTimeoutMillis: 5000 });
  // Without a listener a connection that dies would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch {
    await client.end().catch(() => {});
    return null;
  }
};

/** Whoever answers at our socket must be the cluster of our folder; we never speak to somebody else's. */
const refuseForeign = async (client: Client, places: Places): Promise<void> => {
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const actual = rows[0]?.data_directory ?? '';
  if (actual !== '' && realpathSync(places.cluster) === realpathSync(actual)) return;
  await client.end();
  throw new EmbeddedError(
    'foreign_cluster',
    `The PostgreSQL at ${places.socket} keeps its data in ${actual}, not in ${places.cluster}: it belongs to another program. Set PLIMSOLL_DATA_DIR to another folder, or DATABASE_URL to use it on purpose.`,
  );
};

const takeLock = async (client: Client, places: Places): Promise<void> => {
  const deadline = Date.now() + LOCK_WINDOW_MS;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      SUPERVISOR_LOCK,
    ]);
    if (rows[0]?.taken === true) return;
    if (Date.now() > deadline) {
      await client.end();
      disownPostmaster(places.cluster);
      throw new EmbeddedError(
        'already_running',
        `Plimsoll already runs with the data in ${places.base}. Stop it first, or set PLIMSOLL_DATA_DIR to another folder.`,
      );
    }
    await delay(POLL_MS);
  }
};

/** Measures for how long a starting database has shown no progress. */
const watchProgress = (places: Places): { quietMs: () => number } => {
  let last = { state: '', at: Date.now() };
  return {
    quietMs: () => {
      const state = progressOf(places);
      if (state !== last.state) last = { state, at: Date.now() };
      return Date.now() - last.at;
    },
  };
};

/** Starts the postmaster and waits until it answers; tries again while children of a killed one are still about. */
const launch = async ({ binaries, places, runAs, logger }: Setup): Promise<Client> => {
  const begun = Date.now();
  const progress = watchProgress(places);
  let pid = postmasterOf(places.cluster);
  for (;;) {
    const client = await connect(places);
    if (client) return client;
    const isUp = pid !== null && isAlive(pid);
    const windowMs = LEFTOVERS.test(logTail(places)) ? LEFTOVERS_WINDOW_MS : RESTART_WINDOW_MS;
    if (isUp ? progress.quietMs() > START_TIMEOUT_MS : Date.now() - begun > windowMs) break;
    if (!isUp) {
      if (processIsEnding())
        throw new EmbeddedError('start_failed', 'Plimsoll was stopped while its database started.');
      if (removeStalePidFile(places.cluster)) logger.warn({ cluster: places.cluster }, 'stale postmaster.pid removed');
      pid = spawnPostmaster(binaries, places, runAs);
      ownPostmaster(places.cluster, pid);
    }
    await delay(POLL_MS);
  }
  throw new EmbeddedError(
    'start_failed',
    `The database does not start. Its log ${places.log} ends with:\n${logTail(places)}`,
  );
};

const createDatabase = async (client: Client): Promise<void> => {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
};

const ownerOf = (cluster: string): number => lstatSync(join(cluster, 'PG_VERSION')).uid;

/** Returns true if the cluster of these folders runs and accepts this process. Throws if another program answers. */
export const isServing = async (places: Places): Promise<boolean> => {
  const client = postmasterOf(places.cluster) === null ? null : await connect(places);
  if (client === null) return false;
  await refuseForeign(client, places);
  await client.end();
  return true;
};

/** Waits for a postmaster that starts; null when it ends meanwhile. */
const reach = async (places: Places, pid: number): Promise<Client | null> => {
  const progress = watchProgress(places);
  while (isAlive(pid)) {
    const client = await connect({ socket: socketFolderOf(places.cluster) ?? places.socket });
    if (client) return client;
    if (progress.quietMs() > START_TIMEOUT_MS)
      throw new EmbeddedError(
        'start_failed',
        `The database of an earlier version of Plimsoll runs (process ${String(pid)}) and rejects the connection. End that process and start again.`,
      );
    await delay(POLL_MS);
  }
  return null;
};

/**
 * Brings a cluster of an earlier version up to date: its owner (0.1.0 ran it as `nobody`), who may connect, the place of
 * its socket. A postmaster that still runs with the earlier ones ends first, unless another Plimsoll uses it.
 */
const secure = async ({ places, runAs, logger }: Setup): Promise<void> => {
  const cluster = realpathSync(places.cluster);
  const uid = runAs?.uid ?? ownerOf(cluster);
  const pid = postmasterOf(places.cluster);
  const isCurrent = ownerOf(cluster) === uid && hasOurRules(cluster);
  // Without a socket yet it is just being started.
  const socket = socketFolderOf(places.cluster) ?? places.socket;
  if (pid !== null && !(isCurrent && socket === places.socket)) {
    const client = await reach(places, pid);
    if (client) {
      await refuseForeign(client, places);
      await takeLock(client, places);
      await client.end();
    }
    await stopPostmaster(places.cluster, STOP_TIMEOUT_MS);
    logger.warn({ cluster: places.cluster }, 'database of an earlier version stopped, starting it anew');
  }
  if (runAs && postmasterOf(places.cluster) === null) clearSockets(places.socket, runAs);
  if (isCurrent) return;
  if (runAs && takeOver(cluster, runAs))
    logger.warn({ cluster: places.cluster, user: runAs.name }, 'database belongs to its own system user now');
  writeRules(cluster, runAs);
};

/** A connection that holds the lock, to a cluster that runs; one found running is taken over. */
const hold = async (setup: Setup): Promise<Client> => {
  const { places, logger } = setup;
  await secure(setup);
  const running = await connect(places);
  const client = running ?? (await launch(setup));
  await refuseForeign(client, places);
  await takeLock(client, places);
  ownPostmaster(places.cluster, null);
  if (running) logger.info({ cluster: places.cluster }, 'database found running and taken over');
  await createDatabase(client);
  return client;
};

/** Keeps one cluster running: the connection that holds the lock is also what tells that the postmaster died. */
export class Supervisor {
  readonly #setup: Setup;
  readonly #stopping = new AbortController();
  #client: Client | null = null;
  #restarting: Promise<void> | null = null;

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  async start(): Promise<void> {
    const client = await hold(this.#setup);
    this.#client = client;
    client.once('end', () => {
      if (!this.#stopping.signal.aborted) this.#restarting = this.#restart();
    });
  }

  async #restart(): Promise<void> {
    const { logger, places } = this.#setup;
    const { signal } = this.#stopping;
    logger.error({ cluster: places.cluster }, 'database connection lost, starting it again');
    for (let wait = FIRST_RETRY_MS; !signal.aborted; wait = Math.min(MAX_RETRY_MS, wait * 2)) {
      try {
        await this.start();
        logger.info({ cluster: places.cluster }, 'database is running again');
        return;
      } catch (error) {
        logger.error({ err: error }, 'database does not start, trying again');
        await delay(wait, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Connections of others must be closed before, or they are cut off. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#restarting;
    await this.#client?.end();
    await stopOwnPostmaster(this.#setup.places.cluster, STOP_TIMEOUT_MS);
  }
}
