import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { testApp, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { httpStandIn, type HttpStandIn } from '../../testing/http-stand-in.ts';
import * as kube from '../../testing/kubernetes.ts';
import { openAlert } from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster } from '../../testing/reporting-cluster.ts';
import { sealSecrets } from '../channel-secrets.ts';
import { sendDue } from '../send-due.ts';

const db = testStorage();
const TOKEN = '123456:AAAAAAAAAAAAAAAA';
const [OLD, NEW] = ['-100200', '-1001557912345'] as const;
const NAMES_NEW = 'Telegram took the message. The group became a supergroup: its chat id is now -1001557912345.';

let telegram: HttpStandIn;
let app: TestApp;
let user: TestUser;
let agent: TestAgent;
beforeEach(async () => {
  // Channels of the tests before would be due too.
  await db.sql('DELETE FROM notify_channel');
  telegram = await httpStandIn();
  telegram.answer(({ body }) =>
    body.includes(`"chat_id":"${OLD}"`)
      ? {
          status: 400,
          body: JSON.stringify({
            ok: false,
            error_code: 400,
            description: 'Bad Request: group chat was upgraded to a supergroup chat',
            parameters: { migrate_to_chat_id: Number(NEW) },
          }),
        }
      : { status: 200, body: JSON.stringify({ ok: true, result: {} }) },
  );
  app = testApp(db.storage(), { settings: { TELEGRAM_API_URL: telegram.url } });
  user = await app.newUser();
  agent = await app.newAgent(user, 'web-1');
});
afterEach(() => telegram.close());

const owner = () => ownerOf(user.organisationId);
const entry = (id: string) => ({
  id,
  type: 'telegram' as const,
  name: 'Ops',
  settings: { chat_id: OLD, topic_id: 7 },
  sealedSecrets: sealSecrets(app.deps.secretBox, id, { bot_token: TOKEN }),
  secretEnds: { bot_token: 'AAAA' },
  routing: { levels: ['warning' as const], tags: {}, quietHours: null, repeatMinutes: null },
});
const ofForm = async (): Promise<string> => {
  const id = randomUUID();
  await db.storage().notify.channels.create(owner(), entry(id), app.clock.now());
  return id;
};
const sendAlert = async (storage = db.storage()): Promise<void> => {
  await openAlert(db.storage(), owner(), agent, app.clock.now());
  app.clock.pass(30);
  const { drivers, secretBox, clock } = app.deps;
  const { outbox } = storage.notify;
  const parts = { alertActing: storage.alertActing, publicUrl: null, random: () => 1, observe: () => {} };
  await sendDue({ outbox, storage, drivers, secretBox, clock, ...parts });
};
const sentTo = () =>
  telegram.received
    .filter(({ path }) => path.endsWith('/sendMessage'))
    .map(({ body }) => (JSON.parse(body) as { chat_id: string }).chat_id);
const channel = (id: string) => db.storage().notify.channels.get(owner(), id);
const moves = async () => {
  const { entries } = await db.storage().tenancy.audit.list(owner(), { limit: 100, offset: 0 });
  return entries.filter(({ action }) => action === 'channel_changed');
};
const kept = (id: string) => [
  expect.objectContaining({
    person: null,
    token: null,
    detail: {
      id,
      name: 'Ops',
      type: 'telegram',
      from: OLD,
      to: NEW,
      reason: 'the Telegram group became a supergroup',
    },
  }),
];

test('an alert reaches the new chat at once; the channel keeps its id, and the audit log says who changed what', async () => {
  const id = await ofForm();
  await sendAlert();
  expect(sentTo()).toEqual([OLD, NEW]);
  expect(await channel(id)).toMatchObject({
    settings: { chat_id: NEW, topic_id: 7 },
    waiting: 0,
    lastDelivery: { outcome: 'delivered', detail: `${NAMES_NEW} The channel keeps the new id.` },
  });
  expect(await moves()).toEqual(kept(id));
  const tested = await app.call('POST', `/api/notify/channels/${id}/test`, user);
  expect(tested.json.data).toEqual({ outcome: 'delivered', detail: 'Telegram took the message.' });
  expect(sentTo()).toEqual([OLD, NEW, NEW]);
});

test('the test message does the same', async () => {
  const id = await ofForm();
  const tested = await app.call('POST', `/api/notify/channels/${id}/test`, user);
  expect(tested.json.data).toEqual({
    outcome: 'delivered',
    detail: `${NAMES_NEW} The channel keeps the new id.`,
  });
  expect(await channel(id)).toMatchObject({ settings: { chat_id: NEW } });
  expect(await moves()).toEqual(kept(id));
});

/** Its audit log is full, so no transaction that writes an entry ends well. */
const failingStorage = () => {
  const storage = db.storage();
  const failing: typeof storage = {
    ...storage,
    inTransaction: (work) =>
      storage.inTransaction((stores) =>
        work({
          ...stores,
          tenancy: {
            ...stores.tenancy,
            audit: { ...stores.tenancy.audit, record: () => Promise.reject(new Error('full')) },
          },
        }),
      ),
  };
  return failing;
};

test('a test message that arrived is reported as sent, though its new chat could not be stored', async () => {
  const id = await ofForm();
  app = testApp(failingStorage(), { settings: { TELEGRAM_API_URL: telegram.url } });
  const tested = await app.call('POST', `/api/notify/channels/${id}/test`, user);
  expect([tested.status, tested.json.data]).toEqual([
    200,
    { outcome: 'delivered', detail: `${NAMES_NEW} The new id could not be stored.` },
  ]);
  expect(sentTo()).toEqual([OLD, NEW]);
  expect(await channel(id)).toMatchObject({
    settings: { chat_id: OLD },
    lastDelivery: { outcome: 'delivered', detail: `${NAMES_NEW} The new id could not be stored.` },
  });
});

test('neither the id nor the entry is written without the other', async () => {
  const id = await ofForm();
  await sendAlert(failingStorage());
  expect(sentTo()).toEqual([OLD, NEW]);
  expect(await channel(id)).toMatchObject({
    settings: { chat_id: OLD },
    waiting: 0,
    lastDelivery: { outcome: 'delivered', detail: `${NAMES_NEW} The new id could not be stored.` },
  });
  expect(await moves()).toEqual([]);
});

test('a chat that somebody chose while the message was under way stays', async () => {
  const id = await ofForm();
  const answered = telegram.received;
  telegram.answer(() => ({ status: 200, body: '{"ok":true}' }));
  const chosen = { ...entry(id), settings: { chat_id: '@other' } };
  const { drivers } = app.deps;
  const telegramOfRace = {
    ...drivers.telegram,
    send: async (...parts: Parameters<(typeof drivers.telegram)['send']>) => {
      await db.storage().notify.channels.update(owner(), chosen, app.clock.now());
      await drivers.telegram.send(...parts);
      return { outcome: 'delivered' as const, detail: NAMES_NEW, movedTo: NEW };
    },
  };
  app.deps.drivers = { ...drivers, telegram: telegramOfRace };
  await sendAlert();
  expect(answered).toHaveLength(1);
  expect(await channel(id)).toMatchObject({ settings: { chat_id: '@other' }, lastDelivery: { detail: NAMES_NEW } });
  expect(await moves()).toEqual([]);
});

test.each<[string, (id: string) => Promise<void>, string]>([
  [
    'the environment',
    (id) => db.storage().notify.channels.saveManaged(owner(), entry(id), Buffer.from('hash'), app.clock.now()),
    'Write -1001557912345 into TELEGRAM_CHAT_ID, and restart the API.',
  ],
  [
    'the Helm values of a cluster',
    async (id) => {
      const key = await clusterKey();
      await db.storage().notify.channels.saveOfCluster(owner(), key, entry(id), Buffer.from('hash'), app.clock.now());
    },
    'Write -1001557912345 into the Helm value telegram.chatId of the cluster.',
  ],
  [
    'a custom resource',
    async (id) => {
      const cluster = { clusterKey: await clusterKey(), organisationId: user.organisationId };
      const draft = { entry: entry(id), namespace: 'shop', name: 'ops', hash: Buffer.alloc(32) };
      await db.storage().notify.channels.ofObjects.save(cluster, [draft], app.clock.now());
    },
    'Write -1001557912345 into spec.settings.chatId of the NotificationChannel shop/ops in cluster prod.',
  ],
])(
  'a channel of %s sends to the new chat, keeps its setting, and its log names the setting',
  async (_of, make, remedy) => {
    const id = randomUUID();
    await make(id);
    const tested = await app.call('POST', `/api/notify/channels/${id}/test`, user);
    expect(tested.json.data).toEqual({ outcome: 'delivered', detail: `${NAMES_NEW} ${remedy}` });
    expect(sentTo()).toEqual([OLD, NEW]);
    expect(await channel(id)).toMatchObject({
      settings: { chat_id: OLD },
      lastDelivery: { detail: `${NAMES_NEW} ${remedy}` },
    });
    expect(await moves()).toEqual([]);
  },
);

async function clusterKey(): Promise<number> {
  app.clock.ms = kube.NOW;
  const cluster = await reportingCluster(app, user);
  await cluster.report([kube.listing({ nodes: [cluster.node('node-1')] })]);
  const rows = await db.sql<{ key: number }>(
    `UPDATE cluster SET name = 'prod' WHERE organisation_id = $1 RETURNING key`,
    [user.organisationId],
  );
  return rows[0]?.key ?? 0;
}
