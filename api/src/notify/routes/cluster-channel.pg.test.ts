import type { ChannelView } from '@plimsoll/contract/wire/notify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { testApp, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { httpStandIn, type HttpStandIn } from '../../testing/http-stand-in.ts';
import * as kube from '../../testing/kubernetes.ts';
import { openAlert } from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';
import { sendDue } from '../send-due.ts';

const db = testStorage();
const PATH = '/api/agent/v1/cluster/telegram';
const TOKEN = '123456:AAAAAAAAAAAAAAAA';
const VALUES = { bot_token: TOKEN, chat_id: '-100200' };

let telegram: HttpStandIn;
let app: TestApp;
let user: TestUser;
let cluster: ReportingCluster;
let node: TestAgent;
let host: TestAgent;
beforeEach(async () => {
  telegram = await httpStandIn();
  telegram.answer(() => ({ status: 200, body: JSON.stringify({ ok: true, result: {} }) }));
  app = testApp(db.storage(), { settings: { TELEGRAM_API_URL: telegram.url } });
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  cluster = await reportingCluster(app, user);
  await cluster.report([kube.listing({ nodes: [cluster.node('node-1')] })]);
  const body = { node_name: 'node-1', boot_id: 'b', hostname: 'node-1' };
  const enrolled = await app.call('POST', '/api/agent/v1/nodes/enrol', { token: cluster.token, body });
  const { server_id: serverId, agent_token: token } = enrolled.json as unknown as {
    server_id: string;
    agent_token: string;
  };
  host = await app.newAgent(user, 'web-1');
  node = { ...host, serverId, token };
});
afterEach(() => telegram.close());

const put = (values: object | null, token: string | null = cluster.token) =>
  app.call('POST', PATH, { ...(token !== null && { token }), body: { v: 1, telegram: values } });
const channels = async (who = user): Promise<ChannelView[]> =>
  ((await app.call('GET', '/api/notify/channels', who)).json.data as unknown as { channels: ChannelView[] }).channels;
const texts = () =>
  telegram.received
    .filter(({ path }) => path.endsWith('/sendMessage'))
    .map(({ body }) => (JSON.parse(body) as { text: string }).text);
const send = () => {
  const { storage, drivers, secretBox, clock } = app.deps;
  const { outbox } = storage.notify;
  const parts = { alertActing: storage.alertActing, publicUrl: null, random: () => 1, observe: () => {} };
  return sendDue({ storage, outbox, drivers, secretBox, clock, ...parts });
};

test('values of a release: channel, test message, alert of a node, message; nothing of another server', async () => {
  expect((await put(VALUES)).json).toEqual({ state: 'created' });
  expect(await channels()).toMatchObject([
    { type: 'telegram', settings: { chat_id: '-100200' }, secrets: { bot_token: 'AAAA' }, managed_by: 'cluster' },
  ]);
  expect(texts()).toEqual([expect.stringContaining('Plimsoll: test message')]);
  const owner = ownerOf(user.organisationId);
  await openAlert(db.storage(), owner, host, app.clock.now());
  await openAlert(db.storage(), owner, node, app.clock.now());
  app.clock.pass(30);
  await send();
  expect(texts().slice(1)).toEqual([expect.stringContaining('node-1: Memory 83 %')]);
  const audit = await app.call('GET', '/api/user/audit-log', user);
  const { entries } = audit.json.data as unknown as { entries: { action: string }[] };
  expect(entries.map(({ action }) => action)).toContain('channel_created');
  expect(audit.text).not.toContain(TOKEN);
});

test('a test message that fails is the last message of the channel, with the reason', async () => {
  telegram.answer(() => ({
    status: 400,
    body: JSON.stringify({ ok: false, description: 'Bad Request: chat not found' }),
  }));
  await put(VALUES);
  const lastDelivery = {
    at: new Date(app.clock.now()).toISOString(),
    outcome: 'refused',
    detail: 'Telegram answered 400: Bad Request: chat not found.',
  };
  expect(await channels()).toMatchObject([{ last_delivery: lastDelivery }]);
  const log = await app.call('GET', '/api/notify/deliveries', user);
  expect(log.json.data).toMatchObject({ deliveries: [{ ...lastDelivery, hostname: 'Test message', alert_ids: [] }] });
});

test('the same values change nothing; new ones replace the channel; none delete it', async () => {
  await put(VALUES);
  const [before] = await channels();
  expect((await put(VALUES)).json).toEqual({ state: 'unchanged' });
  expect((await put({ ...VALUES, chat_id: '-300' })).json).toEqual({ state: 'changed' });
  expect(await channels()).toMatchObject([{ id: before?.id, settings: { chat_id: '-300' } }]);
  expect(texts()).toHaveLength(2);
  const changed = await app.call('DELETE', `/api/notify/channels/${before?.id ?? ''}`, user);
  expect(changed.status).toBe(409);
  expect((await put(null)).json).toEqual({ state: 'deleted' });
  expect((await put(null)).json).toEqual({ state: 'none' });
  expect(await channels()).toEqual([]);
});

test('the channel of the environment of the API is another one', async () => {
  await put(VALUES);
  expect(await db.storage().notify.channels.managed()).toBeNull();
  await db.storage().notify.channels.deleteManaged();
  expect(await channels()).toHaveLength(1);
});

test('without a token: 401', async () => {
  expect((await put(VALUES, null)).status).toBe(401);
});

test('bad input names the field and shows no secret', async () => {
  const answer = await put({ bot_token: TOKEN });
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('chat_id')]);
  expect(answer.text).not.toContain(TOKEN);
});

test('before the first report of the cluster the collector is told to try again', async () => {
  const fresh = await reportingCluster(app, user);
  const answer = await put(VALUES, fresh.token);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
});

test('another account neither sees nor tests the channel', async () => {
  await put(VALUES);
  const other = await app.newUser();
  expect(await channels(other)).toEqual([]);
  const [channel] = await channels();
  const answer = await app.call('POST', `/api/notify/channels/${channel?.id ?? ''}/test`, other);
  expect(answer.status).toBe(404);
});

test('the same values sent twice at once make one channel and leave one entry', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => put(VALUES)));
  expect(answers.map(({ json }) => (json as unknown as { state: string }).state).toSorted()).toEqual([
    'created',
    ...Array.from({ length: 9 }, () => 'unchanged'),
  ]);
  const audit = await app.call('GET', '/api/user/audit-log', user);
  const { entries } = audit.json.data as unknown as { entries: { action: string; detail: object }[] };
  expect(entries.filter(({ action }) => action === 'channel_created')).toMatchObject([
    { detail: { name: 'Telegram (Helm values)', type: 'telegram' } },
  ]);
});
