import type { ChatAnswer } from '@plimsoll/contract/wire/ai';
import type { IncidentsAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import { beforeAll, describe, expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { fullReport } from '../../testing/full-report.ts';
import * as kube from '../../testing/kubernetes.ts';
import { mcpClient } from '../../testing/mcp-client.ts';
import { openAlert } from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster } from '../../testing/reporting-cluster.ts';
import { TOOLS } from '../tools/all.ts';

/** Every kind of source leads to the screen that shows the same, with the same range and filter. */

const db = testStorage();
const NOW = kube.NOW / 1000;
const [FROM, TO] = [NOW - 7200, NOW - 3600];
const range = `from=${String(FROM)}&to=${String(TO)}`;
const hour = `from=${String(NOW - 3600)}&to=${String(NOW)}`;
const iso = (at: number): string => new Date(at * 1000).toISOString();
const stretch = { from: iso(FROM), to: iso(TO) };

let app: TestApp;
let user: TestUser;
let [web, api]: TestAgent[] = [];
/** Ids of the world, by the names that the table writes for them. */
let ids: Record<string, string>;

beforeAll(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  web = await app.newAgent(user, 'web-1');
  api = await app.newAgent(user, 'api-1');
  for (const [hostname, agent] of [
    ['web-1', web],
    ['api-1', api],
  ] as const)
    await app.call('POST', '/api/agent/v1/reports', {
      token: agent.token,
      body: reportsBody(agent, app.clock.now(), [fullReport(hostname, NOW)]),
    });
  const cluster = await reportingCluster(app, user);
  await cluster.report([kube.listing({ nodes: [cluster.node('node-1')], pods: [cluster.pod('cart-1')] })]);
  const alert = await openAlert(db.storage(), ownerOf(user.organisationId), web, app.clock.now());
  const { incidents } = (await app.call('GET', '/api/incidents', user)).json.data as unknown as IncidentsAnswer;
  const probe = { kind: 'tcp', host: 'db.example', port: 5432 };
  const made = (await app.call('POST', '/api/checks', { ...user, body: { name: 'db', probe } })).json.data;
  ids = {
    CHECK: (made as unknown as { check: { check_id: string } }).check.check_id,
    WEB: web.serverId,
    API: api.serverId,
    CLUSTER: cluster.id,
    ALERT: alert,
    INCIDENT: incidents[0]?.incident_id ?? '',
  };
});

const withIds = (text: string): string =>
  Object.entries(ids).reduce((before, [name, id]) => before.replaceAll(name, id), text);
const ofTool = async (name: string, input: Record<string, unknown>): Promise<string[]> => {
  const client = await mcpClient(app, user.token);
  const given = JSON.parse(withIds(JSON.stringify(input))) as Record<string, unknown>;
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [{ text } = { text: '' }] = content as { text: string }[];
  expect([isError, text]).toEqual([false, expect.any(String)]);
  return (JSON.parse(text) as { screens: { href: string }[] }).screens.map(({ href }) => href);
};

const TOOL_SOURCES: [name: string, input: Record<string, unknown>, href: string][] = [
  ['list_servers', {}, '/servers?view=table'],
  ['list_servers', { status: 'offline', search: 'web' }, '/servers?view=table&status=offline&search=web'],
  ['rank_servers', { by: 'cpu' }, '/servers?view=table&sort=cpu'],
  ['rank_servers', { by: 'load', order: 'lowest' }, '/servers?view=table'],
  ['list_containers', { by: 'memory' }, '/servers/containers'],
  ['list_maintenance', {}, '/alerts/silences'],
  ['list_checks', { search: 'db' }, '/servers/checks'],
  ['check_details', { check_id: 'CHECK' }, '/servers/checks/CHECK'],
  ['rank_pods', { by: 'memory', namespace: 'shop' }, '/kubernetes/pods?namespace=shop&sort=restarts_24h&order=desc'],
  ['rank_nodes', { by: 'cpu' }, '/kubernetes/nodes'],
  ['what_fits', {}, '/kubernetes/capacity?cluster=CLUSTER'],
  ['without_node', { node: 'node-1' }, '/kubernetes/capacity?cluster=CLUSTER'],
  ['without_node', {}, '/kubernetes/capacity?cluster=CLUSTER'],
  ['sizing', {}, '/kubernetes/capacity?cluster=CLUSTER'],
  ['idle_servers', {}, '/servers?view=table'],
  ['rank_namespaces', { by: 'memory' }, '/kubernetes'],
  ['rank_workloads', { by: 'memory' }, '/kubernetes/workloads'],
  ['rank_clusters', { by: 'cpu' }, '/kubernetes'],
  ['hardware', { kind: 'gpus' }, '/servers?view=table'],
  ['hardware', { kind: 'raid', server: 'web-1' }, '/servers/WEB'],
  ['package_updates', { wanted: 'reboot' }, '/servers?view=table'],
  ['package_updates', { server: 'web-1' }, '/servers/WEB'],
  ['list_silences', {}, '/alerts/silences'],
  ['server_details', { server: 'web-1' }, '/servers/WEB'],
  ['figures_over_time', { figure: 'memory', server: 'web-1', ...stretch }, `/servers/WEB?chart=memory&${range}`],
  ['figures_over_time', { figure: 'cpu', ...stretch }, `/alerts?${range}`],
  [
    'compare_servers',
    { figure: 'cpu', servers: ['web-1', 'api-1'], ...stretch },
    `/servers?compare=WEB%2CAPI&show=charts&${range}`,
  ],
  ['network_over_time', { server: 'web-1', ...stretch }, `/network?server=WEB&${range}`],
  ['network_over_time', {}, `/network?${hour}`],
  ['disk_forecast', {}, '/servers?view=table&sort=fills'],
  ['disk_forecast', { server: 'web-1' }, '/servers/WEB'],
  ['list_alerts', {}, '/alerts?show=active'],
  ['list_alerts', { server: 'web-1' }, '/alerts?server=WEB&show=active'],
  ['list_alerts', { server: 'web-1', minutes: 60 }, `/alerts?server=WEB&${hour}`],
  ['list_alerts', { server: 'web-1', ...stretch }, `/alerts?server=WEB&${range}`],
  ['activity', { server: 'web-1', ...stretch }, `/activity?server=WEB&${range}`],
  ['activity', { event_type: 'config_change', ...stretch }, `/activity?type=config_change&${range}`],
  ['changes', { server: 'web-1', ...stretch }, `/changes?server=WEB&${range}`],
  ['likely_cause', { incident_id: 'INCIDENT' }, '/alerts?alert=ALERT'],
  ['likely_cause', { alert_id: 'ALERT' }, '/alerts?alert=ALERT'],
  ['likely_cause', { server: 'web-1' }, '/alerts?alert=ALERT'],
  ['likely_cause', { server: 'api-1' }, '/alerts'],
  ['log_lines', { server: 'web-1', ...stretch }, `/servers/WEB?${range}`],
  ['alert_details', { alert_id: 'ALERT' }, '/alerts?alert=ALERT'],
  ['list_incidents', { state: 'open' }, '/alerts?show=active'],
  ['list_incidents', {}, '/alerts'],
  ['incident_details', { incident_id: 'INCIDENT' }, '/alerts?alert=ALERT'],
  ['alert_rules', {}, '/alerts/rules'],
  ['rehearse_rule', { metric: 'cpu_usage', threshold: 80, days: 1 }, '/alerts/rules'],
  ['top_processes', { by: 'cpu' }, '/processes'],
  ['top_processes', { by: 'memory', server: 'web-1' }, '/processes?server=WEB&rank=memory'],
  [
    'top_processes',
    { by: 'cpu', server: 'web-1', at: TO },
    `/servers/WEB?from=${String(TO - 1800)}&to=${String(TO + 1800)}&at=${String(TO)}`,
  ],
  // The future has no figures.
  [
    'top_processes',
    { by: 'cpu', server: 'web-1', at: NOW - 60 },
    `/servers/WEB?from=${String(NOW - 1860)}&to=${String(NOW)}&at=${String(NOW - 60)}`,
  ],
  ['connections', { server: 'web-1' }, '/network?server=WEB'],
  ['cluster_summary', {}, '/kubernetes'],
  ['cluster_summary', { cluster_id: 'CLUSTER' }, '/kubernetes?cluster=CLUSTER'],
  ['list_nodes', { cluster_id: 'CLUSTER' }, '/kubernetes/nodes?cluster=CLUSTER'],
  ['list_pods', {}, '/kubernetes/pods?sort=restarts_24h&order=desc'],
  [
    'list_pods',
    { cluster_id: 'CLUSTER', namespace: 'shop', phase: 'Running', search: 'cart' },
    '/kubernetes/pods?cluster=CLUSTER&namespace=shop&phase=Running&search=cart&sort=restarts_24h&order=desc',
  ],
  ['pod_details', { namespace: 'shop', pod: 'cart-1' }, '/kubernetes/pods?pod=CLUSTER%2Fshop%2Fcart-1'],
  ['list_workloads', { cluster_id: 'CLUSTER' }, '/kubernetes/workloads?cluster=CLUSTER'],
  ['list_workloads', { namespace: 'shop' }, '/kubernetes/pods?namespace=shop&sort=restarts_24h&order=desc'],
  ['kubernetes_events', { cluster_id: 'CLUSTER' }, '/kubernetes?cluster=CLUSTER'],
];

describe('a source of a tool', () => {
  it.each(TOOL_SOURCES)('%s with %j leads to %s', async (name, input, href) => {
    expect(await ofTool(name, input)).toEqual([withIds(href)]);
  });

  it('is listed here for every tool', () => {
    expect([...new Set(TOOL_SOURCES.map(([name]) => name))].toSorted()).toEqual(
      TOOLS.map(({ name }) => name).toSorted(),
    );
  });
});

describe('a source of an explanation', () => {
  const around = `from=${String(NOW - 6 * 3600)}&to=${String(NOW)}`;
  const then = `/servers/WEB?from=${String(NOW - 1800)}&to=${String(NOW)}&at=${String(NOW)}`;
  const ofAlert = [
    '/alerts?alert=ALERT',
    `/servers/WEB?chart=memory&${around}`,
    then,
    `/activity?server=WEB&${around}`,
  ];
  it.each([
    [{ kind: 'alert', alert_id: 'ALERT' }, ofAlert],
    [{ kind: 'incident', incident_id: 'INCIDENT' }, ofAlert],
    [
      { kind: 'range', server_id: 'WEB', from: NOW - 3600, to: NOW },
      [`/servers/WEB?chart=cpu&${hour}`, then, `/activity?server=WEB&${hour}`],
    ],
    [
      { kind: 'pod', namespace: 'shop', pod: 'cart-1', cluster_id: 'CLUSTER' },
      ['/kubernetes/pods?pod=CLUSTER%2Fshop%2Fcart-1'],
    ],
  ])('%j', async (subject, hrefs) => {
    const explain = JSON.parse(withIds(JSON.stringify(subject))) as unknown;
    const body = { question: 'Why?', explain };
    const { json } = await app.call('POST', '/api/ai/chat', { token: user.token, body });
    const { sources } = json.data as unknown as ChatAnswer;
    expect(sources.map(({ href }) => href)).toEqual(hrefs.map(withIds));
  });
});
