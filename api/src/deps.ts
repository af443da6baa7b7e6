import { FailedSignIns } from './accounts/failed-sign-ins.ts';
import type { Sealer } from './accounts/secret-encryption.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { createRates, type Rates } from './http/rate-limit.ts';
import { ChangeFeed } from './live/change-feed.ts';
import { Gate } from './concurrency-limit.ts';
import { ReadThread } from './reports/read-thread.ts';
import { Reporters } from './reports/reporters.ts';
import { EventStreams } from './live/event-streams.ts';
import type { Connection } from './database/connection.ts';
import { startEmbedded } from './database/embedded/start-embedded.ts';
import { migrate } from './database/migrate.ts';
import type { Storage } from './storage.ts';
import { createPostgresStorage } from './storage.ts';
import type { Logger } from './telemetry/logger.ts';
import { JobHealth } from './telemetry/job-health.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** Everything the app works with. Tests build their own from `createDeps` with a fixed clock and a test database. */
export interface Deps {
  config: Config;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  storage: Storage;
  gate: Gate;
  readThread: ReadThread;
  changes: ChangeFeed;
  streams: EventStreams;
  reporters: Reporters;
  rates: Rates;
  failedSignIns: FailedSignIns;
  sealer: Sealer;
  jobHealth: JobHealth;
  /** Checks every answer against its declared schema; tests only, it costs time. */
  checkAnswers: boolean;
}

export type GivenDeps = Pick<Deps, 'config' | 'clock' | 'log' | 'metrics' | 'storage' | 'sealer'> & Partial<Deps>;

/** Fills in what lives in this process only. */
export const createDeps = (given: GivenDeps): Deps => ({
  gate: new Gate(),
  readThread: new ReadThread(),
  changes: new ChangeFeed(),
  streams: new EventStreams(),
  reporters: new Reporters(),
  rates: createRates(),
  failedSignIns: new FailedSignIns(),
  jobHealth: new JobHealth(given.clock),
  checkAnswers: false,
  ...given,
});

export interface OpenedStorage {
  storage: Storage;
  close(): Promise<void>;
}

/** The operator's PostgreSQL, or the bundled one in the data folder; either is migrated before it is used. */
export async function openStorage(config: Config, logger: Logger): Promise<OpenedStorage> {
  if (config.databaseUrl !== null) {
    const storage = await openPostgres({ connectionString: config.databaseUrl }, logger);
    return { storage, close: () => storage.close() };
  }
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    logger,
    user: config.databaseUser,
    runtimeDir: config.runtimeDir,
  });
  try {
    const storage = await openPostgres(embedded.connection, logger);
    return {
      storage,
      close: async () => {
        await storage.close();
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

async function openPostgres(connection: Connection, logger: Logger): Promise<Storage> {
  await migrate(connection, logger);
  return createPostgresStorage({ connection, logger });
}
