import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from './deps.ts';
import { CodedError } from './errors.ts';
import { clientAddress } from './http/client-address.ts';
import { defineRoute, type HttpEnv, type Route } from './http/define-route.ts';
import { CutOffBodies } from './http/cut-off-bodies.ts';
import { answerError } from './http/error-handler.ts';
import { mountRoutes } from './http/mount-routes.ts';
import { openApi } from './http/openapi.ts';
import { requestLog } from './http/request-log.ts';
import { securityHeaders } from './http/security-headers.ts';
import { StorageFailures } from './http/storage-unavailable.ts';
import { webFiles } from './http/web-files.ts';
import { accountRoutes } from './accounts/routes/account.ts';
import { activityRoutes } from './activity/routes.ts';
import { causeRoutes } from './causes/routes.ts';
import { changeRoutes } from './changes/routes.ts';
import { serverFitRoutes } from './capacity/routes/servers.ts';
import { capacityRoutes } from './capacity/routes/capacity.ts';
import { capacitySettingsRoutes } from './capacity/routes/settings.ts';
import { checkRoutes } from './checks/routes/checks.ts';
import { maintenanceRoutes } from './maintenance/routes.ts';
import { heartbeatRoutes } from './checks/routes/heartbeats.ts';
import { containerRoutes } from './containers/routes.ts';
import { lineRoutes } from './lines/routes.ts';
import { hiddenPartRoutes } from './hidden-parts/routes.ts';
import { agentRoutes } from './reports/routes.ts';
import { aiRoutes } from './ai/routes/assistant.ts';
import { conversationRoutes } from './ai/routes/conversations.ts';
import { mcpRoutes } from './ai/routes/mcp.ts';
import { aiSettingsRoutes } from './ai/routes/settings.ts';
import { alertRoutes } from './alerts/routes/alerts.ts';
import { alertActionRoutes } from './alerts/routes/actions.ts';
import { incidentRoutes } from './alerts/routes/incidents.ts';
import { alertDetailRoutes } from './alerts/routes/detail.ts';
import { alertRuleRoutes } from './alerts/routes/rules.ts';
import { silenceRoutes } from './alerts/routes/silences.ts';
import { apiTokenRoutes } from './accounts/routes/api-tokens.ts';
import { authRoutes } from './accounts/routes/auth.ts';
import { docsRoute } from './http/docs.ts';
import { enrolmentTokenRoutes } from './servers/routes/enrolment-tokens.ts';
import { eventRoutes } from './live/routes.ts';
import { externalMetricsRoutes } from './external-metrics/routes.ts';
import { externalSignInRoutes } from './accounts/routes/external-sign-in.ts';
import { healthRoutes, metricsRoute } from './telemetry/routes.ts';
import { installationRoutes } from './installation/routes.ts';
import { installRoutes } from './servers/routes/install.ts';
import { clusterAgentRoutes } from './kubernetes/routes/agent.ts';
import { clusterTokenRoutes } from './kubernetes/routes/tokens.ts';
import { clusterMomentRoutes } from './kubernetes/routes/moment.ts';
import { kubernetesNodeRoutes } from './kubernetes/routes/nodes.ts';
import { kubernetesPodRoutes } from './kubernetes/routes/pods.ts';
import { clusterAdministrationRoutes } from './kubernetes/routes/administration.ts';
import { clusterStateRoutes } from './kubernetes/routes/cluster-states.ts';
import { workloadRoutes } from './kubernetes/routes/workloads.ts';
import { kubernetesRoutes } from './kubernetes/routes/clusters.ts';
import { metricRoutes } from './series/routes/metrics.ts';
import { channelRoutes } from './notify/routes/channels.ts';
import { deliveryRoutes } from './notify/routes/deliveries.ts';
import { clusterObjectRoutes } from './operator/routes.ts';
import { clusterChannelRoutes } from './notify/routes/cluster-channel.ts';
import { messageSettingsRoutes } from './notify/routes/message-settings.ts';
import { networkRoutes } from './series/routes/network.ts';
import { planRoutes } from './accounts/routes/plans.ts';
import { processRoutes } from './processes/routes.ts';
import { retentionRoutes } from './accounts/routes/retention.ts';
import { secondFactorRoutes } from './accounts/routes/second-factor.ts';
import { statusIncidentRoutes } from './status-pages/routes/incidents.ts';
import { statusPageRoutes } from './status-pages/routes/pages.ts';
import { publicStatusPageRoutes } from './status-pages/routes/public.ts';
import { serverRoutes } from './servers/routes/servers.ts';
import { sessionRoutes } from './accounts/routes/sessions.ts';
import { passwordRoutes } from './accounts/routes/password.ts';
import { invitedRoutes } from './accounts/routes/invited.ts';
import { invitationRoutes } from './tenancy/routes/invitations.ts';
import { accessRoutes } from './tenancy/routes/access.ts';
import { teamRoutes } from './tenancy/routes/team.ts';
import { scrapeRoutes } from './series/routes/scrape.ts';
import { sparkRoutes } from './series/routes/sparks.ts';
import { compareRoutes } from './series/routes/compare.ts';
import { VERSION } from './version.ts';

/** Longest path and query together; nothing of ours comes near it. */
const MOST_URL_CHARACTERS = 8192;

/** Makers of the calls that need nothing but their parts. A fixed path stands before one with a parameter that would match it too. */
const MAKERS: readonly ((deps: Deps) => Route[])[] = [
  healthRoutes,
  (given: Deps) => installationRoutes(given, VERSION),
  authRoutes,
  externalSignInRoutes,
  sessionRoutes,
  secondFactorRoutes,
  teamRoutes,
  accessRoutes,
  invitationRoutes,
  invitedRoutes,
  passwordRoutes,
  serverFitRoutes,
  serverRoutes,
  hiddenPartRoutes,
  containerRoutes,
  lineRoutes,
  checkRoutes,
  maintenanceRoutes,
  heartbeatRoutes,
  metricRoutes,
  sparkRoutes,
  scrapeRoutes,
  compareRoutes,
  networkRoutes,
  alertRoutes,
  alertRuleRoutes,
  silenceRoutes,
  alertActionRoutes,
  incidentRoutes,
  alertDetailRoutes,
  channelRoutes,
  deliveryRoutes,
  messageSettingsRoutes,
  clusterChannelRoutes,
  clusterObjectRoutes,
  activityRoutes,
  changeRoutes,
  processRoutes,
  enrolmentTokenRoutes,
  apiTokenRoutes,
  retentionRoutes,
  accountRoutes,
  aiSettingsRoutes,
  conversationRoutes,
  eventRoutes,
  kubernetesRoutes,
  clusterAdministrationRoutes,
  clusterStateRoutes,
  workloadRoutes,
  capacityRoutes,
  capacitySettingsRoutes,
  clusterMomentRoutes,
  kubernetesNodeRoutes,
  kubernetesPodRoutes,
  clusterTokenRoutes,
  clusterAgentRoutes,
  agentRoutes,
  externalMetricsRoutes,
  installRoutes,
  planRoutes,
  statusPageRoutes,
  statusIncidentRoutes,
  publicStatusPageRoutes,
];

/** Every call there is. */
export function allRoutes(deps: Deps): Route[] {
  const routes = MAKERS.flatMap((make) => make(deps));
  // The analyser and the assistant read through the calls above, as their asker.
  routes.push(...causeRoutes(deps, routes));
  routes.push(...aiRoutes(deps, routes), ...mcpRoutes(deps, routes));
  const described = defineRoute(
    {
      method: 'GET',
      path: '/openapi.json',
      actor: 'anyone',
      summary: 'Returns this description',
      tag: 'Operations',
      answer: z.record(z.string(), z.unknown()),
      bare: true,
    },
    () => Promise.resolve(description),
  );
  routes.push(described, docsRoute(deps, routes));
  const description = openApi(routes, VERSION);
  return routes;
}

const failuresOf = ({ log, clock }: Deps) => ({
  storage: new StorageFailures(log, clock),
  cutOff: new CutOffBodies(log, clock),
});

/** The whole HTTP surface. Tests call `app.request()`; main.ts puts it behind a server. */
export function createApp(deps: Deps, routes: readonly Route[] = allRoutes(deps)): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const failures = failuresOf(deps);
  app.onError((error, http) => answerError(http, error, deps.log, failures));
  app.use(securityHeaders());
  app.use(requestLog(deps.log, deps.metrics));
  app.use(clientAddress(deps.config.trustedProxies, deps.config.publicUrl));
  app.use(async (http, next) => {
    if (http.req.url.length > MOST_URL_CHARACTERS) throw new CodedError('path_too_long', 'The URL is too long');
    await next();
  });
  mountRoutes(app, routes, deps);
  app.all('/api/*', () => {
    throw new CodedError('not_found', 'This endpoint does not exist', { remedy: '/openapi.json lists all endpoints.' });
  });
  if (deps.config.metricsPort !== null)
    app.all('/metrics', () => {
      throw new CodedError('not_found', 'Metrics are on a port of their own', {
        remedy: 'Read PLIMSOLL_METRICS_PORT.',
      });
    });
  app.use(webFiles(deps.config.webDir));
  app.notFound((http) => answerError(http, new CodedError('not_found', 'Not found'), deps.log, failures));
  return app;
}

/** Makes the app of PLIMSOLL_METRICS_PORT: figures of the whole installation, and nothing of an account. */
export function createMetricsApp(deps: Deps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const failures = failuresOf(deps);
  const absent = new CodedError('not_found', 'Not found', { remedy: 'This port serves /metrics only.' });
  app.onError((error, http) => answerError(http, error, deps.log, failures));
  app.notFound((http) => answerError(http, absent, deps.log, failures));
  app.use(securityHeaders());
  mountRoutes(app, [metricsRoute(deps)], deps);
  return app;
}
