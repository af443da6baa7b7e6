/** Whose requests are counted together: an account's, an address's; nobody waits for somebody else. */
import { USER_JSON_BYTES } from '@plimsoll/contract/rules/limits';
import { expect, test } from 'vitest';
import { machineHash, testApp, type Answer } from '../../testing/app.ts';
import { noLimits } from '../../testing/no-limits.ts';
import { testStorage } from '../../testing/postgres.ts';
import { RateLimit } from './rate-limit.ts';
import { SpreadLimit } from './spread-limit.ts';

const db = testStorage();
const few = (): RateLimit => new RateLimit({ perSecond: 1 / 60, burst: 2 });
const SETTINGS = { PLIMSOLL_TRUSTED_PROXIES: '127.0.0.1' };
const ratesOf = (limited: 'user' | 'largeBody' | 'enrol') => {
  return { settings: SETTINGS, rates: { ...noLimits(), [limited]: few() } };
};
const told = ({ status, json, headers }: Answer) => [status, json.code, headers.get('retry-after')];
const REFUSED = [429, 'too_many_requests', '60'];

test('an account has its rate, whatever session or address it calls from', async () => {
  const app = testApp(db.storage(), ratesOf('user'));
  const [user, other] = [await app.newUser(), await app.newUser()];
  const ask = (token: string, address: string) =>
    app.call('GET', '/api/auth/profile', { token, headers: { 'x-forwarded-for': address } });
  const issued = await app.call('POST', '/api/user/generate-auth-token', { ...user, body: { name: 'ci' } });
  const { token } = issued.json.data as unknown as { token: string };
  expect((await ask(user.token, '203.0.113.1')).status).toBe(200);
  expect(told(await ask(token, '203.0.113.2'))).toEqual(REFUSED);
  expect(told(await ask(user.token, '203.0.113.3'))).toEqual(REFUSED);
  expect((await ask(other.token, '203.0.113.1')).status).toBe(200);
  app.clock.pass(60);
  expect((await ask(token, '203.0.113.2')).status).toBe(200);
});

test('large bodies have a rate of their own, whose small ones and other calls are not counted', async () => {
  const app = testApp(db.storage(), ratesOf('largeBody'));
  const [user, other] = [await app.newUser(), await app.newUser()];
  const importOf = (yaml: string, { token } = user, headers = {}) => {
    const body = { dry_run: true, yaml };
    const length = { 'content-length': String(Buffer.byteLength(JSON.stringify(body))) };
    return app.call('POST', '/api/alerts/rules/import', { token, body, headers: { ...length, ...headers } });
  };
  const large = `# ${'x'.repeat(USER_JSON_BYTES)}\nrules: []`;
  for (const _ of [1, 2]) expect((await importOf(large)).status).not.toBe(429);
  expect(told(await importOf(large))).toEqual(REFUSED);
  // The length of a packed body says nothing of what it holds.
  expect(told(await importOf('rules: []', user, { 'content-encoding': 'gzip' }))).toEqual(REFUSED);
  expect((await importOf('rules: []')).status).not.toBe(429);
  expect((await app.call('GET', '/api/auth/profile', user)).status).toBe(200);
  expect((await importOf(large, other)).status).not.toBe(429);
  app.clock.pass(60);
  expect((await importOf(large)).status).not.toBe(429);
});

test('enrolling is counted by address, also with tokens nobody knows', async () => {
  const app = testApp(db.storage(), ratesOf('enrol'));
  const body = { enrolment_token: 'x', machine_hash: machineHash('m'), hostname: 'm' };
  const ask = (address: string) =>
    app.call('POST', '/api/agent/v1/enrol', { body, headers: { 'x-forwarded-for': address } });
  for (const _ of [1, 2]) expect((await ask('203.0.113.1')).json.code).toBe('enrolment_token_unknown');
  expect(told(await ask('203.0.113.1'))).toEqual(REFUSED);
  // Half a second later 59.5 s are left: who waits as told must be let in.
  app.clock.pass(0.5);
  expect(told(await ask('203.0.113.1'))).toEqual(REFUSED);
  expect((await ask('203.0.113.2')).json.code).toBe('enrolment_token_unknown');
  // An IPv6 line has 64 bits to choose from.
  for (const end of [':1', 'ffff:0:2:3']) expect((await ask(`2001:db8:1:2:${end}`)).status).toBe(401);
  expect(told(await ask('2001:db8:1:2:3:4:5:6'))).toEqual(REFUSED);
  expect((await ask('2001:db8:1:3::1')).status).toBe(401);
});

test('machines with a good token enrol beside others of their address, each refused one at a time of its own', async () => {
  const enrolToken = new SpreadLimit({ perSecond: 1, burst: 3 });
  const app = testApp(db.storage(), { settings: SETTINGS, rates: { ...noLimits(), enrol: few(), enrolToken } });
  const user = await app.newUser();
  const issue = async (): Promise<string> => {
    const { json } = await app.call('POST', '/api/user/enrolment-tokens', user);
    return (json.data as unknown as { token: string }).token;
  };
  const [token, other] = [await issue(), await issue()];
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  let machines = 0;
  const enrol = (with_: string) => {
    machines += 1;
    const hostname = `m${String(machines)}`;
    const body = { enrolment_token: with_, machine_hash: machineHash(hostname), hostname };
    return app.call('POST', '/api/agent/v1/enrol', { body, headers });
  };
  // The first one shows that the token is good; the address has two tries for tokens that are not known.
  for (let n = 0; n < 4; n += 1) expect((await enrol(token)).status).toBe(200);
  expect([told(await enrol(token)), told(await enrol(token))]).toEqual([
    [429, 'too_many_requests', '1'],
    [429, 'too_many_requests', '2'],
  ]);
  expect((await enrol(other)).status).toBe(200);
  expect(told(await enrol('x'))).toEqual(REFUSED);
  app.clock.pass(1);
  expect((await enrol(token)).status).toBe(200);
});
