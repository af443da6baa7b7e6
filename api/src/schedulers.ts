import { markRefusedJob, markSilentClustersJob, markSilentJob, resolveUnruledJob, sharedLook } from './alerts/jobs.ts';
import { failedSignInJob } from './accounts/failed-sign-ins.ts';
import { keyId, readKeyFile } from './accounts/secret-encryption.ts';
import { type Deps, type OpenedStorage } from './deps.ts';
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
import { scheduledBackupJob } from './database/backup/scheduled-backup.ts';
import type { Connection } from './database/connection.ts';
import { VERSION } from './version.ts';
import { createOrganisationReadCall } from './http/call-route.ts';
import type { Route } from './http/define-route.ts';

/** The schedulers of the process, each with its jobs. */

type Observe = NonNullable<ConstructorParameters<typeof Scheduler>[0]['observe']>;

const observeJobs =
  ({ metrics, jobHealth }: Deps): Observe =>
  (job, outcome, seconds, error) => {
    metrics.jobSeconds.observe({ job, outcome }, seconds);
    const endedAt = jobHealth.record(job, outcome, error);
    (outcome === 'ok' ? metrics.jobLastSuccess : metrics.jobLastFailure).set({ job }, endedAt / 1000);
  };

/** Its own scheduler: the start waits for the first run of every other job, and a slow channel must not delay it. */
export function makeNotifyScheduler(deps: Deps): Scheduler {
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

export function makeScheduler(deps: Deps, routes: readonly Route[], databaseClock: OpenedStorage['clock']): Scheduler {
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
export function makeBackupScheduler(deps: Deps, connection: Connection, signal: AbortSignal): Scheduler | null {
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
export function makeSeriesScheduler(deps: Deps): Scheduler | null {
  const { storage, seriesStore, clock, log } = deps;
  if (seriesStore === null) return null;
  const jobs = seriesStoreJobs({ outbox: storage.sampleOutbox, store: seriesStore, clock });
  return new Scheduler({ jobs, clock, log, observe: observeJobs(deps) });
}
