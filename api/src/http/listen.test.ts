import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen, TIMEOUTS } from './listen.ts';

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

test('an address in use says what to do', async () => {
  const first = await listen(hello, { host: '127.0.0.1', port: 0 });
  await expect(listen(hello, { host: '127.0.0.1', port: first.port })).rejects.toThrow(/is in use: .*PLIMSOLL_PORT/);
  await first.close();
});

test('a socket that never sends its headers is closed within the limits', async () => {
  const server = await listen(hello, { host: '127.0.0.1', port: 0 });
  const started = performance.now();
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  socket.resume();
  await new Promise((closed) => socket.once('close', closed));
  const took = performance.now() - started;
  expect(took).toBeGreaterThan(TIMEOUTS.headersTimeout - 1000);
  expect(took).toBeLessThan(TIMEOUTS.headersTimeout + TIMEOUTS.connectionsCheckingInterval + 1500);
  await server.close();
});
