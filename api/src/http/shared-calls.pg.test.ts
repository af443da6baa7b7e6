import { expect, it, test } from 'vitest';
import { ChangeFeed } from '../live/change-feed.ts';
import { allRoutes } from '../app.ts';
import { testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { TestClock } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { SHARED_CALLS, SharedAnswers } from './shared-answers.ts';

const db = testStorage();

function sharingApp(): TestApp {
  const [clock, changes] = [new TestClock(), new ChangeFeed()];
  return testApp(db.storage(), { changes, sharedAnswers: new SharedAnswers({ changes, clock }) });
}
const namesOf = async (app: TestApp, { token }: TestUser, query = ''): Promise<string[]> => {
  const { json } = await app.call('GET', `/api/servers/list${query}`, { token });
  return (json as unknown as { data: { servers: { hostname: string }[] } }).data.servers.map(
    ({ hostname }) => hostname,
  );
};

test('every shared call is one that a user reads', () => {
  const { deps } = sharingApp();
  const read = allRoutes(deps).filter(({ spec }) => spec.method === 'GET' && spec.actor === 'user');
  expect([...SHARED_CALLS].filter((path) => !read.some(({ spec }) => spec.path === path))).toEqual([]);
});

it('gives two organisations their own servers, and each question its own answer', async () => {
  const app = sharingApp();
  const [one, other] = [await app.newUser(), await app.newUser()];
  await app.newAgent(one, 'alpha');
  await app.newAgent(other, 'beta');
  expect([await namesOf(app, one), await namesOf(app, other)]).toEqual([['alpha'], ['beta']]);
  expect([await namesOf(app, one, '?search=nothing'), await namesOf(app, one)]).toEqual([[], ['alpha']]);
});

it('answers from before until something changes here, which a row changed by hand does not', async () => {
  const app = sharingApp();
  const user = await app.newUser();
  const { serverId } = await app.newAgent(user, 'gamma');
  expect(await namesOf(app, user)).toEqual(['gamma']);
  await db.sql(`UPDATE server SET hostname = 'delta' WHERE id = $1`, [serverId]);
  expect(await namesOf(app, user)).toEqual(['gamma']);
  expect((await app.call('PUT', '/api/team', { ...user, body: { name: 'Harbour' } })).status).toBe(200);
  expect(await namesOf(app, user)).toEqual(['delta']);
});

it('still asks who is calling', async () => {
  const app = sharingApp();
  const user = await app.newUser();
  await namesOf(app, user);
  expect((await app.call('GET', '/api/servers/list')).status).toBe(401);
});
