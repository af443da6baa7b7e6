import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPublicAddress } from '@plimsoll/contract/probes/address-rules';
import { egressGet } from './egress.ts';
import { startDns } from './testing/dns-stand-in.ts';

const OPTIONS = { maxBytes: 100, timeoutMs: 2000 };

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fd00::1',
  'fe80::1',
  'ff02::1',
  'localhost',
  '',
])('%j is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001::1'])('%s is', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/big') response.end('x'.repeat(101));
    else if (request.url === '/moved') response.writeHead(302, { location: '/' }).end();
    else if (request.url === '/stalls') response.writeHead(200, { 'content-length': '9' }).write('png');
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': '9' }).write('png', () => response.destroy());
    else if (request.url === '/silent') return;
    else response.writeHead(200, { 'content-type': 'image/png' }).end('png');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('an allowed address answers; redirects are not followed, large answers not read', async () => {
  const options = { ...OPTIONS, allowPrivate: true };
  expect(await egressGet(`${base}/`, options)).toEqual({
    status: 200,
    contentType: 'image/png',
    retryAfterSeconds: null,
    body: Buffer.from('png'),
  });
  expect((await egressGet(`${base}/moved`, options)).status).toBe(302);
  await expect(egressGet(`${base}/big`, options)).rejects.toThrow('too large');
});

test.each(['/stalls', '/cut', '/silent'])('an answer that never ends is none: %s', async (path) => {
  const asked = egressGet(`${base}${path}`, { ...OPTIONS, timeoutMs: 200, allowPrivate: true });
  await expect(asked).rejects.toMatchObject({ name: 'EgressError', message: 'no answer' });
});

// Only Linux has the whole of 127.0.0.0/8 on loopback.
test.skipIf(process.platform !== 'linux')(
  'a name that leads elsewhere after its check is not followed there',
  async () => {
    const { port } = server.address() as AddressInfo;
    const opened = createServer((_request, response) => response.end('opened'));
    await new Promise<void>((resolve) => {
      opened.listen(port, '127.0.0.2', resolve);
    });
    const dns = await startDns(['127.0.0.2', '127.0.0.1']);
    const options = { ...OPTIONS, resolve: (host: string) => dns.resolve(host), allowedRanges: ['127.0.0.2/32'] };
    const url = `http://rebound.example:${String(port)}/`;
    expect((await egressGet(url, options)).body.toString()).toBe('opened');
    expect(dns.asked()).toBe(1);
    await expect(egressGet(url, options)).rejects.toThrow('leads to a private address');
    dns.close();
    opened.close();
  },
);

test('a resolver that never answers is not waited for', async () => {
  const resolve = () => new Promise<never>(() => {});
  const asked = egressGet('https://slow.example/', { ...OPTIONS, timeoutMs: 50, resolve });
  await expect(asked).rejects.toMatchObject({ name: 'EgressError', message: 'the name does not resolve' });
});

/** No label may be that long: no resolver is asked, which may take half a minute to say no, or lie. */
const NAMELESS = `http://${'x'.repeat(64)}.invalid/`;

test.each([
  ['http://localhost/', 'private'],
  ['http://[::1]/', 'private'],
  ['http://2130706433/', 'private'],
  ['http://0x7f.1/', 'private'],
  ['file:///etc/passwd', 'not a web address'],
  ['http://user:pass@1.1.1.1/', 'credentials'],
  [NAMELESS, 'resolve'],
])('%s is refused', async (url, why) => {
  await expect(egressGet(url, OPTIONS)).rejects.toThrow(why);
});
