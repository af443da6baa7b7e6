import { beforeEach, expect, test } from 'vitest';
import { ChangeFeed } from '../live/change-feed.ts';
import { ownerOf, type Owner } from '../tenancy/owner.ts';
import { machineHash, TestClock } from '../testing/app.ts';
import { batchOf, itemOf, newAccount } from '../testing/batches.ts';
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
const deps = (planLimits: 'free' | null = null): EnrolDeps => ({
  storage: db.storage(),
  clock,
  changes: new ChangeFeed(),
  config: { reportIntervalSeconds: 30, planLimits },
});
const issue = async (of: Owner | null = owner, lifetimeMs?: number): Promise<string> =>
  (
    await issueEnrolmentToken({ enrolmentTokens: db.storage().enrolmentTokens, clock }, of, {
      createdBy: null,
      ...(lifetimeMs !== undefined && { lifetimeMs }),
    })
  ).token;
const machine = (name: string, more: object = {}) => ({ machine_hash: machineHash(name), hostname: name, ...more });
const servers = async () => (await db.storage().servers.listAll(owner)).map(({ server }) => server);

test('a machine gets its id, a token of its own and the interval; what is stored names neither', async () => {
  const enrolled = await enrol(deps(), { enrolment_token: await issue(), ...machine('web-1') });
  expect(enrolled).toMatchObject({ interval: 30 });
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
  const free = deps('free');
  const token = await issue();
  for (const name of ['a', 'b', 'c']) await enrol(free, { enrolment_token: token, ...machine(name) });
  await enrol(free, { enrolment_token: token, ...machine('a') });
  await expect(enrol(free, { enrolment_token: token, ...machine('d') })).rejects.toMatchObject({ code: 'plan_limit' });
  const found = await enrol(free, { enrolment_token: token, ...machine('b') });
  const agent = await db.storage().agents.findByToken(hashToken(found.agent_token));
  if (agent.state === 'known') await db.storage().agents.signOff(agent.agent, 'uninstall', clock.now());
  expect((await enrol(free, { enrolment_token: token, ...machine('d') })).server_id).toBeTruthy();
});

test('ten machines at once never pass the limit of a plan', async () => {
  const token = await issue();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => enrol(deps('free'), { enrolment_token: token, ...machine(`m${index}`) })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(await servers()).toHaveLength(3);
});

const ct = (name: string, more: object = {}) => ({
  machine_hash: machineHash('template'),
  hostname: name,
  boot_id: `boot of ${name}`,
  ...more,
});
const audit = async () =>
  (await db.storage().tenancy.audit.list(owner, { limit: 10, offset: 0 })).entries.map(({ action, detail }) => ({
    action,
    ...detail,
  }));
const agentOf = async (token: string) => {
  const found = await db.storage().agents.findByToken(hashToken(token));
  if (found.state !== 'known') throw new Error(`the token is ${found.state}`);
  return found.agent;
};
const report = async (token: string, seq: number, bootId: string) => {
  const agent = await agentOf(token);
  const batch = { ...batchOf(agent, [itemOf(seq, clock.now(), {}, bootId)]), bootId, receivedAt: clock.now() };
  expect(await db.storage().reports.accept(batch)).toMatchObject({ outcome: 'stored' });
};

test('two machines of one template are two servers, both work, and the audit log says so', async () => {
  const [one, two] = [await issue(), await issue()];
  const first = await enrol(deps(), { enrolment_token: one, ...ct('ct101') });
  await report(first.agent_token, 1, 'boot of ct101');
  expect(first).not.toHaveProperty('shares_machine_id_with');
  const second = await enrol(deps(), { enrolment_token: two, ...ct('ct102') });
  expect(second.server_id).not.toBe(first.server_id);
  expect(second.shares_machine_id_with).toEqual(['ct101']);
  expect((await servers()).map(({ hostname }) => hostname).toSorted()).toEqual(['ct101', 'ct102']);
  await report(first.agent_token, 2, 'boot of ct101');
  await report(second.agent_token, 1, 'boot of ct102');
  expect(await audit()).toEqual([
    { action: 'server_clone_enrolled', id: second.server_id, server: 'ct102', with: 'ct101' },
  ]);
});

test('each of them is found again when it is installed again, and after a reboot that it reported', async () => {
  const token = await issue();
  const first = await enrol(deps(), { enrolment_token: token, ...ct('ct101') });
  const second = await enrol(deps(), { enrolment_token: token, ...ct('ct102') });
  const secondAgain = await enrol(deps(), { enrolment_token: token, ...ct('ct102') });
  expect(secondAgain.server_id).toBe(second.server_id);
  await report(first.agent_token, 1, 'after the reboot');
  const firstAgain = await enrol(deps(), { enrolment_token: token, ...ct('ct101', { boot_id: 'after the reboot' }) });
  expect(firstAgain.server_id).toBe(first.server_id);
  clock.pass(24 * 60);
  const later = await enrol(deps(), { enrolment_token: token, ...ct('ct102', { boot_id: 'a month later' }) });
  expect(later.server_id).toBe(second.server_id);
  expect(await servers()).toHaveLength(2);
});

test('a known machine that fell silent is the same server under another name', async () => {
  const token = await issue();
  const first = await enrol(deps(), { enrolment_token: token, ...ct('ct101') });
  await report(first.agent_token, 1, 'boot of ct101');
  clock.pass(3 * 30 + 1);
  const renamed = await enrol(deps(), { enrolment_token: token, ...ct('renamed') });
  expect(renamed.server_id).toBe(first.server_id);
  expect(await servers()).toMatchObject([{ hostname: 'renamed' }]);
});

test('five clones that enrol at once are five servers', async () => {
  const token = await issue();
  const names = ['ct1', 'ct2', 'ct3', 'ct4', 'ct5'];
  const all = await Promise.all(names.map((name) => enrol(deps(), { enrolment_token: token, ...ct(name) })));
  expect(new Set(all.map(({ server_id: id }) => id)).size).toBe(5);
  for (const { agent_token: one } of all) await agentOf(one);
  const rows = await db.sql<{ firsts: string }>(
    'SELECT count(*) AS firsts FROM server WHERE organisation_id = $1 AND NOT is_clone',
    [owner.organisationId],
  );
  expect(Number(rows[0]?.firsts)).toBe(1);
});

test('a boot id of "unknown" decides nothing', async () => {
  const token = await issue();
  const first = await enrol(deps(), { enrolment_token: token, ...ct('ct101', { boot_id: 'unknown' }) });
  const again = await enrol(deps(), { enrolment_token: token, ...ct('ct102', { boot_id: 'unknown' }) });
  expect(again.server_id).toBe(first.server_id);
});

test('a plan counts a clone as a server, and a clone that is installed again once', async () => {
  const token = await issue();
  for (const name of ['ct1', 'ct2', 'ct3']) await enrol(deps('free'), { enrolment_token: token, ...ct(name) });
  await enrol(deps('free'), { enrolment_token: token, ...ct('ct3') });
  await expect(enrol(deps('free'), { enrolment_token: token, ...ct('ct4') })).rejects.toMatchObject({
    code: 'plan_limit',
  });
  expect(await servers()).toHaveLength(3);
});
