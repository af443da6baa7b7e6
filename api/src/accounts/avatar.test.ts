import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchAvatar } from './avatar.ts';

let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const types: Record<string, string> = { '/svg': 'image/svg+xml', '/odd': 'IMAGE/JPEG; q=1' };
    const type = types[request.url ?? ''] ?? 'image/png';
    response.writeHead(request.url === '/gone' ? 404 : 200, { 'content-type': type }).end('bytes');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => server.close());

test('a picture comes through with its type', async () => {
  expect(await fetchAvatar(`${base}/a.png`, true)).toEqual({ type: 'image/png', body: Buffer.from('bytes') });
  expect(await fetchAvatar(`${base}/odd`, true)).toMatchObject({ type: 'image/jpeg' });
});

test.each(['/svg', '/gone'])('%s is no picture', async (path) => {
  await expect(fetchAvatar(base + path, true)).rejects.toMatchObject({ code: 'not_found' });
});

test('none at all, and one on a private address, look the same', async () => {
  await expect(fetchAvatar(null)).rejects.toMatchObject({ code: 'not_found' });
  await expect(fetchAvatar(`${base}/a.png`)).rejects.toMatchObject({ code: 'not_found' });
});
