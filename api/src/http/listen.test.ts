import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen, localOrigin, TIMEOUTS } from './listen.ts';

const hello = (): Response => new Response('hello');

test('serves, and closes only when requests in flight have ended', async () => {
  const arrived = Promise.withResolvers<null>();
  const held = Promise.withResolvers<Response>();
  const serve = (): Promise<Response> => {
    arrived.resolve(null);
    return held.promise;
  };
  const server = await listen(serve, { host: '127.0.0.1', port: 0 });
  const answer = fetch(`http://127.0.0.1:${String(server.port)}/`);
  await arrived.promise;
  const closed = server.close();
  held.resolve(hello());
  expect(await (await answer).text()).toBe('hello');
  await closed;
});

test.each([
  ['::1', ['[::1]']],
  ['::', ['[::1]', '127.0.0.1']],
])('on %s it serves %j', async (host, reached) => {
  const server = await listen(hello, { host, port: 0 });
  for (const name of reached)
    expect(await (await fetch(`http://${name}:${String(server.port)}/`)).text()).toBe('hello');
  await expect(listen(hello, { host, port: server.port })).rejects.toThrow(
    `[${host}]:${String(server.port)} is in use: stop what listens there or set PLIMSOLL_PORT`,
  );
  await server.close();
});

test.each([
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://127.0.0.1:80'],
  ['::1', 'http://[::1]:80'],
  ['fd00::7', 'http://[fd00::7]:80'],
  ['plimsoll.test', 'http://plimsoll.test:80'],
])('a listener on %s is reached at %s', (host, origin) => {
  expect(localOrigin(host, 80)).toBe(origin);
});

test('an address in use says what to do', async () => {
  const first = await listen(hello, { host: '127.0.0.1', port: 0 });
  await expect(listen(hello, { host: '127.0.0.1', port: first.port })).rejects.toThrow(/is in use: .*PLIMSOLL_PORT/);
  const metrics = { host: '127.0.0.1', port: first.port, setting: 'PLIMSOLL_METRICS_PORT' };
  await expect(listen(hello, metrics)).rejects.toThrow(/is in use: .*PLIMSOLL_METRICS_PORT/);
  await first.close();
});

const SHORT = { headersTimeout: 200, requestTimeout: 300, connectionsCheckingInterval: 20, keepAliveTimeout: 300 };

test('a socket that never sends its headers is closed', async () => {
  const server = await listen(hello, { host: '127.0.0.1', port: 0 }, SHORT);
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (part) => (received += part.toString()));
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  await new Promise((closed) => socket.once('close', closed));
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  await server.close();
});

test('a connection that a browser opened ahead is closed without an answer', async () => {
  const server = await listen(hello, { host: '127.0.0.1', port: 0 }, SHORT);
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (part) => (received += part.toString()));
  await new Promise((closed) => socket.once('close', closed));
  expect(received).toBe('');
  await server.close();
});

test.each([
  ['nonsense\r\n\r\n', /^HTTP\/1\.1 400 /],
  [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
])('%#: what is no request is refused', async (request, wanted) => {
  const server = await listen(hello, { host: '127.0.0.1', port: 0 });
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (part) => (received += part.toString()));
  socket.write(request);
  await new Promise((closed) => socket.once('close', closed));
  expect(received).toMatch(wanted);
  await server.close();
});

test('a health check of HTTP/1.0 without a Host header is answered', async () => {
  const server = await listen((request) => new Response(request.url), { host: '127.0.0.1', port: 0 });
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (part) => (received += part.toString()));
  socket.write('GET /readyz HTTP/1.0\r\n\r\n');
  await new Promise((closed) => socket.once('close', closed));
  expect(received).toMatch(/^HTTP\/1\.1 200 [^]*http:\/\/localhost\/readyz$/);
  await server.close();
});

test('the real timeouts close a slow client within 20 s', () => {
  expect(TIMEOUTS.headersTimeout + TIMEOUTS.connectionsCheckingInterval).toBeLessThanOrEqual(12_000);
  expect(TIMEOUTS.requestTimeout + TIMEOUTS.connectionsCheckingInterval).toBeLessThanOrEqual(20_000);
});

test.each([
  ['declares its length', 'Content-Length: 1000', '{'],
  ['comes in chunks', 'Transfer-Encoding: chunked', '1\r\n{\r\n'],
  ['drips', 'Content-Length: 1000000', '{'],
  ['is not read by the handler', 'Content-Length: 1000', '{', false],
])('a body that %s and never ends is closed', async (name, header, part, isRead = true) => {
  const serve = async (request: Request): Promise<Response> => {
    if (isRead) await request.text().catch(() => '');
    return hello();
  };
  const server = await listen(serve, { host: '127.0.0.1', port: 0 }, SHORT);
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}\r\n\r\n${part}`);
  const drip = name === 'drips' ? setInterval(() => socket.write(' '), 20) : undefined;
  await new Promise((closed) => socket.once('close', closed));
  clearInterval(drip);
  expect(socket.destroyed).toBe(true);
  await server.close();
});
