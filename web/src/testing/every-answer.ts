import { filledSchema, type Filling, type Schema } from '@plimsoll/contract/testing/filled-schema';
import * as account from '@plimsoll/contract/wire/accounts/account';
import * as activity from '@plimsoll/contract/wire/activity';
import * as ai from '@plimsoll/contract/wire/ai';
import * as alertDetail from '@plimsoll/contract/wire/alerts/alert-detail';
import * as alertRules from '@plimsoll/contract/wire/alert-rules';
import * as silences from '@plimsoll/contract/wire/alerts/alert-silences';
import * as alerts from '@plimsoll/contract/wire/alerts/alerts';
import * as auth from '@plimsoll/contract/wire/accounts/auth';
import * as capacity from '@plimsoll/contract/wire/capacity';
import { checkAnswer, checksAnswer, checkSeriesAnswer } from '@plimsoll/contract/wire/checks/checks';
import { containerGroupsAnswer, containersAnswer } from '@plimsoll/contract/wire/containers';
import { changesAnswer, changesBeforeAnswer } from '@plimsoll/contract/wire/changes';
import { linesAnswer } from '@plimsoll/contract/wire/lines';
import { maintenancesAnswer } from '@plimsoll/contract/wire/checks/maintenance';
import { capacitySettingsAnswer } from '@plimsoll/contract/wire/capacity-settings';
import { idleServersAnswer } from '@plimsoll/contract/wire/idle-servers';
import { hiddenPartsAnswer } from '@plimsoll/contract/wire/hidden-parts';
import { causeAnswer } from '@plimsoll/contract/wire/causes';
import * as incidents from '@plimsoll/contract/wire/alerts/incidents';
import { installationHealthAnswer } from '@plimsoll/contract/wire/installation-health';
import * as install from '@plimsoll/contract/wire/install';
import * as kubernetes from '@plimsoll/contract/wire/kubernetes';
import { clusterMomentAnswer } from '@plimsoll/contract/wire/kubernetes-moment';
import * as metrics from '@plimsoll/contract/wire/metrics';
import * as network from '@plimsoll/contract/wire/network';
import * as notify from '@plimsoll/contract/wire/notify';
import * as plans from '@plimsoll/contract/wire/accounts/plans';
import * as processes from '@plimsoll/contract/wire/processes';
import * as servers from '@plimsoll/contract/wire/servers';
import * as timeline from '@plimsoll/contract/wire/timeline';
import * as team from '@plimsoll/contract/wire/accounts/team';
import { statusIncidentsAnswer } from '@plimsoll/contract/wire/checks/status-incidents';
import * as statusPages from '@plimsoll/contract/wire/checks/status-pages';
import * as users from '@plimsoll/contract/wire/accounts/users';

export const ID = '00000000-0000-4000-8000-000000000001';
const OTHER_ID = '00000000-0000-4000-8000-000000000002';

/** Each field by its name: a moment lies in the last hour, an id is one, a text says what it is. */
function fillingAt(seconds: number, textOf: (name: string) => string): Filling {
  const last = (path: string) => path.split('.').at(-1) ?? '';
  return {
    key: 'name',
    text: (path) => {
      const name = last(path);
      if (/(?:_at|^at|time|since|as_of|until)$/.test(name)) return new Date((seconds - 1800) * 1000).toISOString();
      if (/(?:^|_)id$/.test(name)) return ID;
      return textOf(name);
    },
    number: (path) => {
      const name = last(path);
      if (name === 'from') return seconds - 3600;
      if (name === 'to') return seconds;
      if (/timestamp$|^at$|_at$/.test(name)) return seconds - 1800;
      return name === 'offset' ? 0 : 42;
    },
  };
}

/** The answers of every call that a screen makes, by the path without its query. */
const SCHEMAS: readonly (readonly [RegExp, Schema])[] = [
  [/^\/api\/auth\/profile$/, users.profileAnswer],
  [/^\/api\/auth\/methods$/, auth.signInMethodsAnswer],
  [/^\/api\/auth\/sessions$/, account.sessionsAnswer],
  [/^\/api\/auth\/totp$/, account.totpAnswer],
  [/^\/api\/user\/api-tokens$/, account.apiTokensAnswer],
  [/^\/api\/user\/cluster-tokens$/, kubernetes.clusterTokensAnswer],
  [/^\/api\/user\/retention-settings$/, account.retentionAnswer],
  [/^\/api\/user\/account\/deletion$/, account.deletionAnswer],
  [/^\/api\/user\/audit-log$/, account.auditAnswer],
  // GET lists and POST creates.
  [/^\/api\/user\/enrolment-tokens$/, install.enrolmentTokenAnswer.extend(install.enrolmentTokensAnswer.shape)],
  [/^\/api\/team$/, team.teamAnswer],
  [/^\/api\/team\/members\/[^/]+\/access$/, team.memberAccessAnswer],
  [/^\/api\/team\/invitations\/look$/, team.invitationLookAnswer],
  [/^\/api\/status-pages$/, statusPages.statusPagesAnswer],
  [/^\/api\/status-pages\/[^/]+\/incidents$/, statusIncidentsAnswer],
  [/^\/api\/health\/installation$/, installationHealthAnswer],
  [/^\/api\/plans$/, plans.plansAnswer],
  [/^\/api\/servers\/list$/, servers.serversAnswer],
  [/^\/api\/servers\/fits$/, capacity.serverFitsAnswer],
  [/^\/api\/servers\/idle$/, idleServersAnswer],
  [/^\/api\/servers\/[^/]+$/, servers.serverAnswer],
  [/^\/api\/servers\/[^/]+\/hidden$/, hiddenPartsAnswer],
  [/^\/api\/containers$/, containersAnswer],
  [/^\/api\/containers\/groups$/, containerGroupsAnswer],
  [/^\/api\/checks$/, checksAnswer],
  [/^\/api\/checks\/[^/]+$/, checkAnswer],
  [/^\/api\/checks\/[^/]+\/series$/, checkSeriesAnswer],
  [/^\/api\/data\/metrics$/, metrics.latestMetricsAnswer],
  [/^\/api\/data\/metrics\/timeseries$/, metrics.timeseriesAnswer],
  [/^\/api\/data\/metrics\/sparks$/, metrics.sparksAnswer],
  [/^\/api\/data\/metrics\/compare$/, metrics.comparisonAnswer],
  [/^\/api\/data\/network\/timeseries$/, network.networkTimeseriesAnswer],
  [/^\/api\/data\/network\/metrics$/, network.networkMetricsAnswer],
  [/^\/api\/data\/network\/connections$/, network.networkConnectionsAnswer],
  [/^\/api\/data\/notifications$/, alerts.alertsAnswer],
  [/^\/api\/data\/activity\/timeline$/, timeline.timelineAnswer],
  [/^\/api\/data\/activity$/, activity.activityAnswer],
  [/^\/api\/changes$/, changesAnswer],
  [/^\/api\/lines$/, linesAnswer],
  [/^\/api\/changes\/before$/, changesBeforeAnswer],
  [/^\/api\/data\/processes$/, processes.processesAnswer],
  [/^\/api\/data\/processes\/at$/, processes.processSnapshotAnswer],
  [/^\/api\/data\/processes\/fleet-at$/, processes.fleetSnapshotAnswer],
  [/^\/api\/data\/processes\/history$/, processes.processHistoryAnswer],
  [/^\/api\/alerts\/rules$/, alertRules.alertRulesAnswer],
  [/^\/api\/alerts\/rules\/rehearse$/, alertRules.rehearseAnswer],
  [/^\/api\/alerts\/silences$/, silences.silencesAnswer],
  [/^\/api\/maintenance$/, maintenancesAnswer],
  [/^\/api\/alerts\/[^/]+$/, alertDetail.alertDetailAnswer],
  [/^\/api\/incidents\/[^/]+$/, incidents.incidentAnswer],
  [/^\/api\/(?:incidents|alerts)\/[^/]+\/cause$/, causeAnswer],
  [/^\/api\/notify\/settings$/, notify.messageSettings],
  [/^\/api\/notify\/channels$/, notify.channelsAnswer],
  [/^\/api\/notify\/deliveries$/, notify.deliveriesAnswer],
  [/^\/api\/ai\/health$/, ai.aiHealthAnswer],
  [/^\/api\/ai\/conversations$/, ai.conversationsAnswer],
  [/^\/api\/ai\/settings$/, ai.aiSettingsAnswer],
  [/^\/api\/kubernetes\/capacity$/, capacity.capacityAnswer],
  [/^\/api\/kubernetes\/capacity\/summary$/, capacity.survivalAnswer],
  [/^\/api\/kubernetes\/capacity\/loss$/, capacity.capacityLossAnswer],
  [/^\/api\/kubernetes\/capacity\/fits$/, capacity.capacityFitsAnswer],
  [/^\/api\/kubernetes\/capacity\/settings$/, capacitySettingsAnswer],
  [/^\/api\/kubernetes\/sizing$/, capacity.sizingAnswer],
  [/^\/api\/kubernetes\/workloads\/[^/]+\/[^/]+\/[^/]+$/, kubernetes.workloadAnswer],
  [/^\/api\/kubernetes\/clusters\/states$/, kubernetes.clusterStatesAnswer],
  [/^\/api\/kubernetes\/clusters$/, kubernetes.clustersAnswer],
  [/^\/api\/kubernetes\/cluster\/overview$/, kubernetes.clusterOverviewAnswer],
  [/^\/api\/kubernetes\/permissions$/, kubernetes.permissionsAnswer],
  [/^\/api\/kubernetes\/events$/, kubernetes.eventsAnswer],
  [/^\/api\/kubernetes\/nodes$/, kubernetes.nodesAnswer],
  [/^\/api\/kubernetes\/nodes\/[^/]+$/, kubernetes.kubernetesNode],
  [/^\/api\/kubernetes\/nodes\/[^/]+\/pods$/, kubernetes.nodePodsAnswer],
  [/^\/api\/kubernetes\/nodes\/[^/]+\/metrics\/history$/, kubernetes.nodeHistoryAnswer],
  [/^\/api\/kubernetes\/owners$/, kubernetes.ownersAnswer],
  [/^\/api\/kubernetes\/at$/, clusterMomentAnswer],
  [/^\/api\/kubernetes\/pods$/, kubernetes.podsAnswer],
  [/^\/api\/kubernetes\/pods\/[^/]+\/[^/]+$/, kubernetes.podAnswer],
  [/^\/api\/kubernetes\/pods\/[^/]+\/[^/]+\/metrics\/history$/, kubernetes.podHistoryAnswer],
];

/** Servers that do not report stand in a group of their own, with headings that one server alone would not show. */
const withOfflineServer = (answer: servers.ServersAnswer): servers.ServersAnswer => ({
  ...answer,
  servers: answer.servers.flatMap((server) => [
    { ...server, status: 'active' },
    { ...server, status: 'offline', id: OTHER_ID, hostname: 'offline-01' },
  ]),
});

/** Returns an answer with every part its schema has, and one row in every list; null for a call that is not known. */
export function everyAnswer(
  path: string,
  nowMs: number,
  textOf = (name: string): string => name.replaceAll('_', '-'),
): unknown {
  const found = SCHEMAS.find(([pattern]) => pattern.test(path));
  if (found === undefined) return null;
  const answer = filledSchema(found[1], fillingAt(Math.floor(nowMs / 1000), textOf));
  return path === '/api/servers/list' ? withOfflineServer(answer as servers.ServersAnswer) : answer;
}
