import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { oidcProvider } from './oidc.ts';

test('an issuer that failed is asked again by the next sign-in, one that answered is not', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    if (asked === 1) return response.writeHead(503).end();
    const described = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(described));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const provider = oidcProvider({ id: 'oidc', issuer, clientId: 'plimsoll', clientSecret: 'secret' });
  const begin = () => provider.authorizationUrl({ state: 's', nonce: 'n', verifier: 'v' }, 'https://dash.example/back');
  await expect(begin()).rejects.toMatchObject({ code: 'provider_failed' });
  expect(await begin()).toContain(`${issuer}/authorize?`);
  expect(await begin()).toContain(`${issuer}/authorize?`);
  expect(asked).toBe(2);
  server.closeAllConnections();
  server.close();
});
