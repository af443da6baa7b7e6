import { beforeEach, expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { machineHash, reportsBody, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { issueEnrolmentToken } from '../enrol.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = testApp(db.storage());
  user = await app.newUser();
});

async function enrol(hostname: string, bootId: string | null) {
  const { enrolmentTokens } = db.storage();
  const { token } = await issueEnrolmentToken({ enrolmentTokens, clock: app.clock }, ownerOf(user.organisationId), {
    createdBy: user.personId,
  });
  const body = { enrolment_token: token, machine_hash: machineHash('template'), hostname };
  const answer = await app.call('POST', '/api/agent/v1/enrol', {
    body: { ...body, ...(bootId === null ? {} : { boot_id: bootId }) },
  });
  expect(answer.status).toBe(200);
  const json = answer.json as unknown as { server_id: string; agent_token: string };
  return { serverId: json.server_id, token: json.agent_token, audited: answer.audited };
}
type Enrolled = Awaited<ReturnType<typeof enrol>>;
const report = (agent: Enrolled, seq: number) =>
  app.call('POST', '/api/agent/v1/reports', {
    token: agent.token,
    body: reportsBody(agent, app.clock.now(), [{ seq }]),
  });
const identityOf = async ({ serverId }: Enrolled) => {
  const { json } = await app.call('GET', `/api/servers/${serverId}`, { token: user.token });
  return (json.data as unknown as { server: { identity: object } }).server.identity;
};
const names = ({ json }: Awaited<ReturnType<typeof report>>) => json['shares_machine_id_with'] as unknown;

test('both machines of a template are told of each other, on their pages and with their reports', async () => {
  const first = await enrol('ct101', 'boot-1');
  expect(names(await report(first, 1))).toBeUndefined();
  expect(await identityOf(first)).toEqual({ shares_machine_id_with: [], former_token_used_at: null });
  const second = await enrol('ct102', 'boot-2');
  expect([first.audited, second.audited]).toEqual([[], ['server_clone_enrolled']]);
  app.clock.pass(60);
  expect([names(await report(first, 2)), names(await report(second, 1))]).toEqual([['ct102'], ['ct101']]);
  const shared = async (one: Enrolled) => (await identityOf(one)) as { shares_machine_id_with: object[] };
  expect((await shared(first)).shares_machine_id_with).toEqual([{ id: second.serverId, name: 'ct102' }]);
  expect((await shared(second)).shares_machine_id_with).toEqual([{ id: first.serverId, name: 'ct101' }]);
  await app.call('POST', '/api/agent/v1/bye', { token: second.token, body: { reason: 'uninstall' } });
  expect((await shared(first)).shares_machine_id_with).toEqual([]);
});

test('a collector whose token was replaced is shown on the page of its server, for a day', async () => {
  const first = await enrol('ct101', null);
  expect((await report(first, 1)).status).toBe(200);
  const second = await enrol('ct102', null);
  expect(second.serverId).toBe(first.serverId);
  expect(await identityOf(second)).toMatchObject({ former_token_used_at: null });
  const heard: unknown[] = [];
  app.deps.changes.subscribe(user.organisationId, (change) => heard.push(change));
  const refused = await report(first, 2);
  expect([refused.status, refused.json.code]).toEqual([401, 'agent_token_unknown']);
  expect(heard).toEqual([{ topic: 'servers', serverId: first.serverId }]);
  expect(await identityOf(second)).toMatchObject({
    former_token_used_at: new Date(app.clock.now()).toISOString(),
  });
  const { servers } = db.storage();
  const found = await servers.get(ownerOf(user.organisationId), first.serverId);
  if (found === null) throw new Error('the server is gone');
  const at = app.clock.now();
  const after = async (ms: number) => (await servers.getIdentity(found, at + ms)).formerTokenAt;
  expect([await after(24 * 3_600_000 - 1), await after(24 * 3_600_000)]).toEqual([at, null]);
});
