import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { silentLogger } from './connection.ts';
import type { Connection, StorageLogger } from './connection.ts';
import type { Storage } from '../storage.ts';
import { accountsOn } from '../accounts/postgres/accounts.ts';
import { accountExportOn } from '../accounts/postgres/account-export.ts';
import { accountLifeOn, auditLogOn, retentionOn } from '../accounts/postgres/account-life.ts';
import { activityOn } from '../activity/postgres.ts';
import { agentsOn } from '../servers/postgres/agents.ts';
import { alertsOn, alertStatesOn } from '../alerts/postgres.ts';
import { apiTokensOn } from '../accounts/postgres/api-tokens.ts';
import { broadcastOn } from '../live/postgres.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { enrolmentTokensOn } from '../servers/postgres/enrolment-tokens.ts';
import { gapsOn } from '../series/postgres/gaps.ts';
import { hostListsOn } from '../processes/postgres/host-lists.ts';
import { historyOn } from '../series/postgres/sample-history.ts';
import { maintenanceOn } from './maintenance.ts';
import { setAsideOn } from '../series/postgres/set-aside.ts';
import { kubernetesOn } from '../kubernetes/postgres/kubernetes.ts';
import { processSnapshotsOn } from '../processes/postgres/process-snapshots.ts';
import { rememberedDevicesOn } from '../accounts/postgres/remembered-devices.ts';
import { reportsOn } from '../reports/postgres/reports.ts';
import { seriesOn } from '../series/postgres/series.ts';
import { serversOn } from '../servers/postgres/servers.ts';
import { sessionsOn } from '../accounts/postgres/sessions.ts';
import { identitiesOn, secondFactorsOn, sessionListOn, signInFlowsOn } from '../accounts/postgres/sign-in.ts';
import { signInCodesOn } from '../accounts/postgres/sign-in-codes.ts';

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
      life: accountLifeOn(database),
      export: accountExportOn(database),
    },
    alerts: alertsOn(database),
    alertStates: alertStatesOn(database),
    broadcast: broadcastOn(database, options.connection, logger),
    ping: () => ping(database),
    close: async () => {
      await database.prisma.$disconnect();
      await database.pool.end();
    },
  };
};
