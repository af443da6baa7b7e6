import { expect, test } from 'vitest';
import { reportsBody, testApp } from '../testing/app.ts';
import { openEvents } from '../testing/event-stream.ts';
import { testStorage } from '../testing/postgres.ts';
import { EventStreams } from './event-streams.ts';
import { reconnectMs, streamLifeMs } from './routes.ts';
import { personIdOf } from '../tenancy/ids.ts';

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

test('tells a browser to reconnect within a second when the stream breaks, not all at once', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const stream = await openEvents(app, user.token);
  const [, retry] = /^retry: (\d+)\n/.exec(await stream.until(': open')) ?? [];
  app.deps.streams.restartAll();
  expect([0, 0.5, 1].map(reconnectMs)).toEqual([250, 625, 1000]);
  expect(Number(retry)).toBeGreaterThanOrEqual(250);
  expect(Number(retry)).toBeLessThanOrEqual(1000);
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

test('an event names fifty servers, says "any" beyond, and the next one is of its own', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const stream = await openEvents(app, user.token);
  await stream.until(': open');
  const publish = (from: number, to: number) => {
    for (let n = from; n <= to; n += 1)
      app.deps.changes.publish(user.organisationId, { topic: 'metrics', serverId: `server-${String(n)}` });
  };
  /** The ids of each event so far, once there are so many. */
  const idsOf = async (events: number, last: string) => {
    const text = await stream.until(last);
    const found = [...text.matchAll(/"server_ids":(null|\[[^\]]*\])/g)].map(
      ([, ids = '']) => JSON.parse(ids) as unknown,
    );
    expect(found).toHaveLength(events);
    return found.at(-1);
  };
  publish(1, 50);
  expect(await idsOf(1, '"server-50"]}')).toHaveLength(50);
  publish(1, 51);
  expect(await idsOf(2, '"server_ids":null')).toBeNull();
  publish(60, 60);
  expect(await idsOf(3, '"server-60"]}')).toEqual(['server-60']);
  app.deps.changes.publish(user.organisationId, { topic: 'kubernetes', serverId: null });
  expect(await idsOf(4, '"kubernetes"],"server_ids":null')).toBeNull();
  publish(70, 70);
  expect(await idsOf(5, '"server-70"]}')).toEqual(['server-70']);
  app.deps.streams.restartAll();
});

test('a stream ends with its session, without a word', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const { expires_at } = (await app.call('GET', '/api/auth/token', user)).json.data as unknown as {
    expires_at: string;
  };
  app.clock.ms = Date.parse(expires_at) - 50;
  const stream = await openEvents(app, user.token);
  expect(await stream.until('never')).toMatch(/^retry: \d+\n: open\n\n$/);
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

test('twenty streams for a session; the next gets 429 until one ends, and other calls go on', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const open = await Promise.all(Array.from({ length: 20 }, () => openEvents(app, user.token)));
  await Promise.all(open.map((stream) => stream.until(': open')));
  const refused = await app.call('GET', '/api/events', { cookie: user.token });
  expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'too_many_requests',
    '60',
  ]);
  expect((await app.call('GET', '/api/servers/list', { cookie: user.token })).status).toBe(200);
  const theirs = await openEvents(app, other.token);
  expect(theirs.status).toBe(200);
  app.deps.streams.restartAll();
  await Promise.all(open.map((stream) => stream.until('never')));
  const again = await openEvents(app, user.token);
  expect(again.status).toBe(200);
  app.deps.streams.restartAll();
  await again.until('never');
  expect(app.deps.streams.size).toBe(0);
});

test('two hundred streams for an account, whatever its sessions', () => {
  const streams = new EventStreams();
  const readerOf = (n: number) => ({ id: `session-${String(n % 11)}`, personId: personIdOf('a') });
  const removals = Array.from({ length: 200 }, (_, n) => {
    streams.requirePlace(readerOf(n));
    return streams.add(readerOf(n), () => {});
  });
  const next = { id: 'session-new', personId: personIdOf('a') };
  expect(() => streams.requirePlace(next)).toThrow('Too many event streams');
  streams.requirePlace({ id: 'session-other', personId: personIdOf('b') });
  // Removing twice frees one place.
  removals[0]?.();
  removals[0]?.();
  streams.add(next, () => {});
  expect(() => streams.requirePlace(next)).toThrow('Too many event streams');
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
