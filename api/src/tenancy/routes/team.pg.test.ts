import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AuditAnswer } from '@plimsoll/contract/wire/accounts/account';
import type { TeamAnswer } from '@plimsoll/contract/wire/accounts/team';
import { INVITATIONS } from '@plimsoll/contract/rules/limits';
import { createRates } from '../../http/limits/rate-limit.ts';
import { TEST_PASSWORD, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { newToken } from '../../accounts/tokens.ts';

const db = testStorage();

const answerOf = async <T>(call: Promise<{ status: number; text: string; json: object }>): Promise<T> => {
  const answer = await call;
  if (answer.status !== 200) throw new Error(answer.text);
  return (answer.json as { data: T }).data;
};
const teamOf = (app: TestApp, user: Pick<TestUser, 'token'>) =>
  answerOf<TeamAnswer>(app.call('GET', '/api/team', user));
const inviteBy = async (app: TestApp, user: TestUser, body: object = { role: 'editor' }): Promise<string> =>
  (await answerOf<{ code: string }>(app.call('POST', '/api/team/invitations', { ...user, body }))).code;
const joinBy = (app: TestApp, user: TestUser, code: string) =>
  app.call('POST', '/api/team/join', { ...user, body: { code } });
const logOf = async (app: TestApp, user: TestUser): Promise<unknown[][]> =>
  (await answerOf<AuditAnswer>(app.call('GET', '/api/user/audit-log', user))).entries.map((entry) => [
    entry.person?.name,
    entry.action,
    entry.detail,
  ]);
const serversOf = async (app: TestApp, user: TestUser): Promise<number> =>
  (await answerOf<{ total: number }>(app.call('GET', '/api/servers/list', user))).total;
/** Sessions live no longer than the shortest invitation. */
const expireAll = (app: TestApp) =>
  db.sql('UPDATE invitation SET expires_at = to_timestamp($1)', [app.clock.now() / 1000]);
const address = (): string => `${randomBytes(6).toString('hex')}@example.com`;

describe('a team', () => {
  it('begins with its founder alone, and can be renamed by an admin', async () => {
    const app = testApp(db.storage());
    const founder = await app.newUser();
    const { members, invitations } = await teamOf(app, founder);
    expect([members, invitations]).toMatchObject([[{ role: 'admin', is_founder: true, is_you: true }], []]);
    await answerOf(app.call('PUT', '/api/team', { ...founder, body: { name: '  Harbour ' } }));
    expect((await teamOf(app, founder)).name).toBe('Harbour');
  });

  it('takes a member in by a link that works once, and shows it the servers of the organisation', async () => {
    const app = testApp(db.storage());
    const [founder, guest, late] = [await app.newUser(), await app.newUser(), await app.newUser()];
    await app.newAgent(founder);
    const code = await inviteBy(app, founder);
    const look = app.call('POST', '/api/team/invitations/look', { body: { code } });
    expect(await answerOf(look)).toMatchObject({ role: 'editor', email: null });
    expect(await serversOf(app, guest)).toBe(0);
    expect((await joinBy(app, guest, code)).status).toBe(200);
    expect(await serversOf(app, guest)).toBe(1);
    expect((await teamOf(app, guest)).members.map(({ role, is_you: you }) => [role, you])).toEqual([
      ['admin', false],
      ['editor', true],
    ]);
    const again = await joinBy(app, late, code);
    expect([again.status, again.json.code]).toEqual([410, 'invitation_invalid']);
  });

  it('shows a member the load lines of the organisation, not those of their own account', async () => {
    const app = testApp(db.storage());
    const [founder, guest] = [await app.newUser(), await app.newUser()];
    const { serverId } = await app.newAgent(founder);
    const line = [{ level: 'warning', threshold: 55 }];
    await answerOf(
      app.call('POST', '/api/alerts/rules', { ...founder, body: { metric: 'cpu_usage', target: 'all', lines: line } }),
    );
    await joinBy(app, guest, await inviteBy(app, founder));
    interface Lined {
      lines: { cpu: { warning: number | null } };
    }
    const { servers } = await answerOf<{ servers: Lined[] }>(app.call('GET', '/api/servers/list', guest));
    const { server } = await answerOf<{ server: Lined }>(app.call('GET', `/api/servers/${serverId}`, guest));
    const body = { display_name: 'pier' };
    const { server: changed } = await answerOf<{ server: Lined }>(
      app.call('PUT', `/api/servers/${serverId}`, { ...guest, body }),
    );
    expect([servers[0], server, changed].map((one) => one?.lines.cpu.warning)).toEqual([55, 55, 55]);
  });

  it('shows open invitations to admins only, without their codes', async () => {
    const app = testApp(db.storage());
    const [founder, guest] = [await app.newUser(), await app.newUser()];
    await joinBy(app, guest, await inviteBy(app, founder));
    const code = await inviteBy(app, founder, { role: 'viewer', email: 'Ann@Example.com' });
    const seen = await app.call('GET', '/api/team', founder);
    expect(seen.text).not.toContain(code);
    expect((await teamOf(app, founder)).invitations).toMatchObject([{ role: 'viewer', email: 'ann@example.com' }]);
    expect((await teamOf(app, guest)).invitations).toEqual([]);
  });

  it('ends an invitation by its time, by a withdrawal, and with every use of it', async () => {
    const app = testApp(db.storage());
    const [founder, guest] = [await app.newUser(), await app.newUser()];
    const expired = await inviteBy(app, founder, { role: 'viewer', expires_in_days: 1 });
    const withdrawn = await inviteBy(app, founder);
    const open = (await teamOf(app, founder)).invitations.find(({ role }) => role === 'editor');
    await answerOf(app.call('DELETE', `/api/team/invitations/${String(open?.id)}`, founder));
    expect((await joinBy(app, guest, withdrawn)).status).toBe(410);
    await expireAll(app);
    expect((await joinBy(app, guest, expired)).status).toBe(410);
    expect((await teamOf(app, founder)).invitations).toEqual([]);
  });

  it('holds so many open invitations and no more, and expired ones do not count', async () => {
    const app = testApp(db.storage());
    const founder = await app.newUser();
    for (let n = 0; n < INVITATIONS.open; n += 1) await inviteBy(app, founder, { role: 'viewer', expires_in_days: 1 });
    const more = await app.call('POST', '/api/team/invitations', { ...founder, body: { role: 'viewer' } });
    expect([more.status, more.json.code]).toEqual([422, 'plan_limit']);
    await expireAll(app);
    const guest = await app.newUser();
    expect((await joinBy(app, guest, await inviteBy(app, founder))).status).toBe(200);
  });

  it('never has more open invitations than the limit, however many admins invite at once', async () => {
    const app = testApp(db.storage());
    const founder = await app.newUser();
    for (let n = 3; n < INVITATIONS.open; n += 1) await inviteBy(app, founder);
    const invite = () => app.call('POST', '/api/team/invitations', { ...founder, body: { role: 'viewer' } });
    const answers = await Promise.all(Array.from({ length: 10 }, invite));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ json }) => json.code === 'plan_limit')).toHaveLength(7);
    expect((await teamOf(app, founder)).invitations).toHaveLength(INVITATIONS.open);
  });

  it('lets an invited person create an account that is a member at once, also where sign-up is closed', async () => {
    const app = testApp(db.storage());
    const founder = await app.newUser();
    const [code, email] = [await inviteBy(app, founder, { role: 'viewer' }), address()];
    const body = { code, email, password: TEST_PASSWORD, name: 'Ann' };
    const { token } = await answerOf<{ token: string }>(app.call('POST', '/api/team/sign-up', { body }));
    const ann = { email, token };
    type Profile = { user: { role: string; last_login: string | null } };
    const profile = await answerOf<Profile>(app.call('GET', '/api/auth/profile', ann));
    expect(profile.user).toMatchObject({ role: 'viewer', last_login: new Date(app.clock.now()).toISOString() });
    expect((await teamOf(app, ann)).members.map(({ name }) => name)).toContain('Ann');
    const again = await app.call('POST', '/api/team/sign-up', { body: { ...body, email: address() } });
    expect(again.status).toBe(410);
    const local = { email, password: TEST_PASSWORD };
    expect((await app.call('POST', '/api/auth/local', { body: local })).status).toBe(200);
  });

  it('keeps the invitation when the address is taken', async () => {
    const app = testApp(db.storage());
    const [founder, known] = [await app.newUser(), await app.newUser()];
    const code = await inviteBy(app, founder);
    const body = { code, email: known.email, password: TEST_PASSWORD };
    const taken = await app.call('POST', '/api/team/sign-up', { body });
    expect([taken.status, taken.json.code, taken.json.field]).toEqual([409, 'email_taken', 'email']);
    expect((await joinBy(app, known, code)).status).toBe(200);
  });

  it('lets nobody else use an invitation that names an address', async () => {
    const app = testApp(db.storage());
    const [founder, stranger, guest] = [await app.newUser(), await app.newUser(), await app.newUser()];
    const code = await inviteBy(app, founder, { role: 'admin', email: guest.email });
    const refused = await joinBy(app, stranger, code);
    expect([refused.status, refused.json.field]).toEqual([400, 'email']);
    const body = { code, email: address(), password: TEST_PASSWORD };
    expect((await app.call('POST', '/api/team/sign-up', { body })).status).toBe(400);
    expect((await joinBy(app, guest, code)).status).toBe(200);
  });

  it('is not left behind by a founder who joins another one', async () => {
    const app = testApp(db.storage());
    const [founder, guest, other] = [await app.newUser(), await app.newUser(), await app.newUser()];
    await joinBy(app, guest, await inviteBy(app, founder));
    const refused = await joinBy(app, founder, await inviteBy(app, other));
    expect([refused.status, refused.json.code]).toEqual([409, 'organisation_has_members']);
  });

  it('ends the sessions of a member that is removed, whose account has its own organisation again', async () => {
    const app = testApp(db.storage());
    const [founder, guest] = [await app.newUser(), await app.newUser()];
    await app.newAgent(founder);
    await app.newAgent(guest, 'own');
    await joinBy(app, guest, await inviteBy(app, founder));
    const ended: string[] = [];
    app.deps.streams.relayTo((reader) => ended.push(reader));
    await answerOf(app.call('DELETE', `/api/team/members/${guest.personId}`, founder));
    expect(ended).toHaveLength(1);
    expect((await app.call('GET', '/api/servers/list', guest)).status).toBe(401);
    const local = { email: guest.email, password: TEST_PASSWORD };
    const { token } = await answerOf<{ token: string }>(app.call('POST', '/api/auth/local', { body: local }));
    expect(await serversOf(app, { ...guest, token })).toBe(1);
    expect((await teamOf(app, { ...guest, token })).members).toMatchObject([{ is_you: true, role: 'admin' }]);
  });

  it('applies a new role to the next call', async () => {
    const app = testApp(db.storage());
    const [founder, guest] = [await app.newUser(), await app.newUser()];
    await joinBy(app, guest, await inviteBy(app, founder, { role: 'admin' }));
    const rename = () => app.call('PUT', '/api/team', { ...guest, body: { name: 'X' } });
    expect((await rename()).status).toBe(200);
    const body = { role: 'viewer' };
    await answerOf(app.call('PUT', `/api/team/members/${guest.personId}`, { ...founder, body }));
    expect((await rename()).status).toBe(403);
  });

  it('lets no editor shorten what the organisation keeps', async () => {
    const app = testApp(db.storage());
    const [founder, guest] = [await app.newUser(), await app.newUser()];
    await joinBy(app, guest, await inviteBy(app, founder, { role: 'editor' }));
    const path = '/api/user/retention-settings';
    const body = { metrics_days: 1, alerts_days: 1, events_days: 1, processes_days: 1 };
    expect((await app.call('PUT', path, { ...guest, body })).json.code).toBe('role_insufficient');
    expect((await app.call('POST', `${path}/reset`, guest)).json.code).toBe('role_insufficient');
    expect((await app.call('GET', path, guest)).json.data).toMatchObject({ is_default: true });
  });

  it('keeps its founder, whoever asks', async () => {
    const app = testApp(db.storage());
    const [founder, guest] = [await app.newUser(), await app.newUser()];
    await joinBy(app, guest, await inviteBy(app, founder, { role: 'admin' }));
    const path = `/api/team/members/${founder.personId}`;
    for (const call of [
      app.call('DELETE', path, guest),
      app.call('PUT', path, { ...guest, body: { role: 'viewer' } }),
      app.call('POST', '/api/team/leave', founder),
    ])
      expect((await call).json.code).toBe('founder_stays');
    expect((await app.call('POST', '/api/team/leave', guest)).status).toBe(200);
    expect((await teamOf(app, founder)).members).toHaveLength(1);
  });

  it('ends the other sessions of whoever joins', async () => {
    const app = testApp(db.storage());
    const [founder, guest] = [await app.newUser(), await app.newUser()];
    const local = { email: guest.email, password: TEST_PASSWORD };
    const { token } = await answerOf<{ token: string }>(app.call('POST', '/api/auth/local', { body: local }));
    await joinBy(app, guest, await inviteBy(app, founder));
    expect((await app.call('GET', '/api/team', { token })).status).toBe(401);
    expect((await app.call('GET', '/api/team', guest)).status).toBe(200);
  });

  it('writes who did what into the log of the organisation, with names', async () => {
    const app = testApp(db.storage());
    const [founder, guest] = [await app.newUser('hanna'), await app.newUser('gus')];
    await answerOf(app.call('PUT', '/api/team', { ...founder, body: { name: 'Harbour' } }));
    await inviteBy(app, founder, { role: 'viewer', email: 'ann@example.com' });
    const [open] = (await teamOf(app, founder)).invitations;
    await answerOf(app.call('DELETE', `/api/team/invitations/${String(open?.id)}`, founder));
    await joinBy(app, guest, await inviteBy(app, founder));
    const body = { role: 'viewer' };
    await answerOf(app.call('PUT', `/api/team/members/${guest.personId}`, { ...founder, body }));
    await app.call('DELETE', `/api/team/members/${guest.personId}`, founder);
    expect(await logOf(app, founder)).toMatchObject([
      ['hanna', 'member_removed', { id: guest.personId, member: 'gus' }],
      ['hanna', 'member_changed', { id: guest.personId, member: 'gus', role: 'viewer' }],
      ['gus', 'member_joined', { organisation: 'Harbour', role: 'editor' }],
      ['hanna', 'member_invited', { role: 'editor', email: '' }],
      ['hanna', 'invitation_withdrawn', { role: 'viewer', email: 'ann@example.com' }],
      ['hanna', 'member_invited', { role: 'viewer', email: 'ann@example.com' }],
      ['hanna', 'organisation_renamed', { name: 'Harbour' }],
    ]);
  });

  it('shows in its log what a guest did, with the name of the guest, and nothing of before', async () => {
    const app = testApp(db.storage());
    const [founder, guest] = [await app.newUser('ida'), await app.newUser('jo')];
    const signIn = () =>
      answerOf<{ token: string }>(
        app.call('POST', '/api/auth/local', { body: { email: guest.email, password: TEST_PASSWORD } }),
      );
    await signIn();
    await joinBy(app, guest, await inviteBy(app, founder, { role: 'viewer' }));
    const { token } = await signIn();
    await answerOf(app.call('POST', '/api/auth/logout', { token }));
    await answerOf(app.call('POST', '/api/team/leave', guest));
    expect((await logOf(app, founder)).slice(0, -1)).toMatchObject([
      ['jo', 'member_removed', { member: 'jo', left: 'true' }],
      ['jo', 'signed_out', {}],
      ['jo', 'signed_in', { method: 'local' }],
      ['jo', 'member_joined', { role: 'viewer' }],
    ]);
    const own = await logOf(app, { ...guest, ...(await signIn()) });
    expect(own.map(([, action]) => action)).toEqual(['signed_in', 'member_removed', 'signed_in']);
  });

  it('lets one address try few codes a minute', async () => {
    const app = testApp(db.storage(), { rates: createRates(db.storage().rateLimits) });
    const look = () => app.call('POST', '/api/team/invitations/look', { body: { code: newToken('invite') } });
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await look()).status);
    expect(statuses.at(-1)).toBe(429);
    const body = { code: newToken('invite'), email: address(), password: TEST_PASSWORD };
    expect((await app.call('POST', '/api/team/sign-up', { body })).status).toBe(429);
  });

  it('answers alike to every code that opens nothing', async () => {
    const app = testApp(db.storage());
    const look = (code: string) => app.call('POST', '/api/team/invitations/look', { body: { code } });
    const [unknown, garbage, session] = [await look(newToken('invite')), await look('x'), await look(newToken('code'))];
    expect(new Set([unknown, garbage, session].map(({ status, text }) => `${String(status)} ${text}`)).size).toBe(1);
    expect(unknown.status).toBe(410);
  });
});
