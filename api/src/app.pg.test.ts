import { describe, expect, test } from 'vitest';
import { createMetricsApp } from './app.ts';
import { testApp } from './testing/app.ts';
import { testStorage } from './testing/postgres.ts';

const db = testStorage();

describe('what is no call', () => {
  test.each([
    ['GET', '/api/nothing', 404],
    ['GET', '/api/servers/list/', 404],
    ['GET', '//api/servers/list', 404],
    ['GET', '/api//servers/list', 404],
    ['GET', '/api/servers/%2e%2e/list', 404],
    ['POST', '/api/servers/list', 405],
    ['PATCH', '/api/auth/profile', 405],
    ['GET', `/api/servers/list?search=${'x'.repeat(9000)}`, 414],
  ])('%s %s is %d in JSON', async (method, path, status) => {
    const answer = await testApp(db.storage()).call(method, path);
    expect([answer.status, answer.json.success]).toEqual([status, false]);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  test('405 names what is known', async () => {
    const answer = await testApp(db.storage()).call('POST', '/api/servers/list');
    expect(answer.headers.get('allow')).toBe('GET');
  });
});

describe('bodies of users', () => {
  const send = (body: string, contentType: string) =>
    testApp(db.storage()).call('POST', '/api/auth/local', { body, headers: { 'content-type': contentType } });
  test.each([
    ['a form', 'email=a', 'application/x-www-form-urlencoded', 415],
    ['text', '{}', 'text/plain', 415],
    ['JSON by another name', '{}', 'application/jsonp', 415],
    ['broken', '{"email":', 'application/json', 400],
    ['too large', `"${'x'.repeat(70_000)}"`, 'application/json', 413],
    ['__proto__', '{"__proto__":{"email":"a@b.cd","password":"x"}}', 'application/json', 400],
    ['NUL', '{"email":"a\\u0000@b.cd","password":"x"}', 'application/json', 400],
    ['a lone surrogate', '{"email":"a@b.cd","password":"\\ud800"}', 'application/json', 400],
    ['an array', '[]', 'application/json; charset=utf-8', 400],
  ])('%s', async (_name, body, contentType, status) => {
    expect((await send(body, contentType)).status).toBe(status);
  });
});

test.each(['/healthz', '/api/servers/list', '/api/nothing', '/install.sh', '/landing', '/openapi.json'])(
  'what a browser may do with %s stands in its headers',
  async (path) => {
    const { headers } = await testApp(db.storage()).call('GET', path);
    const policy = headers.get('content-security-policy') ?? '';
    for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"])
      expect(policy.split('; ')).toContain(directive);
    expect(policy).not.toMatch(/unsafe-(?:inline|eval)/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('content-type')).toBeTruthy();
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(path.startsWith('/api/') && headers.get('cache-control') !== 'no-store').toBe(false);
  },
);

test('an unexpected failure says nothing but where to look', async () => {
  const storage = {
    ...db.storage(),
    accounts: { ...db.storage().accounts, count: () => Promise.reject(new Error('secret table')) },
  };
  const answer = await testApp(storage).call('GET', '/api/auth/methods');
  expect([answer.status, answer.json.code]).toEqual([500, 'internal']);
  expect(answer.text).not.toContain('secret');
  expect(answer.json.detail).toContain(answer.headers.get('x-request-id'));
});

test('healthz, readyz, metrics and the description answer', async () => {
  const app = testApp(db.storage());
  expect((await app.call('GET', '/healthz')).json).toEqual({ status: 'ok' });
  expect((await app.call('GET', '/readyz')).json).toEqual({ status: 'ok' });
  const metrics = await app.call('GET', '/metrics');
  expect(metrics.text).toContain('plimsoll_http_request_seconds_count{method="GET",route="/readyz",status="200"} 1');
  expect((await app.call('GET', '/openapi.json')).json).toMatchObject({ openapi: '3.1.0' });
});

test('with a port of its own, /metrics is on that port only, and that port has nothing else', async () => {
  const app = testApp(db.storage(), { settings: { PLIMSOLL_METRICS_PORT: '9464' } });
  const closed = await app.call('GET', '/metrics');
  expect([closed.status, closed.json.code]).toEqual([404, 'not_found']);
  expect(closed.text).not.toContain('plimsoll_');
  const own = createMetricsApp(app.deps);
  expect(await (await own.request('/metrics')).text()).toContain('plimsoll_http_request_seconds');
  const others = ['/', '/api/health', '/healthz', '/openapi.json'].map(async (path) => own.request(path));
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect((await own.request('/metrics', { method: 'POST' })).status).toBe(405);
});

test('the page of calls names every one and no address outside', async () => {
  const { text, headers } = await testApp(db.storage()).call('GET', '/api/docs');
  expect(headers.get('content-type')).toContain('text/html');
  expect(text).toContain('<code>GET /api/servers/{id}</code>');
  expect(text).not.toMatch(/https?:\/\/|<script|<style/);
});

test('not ready while the database does not answer', async () => {
  const storage = { ...db.storage(), ping: () => Promise.reject(new Error('connect ECONNREFUSED')) };
  const answer = await testApp(storage).call('GET', '/readyz');
  expect([answer.status, answer.json.code, answer.headers.get('retry-after')]).toEqual([
    503,
    'storage_unavailable',
    '5',
  ]);
});
