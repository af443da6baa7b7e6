import { hashKey, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionToken } from '../state/session-token.ts';
import type { View } from '../state/view.ts';
import type { TimeRange } from '../time/range.ts';
import { activityQuery, activityRangeQuery, chartEventsQuery, eventsAroundQuery, timelineQuery } from './activity.ts';
import { activeAlertsQuery, alertsAroundQuery, listAlertsQuery, serverAlertsQuery } from './alerts.ts';
import * as capacity from './capacity.ts';
import { changesBeforeQuery, changesQuery } from './change-ledger.ts';
import { checkQuery, checkSeriesQuery } from './checks.ts';
import { containerGroupsQuery, containersCountQuery, containersQuery, type ContainersFilter } from './containers.ts';
import * as kubernetes from './kubernetes.ts';
import { linesBetweenQuery, newestLinesQuery } from './lines.ts';
import { latestMetricsQuery, timeseriesQuery } from './metrics.ts';
import { networkMetricsQuery, networkTimeseriesQuery } from './network.ts';
import { fleetProcessesAtQuery, processesQuery, processHistoryQuery, processSnapshotQuery } from './processes.ts';
import { inView, type Ask } from './query.ts';
import { serversQuery } from './servers.ts';

const ID = '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11';
const OTHER = '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c12';
const NOW = Date.parse('2026-11-22T06:00:00Z');
/** A day before now. */
const AT = NOW / 1000 - 86_400;
const SIX_HOURS: TimeRange = { kind: 'relative', hours: 6 };
const STRETCH: TimeRange = { kind: 'absolute', from: 1000, to: 4600 };
/** The six hours before {@link AT}. */
const THEN = `start_date=${String(AT - 6 * 3600)}&end_date=${String(AT)}`;
const FILTER: ContainersFilter = {
  search: '',
  state: '',
  sort: 'worst',
  hidden: false,
  host: '',
  image: '',
  project: '',
  offset: 0,
};
const WORKLOAD = { clusterId: 'c1', namespace: 'shop', kind: 'Deployment', name: 'api' };

const anyAsk = <T>(ask: Ask<T>) => ask as unknown as Ask<unknown>;

describe('a question in a view', () => {
  const fetched = vi.fn<(url: string) => Promise<Response>>();
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
    vi.stubGlobal('fetch', fetched);
    fetched.mockImplementation(() => Promise.resolve(Response.json({ success: true, data: {} })));
    sessionToken.set('token');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    fetched.mockReset();
    sessionToken.set(null);
  });

  /** Returns the call that a question makes in a view. */
  async function asked<T>(ask: Ask<T>, view: View): Promise<string> {
    const { queryKey, queryFn } = inView(anyAsk(ask), view);
    if (typeof queryFn !== 'function') throw new Error('it asks nothing');
    await new QueryClient().fetchQuery({ queryKey, queryFn, retry: false });
    return decodeURIComponent(fetched.mock.calls.at(-1)?.[0] ?? '');
  }

  const row = <T, W>(name: string, ask: Ask<T>, wanted: W) => [name, anyAsk(ask), wanted] as const;
  const past: View = { scope: '', at: AT };

  it.each([
    // The status of an alert is that of now: what was open then is asked by the moment alone.
    row('active alerts', activeAlertsQuery(), `notifications?limit=100&folded=false&at=${String(AT)}`),
    row(
      'alerts of a server',
      serverAlertsQuery(ID),
      `notifications?limit=10&folded=false&server_id=${ID}&at=${String(AT)}`,
    ),
    row(
      'alerts of the last hours',
      listAlertsQuery(SIX_HOURS),
      `notifications?limit=100&start_date=${String(AT - 6 * 3600)}&at=${String(AT)}&folded=false`,
    ),
    row(
      'alerts of a stretch',
      listAlertsQuery(STRETCH),
      `notifications?limit=100&start_date=1000&end_date=4600&at=${String(AT)}&folded=false`,
    ),
    row('activity', activityQuery(), `activity?limit=50&start_date=${String(AT - 86_400)}&end_date=${String(AT + 1)}`),
    row('activity of the last hours', activityRangeQuery(SIX_HOURS, {}), `activity?limit=100&${THEN}`),
    row('events of a chart', chartEventsQuery(SIX_HOURS, ID), `activity?limit=1000&${THEN}&server_id=${ID}`),
    row(
      'the time line',
      timelineQuery(SIX_HOURS, { kinds: 'alert', q: undefined, server_id: undefined }),
      `activity/timeline?limit=200&${THEN}&kinds=alert`,
    ),
    row('latest metrics', latestMetricsQuery(), `metrics?at=${String(AT)}`),
    row('metrics of the last hours', timeseriesQuery(SIX_HOURS), `metrics/timeseries?${THEN}`),
    row('metrics of a stretch', timeseriesQuery(STRETCH), 'metrics/timeseries?start_date=1000&end_date=4600'),
    row('bandwidth', networkTimeseriesQuery(SIX_HOURS), `network/timeseries?${THEN}`),
    row(
      'network of a server',
      networkMetricsQuery(ID),
      `network/metrics?server_id=${ID}&limit=1&start_date=${String(AT - 900)}&end_date=${String(AT + 1)}`,
    ),
    row('changes', changesQuery(SIX_HOURS, {}), `changes?limit=100&${THEN}`),
    row(
      'newest lines',
      newestLinesQuery({ server_id: ID }),
      `lines?server_id=${ID}&from=${String(AT - 3600)}&to=${String(AT)}`,
    ),
  ])('of a moment: %s ask for what was then', async (_name, ask, url) => {
    const call = await asked(ask, past);
    expect(new URL(call, 'http://x').search.slice(1).split('&').toSorted()).toEqual(
      new URL(url, 'http://x').search.slice(1).split('&').toSorted(),
    );
    expect(call).toContain(url.split('?')[0]);
    expect(inView(ask, past).refetchInterval).toBe(false);
  });

  it.each([
    row('active alerts', activeAlertsQuery(), true),
    row('alerts of a server', serverAlertsQuery(ID), false),
    row('activity', activityQuery(), true),
    row('activity of a server', activityQuery({ server_id: ID }), false),
    row('metrics', latestMetricsQuery(), true),
    row('metrics of a server', timeseriesQuery(SIX_HOURS, ID), false),
    row('servers', serversQuery(), true),
    row('processes', processesQuery('cpu'), true),
    row('processes of a server', processesQuery('cpu', ID), false),
    row('processes of a moment', fleetProcessesAtQuery('cpu', AT), true),
    row('containers', containersQuery(FILTER), true),
    row('counts of containers', containersCountQuery(), true),
    row('groups of containers', containerGroupsQuery(), true),
    row('capacity', capacity.capacityQuery('c1'), true),
    row('survival', capacity.survivalQuery(), true),
    row('servers with room', capacity.serverFitsQuery({ cores: 1, memory_bytes: 1 }, 5), true),
    row('idle servers', capacity.idleServersQuery(5), true),
    row('changes', changesQuery(SIX_HOURS, {}), true),
    row('changes of a server', changesQuery(SIX_HOURS, { server_id: ID }), false),
    row('overview of clusters', kubernetes.clusterOverviewQuery(), true),
    row('every cluster to pick from', kubernetes.allClustersQuery(), false),
    row('owners', kubernetes.ownersQuery({}), true),
    row('events of a cluster', kubernetes.kubernetesEventsQuery({}), true),
    row('events of one object', kubernetes.kubernetesEventsQuery({ name: 'api' }), false),
  ])('of a scope: %s is narrowed by it, unless it is of one place', async (_name, ask, isNarrowed) => {
    const call = await asked(ask, { scope: 'env=prod', at: null });
    expect(call.includes('scope=env=prod')).toBe(isNarrowed);
  });

  it('sends each filter of the containers under its own name, and no empty one', async () => {
    expect(await asked(containersQuery(FILTER), { scope: '', at: null })).toBe(
      '/api/containers?limit=50&offset=0&sort=worst',
    );
    const all = { ...FILTER, search: 's', state: 'running', host: 'h', image: 'i', project: 'p', hidden: true };
    expect(await asked(containersQuery({ ...all, offset: 100 }), { scope: '', at: null })).toBe(
      '/api/containers?limit=50&offset=100&sort=worst&search=s&state=running&server_id=h&image=i&project=p&hidden=true',
    );
  });

  it('names cluster, node and size of a plan as the API does', async () => {
    const whole: View = { scope: '', at: null };
    expect(await asked(capacity.lossQuery('c1', 'n1'), whole)).toBe(
      '/api/kubernetes/capacity/loss?cluster_id=c1&node=n1',
    );
    expect(await asked(capacity.fitsQuery('c1', { cpu_cores: 0.5, memory_bytes: 1024 }), whole)).toBe(
      '/api/kubernetes/capacity/fits?cluster_id=c1&cpu_cores=0.5&memory_bytes=1024',
    );
    expect(await asked(capacity.workloadSizingQuery(WORKLOAD), whole)).toBe(
      '/api/kubernetes/sizing?cluster_id=c1&namespace=shop&kind=Deployment&name=api',
    );
    expect(await asked(kubernetes.workloadQuery(WORKLOAD), whole)).toBe(
      '/api/kubernetes/workloads/shop/Deployment/api?cluster_id=c1',
    );
  });

  it('counts the second in which something happened to the time around a moment', async () => {
    const whole: View = { scope: '', at: null };
    const dates = `start_date=${String(AT - 900)}&end_date=${String(AT + 901)}`;
    expect(await asked(alertsAroundQuery(ID, AT, 900), whole)).toContain(dates);
    expect(await asked(eventsAroundQuery(ID, AT, 900), whole)).toContain(dates);
  });
});

/** Two questions that differ in one part. An answer of one under the key of the other would be shown as its own. */
const pair = <T>(name: string, first: Ask<T>, second: Ask<T>) => [name, first.queryKey, second.queryKey] as const;
const containers = (given: Partial<ContainersFilter>) => containersQuery({ ...FILTER, ...given });

describe('keys', () => {
  it.each([
    pair('the moment of alerts around it', alertsAroundQuery(ID, AT, 900), alertsAroundQuery(ID, AT + 1, 900)),
    pair('the reach of alerts around a moment', alertsAroundQuery(ID, AT, 900), alertsAroundQuery(ID, AT, 60)),
    pair('the moment of events around it', eventsAroundQuery(ID, AT, 900), eventsAroundQuery(ID, AT + 1, 900)),
    pair('the reach of events around a moment', eventsAroundQuery(ID, AT, 900), eventsAroundQuery(ID, AT, 60)),
    pair('the length of a list of alerts', listAlertsQuery(SIX_HOURS, ID), listAlertsQuery(SIX_HOURS, ID, 7)),
    pair('the moment of a process list', processSnapshotQuery(ID, AT), processSnapshotQuery(ID, AT + 60)),
    pair('the server of a process list', processSnapshotQuery(ID, AT), processSnapshotQuery(OTHER, AT)),
    pair('the rank of a process list', fleetProcessesAtQuery('cpu', AT), fleetProcessesAtQuery('memory', AT)),
    pair('the command of a history', processHistoryQuery(ID, 'cc1', 6), processHistoryQuery(ID, 'ld', 6)),
    pair('the hours of a history', processHistoryQuery(ID, 'cc1', 6), processHistoryQuery(ID, 'cc1', 24)),
    pair('the buckets of a chart', timeseriesQuery(SIX_HOURS, ID, 25), timeseriesQuery(SIX_HOURS, ID)),
    pair('hidden containers', containers({}), containers({ hidden: true })),
    pair('the host of containers', containers({ host: 'a' }), containers({ image: 'a' })),
    pair('the page of containers', containers({}), containers({ offset: 100 })),
    pair('the cluster of a plan', capacity.capacityQuery('a'), capacity.capacityQuery(null)),
    pair('the node that is lost', capacity.lossQuery('a', 'n1'), capacity.lossQuery('a', 'n2')),
    pair('the size that fits', size(1), size(2)),
    pair('the workload of advice', capacity.workloadSizingQuery(WORKLOAD), advice({ namespace: 'test' })),
    pair('the cluster of advice', capacity.workloadSizingQuery(WORKLOAD), advice({ clusterId: 'c2' })),
    pair('the hours of a check', checkSeriesQuery('a', 24), checkSeriesQuery('a', 168)),
    pair('the place of lines', linesBetweenQuery({ pod: 'a' }, 0, 1), linesBetweenQuery({ pod: 'b' }, 0, 1)),
    pair('the end of lines', linesBetweenQuery({ pod: 'a' }, 0, 1), linesBetweenQuery({ pod: 'a' }, 0, 2)),
    pair('the hours of newest lines', newestLinesQuery({ pod: 'a' }), newestLinesQuery({ pod: 'a' }, 6)),
    pair('the moment of changes before it', changesBeforeQuery({}, 1), changesBeforeQuery({}, 2)),
    pair('the filter of changes', changesQuery(SIX_HOURS, {}), changesQuery(SIX_HOURS, { q: 'image' })),
    pair('the run whose log is read', logs(false, 1), logs(true, 1)),
    pair('the press that reads a log again', logs(false, 1), logs(false, 2)),
  ])('differ by %s', (_name, first, second) => expect(hashKey(first)).not.toBe(hashKey(second)));

  it('of a check and of its series are two', () => {
    expect(hashKey(checkQuery('a').queryKey)).not.toBe(hashKey(checkSeriesQuery('a', 24).queryKey));
  });
});

function size(cores: number) {
  return capacity.fitsQuery('a', { cpu_cores: cores, memory_bytes: 1 });
}
function advice(given: Partial<typeof WORKLOAD>) {
  return capacity.workloadSizingQuery({ ...WORKLOAD, ...given });
}
function logs(previous: boolean, round: number) {
  const pod = { clusterId: 'c1', namespace: 'shop', name: 'api-1' };
  return kubernetes.podLogsQuery(pod, { container: 'api', previous, round });
}
