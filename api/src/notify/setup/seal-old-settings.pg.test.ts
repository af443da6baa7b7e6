import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { httpStandIn, type HttpStandIn } from '../../testing/http-stand-in.ts';
import { testStorage } from '../../testing/postgres.ts';
import { tablesWith } from '../../testing/tables.ts';
import { sealSecrets } from '../channel-secrets.ts';
import { sealOldSettings } from './seal-old-settings.ts';

const db = testStorage();
const ROUTING = { levels: ['critical'], tags: {}, quietHours: null, repeatMinutes: null } as const;

let hook: HttpStandIn;
let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  hook = await httpStandIn();
  app = testApp(db.storage(), { settings: { PLIMSOLL_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' } });
  user = await app.newUser();
});
afterEach(() => hook.close());

/** As version 0.1 stored them. */
const storeOld = async (type: 'webhook' | 'ntfy', settings: Record<string, unknown>) => {
  const id = randomUUID();
  const sealedSecrets = sealSecrets(app.deps.secretBox, id, {});
  const entry = { id, type, name: type, settings, sealedSecrets, secretEnds: {}, routing: ROUTING };
  await db.storage().notify.channels.create(ownerOf(user.organisationId), entry, app.clock.now());
  return id;
};
const list = () => app.call('GET', '/api/notify/channels', user);
const seal = () => sealOldSettings({ channels: db.storage().notify.channels, secretBox: app.deps.secretBox });

test('an address and a topic of an earlier version are never shown, are sealed, and still receive', async () => {
  const id = await storeOld('webhook', { url: `${hook.url}/Cnry-address?key=1` });
  // Channels are listed by age.
  app.clock.pass(1);
  await storeOld('ntfy', { server: hook.url, topic: 'Cnry-topic-of-old' });
  const shown = [
    { settings: {}, secrets: { url: `${hook.url}/…ey=1` } },
    { settings: { server: hook.url }, secrets: { topic: '-old' } },
  ];
  const before = await list();
  expect(before.json.data).toMatchObject({ channels: shown });
  expect(before.text).not.toContain('Cnry');
  expect(await tablesWith(db, 'Cnry')).toEqual(['notify_channel']);

  expect(await seal()).toBe(2);
  expect(await seal()).toBe(0);
  expect(await tablesWith(db, 'Cnry')).toEqual([]);
  expect((await list()).json.data).toMatchObject({ channels: shown });

  const path = `/api/notify/channels/${id}`;
  const body = { type: 'webhook', name: 'renamed', settings: {} };
  expect((await app.call('PUT', path, { ...user, body })).status).toBe(200);
  const tested = await app.call('POST', `${path}/test`, user);
  expect(tested.json.data).toMatchObject({ outcome: 'delivered' });
  expect(hook.received.map(({ path: to }) => to)).toEqual(['/Cnry-address?key=1']);
});

test('a channel that another key sealed stays as it is', async () => {
  const id = await storeOld('webhook', { url: `${hook.url}/Cnry-address` });
  await db.sql("UPDATE notify_channel SET secrets = 'unreadable' WHERE id = $1", [id]);
  expect(await seal()).toBe(0);
  expect((await list()).text).not.toContain('Cnry');
});
