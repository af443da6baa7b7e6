import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionToken } from '../state/session-token.ts';
import { WHOLE_VIEW } from '../state/view.ts';
import type { TimeRange } from '../time/range.ts';
import { apiTokensQuery, auditQuery, retentionQuery, sessionsQuery } from './account.ts';
import { activityQuery, activityRangeQuery } from './activity.ts';
import { aiHealthQuery, askAssistant, requestOf } from './ai.ts';
import { activeAlertsQuery, listAlertsQuery, serverAlertsQuery, sidebarAlertsQuery } from './alerts.ts';
import { enrolledNodesQuery, enrolledServersQuery } from './install.ts';
import * as kubernetes from './kubernetes.ts';
import { latestMetricsQuery, sparksQuery, timeseriesQuery } from './metrics.ts';
import { connectionsQuery, networkMetricsQuery, networkTimeseriesQuery } from './network.ts';
import { plansQuery } from './plans.ts';
import { processesQuery } from './processes.ts';
import { inView, type Ask } from './query.ts';
import { serverQuery, serversQuery } from './servers.ts';
import { profileQuery } from './user.ts';

const ID = '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11';
const HOURS: TimeRange = { kind: 'relative', hours: 6 };
const STRETCH: TimeRange = { kind: 'absolute', from: 1000, to: 4600 };
const NOW = Date.parse('2026-11-22T06:00:00Z');
const SECOND = 1000;
/** Six hours before {@link NOW}, in epoch seconds. */
const SIX_HOURS_AGO = NOW / SECOND - 6 * 3600;
const POD = { clusterId: 'c1', namespace: 'shop', name: 'api/1' };

interface Case {
  name: string;
  ask: () => Ask<unknown>;
  /** The call it makes. */
  url: string;
  /** Seconds between its requests; null: only one request. */
  every: number | null;
}

const asked = <T>(ask: () => Ask<T>) => ask as unknown as () => Ask<unknown>;
const row = <T>(name: string, ask: () => Ask<T>, url: string, every: number | null): Case => ({
  name,
  ask: asked(ask),
  url,
  every,
});

/** Method, path, parameters and interval of every question, written out from the specification. */
const CASES: readonly Case[] = [
  row('the profile', profileQuery, '/api/auth/profile', null),
  row('the plans', plansQuery, '/api/plans', null),
  row('the badge', sidebarAlertsQuery, '/api/data/notifications?limit=100&folded=false', 15),
  row('active alerts', activeAlertsQuery, '/api/data/notifications?limit=100&status=active&folded=false', 15),
  row(
    'alerts of a server',
    () => serverAlertsQuery(ID),
    `/api/data/notifications?limit=10&status=active&folded=false&server_id=${ID}`,
    30,
  ),
  row(
    'alerts of hours',
    () => listAlertsQuery(HOURS),
    `/api/data/notifications?limit=100&start_date=${SIX_HOURS_AGO}&folded=false`,
    15,
  ),
  row(
    'alerts of a stretch',
    () => listAlertsQuery(STRETCH, ID),
    `/api/data/notifications?limit=100&start_date=1000&end_date=4600&folded=false&server_id=${ID}`,
    15,
  ),
  row('activity', () => activityQuery(), '/api/data/activity?limit=50', 10),
  row(
    'activity of hours',
    () => activityRangeQuery(HOURS, { event_type: 'config_change', severity: '' }),
    `/api/data/activity?limit=100&start_date=${SIX_HOURS_AGO}&event_type=config_change`,
    10,
  ),
  row('servers', () => serversQuery(), '/api/servers/list?limit=100', 30),
  row('a server', () => serverQuery('a/b'), '/api/servers/a%2Fb', 30),
  row('latest metrics', () => latestMetricsQuery(), '/api/data/metrics', 30),
  row('latest metrics of one', () => latestMetricsQuery(ID), `/api/data/metrics?server_id=${ID}`, 30),
  row(
    'metrics timeline',
    () => timeseriesQuery(HOURS, undefined, 25),
    '/api/data/metrics/timeseries?hours=6&buckets=25',
    15,
  ),
  row(
    'metrics of a stretch',
    () => timeseriesQuery(STRETCH, ID),
    `/api/data/metrics/timeseries?start_date=1000&end_date=4600&server_id=${ID}`,
    null,
  ),
  row('sparks', () => sparksQuery(['a', 'b']), '/api/data/metrics/sparks?server_ids=a%2Cb', 60),
  row('bandwidth', () => networkTimeseriesQuery(HOURS), '/api/data/network/timeseries?hours=6', 30),
  row(
    'bandwidth of a stretch',
    () => networkTimeseriesQuery(STRETCH),
    '/api/data/network/timeseries?start_date=1000&end_date=4600',
    null,
  ),
  row('network now', () => networkMetricsQuery(), '/api/data/network/metrics?limit=1', 60),
  row('network of one', () => networkMetricsQuery(ID), `/api/data/network/metrics?server_id=${ID}&limit=1`, 30),
  row('connections', () => connectionsQuery(ID), `/api/data/network/connections?server_id=${ID}&limit=20`, 30),
  row(
    'processes',
    () => processesQuery('memory', ID),
    `/api/data/processes?limit=50&rank_type=memory&server_id=${ID}`,
    10,
  ),
  row('AI health', aiHealthQuery, '/api/ai/health', null),
  row('overview', () => kubernetes.clusterOverviewQuery(), '/api/kubernetes/cluster/overview', 30),
  row(
    'overview of one',
    () => kubernetes.clusterOverviewQuery('c1'),
    '/api/kubernetes/cluster/overview?cluster_id=c1',
    30,
  ),
  row('nodes', () => kubernetes.nodesQuery({ limit: 100 }), '/api/kubernetes/nodes?limit=100', 30),
  row('a node', () => kubernetes.nodeQuery(ID), `/api/kubernetes/nodes/${ID}`, 30),
  row(
    'pods of a node',
    () => kubernetes.nodePodsQuery('n/1', 500),
    '/api/kubernetes/nodes/n%2F1/pods?limit=500&sort=state&order=asc',
    30,
  ),
  row(
    'node history',
    () => kubernetes.nodeHistoryQuery(ID, HOURS),
    `/api/kubernetes/nodes/${ID}/metrics/history?hours=6`,
    60,
  ),
  row('pods', () => kubernetes.podsQuery({ namespace: 'shop' }), '/api/kubernetes/pods?namespace=shop', 30),
  row('a pod', () => kubernetes.podQuery(POD), '/api/kubernetes/pods/shop/api%2F1?cluster_id=c1', 30),
  row(
    'pod history',
    () => kubernetes.podHistoryQuery(POD, 24),
    '/api/kubernetes/pods/shop/api%2F1/metrics/history?cluster_id=c1&hours=24',
    60,
  ),
  row('what enrolled', () => enrolledServersQuery('t1', true), '/api/servers/list?limit=1&enrolment_token_id=t1', 5),
  row(
    'nodes that enrolled',
    () => enrolledNodesQuery('t1', true),
    '/api/kubernetes/nodes/recent?limit=3&token_id=t1',
    5,
  ),
  row('API tokens', apiTokensQuery, '/api/user/api-tokens', null),
  row('sessions', sessionsQuery, '/api/auth/sessions', null),
  row('retention', retentionQuery, '/api/user/retention-settings', null),
  row('the audit log', auditQuery, '/api/user/audit-log?limit=20', null),
];

describe('questions', () => {
  const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
    vi.stubGlobal('fetch', fetched);
    fetched.mockImplementation(() => Promise.resolve(Response.json({ success: true, data: { answer: 'yes' } })));
    sessionToken.set('token');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    fetched.mockReset();
    sessionToken.set(null);
  });

  it.each(CASES)('$name: asks $url', async ({ ask, url, every }) => {
    const { queryKey, queryFn, refetchInterval } = inView(ask(), WHOLE_VIEW);
    if (typeof queryFn !== 'function') throw new Error('it asks nothing');
    const client = new QueryClient();
    await client.fetchQuery({ queryKey, queryFn, retry: false });
    expect(fetched.mock.calls.map(([address, { method }]) => `${method} ${address}`)).toEqual([`GET ${url}`]);
    expect(refetchInterval === undefined || refetchInterval === false ? null : refetchInterval).toBe(
      every === null ? null : every * SECOND,
    );
  });

  it('have keys of their own, so that no answer stands for another', () => {
    const keys = CASES.map(({ ask }) => JSON.stringify(ask().queryKey));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(CASES)('$name: the same question has the same key', ({ ask }) => {
    expect(ask().queryKey).toEqual(ask().queryKey);
  });

  it('end with the screen that asked', async () => {
    const stop = new AbortController();
    fetched.mockImplementation((_, init) => {
      const { promise, reject } = Promise.withResolvers<Response>();
      init.signal?.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
      return promise;
    });
    const client = new QueryClient();
    const { queryKey, queryFn } = inView(serversQuery(), WHOLE_VIEW);
    if (typeof queryFn !== 'function') throw new Error('it asks nothing');
    const answer = queryFn({ client, queryKey, signal: stop.signal, meta: undefined });
    stop.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('ask the assistant with the last ten messages and an hour', async () => {
    const history = Array.from({ length: 13 }, (_, index) => ({ role: 'user' as const, content: String(index) }));
    expect(requestOf({ question: 'why?', history, conversationId: ID })).toEqual({
      question: 'why?',
      time_range_minutes: 60,
      conversation_history: history.slice(3),
      conversation_id: ID,
    });
  });

  it('read the answer of the assistant while it arrives', async () => {
    const answer = { answer: 'yes', mode: 'model', sources: [], charts: [], unmatched: [], conversation_id: ID };
    const events = [
      ': waiting\n\n',
      'event: tool\ndata: {"name":"list_servers","state":"started"}\n\nevent: te',
      'xt\ndata: {"text":"ye"}\n\n',
      `event: answer\ndata: ${JSON.stringify(answer)}\n\n`,
    ];
    fetched.mockImplementation(() => Promise.resolve(new Response(new Blob(events).stream())));
    const heard: string[] = [];
    const listener = {
      onText: (text: string) => heard.push(text),
      onTool: (name: string, state: string) => heard.push(`${name} ${state}`),
      signal: new AbortController().signal,
    };
    const question = { question: 'why?', history: [], conversationId: ID };
    await expect(askAssistant(question, listener)).resolves.toEqual(answer);
    expect(heard).toEqual(['list_servers started', 'ye']);
    const [url, init] = fetched.mock.calls[0]!;
    expect([init.method, url]).toEqual(['POST', '/api/ai/chat']);
    expect(new Headers(init.headers).get('accept')).toBe('text/event-stream');
    const failed = 'event: failed\ndata: {"code":"assistant_failed","detail":"No key","remedy":"Set one."}\n\n';
    fetched.mockImplementation(() => Promise.resolve(new Response(failed)));
    await expect(askAssistant(question, listener)).rejects.toMatchObject({ message: 'No key', remedy: 'Set one.' });
    fetched.mockImplementation(() => Promise.resolve(new Response('')));
    await expect(askAssistant(question, listener)).rejects.toThrow('The answer broke off');
  });

  it('are not asked of nobody: no card in sight, no token yet', () => {
    expect(sparksQuery([]).enabled).toBe(false);
    expect(enrolledServersQuery('t1', false).enabled).toBe(false);
    expect(enrolledNodesQuery('t1', false).enabled).toBe(false);
  });

  it('keep the assistant’s health for a minute, try it once, leave it alone on focus, and ask when the page opens', () => {
    expect(aiHealthQuery()).toMatchObject({
      staleTime: 60 * SECOND,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnMount: true,
    });
  });
});
