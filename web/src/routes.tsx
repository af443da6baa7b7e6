import type { QueryClient } from '@tanstack/react-query';
import { latestMetricsQuery } from './api/metrics.ts';
import { inView } from './api/query.ts';
import { serversQuery } from './api/servers.ts';
import { profileQuery } from './api/user.ts';
import { PageSpinner } from './components/feedback/page-spinner.tsx';
import { ErrorState } from './components/feedback/states.tsx';
import { Navigate } from './router.ts';
import type { LoaderFunction, RouteObject } from './router.ts';
import { viewOf, type View } from './state/view.ts';
import { loadScript } from './state/load-script.ts';
import { paths } from './paths.ts';
import { sessionToken } from './state/session-token.ts';

/** A page's chunk could not be loaded, or the page itself broke: a reload brings the newest build. */
function RouteFailure() {
  return (
    <main>
      <ErrorState
        message="Could not show this page"
        detail="The dashboard was probably updated after you opened this tab."
        onRetry={() => window.location.reload()}
      />
    </main>
  );
}

/** Every page is its own chunk and exports `Component`. */
const publicPages: RouteObject[] = [
  { path: paths.landing, lazy: () => loadScript(() => import('./pages/landing/landing-page.tsx')) },
  { path: paths.login, lazy: () => loadScript(() => import('./pages/login/login-page.tsx')) },
  { path: paths.join, lazy: () => loadScript(() => import('./pages/login/join-page.tsx')) },
  { path: paths.callback, lazy: () => loadScript(() => import('./pages/callback/callback-page.tsx')) },
  { path: paths.terms, lazy: () => loadScript(() => import('./pages/terms/terms-page.tsx')) },
  { path: paths.privacy, lazy: () => loadScript(() => import('./pages/privacy/privacy-page.tsx')) },
];

/** Starts the page's requests while its script is still loading. Waits for nothing: the page shows errors. */
const ask =
  (start: (queries: QueryClient, view: View) => void) =>
  (queries: QueryClient): LoaderFunction =>
  ({ request }) => {
    if (sessionToken.get() !== null) start(queries, viewOf(new URL(request.url).searchParams));
    return null;
  };
const askProfile = ask((queries, view) => void queries.prefetchQuery(inView(profileQuery(), view)));
/** The two answers the dashboard waits for. */
const askFleet = ask((queries, view) => {
  void queries.prefetchQuery(inView(serversQuery(), view));
  void queries.prefetchQuery(inView(latestMetricsQuery(), view));
});

const protectedPages = (queries: QueryClient): RouteObject[] => [
  {
    path: paths.dashboard,
    lazy: () => loadScript(() => import('./pages/dashboard/dashboard-page.tsx')),
    loader: askFleet(queries),
    shouldRevalidate: () => false,
  },
  { path: paths.servers, lazy: () => loadScript(() => import('./pages/servers/servers-page.tsx')) },
  { path: paths.containers, lazy: () => loadScript(() => import('./pages/containers/containers-page.tsx')) },
  { path: paths.checks, lazy: () => loadScript(() => import('./pages/checks/checks-page.tsx')) },
  { path: '/servers/checks/:checkId', lazy: () => loadScript(() => import('./pages/check/check-page.tsx')) },
  { path: '/servers/:serverId', lazy: () => loadScript(() => import('./pages/server/server-page.tsx')) },
  { path: paths.kubernetes, lazy: () => loadScript(() => import('./pages/kubernetes/kubernetes-page.tsx')) },
  {
    path: paths.kubernetesNodes,
    lazy: () => loadScript(() => import('./pages/kubernetes-nodes/kubernetes-nodes-page.tsx')),
  },
  {
    path: '/kubernetes/nodes/:serverId/:nodeName?',
    lazy: () => loadScript(() => import('./pages/kubernetes-node/kubernetes-node-page.tsx')),
  },
  {
    path: paths.kubernetesNamespaces,
    lazy: () => loadScript(() => import('./pages/kubernetes-totals/namespaces.tsx')),
  },
  {
    path: '/kubernetes/workloads/:cluster/:namespace/:kind/:name',
    lazy: () => loadScript(() => import('./pages/kubernetes-workload/workload-page.tsx')),
  },
  {
    path: paths.kubernetesEvents,
    lazy: () => loadScript(() => import('./pages/kubernetes-events/events-page.tsx')),
  },
  {
    path: paths.kubernetesCapacity,
    lazy: () => loadScript(() => import('./pages/capacity/capacity-page.tsx')),
  },
  {
    path: paths.kubernetesClusters,
    lazy: () => loadScript(() => import('./pages/kubernetes-clusters/clusters-page.tsx')),
  },
  { path: paths.kubernetesWorkloads, lazy: () => loadScript(() => import('./pages/kubernetes-totals/workloads.tsx')) },
  {
    path: paths.kubernetesPods,
    lazy: () => loadScript(() => import('./pages/kubernetes-pods/kubernetes-pods-page.tsx')),
  },
  { path: paths.alerts, lazy: () => loadScript(() => import('./pages/alerts/alerts-page.tsx')) },
  { path: paths.alertRules, lazy: () => loadScript(() => import('./pages/alerts/rules/rules-page.tsx')) },
  { path: '/alerts/rules/:ruleId', lazy: () => loadScript(() => import('./pages/alerts/rules/rule-page.tsx')) },
  { path: paths.alertSilences, lazy: () => loadScript(() => import('./pages/alerts/silences/silences-page.tsx')) },
  { path: paths.alertChannels, lazy: () => loadScript(() => import('./pages/alerts/channels/channels-page.tsx')) },
  { path: paths.activity, lazy: () => loadScript(() => import('./pages/activity/activity-page.tsx')) },
  { path: paths.changes, lazy: () => loadScript(() => import('./pages/changes/changes-page.tsx')) },
  { path: paths.network, lazy: () => loadScript(() => import('./pages/network/network-page.tsx')) },
  { path: paths.processes, lazy: () => loadScript(() => import('./pages/processes/processes-page.tsx')) },
  { path: paths.setup, lazy: () => loadScript(() => import('./pages/setup/setup-page.tsx')) },
  { path: paths.profile, lazy: () => loadScript(() => import('./pages/profile/profile-page.tsx')) },
  { path: paths.team, lazy: () => loadScript(() => import('./pages/profile/team/team-page.tsx')) },
  { path: paths.statusPages, lazy: () => loadScript(() => import('./pages/status-pages/status-pages-page.tsx')) },
  {
    path: '/profile/status-pages/:pageId',
    lazy: () => loadScript(() => import('./pages/status-pages/incidents-page.tsx')),
  },
  { path: paths.health, lazy: () => loadScript(() => import('./pages/health/health-page.tsx')) },
  { path: paths.aiChat, lazy: () => loadScript(() => import('./pages/ai-chat/ai-chat-page.tsx')) },
];

export const createRoutes = (queries: QueryClient): RouteObject[] => [
  {
    HydrateFallback: PageSpinner,
    ErrorBoundary: RouteFailure,
    children: [
      ...publicPages,
      {
        lazy: () => loadScript(() => import('./pages/layout/protected-route.tsx')),
        loader: askProfile(queries),
        shouldRevalidate: () => false,
        children: protectedPages(queries),
      },
      { path: '*', element: <Navigate to={paths.landing} replace /> },
    ],
  },
];
