import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { ROWS } from './api/polling.ts';
import { paths } from './paths.ts';

const ofRows = (limit: number): string => `limit=${String(limit)}`;

/** Calls of the frame around every page of a signed-in reader. */
export const FRAME_CALLS: readonly string[] = [
  '/api/auth/profile',
  `/api/data/notifications?${ofRows(ROWS.sidebarAlerts)}&folded=false`,
];

/** Seconds before the first load that a list of the last day begins. start.js reckons the moment. */
const SINCE_A_DAY = `start_date={-${String(DAY_SECONDS)}}`;

const ACTIVITY = `/api/data/activity?${ofRows(ROWS.dashboardActivityAsked)}`;

const OVERVIEW = '/api/kubernetes/cluster/overview';
const CLUSTERS = [OVERVIEW, '/api/kubernetes/clusters'];

/**
 * Calls that a page makes when it is drawn without parameters, by the address of its route. The document of the page
 * starts them together with its scripts, so they must be written as the query options write them. ":name" stands for that
 * part of the address, "{-86400}" for the moment a day ago.
 */
export const FIRST_CALLS: Readonly<Record<string, readonly string[]>> = {
  [paths.dashboard]: [
    `/api/servers/list?${ofRows(ROWS.dashboardServers)}`,
    '/api/data/metrics',
    `${ACTIVITY}&process_runs=folded&order=leading`,
    `/api/checks?${ofRows(ROWS.checkSquares)}`,
    `/api/changes?${ofRows(ROWS.chartChanges)}&${SINCE_A_DAY}`,
    OVERVIEW,
  ],
  [paths.servers]: [`/api/servers/list?${ofRows(ROWS.allServers)}`, '/api/data/metrics', '/api/containers?limit=1'],
  [paths.alerts]: [
    `/api/data/notifications?${ofRows(ROWS.alerts)}&${SINCE_A_DAY}&folded=false`,
    `/api/servers/list?${ofRows(ROWS.allServers)}`,
    '/api/data/metrics/timeseries?hours=24&buckets=25',
  ],
  '/servers/:serverId': [
    '/api/servers/:serverId',
    '/api/data/metrics?server_id=:serverId',
    '/api/data/metrics/timeseries?hours=24&server_id=:serverId',
    '/api/data/network/timeseries?hours=24&server_id=:serverId',
    `/api/data/processes?${ofRows(ROWS.processesAsked)}&rank_type=cpu&server_id=:serverId`,
  ],
  [paths.network]: [
    '/api/data/network/timeseries?hours=24',
    '/api/data/network/metrics?limit=1',
    '/api/servers/list?limit=1',
  ],
  [paths.containers]: ['/api/containers?limit=50&offset=0&sort=worst'],
  [paths.activity]: [`/api/servers/list?${ofRows(ROWS.allServers)}`, '/api/data/metrics/timeseries?hours=24'],
  [paths.changes]: [`/api/servers/list?${ofRows(ROWS.allServers)}`],
  [paths.kubernetes]: [...CLUSTERS, '/api/kubernetes/nodes?limit=10&sort=headroom&order=asc'],
  [paths.kubernetesNodes]: [...CLUSTERS, '/api/kubernetes/nodes?sort=headroom&order=asc&limit=100&offset=0'],
  [paths.kubernetesPods]: [...CLUSTERS, '/api/kubernetes/pods?limit=100&offset=0&sort=state&order=asc'],
  [paths.processes]: [`/api/data/processes?${ofRows(ROWS.processesAsked)}&rank_type=cpu`],
};
