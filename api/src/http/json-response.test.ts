import { gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { jsonResponse, JsonText } from './json-response.ts';
import type { HttpEnv } from './define-route.ts';

const LARGE = { success: true, data: { names: Array.from({ length: 300 }, (_, index) => `server-${String(index)}`) } };
const PATH = '/api/data/metrics';

/** An app whose every call answers `body`, as if it came from `address`. */
function appFor(body: unknown, address = '203.0.113.9') {
  const app = new Hono<HttpEnv>();
  app.use(async (http, next) => {
    http.set('clientAddress', address);
    await next();
  });
  app.all('*', (http) => jsonResponse(http, http.req.path, new JsonText(body)));
  return app;
}

const ask = (app: Hono<HttpEnv>, path = PATH, headers: Record<string, string> = {}, method = 'GET') =>
  Promise.resolve(app.request(path, { method, headers: { 'accept-encoding': 'br, gzip', ...headers } }));

const isPlain = async (answer: Response, body: unknown): Promise<boolean> =>
  answer.headers.get('content-encoding') === null && (await answer.text()) === JSON.stringify(body);

describe('a JSON answer', () => {
  it('is compressed for who takes it, says so, and holds the same', async () => {
    const answer = await ask(appFor(LARGE));
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('etag')).toBeNull();
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBeLessThan(JSON.stringify(LARGE).length / 2);
    expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(LARGE);
  });

  it.each(['', 'br', 'gzip;q=0', 'identity, gzip; q=0.0'])('is plain for who takes only %j', async (accepts) => {
    const answer = await ask(appFor(LARGE), PATH, { 'accept-encoding': accepts });
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(await isPlain(answer, LARGE)).toBe(true);
  });

  it('is plain when it is short', async () => {
    expect(await isPlain(await ask(appFor({ success: true })), { success: true })).toBe(true);
  });

  it.each([
    '/api/auth/profile',
    '/api/auth/sessions',
    '/api/user/api-tokens',
    '/api/user/second-factor',
    '/api/agent/v1/reports',
    '/openapi.json',
  ])('is plain where it may hold a secret, or figures of nobody: %s', async (path) => {
    expect(await isPlain(await ask(appFor(LARGE), path), LARGE)).toBe(true);
  });

  it.each(['POST', 'PUT', 'DELETE'])('to a %s is plain', async (method) => {
    expect(await isPlain(await ask(appFor(LARGE), '/api/servers/x', {}, method), LARGE)).toBe(true);
  });

  it('on the machine itself is plain, unless a proxy on it speaks for somebody else', async () => {
    for (const address of ['127.0.0.1', '::1'])
      expect(await isPlain(await ask(appFor(LARGE, address)), LARGE)).toBe(true);
    const passedOn = await ask(appFor(LARGE, '127.0.0.1'), PATH, { 'x-forwarded-for': '198.51.100.7' });
    expect(passedOn.headers.get('content-encoding')).toBe('gzip');
  });
});
