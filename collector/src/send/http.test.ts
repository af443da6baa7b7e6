import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiAt } from './http.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const api = (url: string) => apiAt(url, (address, init) => fetch(address, init), 'plimsoll/test');

describe('apiAt', () => {
  it('posts gzipped JSON with the token in the header', async () => {
    let seen: unknown;
    const url = await serve((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { authorization, 'content-type': type, 'content-encoding': encoding } = request.headers;
        seen = [
          request.method,
          request.url,
          authorization,
          type,
          encoding,
          gunzipSync(Buffer.concat(parts)).toString(),
        ];
        response.writeHead(503, { 'retry-after': '7' }).end('{"code":"busy"}');
      });
    });
    expect(await api(`${url}/`).post('/x', { a: 1 }, 'secret')).toEqual({
      kind: 'answer',
      status: 503,
      body: { code: 'busy' },
      retryAfterSeconds: 7,
    });
    expect(seen).toEqual(['POST', '/x', 'Bearer secret', 'application/json', 'gzip', '{"a":1}']);
  });

  it('never follows a redirect: the token would go along', async () => {
    let followed = 0;
    const other = await serve((_request, response) => {
      followed += 1;
      response.end('{}');
    });
    const url = await serve((_request, response) => {
      response.writeHead(307, { location: `${other}/x` }).end();
    });
    expect(await api(url).post('/x', {}, 'secret')).toEqual({ kind: 'failed', code: 'redirected' });
    expect(followed).toBe(0);
  });

  it('reads no more than 64 KiB of an answer', async () => {
    let sent = 0;
    const url = await serve((_request, response) => {
      const chunk = Buffer.alloc(65_536, 'x');
      const pump = (): void => {
        while (sent < 500_000_000 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', pump);
        }
      };
      pump();
    });
    expect(await api(url).post('/x', {}, null)).toEqual({ kind: 'failed', code: 'answer_too_large' });
    expect(sent).toBeLessThan(50_000_000);
  });

  it('gives up after the timeout', async () => {
    const url = await serve(() => undefined);
    expect(await api(url).post('/x', {}, null, 50)).toEqual({ kind: 'failed', code: 'timeout' });
  });

  it('gives up on a body that never ends', async () => {
    const url = await serve((_request, response) => {
      response.write('{');
    });
    expect(await api(url).post('/x', {}, null, 100)).toEqual({ kind: 'failed', code: 'timeout' });
  });

  it('names the reason of a refused connection without the address', async () => {
    expect(await api('http://127.0.0.1:1').post('/x', {}, null)).toEqual({ kind: 'failed', code: expect.any(String) });
  });

  it.each([
    ['3600', 600],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 600],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['-3', null],
  ])('obeys Retry-After %j as %s s', async (header, seconds) => {
    const url = await serve((_request, response) => void response.writeHead(503, { 'retry-after': header }).end());
    expect(await api(url).post('/x', {}, null)).toMatchObject({ status: 503, retryAfterSeconds: seconds });
  });

  it('takes a body that is no JSON for none', async () => {
    const url = await serve((_request, response) => void response.writeHead(502).end('<html>'));
    expect(await api(url).post('/x', {}, null)).toMatchObject({ status: 502, body: null, retryAfterSeconds: null });
  });
});
