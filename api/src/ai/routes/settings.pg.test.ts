import { afterEach, beforeEach, expect, test } from 'vitest';
import { modelStandIn, type ModelStandIn } from '../../testing/model-stand-in.ts';
import { testApp } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const PATH = '/api/ai/settings';
const KEY = 'sk-secret-key-of-mine-9876';
let model: ModelStandIn;
beforeEach(async () => {
  model = await modelStandIn();
});
afterEach(() => model.close());
const request = (more: Record<string, unknown> = {}) => ({
  provider: 'openai-compatible',
  base_url: model.url,
  model: 'stand-in',
  api_key: KEY,
  ...more,
});
/** The operator opens loopback for addresses typed into the UI. */
const open = { settings: { PLIMSOLL_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' } };

test('are stored sealed, shown by their end, used for questions, and removed', async () => {
  const app = testApp(db.storage(), open);
  const user = await app.newUser();
  expect((await app.call('GET', PATH, user)).json.data).toMatchObject({ source: 'none', key_end: null });
  const put = await app.call('PUT', PATH, { token: user.token, body: request() });
  expect(put.json.data).toEqual({
    source: 'stored',
    provider: 'openai-compatible',
    base_url: model.url,
    model: 'stand-in',
    key_end: '9876',
  });
  expect(put.text).not.toContain(KEY);
  const rows = await db.sql('SELECT to_jsonb(s)::text AS row FROM ai_setting s WHERE organisation_id = $1', [
    user.organisationId,
  ]);
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(KEY).toString('hex'));
  expect((await app.call('POST', `${PATH}/test`, user)).json.data).toMatchObject({ ok: true });
  expect(model.requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
  const asked = await app.call('POST', '/api/ai/chat', { token: user.token, body: { question: 'Why?' } });
  expect(asked.json.data).toMatchObject({ mode: 'model', answer: 'ready' });
  const log = await app.call('GET', '/api/user/audit-log', user);
  expect(log.text).toContain('ai_settings_changed');
  expect(log.text).not.toContain(KEY);
  expect((await app.call('DELETE', PATH, user)).status).toBe(200);
  expect((await app.call('DELETE', PATH, user)).status).toBe(404);
});

test('a key is not sent to another host than the one it was entered for', async () => {
  const app = testApp(db.storage(), open);
  const { token } = await app.newUser();
  await app.call('PUT', PATH, { token, body: request() });
  const { api_key: _, ...kept } = request({ base_url: 'https://elsewhere.example/v1' });
  const answer = await app.call('PUT', PATH, { token, body: kept });
  expect([answer.status, answer.json.field]).toEqual([400, 'api_key']);
  const { api_key: __, ...same } = request({ model: 'other' });
  expect((await app.call('PUT', PATH, { token, body: same })).json.data).toMatchObject({ key_end: '9876' });
});

test('another organisation sees and uses nothing of them', async () => {
  const app = testApp(db.storage(), open);
  const [user, other] = [await app.newUser(), await app.newUser()];
  await app.call('PUT', PATH, { token: user.token, body: request() });
  expect((await app.call('GET', PATH, other)).json.data).toMatchObject({ source: 'none' });
  const asked = await app.call('POST', '/api/ai/chat', { token: other.token, body: { question: 'Why?' } });
  expect(asked.json.data).toMatchObject({ mode: 'analyser' });
});

test.each(['http://127.0.0.1:9/v1', 'http://10.0.0.1/v1', 'http://[::1]/v1', 'http://2130706433/v1'])(
  '%s is refused when it is written, as in the form of a channel, unless the operator opened it',
  async (url) => {
    const [closed, opened] = [
      testApp(db.storage()),
      testApp(db.storage(), { settings: { PLIMSOLL_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8,10.0.0.0/8,::1' } }),
    ];
    const { token } = await closed.newUser();
    const refused = await closed.call('PUT', PATH, { token, body: request({ base_url: url }) });
    expect([refused.status, refused.json.field]).toEqual([400, 'base_url']);
    expect(refused.json.detail).toContain('leads to a private address');
    expect(refused.json.remedy).toContain('PLIMSOLL_ALLOWED_PRIVATE_RANGES');
    expect((await closed.call('GET', PATH, { token })).json.data).toMatchObject({ source: 'none' });
    expect((await opened.call('PUT', PATH, { token, body: request({ base_url: url }) })).status).toBe(200);
  },
);

test.each([
  [{ base_url: 'ftp://x' }, 'base_url'],
  [{ base_url: 'https://user:pass@x.example/v1' }, 'base_url'],
  [{ provider: 'mine' }, 'provider'],
  [{ model: '' }, 'model'],
  [{ api_key: '' }, 'api_key'],
])('%j names the field', async (more, field) => {
  const app = testApp(db.storage());
  const answer = await app.call('PUT', PATH, { token: (await app.newUser()).token, body: request(more) });
  expect([answer.status, answer.json.field]).toEqual([400, field]);
});

test('a private address that the operator has closed again is refused by the test, and told', async () => {
  const [app, opened] = [testApp(db.storage()), testApp(db.storage(), open)];
  const { token } = await app.newUser();
  expect((await opened.call('PUT', PATH, { token, body: request() })).status).toBe(200);
  const { json } = await app.call('POST', `${PATH}/test`, { token });
  expect(json.data).toMatchObject({
    ok: false,
    detail: 'The provider is not reachable: leads to a private address',
    remedy: 'Enter a public address, or let the operator open the range with PLIMSOLL_ALLOWED_PRIVATE_RANGES.',
  });
  expect(model.requests).toEqual([]);
});

test('what the operator set in the environment is shown and cannot be changed', async () => {
  const app = testApp(db.storage(), {
    settings: { AI_BASE_URL: model.url, AI_API_KEY: KEY, AI_MODEL: 'theirs', AI_PROVIDER: 'openai-compatible' },
  });
  const user = await app.newUser();
  expect((await app.call('GET', PATH, user)).json.data).toMatchObject({ source: 'environment', key_end: '9876' });
  for (const method of ['PUT', 'DELETE'] as const) {
    const body = method === 'PUT' ? request() : undefined;
    const answer = await app.call(method, PATH, { token: user.token, body });
    expect([answer.status, answer.json.code]).toEqual([409, 'ai_managed']);
  }
});

test('needs a session', async () => {
  const app = testApp(db.storage());
  expect((await app.call('GET', PATH)).status).toBe(401);
  expect((await app.call('POST', `${PATH}/test`)).status).toBe(401);
});

test('a refused key is to be changed where it comes from', async () => {
  model.reply(() => ({ kind: 'status', status: 401 }));
  const typed = testApp(db.storage(), open);
  const { token } = await typed.newUser();
  await typed.call('PUT', PATH, { token, body: request() });
  const inEnvironment = testApp(db.storage(), {
    settings: { AI_BASE_URL: model.url, AI_API_KEY: KEY, AI_MODEL: 'stand-in' },
  });
  const words = async (app: typeof typed, session: string): Promise<string[]> => {
    const health = await app.call('GET', '/api/ai/health', { token: session });
    const test = await app.call('POST', `${PATH}/test`, { token: session });
    const chat = await app.call('POST', '/api/ai/chat', { token: session, body: { question: 'Why?' } });
    return [health.text, test.text, chat.text];
  };
  const [health, test, chat] = await words(typed, token);
  expect(health).toContain('under Model');
  expect(test).toContain('Enter a valid key and test again.');
  expect(chat).toContain('under Model');
  expect([health, test, chat].join('')).not.toContain('AI_API_KEY');
  for (const text of await words(inEnvironment, (await inEnvironment.newUser()).token)) {
    expect(text).toContain('AI_API_KEY');
    expect(text).not.toContain('under Model');
  }
});
