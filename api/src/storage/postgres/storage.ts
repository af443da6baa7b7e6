import { systemClock } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import { silentLogger } from '../connection.ts';
import type { Connection, StorageLogger } from '../connection.ts';
import type { Storage } from '../ports.ts';
import { accountsOn } from './accounts.ts';
import { accountExportOn } from './account-export.ts';
import { accountLifeOn, auditLogOn, retentionOn } from './account-life.ts';
import { activityOn } from './activity.ts';
import { agentsOn } from './agents.ts';
import { alertsOn, alertStatesOn } from './alerts.ts';
import { apiTokensOn } from './api-tokens.ts';
import { broadcastOn } from './broadcast.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { enrolmentTokensOn } from './enrolment-tokens.ts';
import { gapsOn } from './gaps.ts';
import { hostListsOn } from './host-lists.ts';
import { historyOn } from './history.ts';
import { maintenanceOn } from './maintenance.ts';
import { setAsideOn } from './set-aside.ts';
import { kubernetesOn } from './kubernetes.ts';
import { processSnapshotsOn } from './process-snapshots.ts';
import { rememberedDevicesOn } from './remembered-devices.ts';
import { reportsOn } from './reports.ts';
import { seriesOn } from './series.ts';
import { serversOn } from './servers.ts';
import { sessionsOn } from './sessions.ts';
import { identitiesOn, secondFactorsOn, sessionListOn, signInFlowsOn } from './sign-in.ts';
import { signInCodesOn } from './sign-in-codes.ts';

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
