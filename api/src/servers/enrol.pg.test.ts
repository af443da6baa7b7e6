import { beforeEach, expect, test } from 'vitest';
import { ownerOf, type Owner } from '../accounts/owner.ts';
import { machineHash, TestClock } from '../testing/app.ts';
import { newAccount } from '../testing/batches.ts';
import { testStorage } from '../testing/postgres.ts';
import { enrol, issueEnrolmentToken, LOCAL_ENROLMENT_TOKEN_MS, type EnrolDeps } from './enrol.ts';
import { hashToken, newToken } from '../accounts/tokens.ts';

const db = testStorage();
let clock: TestClock;
let owner: Owner;
beforeEach(async () => {
  clock = new TestClock();
  owner = ownerOf(await newAccount(db.storage(), clock.now()));
});
const deps = (): EnrolDeps => {
  const { agents, enrolmentTokens } = db.storage();
  return { agents, enrolmentTokens, clock, reportIntervalSeconds: 30, planLimits: null };
};
const issue = async (of: Owner | null = owner, lifetimeMs?: number): Promise<string> =>
  (await issueEnrolmentToken(deps(), of, lifetimeMs)).token;
const machine = (name: string, more: object = {}) => ({ machine_hash: machineHash(name), hostname: name, ...more });
const servers = async () => (await db.storage().servers.listAll(owner)).map(({ server }) => server);

test('a machine gets its id, a token of its own and the interval; what is stored names neither', async () => {
  const enrolled = await enrol(deps(), { enrolment_token: await issue(), ...machine('web-1') });
  expect(enrolled).toMatchObject({ interval: 30, accountId: owner.accountId });
  const found = await db.storage().agents.findByToken(hashToken(enrolled.agent_token));
  expect(found).toMatchObject({ state: 'known', agent: { serverId: enrolled.server_id } });
  const rows = await db.sql<{ row: string }>(
    'SELECT (s::text || t::text) AS row FROM server s JOIN agent_token t ON t.server_key = s.key WHERE s.id = $1',
    [enrolled.server_id],
  );
  expect(rows[0]?.row).not.toContain(machineHash('web-1'));
  expect(rows[0]?.row).not.toContain(enrolled.agent_token.slice(8));
});

test('a token enrols as many machines as there are, for its time to the second', async () => {
  const [day, hour] = [await issue(), await issue(owner, LOCAL_ENROLMENT_TOKEN_MS)];
  for (const name of ['a', 'b', 'c']) await enrol(deps(), { enrolment_token: day, ...machine(name) });
  expect(await servers()).toHaveLength(3);
  clock.pass(3600 - 1);
  await enrol(deps(), { enrolment_token: hour, ...machine('d') });
  clock.pass(1);
  await expect(enrol(deps(), { enrolment_token: hour, ...machine('e') })).rejects.toMatchObject({
    code: 'enrolment_token_unknown',
    field: 'enrolment_token',
  });
  clock.pass(23 * 3600 - 1);
  await enrol(deps(), { enrolment_token: day, ...machine('f') });
  clock.pass(1);
  await expect(enrol(deps(), { enrolment_token: day, ...machine('g') })).rejects.toMatchObject({
    code: 'enrolment_token_unknown',
  });
});

test('no other kind of token enrols, known or not', async () => {
  const token = await issue();
  for (const wrong of [
    newToken('enrol'),
    newToken('session'),
    newToken('agent'),
    newToken('cluster'),
    `${token}x`,
    '',
    'x',
  ])
    await expect(enrol(deps(), { enrolment_token: wrong, ...machine('m') })).rejects.toMatchObject({
      code: 'enrolment_token_unknown',
    });
  expect(await servers()).toEqual([]);
});

test('the same machine keeps its id and follows what it says of itself today; a copy of it gets its own', async () => {
  const token = await issue();
  const first = await enrol(deps(), {
    enrolment_token: token,
    ...machine('web-1', { tags: { role: 'db', zone: 'a' } }),
  });
  const again = await enrol(deps(), {
    enrolment_token: token,
    ...machine('web-1', { tags: { role: 'web' } }),
    hostname: 'renamed',
  });
  expect(again.server_id).toBe(first.server_id);
  expect(await servers()).toMatchObject([{ hostname: 'renamed', tags: { role: 'web', zone: 'a' } }]);
  expect((await db.storage().agents.findByToken(hashToken(first.agent_token))).state).toBe('unknown');
  const copy = await enrol(deps(), { enrolment_token: token, ...machine('web-1', { cloned: true }) });
  expect(copy.server_id).not.toBe(first.server_id);
  expect((await db.storage().agents.findByToken(hashToken(again.agent_token))).state).toBe('known');
});

test('ten requests of one machine at once leave one server and one token that works', async () => {
  const token = await issue();
  const all = await Promise.all(
    Array.from({ length: 10 }, () => enrol(deps(), { enrolment_token: token, ...machine('racing') })),
  );
  expect(new Set(all.map(({ server_id: id }) => id)).size).toBe(1);
  const states = await Promise.all(
    all.map(async ({ agent_token: one }) => (await db.storage().agents.findByToken(hashToken(one))).state),
  );
  expect(states.filter((state) => state === 'known')).toHaveLength(1);
});

test('the same machine of another owner is another server', async () => {
  const mine = await enrol(deps(), { enrolment_token: await issue(), ...machine('shared') });
  const other = ownerOf(await newAccount(db.storage(), clock.now()));
  const theirs = await enrol(deps(), { enrolment_token: await issue(other), ...machine('shared') });
  expect(theirs.server_id).not.toBe(mine.server_id);
  expect(await servers()).toHaveLength(1);
});

test('a plan in force counts other machines, not this one again and not what was taken out', async () => {
  const free = { ...deps(), planLimits: 'free' as const };
  const token = await issue();
  for (const name of ['a', 'b', 'c']) await enrol(free, { enrolment_token: token, ...machine(name) });
  await enrol(free, { enrolment_token: token, ...machine('a') });
  await expect(enrol(free, { enrolment_token: token, ...machine('d') })).rejects.toMatchObject({ code: 'plan_limit' });
  const found = await enrol(free, { enrolment_token: token, ...machine('b') });
  const agent = await db.storage().agents.findByToken(hashToken(found.agent_token));
  if (agent.state === 'known') await db.storage().agents.signOff(agent.agent, 'uninstall', clock.now());
  expect((await enrol(free, { enrolment_token: token, ...machine('d') })).server_id).toBeTruthy();
});
