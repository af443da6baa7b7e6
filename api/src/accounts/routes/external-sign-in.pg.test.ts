import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Answer, type TestApp } from '../../testing/app.ts';
import { startGitHub, type GitHubPerson, type GitHubStandIn } from '../../testing/github-stand-in.ts';
import { startIssuer, type IssuedPerson, type Issuer } from '../../testing/oidc-issuer.ts';
import { testStorage } from '../../testing/postgres.ts';

const ORIGIN = 'http://dash.example:8420';
const ada: IssuedPerson = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, name: 'Ada' };
const octo: GitHubPerson = {
  id: 7,
  login: 'octo',
  name: null,
  email: 'octo@example.org',
  verified: true,
  organisations: ['Crew'],
};

/** Follows redirects as a browser does, with the issuer's cookies, until one leads back to the dashboard. */
async function browse(start: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(start);
  for (let hops = 0; hops < 10; hops += 1) {
    if (url.origin === ORIGIN) return url;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const next = answer.headers.get('location');
    if (next === null) throw new Error(`${String(answer.status)} at ${url.href}: ${await answer.text()}`);
    url = new URL(next, url);
  }
  throw new Error('too many redirects');
}

const cookieOf = (answer: Answer, name: string): string =>
  answer.headers
    .getSetCookie()
    .map((line) => new RegExp(`^${name}=([^;]+)`).exec(line)?.[1])
    .find((value) => value !== undefined) ?? '';

async function begin(app: TestApp, provider: string): Promise<{ url: string; flow: string }> {
  const answer = await app.call('GET', `/api/auth/${provider}`);
  expect(answer.status).toBe(200);
  return { url: (answer.json.data as unknown as { auth_url: string }).auth_url, flow: cookieOf(answer, 'auth_flow') };
}
const comeBack = (app: TestApp, back: URL, flow: string): Promise<Answer> =>
  app.call('GET', back.pathname + back.search, { headers: { cookie: `auth_flow=${flow}` } });
const placeOf = (answer: Answer): string => answer.headers.get('location') ?? '';

async function signIn(app: TestApp, provider: string): Promise<Answer> {
  const { url, flow } = await begin(app, provider);
  return comeBack(app, await browse(url), flow);
}

async function exchange(app: TestApp, answer: Answer, binding = cookieOf(answer, 'auth_binding')): Promise<Answer> {
  const code = placeOf(answer).replace('/auth/callback#access_token=', '');
  return app.call('POST', '/api/auth/exchange', { body: { code }, headers: { cookie: `auth_binding=${binding}` } });
}

const db = testStorage();
const rowsOf = async (table: 'session' | 'account'): Promise<number> =>
  (await db.sql<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`))[0]?.n ?? -1;

describe('an OpenID provider', () => {
  let issuer: Issuer;
  let settings: Record<string, string>;
  beforeAll(async () => {
    issuer = await startIssuer(`${ORIGIN}/api/auth/oidc/callback`, ada);
    settings = {
      PLIMSOLL_PUBLIC_URL: ORIGIN,
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: issuer.clientId,
      OIDC_CLIENT_SECRET: issuer.clientSecret,
      PLIMSOLL_SIGN_UP_DOMAINS: 'example.org',
    };
  });
  afterAll(() => issuer.close());

  test('who may sign up gets an account, once; the second sign-in finds it', async () => {
    const app = testApp(db.storage(), { settings });
    const first = await signIn(app, 'oidc');
    expect([first.status, placeOf(first)]).toEqual([
      302,
      expect.stringMatching(/^\/auth\/callback#access_token=plm_code_/),
    ]);
    const session = await exchange(app, first);
    const { token } = session.json.data as unknown as { token: string };
    const profile = await app.call('GET', '/api/auth/profile', { token });
    expect(profile.json.data).toMatchObject({ user: { email: 'ada@example.org', name: 'Ada' } });
    expect((await exchange(app, first)).json.code).toBe('code_invalid');
    const accounts = await rowsOf('account');
    expect((await exchange(app, await signIn(app, 'oidc'))).status).toBe(200);
    expect(await rowsOf('account')).toBe(accounts);
  });

  test('no rule names them: no account, no session', async () => {
    const { PLIMSOLL_SIGN_UP_DOMAINS: _open, ...closed } = settings;
    await db.sql("DELETE FROM account WHERE email = 'ada@example.org'");
    const app = testApp(db.storage(), { settings: closed });
    const [accounts, sessions] = [await rowsOf('account'), await rowsOf('session')];
    expect(placeOf(await signIn(app, 'oidc'))).toBe('/auth/callback#error=sign_up_closed');
    expect([await rowsOf('account'), await rowsOf('session')]).toEqual([accounts, sessions]);
  });

  test('an account with the same address is not taken over', async () => {
    const app = testApp(db.storage(), { settings });
    await db.sql("DELETE FROM account WHERE email = 'ada@example.org'");
    await db.storage().accounts.create({ email: ada.email, name: 'Another', passwordHash: null }, app.clock.now());
    expect(placeOf(await signIn(app, 'oidc'))).toBe('/auth/callback#error=email_taken');
    await db.sql("DELETE FROM account WHERE email = 'ada@example.org'");
  });

  describe('groups of the issuer', () => {
    const withGroups = () => ({
      ...Object.fromEntries(Object.entries(settings).filter(([name]) => name !== 'PLIMSOLL_SIGN_UP_DOMAINS')),
      OIDC_ADMIN_GROUPS: 'ops',
      OIDC_VIEWER_GROUPS: 'staff, guests',
    });
    const signInAs = async (app: TestApp, groups: string[] | undefined): Promise<Answer> => {
      if (groups === undefined) delete ada.groups;
      else ada.groups = groups;
      return signIn(app, 'oidc');
    };
    const tokenOf = async (app: TestApp, answer: Answer): Promise<string> =>
      ((await exchange(app, answer)).json.data as unknown as { token: string }).token;
    const roleOf = async (app: TestApp, token: string): Promise<unknown> =>
      (await app.call('GET', '/api/auth/profile', { token })).json.data?.['user']?.['role'];
    const organisationOf = async (): Promise<unknown> =>
      (
        await db.sql(
          'SELECT organisation_id FROM membership WHERE account_id = (SELECT id FROM account WHERE email = $1)',
          [ada.email],
        )
      )[0];
    const oldest = async (): Promise<unknown> =>
      (await db.sql('SELECT id AS organisation_id FROM account ORDER BY created_at, id LIMIT 1'))[0];
    // All accounts of a test begin at one moment of its clock: only this one may be the oldest.
    beforeEach(async () => {
      await db.sql("DELETE FROM account WHERE email IN ('ada@example.org', 'first@example.com')");
      await db.sql("INSERT INTO account (email, name, created_at) VALUES ('first@example.com', 'First', 'epoch')");
    });

    test('give an account and a role in the organisation of the first account, anew at each sign-in', async () => {
      const app = testApp(db.storage(), { settings: withGroups() });
      const viewer = await tokenOf(app, await signInAs(app, ['staff', 'football']));
      expect([await roleOf(app, viewer), await organisationOf()]).toEqual(['viewer', await oldest()]);
      const admin = await tokenOf(app, await signInAs(app, ['staff', 'ops']));
      expect(await roleOf(app, admin)).toBe('admin');
    });

    test('that give no role let nobody in, and end what they gave before with its sessions', async () => {
      const app = testApp(db.storage(), { settings: withGroups() });
      for (const none of [[], ['OPS'], undefined])
        expect(placeOf(await signInAs(app, none))).toBe('/auth/callback#error=sign_up_closed');
      const token = await tokenOf(app, await signInAs(app, ['ops']));
      const left = await tokenOf(app, await signInAs(app, ['football']));
      expect((await app.call('GET', '/api/team', { token })).status).toBe(401);
      expect([await roleOf(app, left), await organisationOf()]).not.toEqual(['admin', await oldest()]);
      expect((await app.call('GET', '/api/team', { token: left })).json.data).toMatchObject({
        members: [{ is_you: true }],
      });
    });

    test('leave a membership by invitation as it is', async () => {
      const app = testApp(db.storage(), { settings: { ...withGroups(), PLIMSOLL_SIGN_UP_DOMAINS: 'example.org' } });
      const other = await app.newUser();
      const token = await tokenOf(app, await signInAs(app, []));
      const invited = await app.call('POST', '/api/team/invitations', { ...other, body: { role: 'editor' } });
      const { code } = invited.json.data as unknown as { code: string };
      await app.call('POST', '/api/team/join', { token, body: { code } });
      for (const groups of [['ops'], []]) await signInAs(app, groups);
      expect(await organisationOf()).toEqual({ organisation_id: other.personId });
    });

    test('mean nothing where no setting names them', async () => {
      const app = testApp(db.storage(), { settings });
      await signInAs(app, ['ops']);
      expect(await organisationOf()).not.toEqual(await oldest());
    });
  });

  test('wrong state, wrong nonce, reused state, too late, another browser: coded errors and no session', async () => {
    const app = testApp(db.storage(), { settings });
    const sessions = await rowsOf('session');
    const error = async (answer: Promise<Answer>): Promise<string> =>
      placeOf(await answer).replace('/auth/callback#error=', '');
    const fresh = async (): Promise<{ back: URL; flow: string }> => {
      const { url, flow } = await begin(app, 'oidc');
      return { back: await browse(url), flow };
    };

    const forged = await fresh();
    forged.back.searchParams.set('state', 'forged');
    expect(await error(comeBack(app, forged.back, forged.flow))).toBe('state_invalid');

    const { url, flow } = await begin(app, 'oidc');
    const wrongNonce = new URL(url);
    wrongNonce.searchParams.set('nonce', 'forged');
    expect(await error(comeBack(app, await browse(wrongNonce.href), flow))).toBe('provider_failed');

    const used = await fresh();
    const finished = await comeBack(app, used.back, used.flow);
    expect(placeOf(finished)).toContain('#access_token=');
    expect(await error(comeBack(app, used.back, used.flow))).toBe('state_invalid');

    const late = await fresh();
    app.clock.pass(601);
    expect(await error(comeBack(app, late.back, late.flow))).toBe('state_invalid');

    const stolen = await fresh();
    expect(await error(comeBack(app, stolen.back, 'of another browser'))).toBe('state_invalid');
    expect((await exchange(app, finished, 'of another browser')).json.code).toBe('code_invalid');
    app.clock.pass(301);
    expect((await exchange(app, finished)).json.code).toBe('code_invalid');

    const code = await fresh();
    code.back.searchParams.set('code', 'forged');
    expect(await error(comeBack(app, code.back, code.flow))).toBe('provider_failed');
    expect(await rowsOf('session')).toBe(sessions);
  });

  test.each([
    'https://evil.example/auth/callback',
    `${ORIGIN}/auth/callback/../x`,
    `${ORIGIN}.evil.example/auth/callback`,
  ])('redirect_uri %s is refused', async (uri) => {
    const app = testApp(db.storage(), { settings });
    const answer = await app.call('GET', `/api/auth/oidc?redirect_uri=${encodeURIComponent(uri)}`);
    expect([answer.status, answer.json.field]).toEqual([400, 'redirect_uri']);
  });

  test.each([
    ['true', true],
    [false, false],
    ['false', false],
    ['', false],
  ])('an address verified as %j: let in %s', async (verified, may) => {
    const person = { ...ada, sub: `verified-${String(verified)}`, email_verified: verified };
    const other = await startIssuer(`${ORIGIN}/api/auth/oidc/callback`, person);
    await db.sql("DELETE FROM account WHERE email = 'ada@example.org'");
    const app = testApp(db.storage(), { settings: { ...settings, OIDC_ISSUER: other.url } });
    const place = placeOf(await signIn(app, 'oidc'));
    await other.close();
    expect(place.replace(/plm_code_.*/, 'CODE')).toBe(
      may ? '/auth/callback#access_token=CODE' : '/auth/callback#error=sign_up_closed',
    );
  });

  test('an issuer that does not answer is a coded error', async () => {
    const app = testApp(db.storage(), { settings: { ...settings, OIDC_ISSUER: 'http://127.0.0.1:1' } });
    const answer = await app.call('GET', '/api/auth/oidc');
    expect([answer.status, answer.json.code]).toEqual([401, 'provider_failed']);
  });
});

/** An invitation to a new organisation. */
async function invited(app: TestApp, email: string | null) {
  const admin = await app.newUser();
  const body = { role: 'viewer', email };
  const made = await app.call('POST', '/api/team/invitations', { token: admin.token, body });
  return { admin, code: (made.json.data as unknown as { code: string }).code };
}

/** Signs an invited person in at a provider. */
async function signInInvited(app: TestApp, provider: string, code: string): Promise<Answer> {
  const answer = await app.call('POST', '/api/team/sign-in', { body: { code, provider } });
  expect(answer.status).toBe(200);
  const { auth_url: url } = answer.json.data as unknown as { auth_url: string };
  return comeBack(app, await browse(url), cookieOf(answer, 'auth_flow'));
}

const membersOf = async (app: TestApp, token: string): Promise<unknown> =>
  (await app.call('GET', '/api/team', { token })).json.data?.['members'];

describe('an invited person while nobody may sign up', () => {
  let issuer: Issuer;
  let app: TestApp;
  beforeAll(async () => {
    issuer = await startIssuer(`${ORIGIN}/api/auth/oidc/callback`, ada);
  });
  afterAll(() => issuer.close());
  beforeEach(async () => {
    await db.sql("DELETE FROM account WHERE email = 'ada@example.org'");
    delete ada.groups;
    app = testApp(db.storage(), { settings: settingsOf(issuer) });
  });
  const settingsOf = ({ url, clientId, clientSecret }: Issuer): Record<string, string> => ({
    PLIMSOLL_PUBLIC_URL: ORIGIN,
    OIDC_ISSUER: url,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  });

  test.each([null, 'ADA@example.org'])(
    'joins by the provider, invited as %s, and needs no invitation again',
    async (email) => {
      const { admin, code } = await invited(app, email);
      const answer = await signInInvited(app, 'oidc', code);
      expect(placeOf(answer)).toMatch(/^\/auth\/callback#access_token=plm_code_[\w-]+&joined=1$/);
      expect(await membersOf(app, admin.token)).toMatchObject([
        { is_founder: true },
        { email: ada.email, role: 'viewer' },
      ]);
      const again = await app.call('POST', '/api/team/sign-in', { body: { code, provider: 'oidc' } });
      expect([again.status, again.json.code]).toEqual([410, 'invitation_invalid']);
      expect(placeOf(await signIn(app, 'oidc'))).toMatch(/#access_token=plm_code_[\w-]+$/);
    },
  );

  test('keeps the role and the organisation of the invitation, whatever groups of the issuer give', async () => {
    const settings = { OIDC_ADMIN_GROUPS: 'ops', OIDC_VIEWER_GROUPS: 'staff' };
    const grouped = testApp(db.storage(), { settings: { ...settingsOf(issuer), ...settings } });
    for (const groups of [['ops'], []]) {
      await db.sql("DELETE FROM account WHERE email = 'ada@example.org'");
      ada.groups = groups;
      const { admin, code } = await invited(grouped, null);
      expect(placeOf(await signInInvited(grouped, 'oidc', code))).toContain('&joined=1');
      expect(await membersOf(grouped, admin.token)).toMatchObject([
        { is_founder: true },
        { email: ada.email, role: 'viewer' },
      ]);
    }
  });

  test('is refused with another address than the invited one, and the invitation stays', async () => {
    const { admin, code } = await invited(app, 'bob@example.org');
    expect(placeOf(await signInInvited(app, 'oidc', code))).toBe('/auth/callback#error=invitation_other_address');
    expect(await membersOf(app, admin.token)).toHaveLength(1);
    expect(await db.sql("SELECT id FROM account WHERE email = 'ada@example.org'")).toEqual([]);
    expect((await app.call('POST', '/api/team/invitations/look', { body: { code } })).status).toBe(200);
  });

  test('is refused with an address that the provider has not verified', async () => {
    const unverified = await startIssuer(`${ORIGIN}/api/auth/oidc/callback`, { ...ada, email_verified: false });
    app = testApp(db.storage(), { settings: settingsOf(unverified) });
    const { code } = await invited(app, null);
    expect(placeOf(await signInInvited(app, 'oidc', code))).toBe('/auth/callback#error=invitation_other_address');
    await unverified.close();
  });

  test('is refused when the invitation was withdrawn meanwhile, and does not take over an account', async () => {
    const { code } = await invited(app, null);
    const begun = await app.call('POST', '/api/team/sign-in', { body: { code, provider: 'oidc' } });
    const { auth_url: url } = begun.json.data as unknown as { auth_url: string };
    const back = await browse(url);
    await db.sql('DELETE FROM invitation');
    expect(placeOf(await comeBack(app, back, cookieOf(begun, 'auth_flow')))).toBe(
      '/auth/callback#error=invitation_invalid',
    );
    const other = await invited(app, null);
    await db.storage().accounts.create({ email: ada.email, name: 'Another', passwordHash: null }, app.clock.now());
    expect(placeOf(await signInInvited(app, 'oidc', other.code))).toBe('/auth/callback#error=email_taken');
    expect((await app.call('POST', '/api/team/invitations/look', { body: { code: other.code } })).status).toBe(200);
  });

  test('with an account signs in, and decides on the page of the invitation', async () => {
    const first = await invited(app, null);
    await signInInvited(app, 'oidc', first.code);
    const second = await invited(app, null);
    const answer = await signInInvited(app, 'oidc', second.code);
    expect(placeOf(answer)).toMatch(/#access_token=plm_code_[\w-]+$/);
    const { token } = (await exchange(app, answer)).json.data as unknown as { token: string };
    expect((await app.call('POST', '/api/team/join', { token, body: { code: second.code } })).status).toBe(200);
    expect(await membersOf(app, second.admin.token)).toHaveLength(2);
  });
});

describe('GitHub', () => {
  let github: GitHubStandIn;
  const settingsOf = (rule: Record<string, string>): Record<string, string> => ({
    PLIMSOLL_PUBLIC_URL: ORIGIN,
    GITHUB_URL: github.url,
    GITHUB_CLIENT_ID: 'id',
    GITHUB_CLIENT_SECRET: 'secret',
    ...rule,
  });
  beforeAll(async () => {
    github = await startGitHub(octo);
  });
  afterAll(() => github.close());

  test('a member of an allowed organisation gets in, with the GitHub name on the profile', async () => {
    const app = testApp(db.storage(), { settings: settingsOf({ PLIMSOLL_SIGN_UP_GITHUB_ORGANISATIONS: 'crew' }) });
    const session = await exchange(app, await signIn(app, 'github'));
    const { token } = session.json.data as unknown as { token: string };
    const profile = await app.call('GET', '/api/auth/profile', { token });
    expect(profile.json.data).toMatchObject({
      user: { github_username: 'octo', email: 'octo@example.org', name: 'octo' },
    });
  });

  test('an invited person joins by the primary address that GitHub has verified, with sign-up closed', async () => {
    await db.sql('DELETE FROM account WHERE email = $1', [octo.email]);
    const app = testApp(db.storage(), { settings: settingsOf({}) });
    const other = await invited(app, 'somebody@example.org');
    expect(placeOf(await signInInvited(app, 'github', other.code))).toBe(
      '/auth/callback#error=invitation_other_address',
    );
    const { admin, code } = await invited(app, octo.email);
    expect(placeOf(await signInInvited(app, 'github', code))).toContain('&joined=1');
    expect(await membersOf(app, admin.token)).toMatchObject([
      { is_founder: true },
      { email: octo.email, role: 'viewer' },
    ]);
  });

  test('"bad code" with status 200 is an error, not a sign-in', async () => {
    const app = testApp(db.storage(), { settings: settingsOf({ PLIMSOLL_SIGN_UP_EMAILS: octo.email }) });
    const { url, flow } = await begin(app, 'github');
    const back = await browse(url);
    back.searchParams.set('code', 'bad');
    expect(placeOf(await comeBack(app, back, flow))).toBe('/auth/callback#error=provider_failed');
  });

  test('an address GitHub has not verified opens nothing', async () => {
    const unverified = await startGitHub({ ...octo, id: 8, verified: false });
    const app = testApp(db.storage(), {
      settings: { ...settingsOf({ PLIMSOLL_SIGN_UP_EMAILS: octo.email }), GITHUB_URL: unverified.url },
    });
    expect(placeOf(await signIn(app, 'github'))).toBe('/auth/callback#error=sign_up_closed');
    await unverified.close();
  });
});

test('without PLIMSOLL_PUBLIC_URL a provider signs in at loopback only, and its button names the setting elsewhere', async () => {
  const github = { GITHUB_CLIENT_ID: 'x', GITHUB_CLIENT_SECRET: 'y' };
  const app = testApp(db.storage(), { settings: github });
  const buttonAt = async (host: string, of = app): Promise<unknown> => {
    const { json } = await of.call('GET', `http://${host}/api/auth/methods`);
    const { methods } = json.data as unknown as { methods: { id: string; enabled: boolean; reason: string | null }[] };
    return methods.find(({ id }) => id === 'github');
  };
  const beginAt = async (host: string, of = app): Promise<unknown[]> => {
    const { status, json } = await of.call('GET', `http://${host}/api/auth/github`);
    return [status, json.code, json.remedy?.includes('PLIMSOLL_PUBLIC_URL')];
  };
  for (const host of ['localhost:8420', '127.0.0.1:8420', '[::1]:8420']) {
    expect(await buttonAt(host)).toMatchObject({ enabled: true, reason: null });
    expect(await beginAt(host)).toEqual([200, undefined, undefined]);
  }
  for (const host of ['192.168.1.10:8420', 'dash.example', 'localhost.evil.example']) {
    const reason = 'Not available at this address: set PLIMSOLL_PUBLIC_URL';
    expect(await buttonAt(host)).toMatchObject({ enabled: false, reason });
    expect(await beginAt(host)).toEqual([409, 'sign_in_not_configured', true]);
    const back = await app.call('GET', `http://${host}/api/auth/github/callback?code=x&state=y`);
    expect([back.status, placeOf(back)]).toEqual([302, '/auth/callback#error=sign_in_not_configured']);
  }
  const set = testApp(db.storage(), { settings: { ...github, PLIMSOLL_PUBLIC_URL: ORIGIN } });
  expect(await buttonAt('192.168.1.10:8420', set)).toMatchObject({ enabled: true });
  expect(await beginAt('192.168.1.10:8420', set)).toEqual([200, undefined, undefined]);
});
