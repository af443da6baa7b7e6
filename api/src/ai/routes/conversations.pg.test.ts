import { expect, test } from 'vitest';
import type { ConversationAnswer, ConversationEntry } from '@plimsoll/contract/wire/ai';
import { aiJobs } from '../jobs.ts';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const PATH = '/api/ai/conversations';
const ID = '6f1d7b52-6d53-4e0a-9f0e-0f5a4d1b2c3d';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const askIn = (app: TestApp, user: TestUser, id: string, question = 'Are there any active alerts?') =>
  app.call('POST', '/api/ai/chat', { token: user.token, body: { question, conversation_id: id } });
const list = async (app: TestApp, user: TestUser): Promise<ConversationEntry[]> =>
  ((await app.call('GET', PATH, user)).json.data as unknown as { conversations: ConversationEntry[] }).conversations;

test('a conversation is stored, listed, read, renamed, exported and deleted', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const id = crypto.randomUUID();
  await askIn(app, user, id);
  app.clock.pass(60);
  await askIn(app, user, id, 'Show statistics for the last hour');
  expect(await list(app, user)).toMatchObject([{ id, title: 'Are there any active alerts?', messages: 4 }]);
  const found = (await app.call('GET', `${PATH}/${id}`, user)).json.data as unknown as ConversationAnswer;
  expect(found.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(found.messages[1]?.sources).toEqual([{ title: 'Active alerts', href: '/alerts?show=active' }]);
  const renamed = await app.call('PUT', `${PATH}/${id}`, { token: user.token, body: { title: 'Monday' } });
  expect(renamed.json.data).toMatchObject({ id, title: 'Monday', messages: 4 });
  const exported = await app.call('GET', `${PATH}/${id}/export`, user);
  expect(exported.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(exported.text).toMatch(/^# Monday\n\n## You, .*\n\nAre there any active alerts\?/);
  expect((await app.call('DELETE', `${PATH}/${id}`, user)).status).toBe(200);
  expect(await list(app, user)).toEqual([]);
});

test('nobody else reads, renames, deletes or continues it', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  await askIn(app, user, ID);
  expect(await list(app, other)).toEqual([]);
  for (const [method, path, body] of [
    ['GET', `${PATH}/${ID}`, undefined],
    ['GET', `${PATH}/${ID}/export`, undefined],
    ['PUT', `${PATH}/${ID}`, { title: 'mine' }],
    ['DELETE', `${PATH}/${ID}`, undefined],
  ] as const) {
    const foreign = await app.call(method, path, { token: other.token, body });
    const unknown = await app.call(method, path.replace(ID, UNKNOWN), { token: other.token, body });
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
  }
  expect((await askIn(app, other, ID)).status).toBe(404);
  expect(await list(app, user)).toMatchObject([{ messages: 2 }]);
});

test.each([
  ['GET', `${PATH}/abc`, undefined, 'id'],
  ['PUT', `${PATH}/${UNKNOWN}`, { title: '' }, 'title'],
  ['PUT', `${PATH}/${UNKNOWN}`, { title: 'x'.repeat(121) }, 'title'],
])('%s %s with %j names the field', async (method, path, body, field) => {
  const app = testApp(db.storage());
  const answer = await app.call(method, path, { token: (await app.newUser()).token, body });
  expect([answer.status, answer.json.field]).toEqual([400, field]);
});

test('needs a session', async () => {
  const app = testApp(db.storage());
  for (const path of [PATH, `${PATH}/${ID}`, `${PATH}/${ID}/export`])
    expect((await app.call('GET', path)).status).toBe(401);
});

test('is removed 30 days after its last message, and with its account', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const id = crypto.randomUUID();
  await askIn(app, user, id);
  const prune = async (days: number) => {
    for (const job of aiJobs(app.deps.storage.ai)) await job.run(app.clock.now() + days * 86_400_000);
  };
  await prune(29);
  expect(await list(app, user)).toHaveLength(1);
  await prune(31);
  expect(await list(app, user)).toEqual([]);
});
