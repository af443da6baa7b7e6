import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { unknownCertificate } from '../../../collector/src/testing/certificate.ts';
import { clientConfigOf, splitHosts } from './connection.ts';

const certificate = unknownCertificate();

/** A server that agrees to TLS as PostgreSQL does, and then hangs up. `secured` counts the handshakes that succeeded. */
async function tlsServer(): Promise<{ port: number; secured: () => number }> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, ...certificate });
      secure.on('error', () => {});
      // The first message of the client comes after its check of the certificate.
      secure.once('data', () => {
        count += 1;
        secure.destroy();
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, secured: () => count };
}

const failureOf = (connectionString: string, ca: string | null): Promise<string> =>
  new Client(clientConfigOf({ connectionString, caFile: ca })).connect().then(
    () => 'connected',
    (error: unknown) => String(error),
  );

test('the authority of the file is trusted, no other, and also where the URL asks for no check', async () => {
  const { port, secured } = await tlsServer();
  const at = (query: string) => `postgresql://plimsoll@127.0.0.1:${String(port)}/plimsoll${query}`;
  expect(await failureOf(at('?sslmode=verify-full'), null)).toMatch(/self.signed/);
  expect(secured()).toBe(0);
  expect(await failureOf(at('?sslmode=disable'), certificate.certFile)).toContain('terminated');
  expect(secured()).toBe(1);
});

test('without a file the URL is passed on as it is', () => {
  const connectionString = 'postgresql://a:b%40c@localhost/d?host=%2Frun%2Fp';
  expect(clientConfigOf({ connectionString })).toEqual({ connectionString });
});

test('several hosts are one URL each, with user, database and parameters', () => {
  expect(splitHosts('postgresql://a:b@one:5433,two,[::1]:5434/d?sslmode=require')).toEqual([
    'postgresql://a:b@one:5433/d?sslmode=require',
    'postgresql://a:b@two/d?sslmode=require',
    'postgresql://a:b@[::1]:5434/d?sslmode=require',
  ]);
  expect(splitHosts('postgresql://a@localhost/d?host=/run/a,b')).toEqual(['postgresql://a@localhost/d?host=/run/a,b']);
});
