import { expect, test } from 'vitest';
import { reportsBody, testApp } from '../testing/app.ts';
import { openEvents } from '../testing/event-stream.ts';
import { testStorage } from '../testing/postgres.ts';
import { streamLifeMs } from './events.ts';

const db = testStorage();

test('a report reaches its owner’s stream within seconds, and nobody else’s', async () => {
  const app = testApp(db.storage());
  const [owner, other] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(owner);
  const [mine, theirs] = [await openEvents(app, owner.token), await openEvents(app, other.token)];
  expect([mine.status, mine.type]).toEqual([200, 'text/event-stream']);
  await Promise.all([mine.until(': open'), theirs.until(': open')]);
  const body = reportsBody(agent, app.clock.now(), [{}]);
  await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect(await mine.until('\n\nevent: changed\n')).toContain('event: changed');
  expect(await mine.until('}\n\n')).toContain(`data: {"topics":["metrics"],"server_ids":["${agent.serverId}"]}`);
  app.deps.streams.restartAll();
  expect(await theirs.until('never')).not.toContain('changed');
});

test('signing out ends the stream at once', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const stream = await openEvents(app, user.token);
  await stream.until(': open');
  await app.call('POST', '/api/auth/logout', { token: user.token, body: {} });
  expect(await stream.until('never')).toContain('event: ended');
  expect(app.deps.streams.size).toBe(0);
});

test('a shutdown ends every stream without a word: browsers connect again', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const stream = await openEvents(app, user.token);
  await stream.until(': open');
  app.deps.streams.restartAll();
  expect(await stream.until('never')).not.toContain('event: ended');
});

test('a stream ends with its session, without a word', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const { expires_at } = (await app.call('GET', '/api/auth/token', user)).json.data as unknown as {
    expires_at: string;
  };
  app.clock.ms = Date.parse(expires_at) - 50;
  const stream = await openEvents(app, user.token);
  expect(await stream.until('never')).toBe(': open\n\n');
  expect(app.deps.streams.size).toBe(0);
});

test('a token that is revoked ends its streams, and only its own', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const made = await app.call('POST', '/api/user/generate-auth-token', user);
  const { id, token } = made.json.data as unknown as { id: string; token: string };
  const [scripts, browsers] = [await openEvents(app, token), await openEvents(app, user.token)];
  await Promise.all([scripts.until(': open'), browsers.until(': open')]);
  expect((await app.call('DELETE', `/api/user/api-tokens/${id}`, user)).status).toBe(200);
  expect(await scripts.until('never')).toContain('event: ended');
  expect(app.deps.streams.size).toBe(1);
  app.deps.streams.restartAll();
  await browsers.until('never');
});

test.each([
  ['a session of a day', 86_400_000, 900_000],
  ['a session that ends sooner', 60_000, 60_000],
  ['a session that has ended', -1, 0],
  ['a token that never expires', null, 900_000],
])('%s is asked again in time', (_, leftMs, lifeMs) => {
  const now = 1_700_000_000_000;
  expect(streamLifeMs(leftMs === null ? null : now + leftMs, now)).toBe(lifeMs);
});
