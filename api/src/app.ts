import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from './deps.ts';
import { CodedError } from './errors.ts';
import { clientAddress } from './http/client-address.ts';
import { defineRoute, type HttpEnv, type Route } from './http/define-route.ts';
import { answerError } from './http/error-handler.ts';
import { mountRoutes } from './http/mount-routes.ts';
import { openApi } from './http/openapi.ts';
import { requestLog } from './http/request-log.ts';
import { securityHeaders } from './http/security-headers.ts';
import { StorageFailures } from './http/storage-unavailable.ts';
import { webFiles } from './http/web-files.ts';
import { accountRoutes } from './routes/account.ts';
import { activityRoutes } from './routes/activity.ts';
import { agentRoutes } from './routes/agent.ts';
import { aiRoutes } from './routes/ai.ts';
import { alertRoutes } from './routes/alerts.ts';
import { apiTokenRoutes } from './routes/api-tokens.ts';
import { authRoutes } from './routes/auth.ts';
import { docsRoute } from './routes/docs.ts';
import { enrolmentTokenRoutes } from './routes/enrolment-tokens.ts';
import { eventRoutes } from './routes/events.ts';
import { externalSignInRoutes } from './routes/external-sign-in.ts';
import { healthRoutes } from './routes/health.ts';
import { installRoutes } from './routes/install.ts';
import { clusterAgentRoutes } from './routes/cluster-agent.ts';
import { clusterTokenRoutes } from './routes/cluster-tokens.ts';
import { kubernetesNodeRoutes } from './routes/kubernetes-nodes.ts';
import { kubernetesPodRoutes } from './routes/kubernetes-pods.ts';
import { kubernetesRoutes } from './routes/kubernetes.ts';
import { metricRoutes } from './routes/metrics.ts';
import { networkRoutes } from './routes/network.ts';
import { planRoutes } from './routes/plans.ts';
import { processRoutes } from './routes/processes.ts';
import { retentionRoutes } from './routes/retention.ts';
import { secondFactorRoutes } from './routes/second-factor.ts';
import { serverRoutes } from './routes/servers.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { sparkRoutes } from './routes/sparks.ts';

export const VERSION = '0.1.0';
/** Longest path and query together; nothing of ours comes near it. */
const MOST_URL_CHARACTERS = 8192;

/** Every call there is. A fixed path stands before one with a parameter that would match it too. */
export function allRoutes(deps: Deps): Route[] {
  const routes = [
    healthRoutes,
    authRoutes,
    externalSignInRoutes,
    sessionRoutes,
    secondFactorRoutes,
    serverRoutes,
    metricRoutes,
    sparkRoutes,
    networkRoutes,
    alertRoutes,
    activityRoutes,
    processRoutes,
    enrolmentTokenRoutes,
    apiTokenRoutes,
    retentionRoutes,
    accountRoutes,
    aiRoutes,
    eventRoutes,
    kubernetesRoutes,
    kubernetesNodeRoutes,
    kubernetesPodRoutes,
    clusterTokenRoutes,
    clusterAgentRoutes,
    agentRoutes,
    installRoutes,
    planRoutes,
  ].flatMap((make) => make(deps));
  const described = defineRoute(
    {
      method: 'GET',
      path: '/openapi.json',
      actor: 'anyone',
      summary: 'This description',
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

/** The whole HTTP surface. Tests call `app.request()`; main.ts puts it behind a server. */
export function createApp(deps: Deps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const failures = new StorageFailures(deps.log, deps.clock);
  app.onError((error, http) => answerError(http, error, deps.log, failures));
  app.use(securityHeaders());
  app.use(requestLog(deps.log, deps.metrics));
  app.use(clientAddress(deps.config.trustedProxies, deps.config.publicUrl));
  app.use(async (http, next) => {
    if (http.req.url.length > MOST_URL_CHARACTERS) throw new CodedError('path_too_long', 'The address is too long');
    await next();
  });
  mountRoutes(app, allRoutes(deps), deps);
  app.all('/api/*', () => {
    throw new CodedError('not_found', 'No such call', { remedy: 'The calls there are: /openapi.json' });
  });
  app.use(webFiles(deps.config.webDir));
  app.notFound((http) => answerError(http, new CodedError('not_found', 'Not found'), deps.log, failures));
  return app;
}
