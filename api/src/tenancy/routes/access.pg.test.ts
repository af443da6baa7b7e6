import type { AuditAnswer } from '@plimsoll/contract/wire/accounts/account';
import type { EnrolmentTokensAnswer } from '@plimsoll/contract/wire/install';
import type { ClusterTokensAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { EndAccessAnswer, MemberAccess, TeamAnswer } from '@plimsoll/contract/wire/accounts/team';
import { expect, test } from 'vitest';
import { hashToken } from '../../accounts/tokens.ts';
import type { ClusterToken } from '../../kubernetes/types.ts';
import { machineHash, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { proposedEnd } from '../access.ts';

const db = testStorage();
const DAY_S = 86_400;

interface Team {
  app: TestApp;
  founder: TestUser;
  /** An admin beside the founder. */
  bob: TestUser;
}

async function newTeam(): Promise<Team> {
  const app = testApp(db.storage());
  const [founder, bob] = [await app.newUser(), await app.newUser()];
  const sql = "UPDATE membership SET organisation_id = $2, role = 'admin' WHERE account_id = $1";
  await db.sql(sql, [bob.personId, founder.organisationId]);
  return { app, founder, bob };
}

async function send<T>(app: TestApp, user: TestUser, method: string, path: string, body?: object): Promise<T> {
  const answer = await app.call(method, path, { token: user.token, ...(body !== undefined && { body }) });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.json.data as T;
}

interface Made {
  id: string;
  token: string;
}
const clusterToken = ({ app, bob }: Team, name: string): Promise<Made> =>
  send(app, bob, 'POST', '/api/user/cluster-tokens', { name });
const find = ({ app }: Team, token: string) => db.storage().kubernetes.tokens.find(hashToken(token), app.clock.now());
const enrolStatus = async ({ app }: Team, token: string, name: string): Promise<number> => {
  const body = { enrolment_token: token, machine_hash: machineHash(name), hostname: name };
  return (await app.call('POST', '/api/agent/v1/enrol', { body })).status;
};
const accessOf = ({ app, founder, bob }: Team): Promise<MemberAccess> =>
  send(app, founder, 'GET', `/api/team/members/${bob.personId}/access`);
const removeBob = ({ app, founder, bob }: Team, body?: object): Promise<EndAccessAnswer> =>
  send(app, founder, 'DELETE', `/api/team/members/${bob.personId}`, body);
const publish = async ({ app, founder, bob }: Team, title: string): Promise<{ id: string; path: string }> => {
  const { serverId } = await app.newAgent(founder);
  type Page = { status_page: { page_id: string; path: string } };
  const body = { title, servers: [{ server_id: serverId }], is_published: true };
  const { status_page: page } = await send<Page>(app, bob, 'POST', '/api/status-pages', body);
  return { id: page.page_id, path: page.path };
};
const publicStatus = async ({ app }: Team, path: string): Promise<number> =>
  (await app.call('GET', `/api/public/status-pages/${path.split('/').at(-1) ?? ''}`)).status;

test('a removed admin keeps nothing: the list names all that works, and its proposals end it', async () => {
  const team = await newTeam();
  const { app, founder, bob } = team;
  const install = await send<Made>(app, bob, 'POST', '/api/user/enrolment-tokens');
  const [unused, used] = [await clusterToken(team, 'spare'), await clusterToken(team, 'prod')];
  const { code } = await send<{ code: string }>(app, bob, 'POST', '/api/team/invitations', { role: 'admin' });
  const page = await publish(team, 'Shop');
  await find(team, used.token);
  // Tokens of others are not listed.
  await send(app, founder, 'POST', '/api/user/cluster-tokens', { name: 'mine' });

  const access = await accessOf(team);
  expect(access).toMatchObject({
    enrolment_tokens: [{ id: install.id, proposed: 'revoke', servers: 0 }],
    invitations: [{ role: 'admin', proposed: 'revoke' }],
    status_pages: [{ id: page.id, title: 'Shop', path: page.path, proposed: 'revoke' }],
  });
  expect(Object.fromEntries(access.cluster_tokens.map(({ id, proposed }) => [id, proposed]))).toEqual({
    [unused.id]: 'revoke',
    [used.id]: 'replace',
  });
  const every = Object.values(access).flat();
  const chosen = (end: string): string[] => every.filter(({ proposed }) => proposed === end).map(({ id }) => id);
  const { replaced } = await removeBob(team, { revoke: chosen('revoke'), replace: chosen('replace') });

  expect(await enrolStatus(team, install.token, 'late')).toBe(401);
  expect(await find(team, unused.token)).toBeNull();
  expect((await app.call('POST', '/api/team/invitations/look', { body: { code } })).status).toBe(410);
  expect(await publicStatus(team, page.path)).toBe(404);
  const [successor] = replaced;
  const endsAt = new Date(app.clock.now() + 7 * DAY_S * 1000).toISOString();
  expect(replaced).toMatchObject([{ name: 'prod', ends_at: endsAt }]);
  expect(await find(team, successor?.token ?? '')).not.toBeNull();
  app.clock.pass(7 * DAY_S - 1);
  expect(await find(team, used.token)).not.toBeNull();
  app.clock.pass(1);
  expect(await find(team, used.token)).toBeNull();
  expect(await find(team, successor?.token ?? '')).not.toBeNull();
});

test('the log names what ended in the entry of the removal', async () => {
  const team = await newTeam();
  const { app, founder, bob } = team;
  const [unused, used] = [await clusterToken(team, 'spare'), await clusterToken(team, 'prod')];
  await find(team, used.token);
  await removeBob(team, { revoke: [unused.id], replace: [used.id] });
  const { entries } = await send<AuditAnswer>(app, founder, 'GET', '/api/user/audit-log');
  const ended = { revoked: 'cluster token spare', replaced: 'cluster token prod' };
  expect(entries[0]).toMatchObject({ action: 'member_removed', detail: { id: bob.personId, ...ended } });
});

test('a cluster token that was silent for over a day is proposed for revocation', () => {
  const token = { isReplaced: false, lastUsedAt: 0 } as ClusterToken;
  expect(proposedEnd(token, DAY_S * 1000)).toBe('replace');
  expect(proposedEnd(token, DAY_S * 1000 + 1)).toBe('revoke');
  expect(proposedEnd({ ...token, lastUsedAt: null }, 0)).toBe('revoke');
  expect(proposedEnd({ ...token, isReplaced: true }, 0)).toBe('keep');
});

test('what somebody who left made is listed for admins, and ends later', async () => {
  const team = await newTeam();
  const { app, founder, bob } = team;
  const install = await send<Made>(app, bob, 'POST', '/api/user/enrolment-tokens');
  await removeBob(team);
  expect(await enrolStatus(team, install.token, 'one')).toBe(200);
  const { former } = await send<TeamAnswer>(app, founder, 'GET', '/api/team');
  const bobsName = bob.email.replace('@example.com', '');
  expect(former).toEqual([{ account_id: bob.personId, name: bobsName, works: 1 }]);
  await send(app, founder, 'POST', `/api/team/members/${bob.personId}/access/end`, { revoke: [install.id] });
  expect(await enrolStatus(team, install.token, 'two')).toBe(401);
  expect((await send<TeamAnswer>(app, founder, 'GET', '/api/team')).former).toEqual([]);
  const { entries } = await send<AuditAnswer>(app, founder, 'GET', '/api/user/audit-log');
  const ended = { member: bobsName, revoked: 'install command' };
  expect(entries[0]).toMatchObject({ action: 'member_access_ended', detail: ended });
  // Nothing is left, so the person is unknown here.
  const gone = await app.call('GET', `/api/team/members/${bob.personId}/access`, founder);
  expect(gone.status).toBe(404);
});

test('a wrong choice changes nothing, and the member stays', async () => {
  const team = await newTeam();
  const { app, founder, bob } = team;
  const unused = await clusterToken(team, 'spare');
  const mine = await send<Made>(app, founder, 'POST', '/api/user/cluster-tokens', {});
  const path = `/api/team/members/${bob.personId}`;
  const refusal = async (body: object) => {
    const { status, json } = await app.call('DELETE', path, { ...founder, body });
    return [status, json.field, json.detail];
  };
  const nothing = expect.stringContaining('is nothing that this person made') as string;
  expect(await refusal({ revoke: [mine.id] })).toEqual([400, 'revoke', nothing]);
  expect(await refusal({ revoke: [unused.id, crypto.randomUUID()] })).toEqual([400, 'revoke', nothing]);
  expect(await refusal({ replace: [unused.id] })).toEqual([
    400,
    'replace',
    `replace: no collector has used ${unused.id} yet`,
  ]);
  expect(await refusal({ revoke: [unused.id], replace: [unused.id] })).toEqual([
    400,
    'replace',
    `replace: ${unused.id} is also in revoke`,
  ]);
  expect(await find(team, unused.token)).not.toBeNull();
  expect((await send<TeamAnswer>(app, founder, 'GET', '/api/team')).members).toHaveLength(2);
});

test('the lists name the creator: a person, Plimsoll itself, a deleted account, or nobody known', async () => {
  const team = await newTeam();
  const { app, founder, bob } = team;
  const [byBob, old] = [await clusterToken(team, 'prod'), await clusterToken(team, 'old')];
  await db.sql('UPDATE cluster_token SET created_by = NULL WHERE id = $1', [old.id]);
  const install = await send<Made>(app, bob, 'POST', '/api/user/enrolment-tokens');
  const local = await send<Made>(app, bob, 'POST', '/api/user/enrolment-tokens');
  const plimsoll = 'UPDATE enrolment_token SET created_by = NULL, by_plimsoll = true WHERE id = $1';
  await db.sql(plimsoll, [local.id]);
  const [gone, page] = [crypto.randomUUID(), await publish(team, 'Shop')];
  await db.sql('UPDATE status_page SET created_by = $2 WHERE id = $1', [page.id, gone]);
  await send(app, bob, 'POST', '/api/team/invitations', { role: 'viewer' });

  const bobOnWire = { account_id: bob.personId, name: bob.email.replace('@example.com', '') };
  const clusters = await send<ClusterTokensAnswer>(app, founder, 'GET', '/api/user/cluster-tokens');
  expect(Object.fromEntries(clusters.tokens.map((one) => [one.id, one.created_by]))).toEqual({
    [byBob.id]: bobOnWire,
    [old.id]: null,
  });
  const installs = await send<EnrolmentTokensAnswer>(app, founder, 'GET', '/api/user/enrolment-tokens');
  expect(Object.fromEntries(installs.tokens.map((one) => [one.id, one.created_by]))).toMatchObject({
    [install.id]: bobOnWire,
    [local.id]: { account_id: null, name: 'Plimsoll' },
  });
  type Pages = { status_pages: { created_by: unknown }[] };
  expect((await send<Pages>(app, founder, 'GET', '/api/status-pages')).status_pages).toMatchObject([
    { created_by: { account_id: gone, name: null } },
  ]);
  expect((await send<TeamAnswer>(app, founder, 'GET', '/api/team')).invitations).toMatchObject([
    { created_by: bobOnWire },
  ]);
});

test('an install command is revoked; servers that it enrolled go on', async () => {
  const team = await newTeam();
  const { app, founder, bob } = team;
  const install = await send<Made>(app, bob, 'POST', '/api/user/enrolment-tokens');
  expect(await enrolStatus(team, install.token, 'before')).toBe(200);
  const list = () => send<EnrolmentTokensAnswer>(app, founder, 'GET', '/api/user/enrolment-tokens');
  expect((await list()).tokens).toMatchObject([{ id: install.id, servers: 1 }]);
  await send(app, founder, 'DELETE', `/api/user/enrolment-tokens/${install.id}`);
  expect(await enrolStatus(team, install.token, 'after')).toBe(401);
  expect((await list()).tokens).toEqual([]);
  expect((await send<{ total: number }>(app, founder, 'GET', '/api/servers/list')).total).toBe(1);
});
