import type { ChatAnswer } from '@plimsoll/contract/wire/ai';
import type { IncidentsAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import { expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { reportsBody, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { container, listing, podObject, testCluster } from '../../testing/kubernetes.ts';
import { openAlert } from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';
import { mcpClient } from '../../testing/mcp-client.ts';

const db = testStorage();
const hungry = {
  pid: 7,
  name: 'java',
  command: 'java -jar a.jar',
  user: 'app',
  status: 'R',
  cpu_percent: 150,
  memory_percent: 40,
  memory_bytes: 2 ** 31,
  threads: 9,
  started_at: 1,
};

async function world() {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-1');
  const opened = app.clock.now();
  const filesystem = {
    mount: '/var',
    type: 'ext4',
    device: '/dev/sda1',
    size_bytes: 100 * 2 ** 30,
    used_bytes: 50 * 2 ** 30,
    available_bytes: 50 * 2 ** 30,
    inodes_total: 1000,
    inodes_used: 10,
  };
  const body = reportsBody(agent, opened, [{ processes: [hungry], filesystems: [filesystem] }]);
  const sent = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('"rejected":[]')]);
  const alertId = await openAlert(db.storage(), ownerOf(user.organisationId), agent, opened);
  return { app, user, agent, alertId };
}
const incidentsOf = async (app: TestApp, user: TestUser): Promise<IncidentsAnswer['incidents']> =>
  ((await app.call('GET', '/api/incidents', user)).json.data as unknown as IncidentsAnswer).incidents;
const explain = async (app: TestApp, user: TestUser, subject: object) =>
  app.call('POST', '/api/ai/chat', { token: user.token, body: { question: 'Why?', explain: subject } });

test('an alert and its incident are explained with finding, sources and the size of the incident', async () => {
  const { app, user, agent, alertId } = await world();
  const byAlert = (await explain(app, user, { kind: 'alert', alert_id: alertId })).json.data as unknown as ChatAnswer;
  expect(byAlert.answer).toContain('web-1');
  expect(byAlert.sources.map(({ href }) => href)).toContainEqual(expect.stringContaining(`/servers/${agent.serverId}`));
  const [incident] = await incidentsOf(app, user);
  const subject = { kind: 'incident', incident_id: incident?.incident_id };
  const { answer, sources } = (await explain(app, user, subject)).json.data as unknown as ChatAnswer;
  expect(answer).toContain('**Incident:**');
  expect(answer).toMatch(/\*\*Incident:\*\* .*\. 1 alert\.\n/);
  expect(answer).toContain(byAlert.answer.split('\n\n').at(-1));
  expect(sources).toEqual(byAlert.sources);
});

test('a foreign alert or incident is not found', async () => {
  const { app, user, alertId } = await world();
  const [incident] = await incidentsOf(app, user);
  const other = await app.newUser();
  for (const subject of [
    { kind: 'alert', alert_id: alertId },
    { kind: 'incident', incident_id: incident?.incident_id },
  ]) {
    const answer = await explain(app, other, subject);
    expect([answer.status, answer.text.includes('web-1')]).toEqual([404, false]);
  }
});

test('tools return the black box of an alert, its incident, rules, a rehearsal and the disk forecast', async () => {
  const { app, user, alertId } = await world();
  const client = await mcpClient(app, user.token);
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [{ text } = { text: '' }] = content as { text: string }[];
    expect([name, isError, text]).toEqual([name, false, expect.any(String)]);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const alert = await call('alert_details', { alert_id: alertId });
  expect(alert).toMatchObject({ hostname: 'web-1', rule: expect.stringContaining('Memory'), status: 'active' });
  expect(alert['frozen']).toMatchObject({ processes: [{ name: 'java', cpu_percent_of_one_core: 150 }] });
  const [incident] = (await call('list_incidents', { state: 'open' }))['incidents'] as { incident_id: string }[];
  const details = await call('incident_details', { incident_id: incident?.incident_id });
  expect(details['members']).toMatchObject([{ alert_id: alertId, hostname: 'web-1' }]);
  const rules = await call('alert_rules', { metric: 'cpu_usage' });
  expect(rules).toMatchObject({ total: 0, rules: [], defaults: [{ text: expect.stringContaining('80 %') }] });
  const rehearsal = await call('rehearse_rule', { metric: 'cpu_usage', threshold: 80, server: 'web-1', days: 1 });
  expect(rehearsal).toMatchObject({ days: 1, servers: 1, text: expect.any(String) });
  expect(await db.sql('SELECT FROM alert_rule WHERE organisation_id = $1', [user.organisationId])).toEqual([]);
  expect(await call('disk_forecast')).toMatchObject({ servers: 1, forecasts: [] });
  expect(await call('disk_forecast', { server: 'web-1' })).toMatchObject({ hostname: 'web-1' });
});

test('a pod whose image cannot be pulled is explained with the image', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const cluster = await testCluster(db.storage(), user.organisationId, 'prod');
  const image = 'harbor.example/shop/cart:2';
  const waiting = container({ image, status: 'waiting', reason: 'ImagePullBackOff', ready: false, started_at: null });
  await cluster.write(
    listing({ pods: [podObject('cart-1', { phase: 'Pending', ready: false, containers: [waiting] })] }),
  );
  const asked = await explain(app, user, { kind: 'pod', namespace: 'shop', pod: 'cart-1' });
  expect([asked.status, asked.text]).toEqual([
    200,
    expect.stringContaining(`The image ${image} of Deployment shop/web cannot be pulled.`),
  ]);
});
