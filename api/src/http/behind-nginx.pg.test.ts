/** The site of docs/production/nginx.conf in Debian's nginx, as docs/production.md promises it. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { startNginx, type Nginx } from '../testing/nginx.ts';
import { TEST_PASSWORD, testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { listen, type Listening } from './listen.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
let api: Listening;
let nginx: Nginx;

beforeAll(async () => {
  // Without PLIMSOLL_PUBLIC_URL, which alone would make cookies secure: here the headers of the proxy do.
  const settings = { PLIMSOLL_TRUSTED_PROXIES: '127.0.0.1' };
  app = testApp(db.storage(), { settings });
  user = await app.newUser();
  api = await listen(createApp(app.deps).fetch, { host: '127.0.0.1', port: 0 });
  nginx = await startNginx(api.port);
});
afterAll(async () => {
  await nginx.stop();
  await api.close();
});

const JSON_TYPE = { 'content-type': 'application/json' };
const signIn = (headers: Record<string, string> = {}) =>
  nginx.send(
    '/api/auth/local',
    { method: 'POST', headers: { ...JSON_TYPE, ...headers } },
    JSON.stringify({ email: user.email, password: TEST_PASSWORD }),
  );
const withToken = { authorization: '' };

test('plain http leads to the address of the site, whatever host the client names', async () => {
  const answer = await fetch(`http://127.0.0.1:${String(nginx.plainPort)}/servers?x=1`, {
    redirect: 'manual',
    headers: { host: 'evil.example.com' },
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([308, 'https://plimsoll.example.com/servers?x=1']);
});

test('a browser is kept to TLS, and its cookie is secure', async () => {
  const answer = await signIn();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  const session = answer.headers['set-cookie']?.find((line) => line.startsWith('auth_token='));
  expect(session).toMatch(/; Secure/);
  const { data } = JSON.parse(await text(answer)) as { data: { token: string } };
  withToken.authorization = `Bearer ${data.token}`;
});

test('an address that the client claims is not believed', async () => {
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' };
  const answer = await signIn(forged);
  expect(answer.headers['set-cookie']?.every((line) => line.includes('; Secure'))).toBe(true);
  answer.resume();
  const sessions = await text(await nginx.send('/api/auth/sessions', { headers: withToken }));
  expect(sessions).toContain('"address":"127.0.0.1"');
  expect(sessions).not.toContain('203.0.113.9');
});

test('an event leaves at once', async () => {
  const stream = await nginx.send('/api/events', { headers: withToken });
  expect(stream.headers['content-type']).toContain('text/event-stream');
  stream.setEncoding('utf8');
  // nginx would keep so short a text until its buffer is full or the stream ends.
  const [first] = (await stream.take(1).toArray()) as string[];
  expect(first).toMatch(/^(?:event|data|retry|id|:)/);
  app.deps.streams.restartAll();
});

test('the largest report passes, and the API itself answers what is larger', async () => {
  const send = (bytes: number) =>
    nginx.send('/api/agent/v1/reports', { method: 'POST', headers: JSON_TYPE }, Buffer.alloc(bytes, ' '));
  const [allowed, larger] = [await send(1_000_000), await send(1_500_000)];
  expect([allowed.statusCode, larger.statusCode]).toEqual([401, expect.any(Number)]);
  expect(await text(larger)).toContain('"code"');
  allowed.resume();
});

test('the figures of the installation are not public', async () => {
  const answer = await nginx.send('/metrics');
  expect([answer.statusCode, await text(answer)]).toEqual([404, expect.stringContaining('nginx')]);
});
