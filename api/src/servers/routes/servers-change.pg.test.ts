import { beforeEach, expect, test } from 'vitest';
import type { ServerAnswer, ServersAnswer } from '@plimsoll/contract/wire/servers';
import type { Change } from '../../live/change-feed.ts';
import { testApp, type Answer, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = testApp(db.storage());
  user = await app.newUser();
});

const dataOf = (answer: Answer): unknown => answer.json.data;
const shownOf = ({ server }: ServerAnswer) => [server.display_name, server.tags];
const change = async (id: string, body: unknown) =>
  shownOf(dataOf(await app.call('PUT', `/api/servers/${id}`, { ...user, body })) as ServerAnswer);
const namesOf = async (query: string): Promise<string[]> => {
  const answer = dataOf(await app.call('GET', `/api/servers/list?sort=name&${query}`, user)) as ServersAnswer;
  return answer.servers.map(({ hostname }) => hostname);
};

test('a change leaves what it does not name, and says what it made', async () => {
  const { serverId } = await app.newAgent(user, 'web-1');
  const tags = { role: 'web', site: 'fra' };
  expect(await change(serverId, { display_name: ' Shop ', tags })).toEqual(['Shop', tags]);
  expect(await change(serverId, { tags: { role: 'db' } })).toEqual(['Shop', { role: 'db' }]);
  expect(await change(serverId.toUpperCase(), { display_name: 'Till' })).toEqual(['Till', { role: 'db' }]);
  expect(await change(serverId, { display_name: null })).toEqual([null, { role: 'db' }]);
  expect(await change(serverId, { tags: {} })).toEqual([null, {}]);
  const read = dataOf(await app.call('GET', `/api/servers/${serverId}`, user)) as ServerAnswer;
  expect(shownOf(read)).toEqual([null, {}]);
});

test('a change and a deletion stand in the trail and reach the open screens', async () => {
  const { serverId } = await app.newAgent(user, 'web-1');
  const told: Change[] = [];
  app.deps.changes.subscribe(user.organisationId, (one) => told.push(one));
  await change(serverId, { display_name: 'Shop', tags: {} });
  const body = { server_id: serverId.toUpperCase() };
  expect((await app.call('DELETE', '/api/servers/delete', { ...user, body })).status).toBe(200);
  expect(told).toEqual([
    { topic: 'servers', serverId },
    { topic: 'servers', serverId },
  ]);
  const trail = dataOf(await app.call('GET', '/api/user/audit-log', user)) as { entries: object[] };
  expect(trail.entries).toMatchObject([
    { action: 'server_deleted', detail: { id: serverId, server: 'Shop' } },
    { action: 'server_changed', detail: { id: serverId, server: 'Shop', fields: 'name, tags' } },
  ]);
});

test('a list is narrowed by a tag, its value, and the token of the installation', async () => {
  const tagsOf = { a: { role: 'web=1' }, b: { role: 'db' }, c: { site: 'fra' } };
  for (const [name, tags] of Object.entries(tagsOf)) {
    const { serverId } = await app.newAgent(user, name);
    await change(serverId, { tags });
  }
  expect(await namesOf('tag=role')).toEqual(['a', 'b']);
  expect(await namesOf('tag=role=db')).toEqual(['b']);
  expect(await namesOf('tag=role%3Dweb%3D1')).toEqual(['a']);
  expect(await namesOf('tag=db')).toEqual([]);
  const used = await db.sql<{ id: string }>(
    `SELECT t.id FROM server s JOIN enrolment_token t ON t.id = s.enrolment_token_id WHERE s.hostname = 'c' AND s.organisation_id = $1`,
    [user.organisationId],
  );
  const id = used[0]?.id ?? '';
  expect(await namesOf(`enrolment_token_id=${id}`)).toEqual(['c']);
  expect(await namesOf(`enrolment_token_id=${id.toUpperCase()}`)).toEqual(['c']);
  expect(await namesOf(`enrolment_token_id=${crypto.randomUUID()}`)).toEqual([]);
});
