import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection, StorageLogger } from '../connection.ts';
import { packagedBinaries, packageVersion, usableBinaries } from './binaries.ts';
import { EmbeddedError } from './errors.ts';
import { initCluster } from './init-cluster.ts';
import { stopOwnPostmasters } from './own-postmasters.ts';
import { machineFolders, makePlaces } from './places.ts';
import { databaseUser } from './run-as.ts';
import { connectionTo, isServing, Supervisor } from './supervisor.ts';

export interface Embedded {
  connection: Connection;
  /** Ends the database; connections must be closed before. */
  stop(): Promise<void>;
}
export interface EmbeddedOptions {
  dataDir: string;
  logger: StorageLogger;
  /** The system user of the database when this process is root; null: our own. */
  user?: string | null;
  /** XDG_RUNTIME_DIR, where a socket goes whose path would be too long in `dataDir`. */
  runtimeDir?: string | null;
  /** A tree of PostgreSQL's programs other than the package's. */
  native?: string;
}

/**
 * Runs the bundled PostgreSQL in `dataDir` on a private unix socket and keeps it running: a postmaster that dies is
 * started again, one left by a Plimsoll that was killed is taken over. As root it runs as a system user of its
 * own. Only the user of this process can connect. Fails with an `EmbeddedError` that says what to do.
 */
export const startEmbedded = async (options: EmbeddedOptions): Promise<Embedded> => {
  const { dataDir, logger, native } = options;
  const runAs = databaseUser(options.user);
  const places = makePlaces(dataDir, runAs, machineFolders(options.runtimeDir));
  if (places.base !== realpathSync(dataDir)) {
    logger.warn(
      { dataDir, folder: places.base, user: runAs?.name },
      'the user of the database may not enter the data folder, the database is elsewhere',
    );
  }
  const programs = join(places.base, `postgres-programs-${packageVersion()}`);
  const binaries = usableBinaries(native ?? packagedBinaries(), programs, runAs);
  initCluster(places.cluster, binaries, runAs);
  const supervisor = new Supervisor({ binaries, places, runAs, logger });
  try {
    await supervisor.start();
  } catch (error) {
    // A start that gives up stops what it started, unless another Plimsoll uses it.
    await stopOwnPostmasters();
    throw error;
  }
  return { connection: connectionTo(places), stop: () => supervisor.stop() };
};

/**
 * Connects to the database while Plimsoll runs on it; starts it where Plimsoll is stopped. Never creates one: fails with
 * an `EmbeddedError` where the data folder has none.
 */
export const openEmbedded = async (options: EmbeddedOptions): Promise<Embedded> => {
  const places = makePlaces(options.dataDir, databaseUser(options.user), machineFolders(options.runtimeDir));
  if (!existsSync(join(places.cluster, 'PG_VERSION')))
    throw new EmbeddedError(
      'start_failed',
      `There is no database in ${places.base}. Set PLIMSOLL_DATA_DIR to the data folder, or DATABASE_URL.`,
    );
  if (await isServing(places)) return { connection: connectionTo(places), stop: () => Promise.resolve() };
  return startEmbedded(options);
};
