import { expect, test } from 'vitest';
import type { Storage, Stores } from '../storage.ts';
import { hashPassword } from './passwords.ts';
import { hashToken, newToken } from './tokens.ts';
import { TEST_PASSWORD, testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();

/** Storage whose audit log fails within a transaction. */
const failing = (storage: Storage): Storage => ({
  ...storage,
  inTransaction: (work) => storage.inTransaction((stores) => work(withoutLog(stores))),
});
const withoutLog = (stores: Stores): Stores => ({
  ...stores,
  tenancy: {
    ...stores.tenancy,
    audit: { ...stores.tenancy.audit, record: () => Promise.reject(new Error('the log is full')) },
  },
});

const TABLES = ['account', 'session', 'api_token', 'remembered_device', 'sign_in_code', 'membership', 'invitation'];
const SETTINGS = ['organisation', 'retention_setting', 'audit_log'];
const contents = () =>
  Promise.all([...TABLES, ...SETTINGS].map((table) => db.sql(`SELECT * FROM ${table} t ORDER BY t::text`)));

async function invite(app: TestApp, by: TestUser): Promise<string> {
  const answer = await app.call('POST', '/api/team/invitations', { ...by, body: { role: 'viewer' } });
  return (answer.json.data as unknown as { code: string }).code;
}

interface World {
  app: TestApp;
  user: TestUser;
  guest: TestUser;
}
interface Refused {
  name: string;
  /** Prepares the call and returns it. */
  call: (world: World) => Promise<[method: string, path: string, options: object]>;
}
const settings = { metrics_days: 7, alerts_days: 7, events_days: 7, processes_days: 7 };
const CALLS: Refused[] = [
  {
    name: 'a sign-in',
    call: async ({ user }) => ['POST', '/api/auth/local', { body: { email: user.email, password: TEST_PASSWORD } }],
  },
  {
    name: 'a code',
    call: async ({ app, user: { personId } }) => {
      const code = newToken('code');
      const kept = { codeHash: hashToken(code), personId, bindingHash: null, expiresAt: app.clock.now() + 60_000 };
      await db.storage().signInCodes.create(kept, app.clock.now());
      return ['POST', '/api/auth/exchange', { body: { code } }];
    },
  },
  {
    name: 'a sign-up by invitation',
    call: async ({ app, user }) => {
      const body = { code: await invite(app, user), email: 'new@example.com', password: TEST_PASSWORD };
      return ['POST', '/api/team/sign-up', { body }];
    },
  },
  {
    name: 'a password',
    call: async ({ user }) => {
      const body = { current_password: TEST_PASSWORD, new_password: 'another battery staple' };
      return ['PUT', '/api/auth/password', { ...user, body }];
    },
  },
  { name: 'a sign-out', call: async ({ user }) => ['POST', '/api/auth/logout', user] },
  { name: 'a token', call: async ({ user }) => ['POST', '/api/user/generate-auth-token', user] },
  {
    name: 'retention',
    call: async ({ user }) => ['PUT', '/api/user/retention-settings', { ...user, body: settings }],
  },
  {
    name: 'a planned deletion',
    call: async ({ user }) => ['DELETE', '/api/user/account', { ...user, body: { email: user.email, in_days: 3 } }],
  },
  { name: 'a name', call: async ({ user }) => ['PUT', '/api/team', { ...user, body: { name: 'Other' } }] },
  {
    name: 'an invitation',
    call: async ({ user }) => ['POST', '/api/team/invitations', { ...user, body: { role: 'viewer' } }],
  },
  {
    name: 'a new member',
    call: async ({ app, user, guest }) => [
      'POST',
      '/api/team/join',
      { ...guest, body: { code: await invite(app, user) } },
    ],
  },
  {
    name: 'a removal',
    call: async ({ app, user, guest }) => {
      await app.call('POST', '/api/team/join', { ...guest, body: { code: await invite(app, user) } });
      return ['DELETE', `/api/team/members/${guest.personId}`, user];
    },
  },
];

test.each(CALLS)('$name that cannot be recorded changes nothing', async ({ call }) => {
  const app = testApp(db.storage());
  const world = { app, user: await app.newUser(), guest: await app.newUser() };
  const [method, path, options] = await call(world);
  const refusing = testApp(failing(db.storage()));
  const before = await contents();
  expect((await refusing.call(method, path, options)).status).toBe(500);
  expect(await contents()).toEqual(before);
});

test('a password that changes during a sign-in with the old one opens no session', async () => {
  const storage = db.storage();
  const app = testApp({
    ...storage,
    inTransaction: async (work) => {
      const { passwordHash = null } = (await storage.accounts.findByEmail(user.email)) ?? {};
      await storage.accounts.replaceHash(user.personId, passwordHash, await hashPassword('another battery staple'));
      return storage.inTransaction(work);
    },
  });
  const user = await app.newUser();
  const body = { email: user.email, password: TEST_PASSWORD };
  expect((await app.call('POST', '/api/auth/local', { body })).json.code).toBe('credentials_invalid');
  expect(await storage.identity.sessionList.list(user.personId, app.clock.now())).toHaveLength(1);
});

test('a session that ends during its refresh is not replaced', async () => {
  const storage = db.storage();
  const app = testApp({
    ...storage,
    inTransaction: async (work) => {
      await db.sql('DELETE FROM session WHERE account_id = $1', [user.personId]);
      return storage.inTransaction(work);
    },
  });
  const user = await app.newUser();
  expect((await app.call('POST', '/api/auth/refresh', user)).status).toBe(401);
  expect(await storage.identity.sessionList.list(user.personId, app.clock.now())).toEqual([]);
});
