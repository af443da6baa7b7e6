import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NOTIFY_LIMITS } from '@plimsoll/contract/rules/notify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { adoptEnvironmentChannel } from '../environment-channel.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

const db = testStorage();
const SECRET = 'a secret of 26 characters!'.replaceAll(' ', '-');

let hook: Server;
let url: string;
let calls: { request: IncomingMessage; body: string }[] = [];
let app: TestApp;
let user: TestUser;
let other: TestUser;
beforeAll(async () => {
  hook = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      calls.push({ request, body });
      response.writeHead(request.url === '/gone' ? 404 : 204).end();
    });
  });
  await new Promise<void>((resolve) => {
    hook.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${String((hook.address() as AddressInfo).port)}/hook`;
  app = testApp(db.storage(), { settings: { PLIMSOLL_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' } });
  [user, other] = [await app.newUser(), await app.newUser()];
});
afterAll(() => {
  hook.closeAllConnections();
  hook.close();
});

const webhook = (settings: object = { url, secret: SECRET }, more: object = {}) => ({
  type: 'webhook',
  name: 'hook',
  settings,
  ...more,
});
const create = async (body: unknown = webhook()): Promise<Record<string, unknown> & { id: string }> => {
  const answer = await app.call('POST', '/api/notify/channels', { ...user, body });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json.data as unknown as Record<string, unknown> & { id: string };
};

describe('channels', () => {
  test('are created, listed, changed and deleted; a secret is never returned and stays where it is left out', async () => {
    const made = await create();
    expect(made).toMatchObject({
      type: 'webhook',
      settings: {},
      secrets: { url: `${new URL(url).origin}/…`, secret: 'ers!' },
      routing: { levels: ['critical', 'error', 'warning', 'info'], tags: {}, quiet_hours: null, repeat_minutes: 240 },
      managed_by: 'user',
      waiting: 0,
      last_delivery: null,
    });
    const path = `/api/notify/channels/${made.id}`;
    const changed = await app.call('PUT', path, { ...user, body: webhook({}, { name: 'renamed' }) });
    expect(changed.json.data).toMatchObject({ name: 'renamed', secrets: { secret: 'ers!' } });
    calls = [];
    const tested = await app.call('POST', `${path}/test`, user);
    expect(tested.json.data).toEqual({ outcome: 'delivered', detail: 'The webhook took the message.' });
    expect(calls[0]?.request.headers['x-plimsoll-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    const list = await app.call('GET', '/api/notify/channels', user);
    expect(list.json.data).toMatchObject({ total: 1, channels: [{ id: made.id }], messages_link: false });
    const linking = testApp(db.storage(), { settings: { PLIMSOLL_PUBLIC_URL: 'https://plimsoll.example' } });
    const linked = await linking.call('GET', '/api/notify/channels', user);
    expect(linked.json.data).toMatchObject({ total: 1, messages_link: true });
    for (const { text } of [list, changed]) expect(text).not.toContain(SECRET);
    expect(await db.sql('SELECT FROM notify_channel c WHERE position($1 IN c::text) > 0', [SECRET])).toEqual([]);
    const log = await app.call('GET', '/api/user/audit-log', user);
    expect(log.text).toContain('channel_created');
    expect(log.text).toContain('channel_changed');
    expect((await app.call('DELETE', path, user)).status).toBe(200);
    expect((await app.call('DELETE', path, user)).status).toBe(404);
  });

  test.each([
    [{ type: 'webhook', name: 'x', settings: { url: 'ftp://x' } }, 'settings.url'],
    [{ type: 'webhook', name: 'x', settings: { url: 'https://u:p@x.example' } }, 'settings.url'],
    [{ type: 'webhook', name: 'x', settings: { url: 'https://x.example', secret: 'short' } }, 'settings.secret'],
    [{ type: 'webhook', name: 'x', settings: {} }, 'settings.url'],
    [{ type: 'webhook', name: 'x', settings: { url: 'https://x.example', extra: 1 } }, 'settings.extra'],
    [{ type: 'email', name: 'x', settings: { host: 'h', from: 'a@b', to: [] } }, 'settings.to'],
    [{ type: 'email', name: 'x', settings: { host: 'h', from: 'a@b\r\nBcc: x', to: ['a@b'] } }, 'settings.from'],
    [{ type: 'telegram', name: 'x', settings: { bot_token: 'x', chat_id: '1' } }, 'settings.bot_token'],
    [{ type: 'ntfy', name: 'x', settings: { topic: '../x' } }, 'settings.topic'],
    [webhook({ url: 'https://x.example' }, { routing: { levels: [] } }), 'routing.levels'],
    [
      webhook(
        { url: 'https://x.example' },
        { routing: { quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Mars/Base' } } },
      ),
      'routing.quiet_hours.time_zone',
    ],
    [
      webhook(
        { url: 'https://x.example' },
        { routing: { quiet_hours: { from: '22:00', to: '22:00', time_zone: 'UTC' } } },
      ),
      'routing.quiet_hours.to',
    ],
  ])('a wrong value is refused by name: %j', async (body, field) => {
    const answer = await app.call('POST', '/api/notify/channels', { ...user, body });
    expect([answer.status, answer.json.field]).toEqual([400, field]);
    expect(answer.json.detail).toContain(field);
  });

  test('a password goes to another server only when it is sent again', async () => {
    const settings = { host: 'smtp.example.com', from: 'a@b.example', to: ['c@d.example'], username: 'u' };
    const { id } = await create({ type: 'email', name: 'mail', settings: { ...settings, password: 'correct horse' } });
    const moved = { type: 'email', name: 'mail', settings: { ...settings, host: 'evil.example' } };
    const answer = await app.call('PUT', `/api/notify/channels/${id}`, { ...user, body: moved });
    expect([answer.status, answer.json.field]).toEqual([400, 'settings.password']);
    const again = { ...moved, settings: { ...moved.settings, password: 'battery staple' } };
    expect((await app.call('PUT', `/api/notify/channels/${id}`, { ...user, body: again })).status).toBe(200);
  });

  test('an optional secret is removed with null, a required one is not', async () => {
    const { id } = await create();
    const path = `/api/notify/channels/${id}`;
    const removed = await app.call('PUT', path, { ...user, body: webhook({ url, secret: null }) });
    expect([removed.status, removed.json.data]).toMatchObject([200, { secrets: { url: expect.any(String) } }]);
    expect(removed.text).not.toContain('"secret":');
    calls = [];
    await app.call('POST', `${path}/test`, user);
    expect(calls[0]?.request.headers['x-plimsoll-signature']).toBeUndefined();
    const { id: other } = await create({ type: 'slack', name: 's', settings: { webhook_url: url } });
    const body = { type: 'slack', name: 's', settings: { webhook_url: null } };
    const kept = await app.call('PUT', `/api/notify/channels/${other}`, { ...user, body });
    expect(kept.json.data).toMatchObject({ secrets: { webhook_url: expect.any(String) } });
  });

  test('the test message returns the verdict of the provider in words', async () => {
    const { id } = await create(webhook({ url: url.replace('/hook', '/gone') }));
    const answer = await app.call('POST', `/api/notify/channels/${id}/test`, user);
    const verdict = { outcome: 'refused', detail: 'The webhook answered 404.' };
    expect(answer.json.data).toEqual(verdict);
    const log = await app.call('GET', `/api/notify/deliveries?channel_id=${id}`, user);
    expect(log.json.data).toMatchObject({
      total: 1,
      deliveries: [{ ...verdict, channel_id: id, hostname: 'Test message', alert_ids: [], attempt: 1 }],
    });
    const list = await app.call('GET', '/api/notify/channels', user);
    const { channels } = list.json.data as unknown as { channels: { id: string; last_delivery: unknown }[] };
    expect(channels.find((channel) => channel.id === id)?.last_delivery).toMatchObject(verdict);
  });

  test('a private address is refused unless the operator opens its range', async () => {
    const closed = testApp(db.storage());
    const { id } = await create();
    const answer = await closed.call('POST', `/api/notify/channels/${id}/test`, user);
    expect(answer.json.data).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('private address') });
  });

  test('of another account are unknown, and nobody reads them without a session', async () => {
    const { id } = await create();
    for (const [method, path, body] of [
      ['PUT', `/api/notify/channels/${id}`, webhook()],
      ['DELETE', `/api/notify/channels/${id}`, undefined],
      ['POST', `/api/notify/channels/${id}/test`, undefined],
      ['GET', `/api/notify/deliveries?channel_id=${id}`, undefined],
    ] as const) {
      const options = body === undefined ? {} : { body };
      expect((await app.call(method, path, { ...other, ...options })).status).toBe(404);
      expect((await app.call(method, path, options)).status).toBe(401);
    }
    const theirs = await app.call('GET', '/api/notify/deliveries', other);
    expect(theirs.json.data).toEqual({ deliveries: [], total: 0 });
  });

  test('the environment makes one channel for the first account, and only the environment changes it', async () => {
    const { storage, secretBox } = app.deps;
    const deps = { accounts: storage.accounts, channels: storage.notify.channels, secretBox };
    const telegram = { botToken: '123456:AAAAAAAAAAAAAAAA', chatId: '-100200300' };
    const owner = await storage.accounts.oldest();
    const managed = async () =>
      db.sql<{ id: string; settings: object; organisation_id: OrganisationId }>(
        'SELECT id, settings, organisation_id FROM notify_channel WHERE environment_hash IS NOT NULL',
      );
    expect(await adoptEnvironmentChannel(deps, telegram, app.clock.now())).toBe(true);
    expect(await adoptEnvironmentChannel(deps, telegram, app.clock.now())).toBe(true);
    const [first, ...more] = await managed();
    expect([more, first]).toEqual([[], expect.objectContaining({ organisation_id: owner?.id })]);
    await adoptEnvironmentChannel(deps, { ...telegram, chatId: '@alerts' }, app.clock.now());
    expect(await managed()).toEqual([{ ...first, settings: { chat_id: '@alerts' } }]);
    // Both accounts were made at one moment: either is the oldest.
    const holder = [user, other].find(({ personId }) => personId === owner?.id);
    const refused = await app.call('DELETE', `/api/notify/channels/${first?.id ?? ''}`, holder);
    expect([refused.status, refused.json.code]).toEqual([409, 'channel_managed']);
    await adoptEnvironmentChannel(deps, null, app.clock.now());
    expect(await managed()).toEqual([]);
  });
});

test('ten new channels at once never pass the limit', async () => {
  const owner = await app.newUser();
  const { storage } = app.deps;
  const entry = { type: 'webhook' as const, name: 'x', settings: {}, sealedSecrets: Buffer.alloc(0), secretEnds: {} };
  const routing = { levels: [], tags: {}, quietHours: null, repeatMinutes: null };
  for (let count = 2; count < NOTIFY_LIMITS.channels; count += 1)
    await storage.notify.channels.create(
      ownerOf(owner.organisationId),
      { ...entry, routing, id: randomUUID() },
      app.clock.now(),
    );
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => app.call('POST', '/api/notify/channels', { ...owner, body: webhook() })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(answers.filter(({ json }) => json.code === 'plan_limit')).toHaveLength(8);
});
