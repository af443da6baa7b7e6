import { KeyChecks } from './ai/health.ts';
import { RuleCache } from './alerts/rule-cache.ts';
import { FailedSignIns } from './accounts/failed-sign-ins.ts';
import type { SecretBox } from './accounts/secret-encryption.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Config } from './config.ts';
import { createRates, type Rates } from './http/limits/rate-limit.ts';
import { SharedAnswers } from './http/shared-answers.ts';
import { ChangeFeed } from './live/change-feed.ts';
import {
  ConcurrencyLimit,
  METRICS_MEMORY_OF_ACCOUNT,
  METRICS_OF_ACCOUNT,
  REPORTS_IN_MEMORY,
  REQUESTS_IN_FLIGHT,
  SenderLimits,
} from './concurrency-limit.ts';
import type { MetricsJobs } from './external-metrics/read-metrics.ts';
import { METRICS_THREAD } from './external-metrics/receive-metrics.ts';
import { ReadThread } from './reports/read-thread.ts';
import { Reporters } from './reports/reporters.ts';
import { ConfigRevs } from './checks/config-revs.ts';
import { apiPlace } from './checks/probe-place.ts';
import { ApiRunner } from './checks/run-checks.ts';
import { HiddenMounts } from './hidden-parts/hidden-mounts.ts';
import { SharedMachineIds } from './servers/shared-machine-ids.ts';
import { EventStreams } from './live/event-streams.ts';
import { PublishedPages } from './status-pages/published-pages.ts';
import type { Connection } from './database/connection.ts';
import { DatabaseClock } from './database/database-clock.ts';
import { checkPooler } from './database/pooler.ts';
import { explainConnection } from './database/explain-connection.ts';
import { startEmbedded } from './database/embedded/start-embedded.ts';
import { migrate } from './database/migrate.ts';
import type { Storage } from './storage.ts';
import { createPostgresStorage } from './postgres-storage.ts';
import { createDiscord } from './notify/channels/discord.ts';
import { createEmail } from './notify/channels/email.ts';
import { createNtfy } from './notify/channels/ntfy.ts';
import { createPagerDuty } from './notify/channels/pagerduty.ts';
import { createSlack } from './notify/channels/slack.ts';
import { createTeams } from './notify/channels/teams.ts';
import { createTelegram } from './notify/channels/telegram.ts';
import { createWebhook } from './notify/channels/webhook.ts';
import { hidingSecrets } from './notify/hide-secrets.ts';
import type { ChannelDrivers } from './notify/types.ts';
import { createSeriesStore } from './series/remote/series-store.ts';
import type { SeriesStore } from './series/store.ts';
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
  concurrencyLimit: ConcurrencyLimit;
  /** Bounds what reports hold until they are stored. */
  memoryLimit: ConcurrencyLimit;
  readThread: ReadThread;
  /** Requests in flight, and what they hold in memory, of each account that sends metrics by another agent. */
  metricsPlaces: SenderLimits;
  metricsMemory: SenderLimits;
  metricsThread: ReadThread<MetricsJobs>;
  changes: ChangeFeed;
  alertRules: RuleCache;
  streams: EventStreams;
  reporters: Reporters;
  sharedMachineIds: SharedMachineIds;
  hiddenMounts: HiddenMounts;
  configRevs: ConfigRevs;
  /** Runs the checks of the API itself. */
  checkRunner: ApiRunner;
  rates: Rates;
  failedSignIns: FailedSignIns;
  secretBox: SecretBox;
  drivers: ChannelDrivers;
  keyChecks: KeyChecks;
  publishedPages: PublishedPages;
  /** Raw history outside of PostgreSQL; null: none is set up. */
  seriesStore: SeriesStore | null;
  jobHealth: JobHealth;
  /** null: each call is answered anew, for tests that change rows by hand and for benchmarks of one call. */
  sharedAnswers: SharedAnswers | null;
  /** Checks every answer against its declared schema; tests only, it costs time. */
  checkAnswers: boolean;
}

export type GivenDeps = Pick<Deps, 'config' | 'clock' | 'log' | 'metrics' | 'storage' | 'secretBox'> & Partial<Deps>;

/** Fills in what lives in this process only. */
export function createDeps(given: GivenDeps): Deps {
  const { clock, storage, config, changes = new ChangeFeed() } = given;
  const { reportIntervalSeconds } = config;
  const rules = new RuleCache({ rules: storage.alertRules, changes, clock, reportIntervalSeconds });
  return {
    concurrencyLimit: new ConcurrencyLimit(REQUESTS_IN_FLIGHT),
    memoryLimit: new ConcurrencyLimit(REPORTS_IN_MEMORY),
    readThread: new ReadThread(),
    metricsPlaces: new SenderLimits(METRICS_OF_ACCOUNT),
    metricsMemory: new SenderLimits(METRICS_MEMORY_OF_ACCOUNT),
    metricsThread: new ReadThread(METRICS_THREAD, METRICS_THREAD.file),
    changes,
    alertRules: rules,
    streams: new EventStreams(),
    reporters: new Reporters(),
    sharedMachineIds: new SharedMachineIds(() => storage.agents.sharedMachineIds(), clock),
    hiddenMounts: new HiddenMounts(storage.hiddenParts, clock),
    configRevs: new ConfigRevs(storage.checks, clock),
    checkRunner: new ApiRunner({
      checkResults: storage.checkResults,
      secretBox: given.secretBox,
      clock,
      place: apiPlace(config.checkNetworks),
    }),
    rates: createRates(storage.rateLimits),
    failedSignIns: new FailedSignIns(),
    drivers: createDrivers(config),
    keyChecks: new KeyChecks(clock, { allowedRanges: config.allowedPrivateRanges }),
    publishedPages: new PublishedPages({
      pages: storage.statusPages,
      servers: storage.servers,
      days: storage.serverDays,
      checks: storage.pageChecks,
      maintenances: storage.maintenances,
      silences: storage.silences,
      rules,
      clock,
    }),
    seriesStore: config.seriesStore && createSeriesStore(config.seriesStore, clock),
    jobHealth: new JobHealth(clock),
    sharedAnswers: new SharedAnswers({ changes, clock }),
    checkAnswers: false,
    ...given,
  };
}

/** Shorter than the lease of a message, with its check and its answer. */
const CHANNEL_TIMEOUT_MS = 10_000;

function createDrivers({ telegramApiUrl, allowedPrivateRanges, messageProxy }: Config): ChannelDrivers {
  const network = { allowedRanges: allowedPrivateRanges, timeoutMs: CHANNEL_TIMEOUT_MS, proxy: messageProxy };
  return {
    telegram: hidingSecrets(createTelegram(network, telegramApiUrl)),
    webhook: hidingSecrets(createWebhook(network)),
    email: hidingSecrets(createEmail(network)),
    slack: hidingSecrets(createSlack(network)),
    discord: hidingSecrets(createDiscord(network)),
    ntfy: hidingSecrets(createNtfy(network)),
    teams: hidingSecrets(createTeams(network)),
    pagerduty: hidingSecrets(createPagerDuty(network)),
  };
}

export interface OpenedStorage {
  storage: Storage;
  /** Leads to PostgreSQL itself. */
  connection: Connection;
  /** The clock of PostgreSQL; null: it runs on this machine. */
  clock: DatabaseClock | null;
  close(): Promise<void>;
}

/** The operator's PostgreSQL, or the bundled one in the data folder; either is migrated before it is used. */
export async function openStorage(config: Config, logger: Logger): Promise<OpenedStorage> {
  if (config.databaseUrl !== null) {
    const caFile = config.databaseCaFile;
    const connection = { connectionString: config.databaseUrl, caFile };
    const direct = config.listenUrl === null ? null : { connectionString: config.listenUrl, caFile };
    const clock = new DatabaseClock(systemClock);
    const open = async () => {
      await checkPooler(connection, direct);
      return openPostgres({ connection, direct, logger, clock });
    };
    const { databaseUrl } = config;
    const storage = await open().catch((error: unknown) => {
      throw explainConnection(error, databaseUrl);
    });
    await clock.sync(() => storage.time());
    return { storage, connection: direct ?? connection, clock, close: () => storage.close() };
  }
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    logger,
    user: config.databaseUser,
    runtimeDir: config.runtimeDir,
  });
  try {
    const storage = await openPostgres({ connection: embedded.connection, direct: null, logger, clock: systemClock });
    return {
      storage,
      connection: embedded.connection,
      clock: null,
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

async function openPostgres(opening: {
  connection: Connection;
  direct: Connection | null;
  logger: Logger;
  clock: Clock;
}): Promise<Storage> {
  // The lock of migrations lasts as long as its session.
  await migrate(opening.direct ?? opening.connection, opening.logger);
  return createPostgresStorage(opening);
}
