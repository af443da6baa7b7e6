import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface Issuer {
  url: string;
  clientId: string;
  clientSecret: string;
  close(): Promise<void>;
}
export interface IssuedPerson {
  sub: string;
  email: string;
  /** Some issuers send it as text. */
  email_verified: boolean | string;
  name: string;
  groups?: string[];
}

const clientSecret = 'a secret of the client for tests';
const clientId = 'plimsoll';
const RANDOM = 'only for tests, on loopback';

const listenOn = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** An OpenID provider on loopback that signs `person` in without asking. */
export async function startIssuer(redirectUri: string, person: IssuedPerson): Promise<Issuer> {
  const server = createServer();
  const port = await listenOn(server);
  const url = `http://127.0.0.1:${String(port)}`;
  const { sub } = person;
  const provider = new Provider(url, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: [RANDOM] },
    pkce: { required: () => true },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => Promise.resolve({ ...person, sub: id }) }),
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/'))
      void provider.interactionFinished(request, response, { login: { accountId: sub } });
    else void callback(request, response);
  });
  return { url, clientId, clientSecret, close: () => closeAll(server) };
}

export function closeAll(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
