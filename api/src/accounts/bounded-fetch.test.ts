import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gitHubProvider } from './github.ts';
import { oidcProvider } from './oidc.ts';

const MB = 1_000_000;
let url = '';
let sent = 0;
/** Answers without an end, or with 300 MB that are small on the wire. */
const server = createServer((request, response) => {
  if (request.url?.startsWith('/packed') === true) {
    const body = gzipSync(Buffer.alloc(300 * MB, ' '));
    return response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(MB / 10, ' ');
  const more = (): void => {
    if (response.destroyed || sent > 100 * MB) return void response.end();
    sent += chunk.length;
    response.write(chunk, more);
  };
  more();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const keys = { clientId: 'plimsoll', clientSecret: 'secret' };
const flow = { state: 's', nonce: 'n', verifier: 'v' };
const callback = new URL('https://dash.example/back?code=c&state=s');
const signIn = {
  github: (base: string) => gitHubProvider({ ...keys, url: base, readOrganisations: false }).identify(callback, flow),
  oidc: (base: string) => oidcProvider({ ...keys, id: 'oidc', issuer: base }).authorizationUrl(flow, callback.href),
};

test.each(['github', 'oidc'] as const)('an endless answer of %s is read no further than a MB', async (kind) => {
  sent = 0;
  await expect(signIn[kind](url)).rejects.toMatchObject({ code: 'provider_failed' });
  // The buffers of the sockets count as sent, too.
  expect(sent).toBeLessThan(20 * MB);
  await expect(signIn[kind](`${url}/packed`)).rejects.toMatchObject({ code: 'provider_failed' });
});
