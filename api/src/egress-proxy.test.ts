import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { egressGet } from './egress.ts';
import { TEST_CERTIFICATE, TEST_KEY } from './testing/smtp-stand-in.ts';

const closed: (() => void)[] = [];
afterEach(() => {
  for (const close of closed.splice(0)) close();
});

async function listen(server: Server | ReturnType<typeof createTlsServer>): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closed.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const target = (): Promise<number> =>
  listen(createServer((request, response) => response.end(`${String(request.headers.host)}${String(request.url)}`)));

/** An HTTP proxy whose every tunnel ends at one port of loopback. It records each request. */
async function proxyTo(port: number, status = 200) {
  const asked: { target: string; authorization: string | undefined }[] = [];
  const sockets: Socket[] = [];
  const server = createServer((_request, response) => response.writeHead(400).end());
  server.on('connect', (request, socket: Socket) => {
    asked.push({ target: String(request.url), authorization: request.headers['proxy-authorization'] });
    sockets.push(socket);
    socket.on('error', () => undefined);
    if (status !== 200) return socket.end(`HTTP/1.1 ${String(status)} no\r\n\r\n`);
    socket.write('HTTP/1.1 200 ok\r\n\r\n');
    const onward = connect(port, '127.0.0.1');
    sockets.push(onward);
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  const proxyPort = await listen(server);
  closed.push(() => sockets.forEach((socket) => socket.destroy()));
  return { asked, url: `http://us%40er:pass@127.0.0.1:${String(proxyPort)}` };
}

const PUBLIC = { address: '1.1.1.1', family: 4 };
const options = (url: string, resolvesNames = false) => ({
  maxBytes: 1000,
  timeoutMs: 2000,
  proxy: { url, resolvesNames },
  resolve: () => Promise.resolve(PUBLIC),
});

test('gives the proxy the address that was checked, and the host its name', async () => {
  const { asked, url } = await proxyTo(await target());
  const answer = await egressGet('http://hooks.example:8080/a?b=1', options(url));
  expect(answer.body.toString()).toBe('hooks.example:8080/a?b=1');
  const authorization = `Basic ${Buffer.from('us@er:pass').toString('base64')}`;
  expect(asked).toEqual([{ target: '1.1.1.1:8080', authorization }]);
});

test('gives the proxy the name where it resolves names, also one that is unknown here', async () => {
  const { asked, url } = await proxyTo(await target());
  const unknown = () => Promise.reject(new Error('ENOTFOUND'));
  await egressGet('http://hooks.example/', { ...options(url, true), resolve: unknown });
  await egressGet('http://other.example/', options(url, true));
  expect(asked.map((one) => one.target)).toEqual(['hooks.example:80', 'other.example:80']);
  await expect(egressGet('http://hooks.example/', { ...options(url), resolve: unknown })).rejects.toThrow(
    'the name does not resolve',
  );
});

test.each([false, true])(
  'refuses private addresses before the proxy hears of them; it resolves: %j',
  async (resolves) => {
    const { asked, url } = await proxyTo(await target());
    const to = (address: string) => ({
      ...options(url, resolves),
      resolve: () => Promise.resolve({ address, family: 4 }),
    });
    await expect(egressGet('http://inner.example/', to('10.0.0.1'))).rejects.toThrow('leads to a private address');
    await expect(egressGet('http://169.254.169.254/', to('169.254.169.254'))).rejects.toThrow('private');
    expect(asked).toEqual([]);
  },
);

test('reaches an allowed private address without the proxy', async () => {
  const port = await target();
  const { asked, url } = await proxyTo(1);
  const direct = { ...options(url), resolve: () => Promise.resolve({ address: '127.0.0.1', family: 4 }) };
  const answer = await egressGet(`http://inner.example:${String(port)}/x`, {
    ...direct,
    allowedRanges: ['127.0.0.0/8'],
  });
  expect(answer.body.toString()).toBe(`inner.example:${String(port)}/x`);
  expect(asked).toEqual([]);
});

test('speaks TLS with the host through the proxy, and trusts no unknown certificate', async () => {
  const names: string[] = [];
  const server = createTlsServer({
    cert: TEST_CERTIFICATE,
    key: TEST_KEY,
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  server.on('tlsClientError', () => undefined);
  const { asked, url } = await proxyTo(await listen(server));
  await expect(egressGet('https://hooks.example/', options(url))).rejects.toThrow('no answer');
  expect(names).toEqual(['hooks.example']);
  expect(asked[0]?.target).toBe('1.1.1.1:443');
});

test('says what the proxy answered, without its password', async () => {
  const { url } = await proxyTo(1, 407);
  await expect(egressGet('http://hooks.example/', options(url))).rejects.toMatchObject({
    name: 'EgressError',
    message: 'the proxy answered 407',
    mayHaveArrived: false,
  });
  const gone = options('http://user:secret@127.0.0.1:1');
  await expect(egressGet('http://hooks.example/', gone)).rejects.toThrow(/^the proxy was not reached$/);
});
