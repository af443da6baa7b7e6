import type { Accounts, Identity, Sessions, SignInCodes } from './accounts/store.ts';
import type { Agents, EnrolmentTokens, Servers } from './servers/store.ts';
import type { Reports } from './reports/store.ts';
import type { Gaps, MetricSeries, SampleHistory, Rollups, SetAside } from './series/store.ts';
import type { Maintenance } from './database/store.ts';
import type { HostLists, ProcessSnapshots } from './processes/store.ts';
import type { Activity } from './activity/store.ts';
import type { AlertRules, AlertStates, Alerts, RecordedValues } from './alerts/store.ts';
import type { Kubernetes } from './kubernetes/store.ts';
import type { Notify } from './notify/store.ts';
import type { Broadcast } from './live/store.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { silentLogger } from './database/connection.ts';
import type { Connection, StorageLogger } from './database/connection.ts';
import { accountsOn } from './accounts/postgres/accounts.ts';
import { accountExportOn } from './accounts/postgres/account-export.ts';
import { accountLifeOn, auditLogOn, retentionOn } from './accounts/postgres/account-life.ts';
import { activityOn } from './activity/postgres.ts';
import { agentsOn } from './servers/postgres/agents.ts';
import { alertsOn, alertStatesOn } from './alerts/postgres.ts';
import { alertRulesOn } from './alerts/postgres/rules.ts';
import { recordedValuesOn } from './alerts/postgres/recorded-values.ts';
import { apiTokensOn } from './accounts/postgres/api-tokens.ts';
import { broadcastOn } from './live/postgres.ts';
import { enqueueAlertChange, notifyOn } from './notify/postgres.ts';
import { openDatabase } from './database/database.ts';
import type { Database } from './database/database.ts';
import { enrolmentTokensOn } from './servers/postgres/enrolment-tokens.ts';
import { gapsOn } from './series/postgres/gaps.ts';
import { hostListsOn } from './processes/postgres/host-lists.ts';
import { historyOn } from './series/postgres/sample-history.ts';
import { maintenanceOn } from './database/maintenance.ts';
import { rollupsOn } from './series/postgres/rollup.ts';
import { setAsideOn } from './series/postgres/set-aside.ts';
import { kubernetesOn } from './kubernetes/postgres/kubernetes.ts';
import { freezeLists, processSnapshotsOn } from './processes/postgres/process-snapshots.ts';
import { rememberedDevicesOn } from './accounts/postgres/remembered-devices.ts';
import { reportsOn } from './reports/postgres/reports.ts';
import { seriesOn } from './series/postgres/series.ts';
import { purgeServer, serversOn } from './servers/postgres/servers.ts';
import { sessionsOn } from './accounts/postgres/sessions.ts';
import { identitiesOn, secondFactorsOn, sessionListOn, signInFlowsOn } from './accounts/postgres/sign-in.ts';
import { signInCodesOn } from './accounts/postgres/sign-in-codes.ts';

/** What `deps.ts` hands to the rest of the API. */
export interface Storage {
  accounts: Accounts;
  sessions: Sessions;
  signInCodes: SignInCodes;
  enrolmentTokens: EnrolmentTokens;
  agents: Agents;
  reports: Reports;
  servers: Servers;
  series: MetricSeries;
  history: SampleHistory;
  gaps: Gaps;
  maintenance: Maintenance;
  rollups: Rollups;
  setAside: SetAside;
  lists: HostLists;
  processSnapshots: ProcessSnapshots;
  activity: Activity;
  identity: Identity;
  alerts: Alerts;
  alertStates: AlertStates;
  alertRules: AlertRules;
  recordedValues: RecordedValues;
  kubernetes: Kubernetes;
  notify: Notify;
  broadcast: Broadcast;
  /** Answers within a second or fails; for /readyz. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

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

/** Storage on a PostgreSQL that `migrate` has brought up to date. Connects at the first query. */
export const createPostgresStorage = (options: {
  connection: Connection;
  logger?: StorageLogger;
  /** Connections at most. */
  poolSize?: number;
  /** Decides what is old enough to have been pruned. */
  clock?: Clock;
}): Storage => {
  const logger = options.logger ?? silentLogger;
  const database = openDatabase(options.connection, logger, options.poolSize);
  const clock = options.clock ?? systemClock;
  return {
    accounts: accountsOn(database),
    sessions: sessionsOn(database),
    signInCodes: signInCodesOn(database),
    enrolmentTokens: enrolmentTokensOn(database),
    agents: agentsOn(database),
    reports: reportsOn(database),
    servers: serversOn(database),
    series: seriesOn(database, clock),
    history: historyOn(database),
    gaps: gapsOn(database, clock),
    maintenance: maintenanceOn(database),
    rollups: rollupsOn(database),
    setAside: setAsideOn(database),
    lists: hostListsOn(database),
    processSnapshots: processSnapshotsOn(database),
    activity: activityOn(database),
    kubernetes: kubernetesOn(database, clock),
    identity: {
      apiTokens: apiTokensOn(database),
      sessionList: sessionListOn(database),
      flows: signInFlowsOn(database),
      identities: identitiesOn(database),
      secondFactors: secondFactorsOn(database),
      devices: rememberedDevicesOn(database),
      audit: auditLogOn(database),
      retention: retentionOn(database),
      life: accountLifeOn(database, purgeServer),
      export: accountExportOn(database),
    },
    alerts: alertsOn(database),
    alertStates: alertStatesOn(database, freezeLists, enqueueAlertChange),
    notify: notifyOn(database),
    alertRules: alertRulesOn(database),
    recordedValues: recordedValuesOn(database),
    broadcast: broadcastOn(database, options.connection, logger),
    ping: () => ping(database),
    close: async () => {
      await database.prisma.$disconnect();
      await database.pool.end();
    },
  };
};
