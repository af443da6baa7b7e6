import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { markRefusedJob, markSilentClustersJob, markSilentJob, resolveUnruledJob, sharedLook } from './alerts/jobs.ts';
import { allRoutes, createApp, createMetricsApp } from './app.ts';
import { adoptClusterToken } from './kubernetes/cluster-tokens.ts';
import { issueEnrolmentToken, LOCAL_ENROLMENT_TOKEN_MS } from './servers/enrol.ts';
import { failedSignInJob } from './accounts/failed-sign-ins.ts';
import { keyId, readKeyFile, SecretBox } from './accounts/secret-encryption.ts';
import { prepareFirstRun } from './accounts/first-run.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { createDeps, openStorage, type Deps, type OpenedStorage } from './deps.ts';
import { listen, localOrigin, type Listening } from './http/listen.ts';
import { connectChangeBus } from './live/change-bus.ts';
import { databaseSizeJob } from './installation/jobs.ts';
import { aiJobs } from './ai/jobs.ts';
import { accountJobs } from './accounts/jobs.ts';
import { Scheduler } from './jobs/scheduler.ts';
import { externalMetricsJob } from './external-metrics/jobs.ts';
import { capacityJobs, serverUsageJob } from './capacity/jobs.ts';
import { explainJob } from './causes/jobs.ts';
import { kubernetesJobs } from './kubernetes/jobs.ts';
import { lastWordsJob } from './lines/jobs.ts';
import { judgeChecksJob, rollUpChecksJob, runChecksJob } from './checks/jobs.ts';
import { maintenanceJob } from './maintenance/jobs.ts';
import { containerHistoryJob } from './containers/jobs.ts';
import { statusDaysJob } from './status-pages/jobs.ts';
import { diskTrendJob, rollupJob, seriesStoreJobs, setAsideJob } from './series/jobs.ts';
import { packProcessesJob } from './processes/jobs.ts';
import { clockJob, storageJobs } from './database/jobs.ts';
import { notifyJobs } from './notify/jobs.ts';
import { ownerOf, type Owner } from './tenancy/owner.ts';
import { scheduledBackupJob } from './database/backup/scheduled-backup.ts';
import type { Connection } from './database/connection.ts';
import { createDataFolder } from './database/embedded/folders.ts';
import type { Logger } from './telemetry/logger.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { VERSION } from './version.ts';
import { ownOrganisationOf } from './tenancy/ids.ts';
import { createOrganisationReadCall } from './http/call-route.ts';
import type { Route } from './http/define-route.ts';

/** Lets the collector of this machine enrol. The file appears whole or not at all, readable by its owner only. */
async function writeLocalEnrolment({ storage, clock }: Deps, owner: Owner | null, file: string): Promise<void> {
  const { enrolmentTokens } = storage;
  const { token } = await issueEnrolmentToken({ enrolmentTokens, clock }, owner, {
    createdBy: 'plimsoll',
    lifetimeMs: LOCAL_ENROLMENT_TOKEN_MS,
  });
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${String(process.pid)}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** Returns the sign-in line for standard output; null if none is printed. */
async function prepare(deps: Deps): Promise<((origin: string) => string) | null> {
  const { config, storage, clock } = deps;
  const { accounts } = storage;
  await storage.agents.setReportInterval(config.reportIntervalSeconds);
  const code = await prepareFirstRun({ storage, clock }, config.admin);
  // Without an account yet both belong to the instance, and pass to the first account.
  const oldest = await accounts.oldest();
  const owner = oldest && ownerOf(ownOrganisationOf(oldest.id));
  if (config.localEnrolmentFile !== null) await writeLocalEnrolment(deps, owner, config.localEnrolmentFile);
  if (config.clusterToken !== null)
    await adoptClusterToken({ tokens: storage.kubernetes.tokens, clock }, owner, config.clusterToken);
  if (code !== null) return (origin) => `Sign in: ${origin}/login#setup=${code}`;
  // Only `npm start` sets that file; elsewhere standard output is a log, which must not hold an address.
  if (oldest === null || config.localEnrolmentFile === null) return null;
  const { email } = oldest;
  return (origin) =>
    `Sign in: ${origin}/login as ${email} (locked out: stop Plimsoll, then npm start -- --sign-in-link ${email})`;
}

type Observe = NonNullable<ConstructorParameters<typeof Scheduler>[0]['observe']>;

const observeJobs =
  ({ metrics, jobHealth }: Deps): Observe =>
  (job, outcome, seconds, error) => {
    metrics.jobSeconds.observe({ job, outcome }, seconds);
    const endedAt = jobHealth.record(job, outcome, error);
    (outcome === 'ok' ? metrics.jobLastSuccess : metrics.jobLastFailure).set({ job }, endedAt / 1000);
  };

/** Its own scheduler: the start waits for the first run of every other job, and a slow channel must not delay it. */
function makeNotifyScheduler(deps: Deps): Scheduler {
  const { storage, clock, log, metrics, config, secretBox, drivers } = deps;
  const { channels, outbox } = storage.notify;
  const jobs = notifyJobs({
    sender: {
      outbox,
      storage,
      alertActing: storage.alertActing,
      drivers,
      secretBox,
      clock,
      publicUrl: config.publicUrl,
      random: Math.random,
      observe: (type, outcome) => metrics.notifyDeliveries.inc({ type, outcome }),
    },
    environment: { accounts: storage.accounts, channels, secretBox, telegram: config.telegram },
    heartbeat:
      config.heartbeatUrl === null
        ? null
        : {
            url: config.heartbeatUrl,
            proxy: config.messageProxy,
            ping: () => storage.ping(),
            log,
            observe: (outcome) => metrics.heartbeats.inc({ outcome }),
          },
    observeBacklog: ({ waiting, oldestAt }, now) => {
      metrics.notifyOutboxMessages.set(waiting);
      metrics.notifyOutboxOldestSeconds.set(oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1000);
    },
  });
  return new Scheduler({ jobs, clock, log, observe: observeJobs(deps) });
}

function makeScheduler(deps: Deps, routes: readonly Route[], databaseClock: OpenedStorage['clock']): Scheduler {
  const { storage, clock, log, metrics, changes, alertRules, config, failedSignIns, jobHealth } = deps;
  const { reportIntervalSeconds } = config;
  const alerting = { alertStates: storage.alertStates, alertRules, changes };
  const ingestWatch = sharedLook(storage.ingestWatch);
  return new Scheduler({
    jobs: [
      ...(databaseClock === null ? [] : [clockJob(databaseClock, () => storage.time(), log)]),
      ...storageJobs(storage.maintenance, { version: VERSION, jobs: () => jobHealth.list() }),
      databaseSizeJob(storage.installation),
      rollupJob(storage.rollups),
      packProcessesJob(storage),
      diskTrendJob(storage.filesystemHistory),
      containerHistoryJob(storage.containers),
      externalMetricsJob({
        ...alerting,
        hiddenMounts: deps.hiddenMounts,
        externalReadings: storage.externalReadings,
        agents: storage.agents,
        storage,
        reports: storage.reports,
        metrics,
        clock,
        log,
        reportIntervalSeconds,
        planLimits: config.planLimits,
      }),
      ...kubernetesJobs(storage.kubernetes.upkeep),
      lastWordsJob(storage),
      ...capacityJobs(storage.capacityPlans),
      serverUsageJob(storage.serverUsages),
      ...accountJobs(storage, config.planLimits),
      markSilentJob({
        ...alerting,
        incidents: storage.incidents,
        ingestWatch,
        reportIntervalSeconds,
      }),
      markRefusedJob(alerting),
      markSilentClustersJob({
        clusterAlerts: storage.clusterAlerts,
        ingestWatch,
        alertRules,
        changes,
        reportIntervalSeconds,
      }),
      maintenanceJob(storage.maintenances),
      runChecksJob(deps.checkRunner),
      rollUpChecksJob(storage.checkRollups),
      judgeChecksJob({
        checkResults: storage.checkResults,
        checkAlerts: storage.checkAlerts,
        checkWorkloads: storage.checkWorkloads,
        alertRules,
        changes,
        reportIntervalSeconds,
      }),
      explainJob({ ...deps, readCallOf: (organisationId) => createOrganisationReadCall(routes, organisationId) }),
      ...aiJobs(storage.ai),
      statusDaysJob(storage.serverDays),
      resolveUnruledJob(alerting),
      setAsideJob({
        setAside: storage.setAside,
        log,
        observe: (buckets) => {
          metrics.bucketsSetAside.reset();
          for (const [level, count] of buckets) metrics.bucketsSetAside.set({ level }, count);
        },
      }),
      failedSignInJob(failedSignIns, { tenancy: storage.tenancy, clock }),
    ],
    clock,
    log,
    observe: observeJobs(deps),
  });
}

/** Its own scheduler: the start must not wait for a backup. Null where none is scheduled. */
function makeBackupScheduler(deps: Deps, connection: Connection, signal: AbortSignal): Scheduler | null {
  const { config, clock, log, metrics } = deps;
  const { backupSchedule, backupPassphrase } = config;
  if (backupSchedule === null) return null;
  const key = config.secretKey ?? readKeyFile(config.dataDir);
  const job = scheduledBackupJob({
    ...backupSchedule,
    backup: {
      connection,
      version: VERSION,
      passphrase: backupPassphrase,
      secretKey: backupPassphrase === null ? null : key,
      secretKeyId: keyId(key),
      signal,
    },
    logger: log,
    observe: (newestAt) => metrics.backupNewest.set((newestAt ?? 0) / 1000),
  });
  return new Scheduler({ jobs: [job], clock, log, observe: observeJobs(deps) });
}

/** Its own scheduler: neither the start nor another job waits for a store that is slow or away. */
function makeSeriesScheduler(deps: Deps): Scheduler | null {
  const { storage, seriesStore, clock, log } = deps;
  if (seriesStore === null) return null;
  const jobs = seriesStoreJobs({ outbox: storage.sampleOutbox, store: seriesStore, clock });
  return new Scheduler({ jobs, clock, log, observe: observeJobs(deps) });
}

/**
 * Records the failures counted since the last entry of the audit log. A database that is gone must not keep the process
 * from ending.
 */
async function recordFailedSignIns({ failedSignIns, storage, clock, log }: Deps): Promise<void> {
  try {
    await failedSignIns.record({ tenancy: storage.tenancy, clock }, { all: true });
  } catch (error) {
    log.warn({ err: error }, 'failed sign-ins are not in the audit log');
  }
}

/** Null while the dashboard's own port serves /metrics. */
async function listenForMetrics(deps: Deps): Promise<Listening | null> {
  const { host, metricsPort } = deps.config;
  if (metricsPort === null) return null;
  const at = { host, port: metricsPort, setting: 'PLIMSOLL_METRICS_PORT' };
  const server = await listen(createMetricsApp(deps).fetch, at);
  deps.log.info({ port: server.port }, 'metrics');
  return server;
}

export interface Serving {
  /** Address at which a browser on this machine reaches it. */
  origin: string;
  stop: () => Promise<void>;
}

/** Starts the API and its jobs on a storage, which it closes at the end. Prints the sign-in line, if there is one. */
export async function serve(config: Config, log: Logger, given?: OpenedStorage): Promise<Serving> {
  const opened = given ?? (await openStorage(config, log));
  try {
    const secretBox = new SecretBox(config.secretKey ?? readKeyFile(createDataFolder(config.dataDir)));
    const deps = createDeps({
      config,
      log,
      clock: opened.clock ?? systemClock,
      metrics: createMetrics(),
      secretBox,
      storage: opened.storage,
    });
    const signIn = await prepare(deps);
    const routes = allRoutes(deps);
    const scheduler = makeScheduler(deps, routes, opened.clock);
    await scheduler.start();
    const notifyScheduler = makeNotifyScheduler(deps);
    void notifyScheduler.start();
    const stopping = new AbortController();
    const backupScheduler = makeBackupScheduler(deps, opened.connection, stopping.signal);
    void backupScheduler?.start();
    const seriesScheduler = makeSeriesScheduler(deps);
    void seriesScheduler?.start();
    // The bundled database serves this process alone.
    const disconnectChangeBus =
      config.databaseUrl === null ? null : await connectChangeBus({ ...deps, broadcast: opened.storage.broadcast });
    const server = await listen(createApp(deps, routes).fetch, config);
    const metricsServer = await listenForMetrics(deps);
    const origin = config.publicUrl ?? localOrigin(config.host, server.port);
    log.info({ origin, version: VERSION }, 'listening');
    if (signIn !== null) process.stdout.write(`${signIn(origin)}\n`);
    const stop = async (): Promise<void> => {
      deps.streams.restartAll();
      await Promise.all([server.close(), metricsServer?.close()]);
      await Promise.all([deps.readThread.close(), deps.metricsThread.close()]);
      // A backup under way would keep the process for minutes; the next start writes it.
      stopping.abort(new Error('the API stops'));
      await deps.checkRunner.stop();
      await Promise.all([scheduler.stop(), notifyScheduler.stop(), backupScheduler?.stop(), seriesScheduler?.stop()]);
      await recordFailedSignIns(deps);
      await disconnectChangeBus?.();
      await opened.close();
    };
    return { origin, stop };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
