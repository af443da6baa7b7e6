import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownerOf } from '../tenancy/owner.ts';
import { testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { httpStandIn, type HttpStandIn } from '../testing/http-stand-in.ts';
import { openAlert } from '../testing/notify.ts';
import { testStorage } from '../testing/postgres.ts';
import { sendDue } from './send-due.ts';

const db = testStorage();
const PATH = '/api/notify/channels';
const MEGABYTE = 'x'.repeat(1024 * 1024);
const TOKEN = '123456:AAAAAAAAAAAAAAAA';

let telegram: HttpStandIn;
let hook: HttpStandIn;
/** No range is open. */
let closed: TestApp;
let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  [telegram, hook] = [await httpStandIn(), await httpStandIn()];
  closed = testApp(db.storage(), { settings: { TELEGRAM_API_URL: telegram.url } });
  app = testApp(db.storage(), {
    settings: { TELEGRAM_API_URL: telegram.url, PLIMSOLL_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' },
  });
  user = await app.newUser();
});
afterAll(() => {
  telegram.close();
  hook.close();
});

const bot = (settings: object = {}) => ({
  type: 'telegram',
  name: 'chat',
  settings: { bot_token: TOKEN, chat_id: '-100200300', ...settings },
});
const webhook = (url: string) => ({ type: 'webhook', name: 'hook', settings: { url } });
const channels = async () => (await app.call('GET', PATH, user)).json.data;

describe('a new channel', () => {
  test.each<[string, object, string, RegExp, RegExp]>([
    [
      'a private address',
      webhook('http://10.1.2.3/hook'),
      'settings.url',
      /10\.1\.2\.3 leads to a private address/,
      /PRIVATE_RANGES/,
    ],
    ...['Ops\r\nBcc: x', 'Ops\u202Egnp.exe', 'a\u0000b', 'a\u2028b', '\u200Bx'].map(
      (name): [string, object, string, RegExp, RegExp] => [
        `the name ${JSON.stringify(name)}`,
        { ...webhook('https://203.0.113.7/'), name },
        'name',
        /^name: .*one line|cannot be stored/,
        /./,
      ],
    ),
    ['a loopback name', webhook('http://localhost:1/hook'), 'settings.url', /localhost leads to/, /PRIVATE_RANGES/],
    ['an IPv6 loopback', webhook('http://[::1]/hook'), 'settings.url', /::1 leads to/, /PRIVATE_RANGES/],
    [
      'a private secret address',
      { type: 'slack', name: 's', settings: { webhook_url: 'https://192.168.1.9/x' } },
      'settings.webhook_url',
      /192\.168\.1\.9 leads to/,
      /public address/,
    ],
    [
      'a private mail server',
      { type: 'email', name: 'm', settings: { host: '169.254.169.254', from: 'a@b.example', to: ['a@b.example'] } },
      'settings.host',
      /169\.254\.169\.254 leads to/,
      /public address/,
    ],
    [
      'a private ntfy server',
      { type: 'ntfy', name: 'n', settings: { server: 'http://172.16.0.1', topic: 't' } },
      'settings.server',
      /172\.16\.0\.1 leads to/,
      /public address/,
    ],
    ['a name of 1 MB', { ...webhook('https://x.example'), name: MEGABYTE }, 'name', /64/, /64/],
    ['an address of 1 MB', webhook(`https://x.example/${MEGABYTE}`), 'settings.url', /at most 2048 characters/, /./],
    ['a token of 1 MB', bot({ bot_token: `1:${MEGABYTE}` }), 'settings.bot_token', /at most 1024 characters/, /./],
    ['a field of 1 MB that does not exist', bot({ template: MEGABYTE }), 'settings.template', /not known/, /bot_token/],
  ])('%s is refused by the name of the field, with a remedy', async (_what, body, field, problem, remedy) => {
    const before = await channels();
    const answer = await closed.call('POST', PATH, { ...user, body });
    expect([answer.status, answer.json.field]).toEqual([400, field]);
    expect(answer.json.detail).toMatch(problem);
    expect(answer.json.remedy ?? answer.json.detail).toMatch(remedy);
    expect(answer.text.length).toBeLessThan(1000);
    expect(await channels()).toEqual(before);
  });

  test('a body beyond every limit is refused before it is read to its end', async () => {
    const answer = await closed.call('POST', PATH, { ...user, body: bot({ chat_id: MEGABYTE.repeat(3) }) });
    expect([answer.status, answer.json.code]).toEqual([413, 'body_too_large']);
    expect(answer.json.remedy).toBe('Send less at once.');
  });

  test("a wrong token is refused with the provider's words", async () => {
    telegram.answer(() => ({ status: 401, body: '{"ok":false,"error_code":401,"description":"Unauthorized"}' }));
    const answer = await app.call('POST', PATH, { ...user, body: bot() });
    expect([answer.status, answer.json.field]).toEqual([400, 'settings.bot_token']);
    expect(answer.json.detail).toBe('settings.bot_token: Telegram answered 401: Unauthorized.');
    expect(answer.json.remedy).toBe('Use the values that the provider shows.');
    expect(answer.text).not.toContain(TOKEN);
  });
});

describe('a channel that works', () => {
  const created = async () => {
    telegram.answer(() => ({ status: 200, body: '{"ok":true}' }));
    const answer = await app.call('POST', PATH, { ...user, body: bot() });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return (answer.json.data as unknown as { id: string }).id;
  };

  test.each<[string, () => object, string]>([
    [
      'a private address',
      () => ({ ...webhook('http://10.0.0.1/'), settings: { url: 'http://10.0.0.1/' } }),
      'settings.url',
    ],
    ['1 MB', () => webhook(`${hook.url}/${MEGABYTE}`), 'settings.url'],
  ])('keeps its values when %s is written over them', async (_what, body, field) => {
    const made = await app.call('POST', PATH, { ...user, body: webhook(`${hook.url}/ok`) });
    const { id } = made.json.data as unknown as { id: string };
    const answer = await app.call('PUT', `${PATH}/${id}`, { ...user, body: body() });
    expect([answer.status, answer.json.field]).toEqual([400, field]);
    const stored = await db.storage().notify.channels.get(ownerOf(user.organisationId), id);
    expect(stored).toMatchObject({ settings: {}, secretEnds: { url: `${hook.url}/…` } });
    const tested = await app.call('POST', `${PATH}/${id}/test`, user);
    expect(tested.json.data).toMatchObject({ outcome: 'delivered' });
  });

  test('keeps the message while its host is not reachable, and sends it later', async () => {
    await db.sql('DELETE FROM notify_channel');
    const id = await created();
    const agent = await app.newAgent(user, 'web-1');
    const owner = ownerOf(user.organisationId);
    const { storage, drivers, secretBox } = app.deps;
    await openAlert(storage, owner, agent, app.clock.now());
    telegram.answer(() => ({ status: 502 }));
    app.clock.pass(60);
    const send = () =>
      sendDue({
        storage,
        outbox: storage.notify.outbox,
        alertActing: storage.alertActing,
        drivers,
        secretBox,
        clock: app.clock,
        publicUrl: null,
        random: () => 1,
        observe: () => {},
      });
    await send();
    const state = async () => await storage.notify.channels.get(owner, id);
    expect(await state()).toMatchObject({
      waiting: 1,
      lastDelivery: { outcome: 'failed', detail: 'Telegram answered 502.' },
    });
    telegram.answer(() => ({ status: 200, body: '{"ok":true}' }));
    app.clock.pass(600);
    await send();
    expect(await state()).toMatchObject({ waiting: 0, lastDelivery: { outcome: 'delivered' } });
  });
});
