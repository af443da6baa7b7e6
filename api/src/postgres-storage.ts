import { createCheckWorkloads } from './checks/postgres/check-workloads.ts';
import { createCheckRollups } from './checks/postgres/rollups.ts';
import { createCheckStore } from './checks/postgres/checks.ts';
import { createMaintenanceStore } from './maintenance/postgres.ts';
import { reportedResults } from './checks/postgres/report-results.ts';
import { createCheckResults } from './checks/postgres/results.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { silentLogger } from './database/connection.ts';
import type { Connection, StorageLogger } from './database/connection.ts';
import { createAccountStore } from './accounts/postgres/accounts.ts';
import { createAccountExport } from './accounts/postgres/account-export.ts';
import { createAccountDeletion } from './accounts/postgres/account-deletion.ts';
import { createAuditLogStore } from './tenancy/postgres/audit-log.ts';
import { createRetentionStore } from './accounts/postgres/retention.ts';
import { createAiStore } from './ai/postgres.ts';
import { createActivityStore } from './activity/postgres.ts';
import { createIncidentCauses } from './causes/postgres/incident-causes.ts';
import { describedObjects } from './changes/postgres/described-objects.ts';
import { describedSections } from './changes/postgres/described-sections.ts';
import { createChangeLedger } from './changes/postgres/ledger.ts';
import { createLastWords } from './lines/postgres/last-words.ts';
import { createLogLines } from './lines/postgres/lines.ts';
import { createCapacityPlans } from './capacity/postgres/plans.ts';
import { createCapacitySettings } from './capacity/postgres/settings.ts';
import { createServerUsages } from './capacity/postgres/server-usages.ts';
import { createAuditedChanges } from './changes/postgres/audited-changes.ts';
import { createContainerStore } from './containers/postgres.ts';
import { createHiddenPartStore } from './hidden-parts/postgres.ts';
import { createAgentStore } from './servers/postgres/agents.ts';
import { createAlertStateStore } from './alerts/postgres/alert-states.ts';
import { createAlertStore } from './alerts/postgres/alerts.ts';
import { createCheckAlerts } from './alerts/postgres/check-alerts.ts';
import { createIncidentStore } from './alerts/postgres/incidents.ts';
import { createIngestWatch } from './alerts/postgres/ingest-watch.ts';
import { createClusterAlertStates } from './alerts/postgres/cluster-states.ts';
import { createAlertRuleStore } from './alerts/postgres/rules.ts';
import { createAlertDetails } from './alerts/postgres/alert-details.ts';
import { createAlertDeliveries } from './notify/postgres/alert-deliveries.ts';
import { createAlertActions } from './alerts/postgres/alert-actions.ts';
import { createAlertActing, createSilenceStore } from './alerts/postgres/silences.ts';
import { createRecordedValues } from './alerts/postgres/recorded-values.ts';
import { createApiTokenStore } from './accounts/postgres/api-tokens.ts';
import { createBroadcast } from './live/postgres.ts';
import { createManagedObjectStore } from './operator/postgres.ts';
import { createNotifyStore } from './notify/postgres/outbox.ts';
import { alertOutbox } from './notify/postgres/enqueue.ts';
import { createInstallationStore } from './installation/postgres.ts';
import { openDatabase } from './database/database.ts';
import { inPrismaTransaction } from './database/transaction.ts';
import type { Database } from './database/database.ts';
import { createEnrolmentTokenStore } from './servers/postgres/enrolment-tokens.ts';
import { createFilesystemHistory } from './series/postgres/filesystem-history.ts';
import { createGapStore } from './series/postgres/gaps.ts';
import { createFleetSnapshots } from './processes/postgres/fleet-snapshots.ts';
import { createHostListStore } from './processes/postgres/host-lists.ts';
import { createSampleHistory } from './series/postgres/sample-history.ts';
import { createSampleOutbox } from './series/postgres/sample-outbox.ts';
import { createMaintenance } from './database/maintenance.ts';
import { createRateLimits } from './database/rate-limits.ts';
import { milliseconds } from './database/time.ts';
import { createPeaks } from './series/postgres/peaks.ts';
import { createRollupStore } from './series/postgres/rollup.ts';
import { createSetAsideStore } from './series/postgres/set-aside.ts';
import { createKubernetesStore } from './kubernetes/postgres/kubernetes.ts';
import { kubeletParts } from './kubernetes/postgres/reports.ts';
import { createProcessMinutes } from './processes/postgres/process-minutes.ts';
import { createProcessQuarters } from './processes/postgres/process-quarters.ts';
import { topListSnapshots, createProcessSnapshotStore } from './processes/postgres/process-snapshots.ts';
import { createRememberedDeviceStore } from './accounts/postgres/remembered-devices.ts';
import { createExternalReadings } from './external-metrics/postgres.ts';
import { createRefusalStore } from './reports/postgres/refusals.ts';
import { createReportStore } from './reports/postgres/reports.ts';
import { createSeriesStore } from './series/postgres/series.ts';
import { createServerStore } from './servers/postgres/servers.ts';
import { createTeamStore } from './tenancy/postgres/teams.ts';
import { createSessionStore } from './accounts/postgres/sessions.ts';
import {
  createIdentityStore,
  createSecondFactorStore,
  createSessionList,
  createSignInFlowStore,
} from './accounts/postgres/sign-in.ts';
import { createServerDays } from './status-pages/postgres/days.ts';
import { createPageChecks } from './status-pages/postgres/page-checks.ts';
import { createStatusPageStore } from './status-pages/postgres/pages.ts';
import { createSignInCodeStore } from './accounts/postgres/sign-in-codes.ts';
import type { Storage, Stores } from './storage.ts';

const PING_TIMEOUT_MS = 1000;

const ping = async ({ pool }: Database): Promise<void> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${PING_TIMEOUT_MS} ms`)), PING_TIMEOUT_MS);
  try {
    await Promise.race([pool.query('SELECT 1'), late]);
  } finally {
    clearTimeout(timer);
  }
};

async function time({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ now: number }>(`SELECT ${milliseconds('clock_timestamp()')} AS now`);
  if (rows[0] === undefined) throw new Error('PostgreSQL returned no time');
  return rows[0].now;
}

/** Stores that work on a pool, and on the connection of a transaction. */
const storesOn = (database: Database, clock: Clock): Stores => ({
  accounts: createAccountStore(database),
  sessions: createSessionStore(database),
  signInCodes: createSignInCodeStore(database),
  enrolmentTokens: createEnrolmentTokenStore(database),
  agents: createAgentStore(database),
  servers: createServerStore(database),
  kubernetes: createKubernetesStore(database, clock, describedObjects),
  tenancy: { teams: createTeamStore(database), audit: createAuditLogStore(database, createAuditedChanges(database)) },
  identity: {
    apiTokens: createApiTokenStore(database),
    sessionList: createSessionList(database),
    flows: createSignInFlowStore(database),
    identities: createIdentityStore(database),
    secondFactors: createSecondFactorStore(database),
    devices: createRememberedDeviceStore(database),
    retention: createRetentionStore(database),
    accountDeletion: createAccountDeletion(database),
    export: createAccountExport(database),
  },
  alerts: createAlertStore(database),
  alertStates: createAlertStateStore(database, { topLists: topListSnapshots, outbox: alertOutbox }),
  notify: createNotifyStore(database),
  alertActing: createAlertActing(database),
  alertActions: createAlertActions(database, alertOutbox),
  silences: createSilenceStore(database, alertOutbox),
  ai: createAiStore(database),
  statusPages: createStatusPageStore(database),
  hiddenParts: createHiddenPartStore(database),
  changeLedger: createChangeLedger(database),
  checks: createCheckStore(database),
  maintenances: createMaintenanceStore(database, alertOutbox),
  capacitySettings: createCapacitySettings(database),
  alertRules: createAlertRuleStore(database),
  managedObjects: createManagedObjectStore(database),
});

/** Storage on a PostgreSQL that `migrate` has brought up to date. Connects at the first query. */
export const createPostgresStorage = (options: {
  connection: Connection;
  /** Leads to PostgreSQL itself; null: `connection` does. */
  direct?: Connection | null;
  logger?: StorageLogger;
  /** Connections at most. */
  poolSize?: number;
  /** Decides what is old enough to have been pruned. */
  clock?: Clock;
}): Storage => {
  const { connection, direct = null, logger = silentLogger } = options;
  const database = openDatabase(connection, logger, { poolSize: options.poolSize, isPooled: direct !== null });
  const clock = options.clock ?? systemClock;
  return {
    ...storesOn(database, clock),
    reports: createReportStore(database, { kubeletParts, describedSections, reportedResults }),
    refusals: createRefusalStore(database),
    externalReadings: createExternalReadings(database),
    series: createSeriesStore(database, clock),
    peaks: createPeaks(database),
    history: createSampleHistory(database, clock),
    sampleOutbox: createSampleOutbox(database),
    gaps: createGapStore(database, clock),
    filesystemHistory: createFilesystemHistory(database),
    maintenance: createMaintenance(database),
    rateLimits: createRateLimits(database),
    rollups: createRollupStore(database),
    setAside: createSetAsideStore(database),
    lists: createHostListStore(database),
    processSnapshots: createProcessSnapshotStore(database),
    fleetSnapshots: createFleetSnapshots(database),
    processMinutes: createProcessMinutes(database),
    processQuarters: createProcessQuarters(database),
    activity: createActivityStore(database),
    logLines: createLogLines(database),
    lastWords: createLastWords(database),
    containers: createContainerStore(database),
    capacityPlans: createCapacityPlans(database),
    serverUsages: createServerUsages(database),
    checkResults: createCheckResults(database),
    checkRollups: createCheckRollups(database),
    checkAlerts: createCheckAlerts(database, alertOutbox),
    checkWorkloads: createCheckWorkloads(database),
    clusterAlerts: createClusterAlertStates(database, alertOutbox),
    incidents: createIncidentStore(database, alertOutbox),
    incidentCauses: createIncidentCauses(database),
    ingestWatch: createIngestWatch(database),
    alertDetails: createAlertDetails(database),
    alertDeliveries: createAlertDeliveries(database),
    installation: createInstallationStore(database),
    recordedValues: createRecordedValues(database),
    serverDays: createServerDays(database),
    pageChecks: createPageChecks(database),
    broadcast: createBroadcast(database, direct ?? connection, logger),
    inTransaction: (work) => inPrismaTransaction(database, (bound) => work(storesOn(bound, clock))),
    ping: () => ping(database),
    time: () => time(database),
    close: async () => {
      await database.prisma.$disconnect();
      await database.pool.end();
    },
  };
};
