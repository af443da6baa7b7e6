import { expect, test } from 'vitest';
import { reportsBody, testApp } from '../testing/app.ts';
import { openEvents } from '../testing/event-stream.ts';
import { testStorage } from '../testing/postgres.ts';

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
