import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unknownCertificate } from '../../testing/certificate.ts';
import { ApiError } from './api-error.ts';
import { Connection, type Credentials, readText } from './connection.ts';

const certificate = unknownCertificate();

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
async function connectionTo(answer: RequestListener, more: Partial<Credentials> = {}) {
  const server = createServer(answer);
  const server_ = `http://127.0.0.1:${await listening(server)}`;
  const connection = new Connection({ server: server_, token: () => Promise.resolve('t'), ...more });
  onTestFinished(() => connection.close());
  return { connection, server };
}
const failureOf = async (asked: Promise<unknown>): Promise<ApiError> => {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`no ApiError but ${String(error)}`);
  return error;
};

describe('Connection', () => {
  it('signs each request, and sends a body with its type', async () => {
    const seen: unknown[] = [];
    const { connection } = await connectionTo((request, answer) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const { authorization, accept, 'content-type': type } = request.headers;
        seen.push([request.method, request.url, authorization, accept, type, body]);
        answer.end('{"ok":true}');
      });
    });
    expect(await connection.json({ path: '/a?b=c' })).toEqual({ ok: true });
    const patch = { method: 'PATCH', path: '/d', body: { e: 1 }, contentType: 'application/merge-patch+json' } as const;
    await connection.json({ ...patch, accept: 'x/y' });
    expect(seen).toEqual([
      ['GET', '/a?b=c', 'Bearer t', 'application/json', undefined, ''],
      ['PATCH', '/d', 'Bearer t', 'x/y', 'application/merge-patch+json', '{"e":1}'],
    ]);
    expect(connection.requests).toBe(2);
  });

  it('sends no header where there is no token', async () => {
    let authorization: string | undefined = 'none yet';
    const { connection } = await connectionTo(
      (request, answer) => {
        ({ authorization } = request.headers);
        answer.end('{}');
      },
      { token: () => Promise.resolve(null) },
    );
    await connection.json({ path: '/' });
    expect(authorization).toBeUndefined();
  });

  it('keeps its connection: many calls cost one handshake', async () => {
    let opened = 0;
    const { connection, server } = await connectionTo((_request, answer) => answer.end('{}'));
    server.on('connection', () => (opened += 1));
    for (let call = 0; call < 20; call += 1) await connection.json({ path: '/' });
    expect(opened).toBe(1);
  });

  it('reads the token anew after a 401, and tries once more', async () => {
    const asked: boolean[] = [];
    const seen: (string | undefined)[] = [];
    const { connection } = await connectionTo(
      (request, answer) => {
        seen.push(request.headers.authorization);
        answer.writeHead(request.headers.authorization === 'Bearer new' ? 200 : 401).end('{}');
      },
      {
        token: (fresh) => {
          asked.push(fresh);
          return Promise.resolve(fresh ? 'new' : 'old');
        },
      },
    );
    await connection.json({ path: '/' });
    expect([asked, seen]).toEqual([
      [false, true],
      ['Bearer old', 'Bearer new'],
    ]);
  });

  it('a token that is refused twice is refused', async () => {
    const { connection } = await connectionTo((_request, answer) => answer.writeHead(401).end());
    expect((await failureOf(connection.json({ path: '/' }))).status).toBe(401);
    expect(connection.requests).toBe(2);
  });

  it.each<[number, string, Record<string, string>, string, number | null]>([
    [403, '{"kind":"Status","message":"pods is forbidden"}', {}, 'pods is forbidden', null],
    [500, '{"message":""}', {}, '{"message":""}', null],
    [502, '<html>Bad gateway</html>', {}, '<html>Bad gateway</html>', null],
    [503, '', {}, 'status 503', null],
    [429, 'slow', { 'retry-after': '7' }, 'slow', 7],
    [503, 'x'.repeat(5000), { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 'x'.repeat(200), 0],
    [429, 'slow', { 'retry-after': '3600' }, 'slow', 60],
    [429, 'slow', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 'slow', 60],
    [429, 'slow', { 'retry-after': '-1' }, 'slow', null],
    [400, JSON.stringify({ message: 'y'.repeat(5000) }), {}, 'y'.repeat(500), null],
    [302, '', { location: 'http://169.254.169.254/' }, 'status 302', null],
  ])('status %d with %.30s is a failure in the server’s own words', async (status, body, headers, message, after) => {
    const { connection } = await connectionTo((_request, answer) => answer.writeHead(status, headers).end(body));
    const error = await failureOf(connection.json({ path: '/' }));
    expect([error.status, error.message, error.retryAfterSeconds]).toEqual([status, message, after]);
    expect(connection.requests).toBe(1);
  });

  it('reads no more than it must of a failure that never ends', async () => {
    const { connection } = await connectionTo((_request, answer) => {
      answer.writeHead(500);
      const more = (): void => {
        while (answer.writable && answer.write('z'.repeat(65_536)));
      };
      answer.on('drain', more);
      more();
    });
    expect((await failureOf(connection.json({ path: '/' }))).message).toBe('z'.repeat(200));
  });

  it('gives up on a server that says nothing, and says for how long it waited', async () => {
    const { connection } = await connectionTo(() => undefined);
    const error = await failureOf(connection.json({ path: '/', idleMs: 20 }));
    expect([error.status, error.message]).toEqual([
      0,
      expect.stringMatching(/^127\.0\.0\.1:\d+: no answer for 0\.02 s$/),
    ]);
  });

  it('an answer that breaks off is a failure, not a short answer', async () => {
    const { connection } = await connectionTo((request, answer) => {
      answer.writeHead(200, { 'content-length': '100' }).write('{"items":[');
      answer.on('finish', () => undefined);
      setImmediate(() => request.socket.destroy());
    });
    const error = await failureOf(connection.json({ path: '/' }));
    expect([error.status, error.message]).toEqual([0, expect.stringContaining('answer broke off')]);
  });

  it('nobody there is a failure that names the address, not the token', async () => {
    const { connection, server } = await connectionTo((_request, answer) => answer.end('{}'));
    await new Promise((resolve) => {
      server.close(resolve);
    });
    const error = await failureOf(connection.json({ path: '/' }));
    expect([error.status, error.message]).toEqual([0, expect.stringMatching(/^127\.0\.0\.1:\d+: .*ECONNREFUSED/)]);
  });

  it('ends when it is told to', async () => {
    const stop = new AbortController();
    const { connection } = await connectionTo(() => stop.abort());
    await expect(connection.json({ path: '/', signal: stop.signal })).rejects.toThrow('aborted');
  });

  it('reads a text as far as it may', async () => {
    const { connection } = await connectionTo((_request, answer) => answer.end('0123456789'));
    expect(await readText(await connection.open({ path: '/' }), 5)).toBe('');
    expect(await readText(await connection.open({ path: '/' }), 10)).toBe('0123456789');
  });
});

describe('Connection over TLS', () => {
  const secure = async (more: Partial<Credentials>): Promise<Connection> => {
    const server = createSecure(certificate, (_request, answer) => answer.end('{"ok":true}'));
    const token = () => Promise.resolve('t');
    const connection = new Connection({ server: `https://127.0.0.1:${await listening(server)}`, token, ...more });
    onTestFinished(() => connection.close());
    return connection;
  };

  it('trusts the authority of the cluster, and no other', async () => {
    expect(await (await secure({ ca: certificate.cert })).json({ path: '/' })).toEqual({ ok: true });
    const error = await failureOf((await secure({})).json({ path: '/' }));
    expect([error.status, error.message]).toEqual([0, expect.stringMatching(/self-signed certificate/)]);
  });

  it('trusts anybody only when the kubeconfig says so', async () => {
    expect(await (await secure({ insecureSkipVerify: true })).json({ path: '/' })).toEqual({ ok: true });
  });
});
