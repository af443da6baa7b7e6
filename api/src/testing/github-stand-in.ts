import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAll } from './oidc-issuer.ts';

export interface GitHubStandIn {
  url: string;
  close(): Promise<void>;
}
export interface GitHubPerson {
  id: number;
  login: string;
  name: string | null;
  email: string;
  verified: boolean;
  organisations: string[];
}

async function readJson(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
}

/**
 * GitHub's sign-in as an Enterprise Server has it; like GitHub it answers "bad code" with status 200. It signs `person`
 * in without a prompt; a code works once and only with its PKCE verifier.
 */
export async function startGitHub(person: GitHubPerson): Promise<GitHubStandIn> {
  const challenges = new Map<string, string>();
  const tokens = new Set<string>();
  const json = (response: ServerResponse, body: unknown, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const code = randomBytes(10).toString('hex');
    challenges.set(code, query.get('code_challenge') ?? '');
    const back = new URL(query.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
    response.writeHead(302, { location: back.href }).end();
  };
  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { code = '', code_verifier: verifier = '' } = await readJson(request);
    const challenge = challenges.get(code);
    challenges.delete(code);
    if (challenge !== createHash('sha256').update(verifier).digest('base64url'))
      return json(response, { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' });
    const token = randomBytes(10).toString('hex');
    tokens.add(token);
    json(response, { access_token: token, token_type: 'bearer', scope: 'user:email' });
  };
  const answers: Record<string, unknown> = {
    '/api/v3/user': {
      id: person.id,
      login: person.login,
      name: person.name,
      email: null,
      avatar_url: 'https://x/a.png',
    },
    '/api/v3/user/emails': [
      { email: 'old@example.org', primary: false, verified: true },
      { email: person.email, primary: true, verified: person.verified },
    ],
    '/api/v3/user/orgs': person.organisations.map((login) => ({ login })),
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/login/oauth/authorize') return authorize(searchParams, response);
    if (pathname === '/login/oauth/access_token') return void exchange(request, response);
    const known = tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''));
    json(response, known ? (answers[pathname] ?? {}) : { message: 'Bad credentials' }, known ? 200 : 401);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, close: () => closeAll(server) };
}
