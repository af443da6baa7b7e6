import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oidcProvider } from './oidc.ts';

test('the next sign-in repeats the request to an issuer that failed, not to one that answered', async () => {
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

describe('an id token', () => {
  const clientSecret = 'secret';
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const others = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  /** The issuer's next answer. */
  let idToken = '';
  let issuer = '';
  const server = createServer((request, response) => {
    const answers: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      },
      '/token': { access_token: 'a', token_type: 'bearer', id_token: idToken },
      '/jwks': { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'k' }] },
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[request.url ?? ''] ?? {}));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  interface Forged {
    alg?: string;
    claims?: Record<string, unknown>;
    signer?: (input: string) => Buffer;
  }
  const signed = (input: string): Buffer => sign('sha256', Buffer.from(input), keys.privateKey);
  const identify = ({ alg = 'RS256', claims = {}, signer = signed }: Forged) => {
    const now = Math.floor(Date.now() / 1000);
    const basic = { iss: issuer, aud: 'plimsoll', sub: 's', nonce: 'n', iat: now, exp: now + 300, email: 'a@b.test' };
    const input = `${encode({ alg, kid: 'k' })}.${encode({ ...basic, email_verified: true, ...claims })}`;
    idToken = `${input}.${signer(input).toString('base64url')}`;
    const provider = oidcProvider({ id: 'oidc', issuer, clientId: 'plimsoll', clientSecret });
    const callback = new URL(`https://dash.example/back?code=c&state=s`);
    return provider.identify(callback, { state: 's', nonce: 'n', verifier: 'v'.repeat(43) });
  };

  test('of the issuer names who signed in', async () => {
    expect(await identify({})).toMatchObject({ subject: 's', email: 'a@b.test' });
  });

  test('loses what cannot be stored', async () => {
    expect(await identify({ claims: { name: 'A\0da \ud800' } })).toMatchObject({ name: 'A da \ufffd' });
  });

  const hourAgo = (): number => Math.floor(Date.now() / 1000) - 3600;
  test.each<[string, () => Forged]>([
    ['expired', () => ({ claims: { iat: hourAgo() - 300, exp: hourAgo() } })],
    ['HS256 by the client secret', () => ({ alg: 'HS256', signer: hmac(clientSecret) })],
    [
      'HS256 by the public key',
      () => ({ alg: 'HS256', signer: hmac(keys.publicKey.export({ type: 'spki', format: 'pem' })) }),
    ],
    ['without a signature', () => ({ alg: 'none', signer: () => Buffer.alloc(0) })],
    ['signed by another key', () => ({ signer: (input) => sign('sha256', Buffer.from(input), others.privateKey) })],
    ['of another issuer', () => ({ claims: { iss: 'https://evil.test' } })],
    ['for another client', () => ({ claims: { aud: 'other' } })],
    ['with another nonce', () => ({ claims: { nonce: 'other' } })],
  ])('%s is refused', async (_name, forge) => {
    await expect(identify(forge())).rejects.toMatchObject({ code: 'provider_failed' });
  });

  function hmac(key: string | Buffer): (input: string) => Buffer {
    return (input) => createHmac('sha256', key).update(input).digest();
  }
});
