import { POLL, STALE } from '../../../../web/src/api/polling.ts';

/** A call of a screen, and how often it is asked, in milliseconds. */
export interface Polled {
  path: string;
  everyMs: number;
}

/** While hosts report, something of the fleet always changes, and the browser fetches again after this time at the latest. */
const ofFleet = (path: string, everyMs: number): Polled => ({ path, everyMs: Math.min(everyMs, POLL.changes) });
/** A report changes nothing of alerts, of events and of another server; the server itself reports once a minute. */
const polled = (path: string, everyMs: number): Polled => ({ path, everyMs });

/** The calls of every signed-in page. */
const FRAME = [
  polled('/api/data/notifications?status=active&limit=10', POLL.sidebarAlerts),
  { path: '/api/auth/profile', everyMs: STALE.profile },
];

/** A third of the servers that `fillFleet` makes. */
const SCOPE = `&scope=${encodeURIComponent('region:eu-central-1')}`;
/** `scope`: a further parameter, or empty for every server. */
const fleetScreen = (scope: string): Polled[] => [
  ofFleet(`/api/servers/list?limit=1000${scope}`, POLL.servers),
  ofFleet(`/api/data/metrics/timeseries?hours=24${scope}`, POLL.metricsTimeseries),
  ofFleet(`/api/data/network/timeseries?hours=24${scope}`, POLL.networkTimeseries),
  polled(`/api/data/activity?limit=50${scope}`, POLL.dashboardActivity),
  ofFleet(`/api/kubernetes/cluster/overview${scope.replace('&', '?')}`, POLL.kubernetesOverview),
];

/** The calls of each screen, as the web asks them. `server`: its id. */
const screens = (server: string): Record<string, Polled[]> => ({
  dashboard: fleetScreen(''),
  scoped: fleetScreen(SCOPE),
  server: [
    polled(`/api/servers/${server}`, POLL.servers),
    polled(`/api/data/metrics/timeseries?hours=24&server_id=${server}`, POLL.metricsTimeseries),
    polled(`/api/data/network/timeseries?hours=24&server_id=${server}`, POLL.serverNetwork),
    polled(`/api/data/processes?server_id=${server}`, POLL.processes),
    polled(`/api/data/network/connections?server_id=${server}`, POLL.serverNetwork),
    polled(`/api/data/activity?server_id=${server}`, POLL.dashboardActivity),
  ],
  kubernetes: [
    ofFleet('/api/kubernetes/cluster/overview', POLL.kubernetesOverview),
    ofFleet('/api/kubernetes/nodes?limit=10&sort=headroom&order=asc', POLL.kubernetesNodes),
    ofFleet('/api/kubernetes/pods?limit=50', POLL.kubernetesPods),
    ofFleet('/api/kubernetes/events?limit=50', POLL.kubernetesPods),
  ],
  alerts: [polled('/api/data/notifications?limit=100', POLL.alerts), polled('/api/incidents', POLL.alerts)],
  processes: [ofFleet('/api/data/processes?limit=50', POLL.processes)],
  network: [
    ofFleet('/api/data/network/metrics?limit=1000', POLL.networkMetrics),
    ofFleet('/api/data/network/connections?limit=20', POLL.serverNetwork),
    ofFleet('/api/data/network/timeseries?hours=24', POLL.networkTimeseries),
  ],
});

/** Users of each screen: most look at the fleet or at one server. */
const USERS: Readonly<Record<string, number>> = {
  dashboard: 5,
  scoped: 3,
  server: 5,
  kubernetes: 3,
  alerts: 2,
  processes: 1,
  network: 1,
};
export const USER_COUNT = Object.values(USERS).reduce((sum, count) => sum + count, 0);

/** The calls of every user. */
export function callsOfUsers(servers: readonly string[]): Polled[] {
  return Object.entries(USERS).flatMap(([screen, count]) =>
    Array.from({ length: count }, (_, index) => [
      ...FRAME,
      ...(screens(servers[index % servers.length] ?? '')[screen] ?? []),
    ]).flat(),
  );
}
