import { createHash } from 'node:crypto';
import { CodedError } from '../errors.ts';
import { sanitizeText } from '../reports/sanitize.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { Person, SignInProvider } from './provider.ts';

export interface GitHubOptions {
  clientId: string;
  clientSecret: string;
  /** https://github.com, or a GitHub Enterprise Server. */
  url: string;
  /** Requests the organisations; needed only when membership decides who may sign up. */
  readOrganisations: boolean;
}

const TIMEOUT_MS = 10_000;

const failed = (detail: string, cause?: unknown): CodedError => new CodedError('provider_failed', detail, { cause });
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? sanitizeText(value) : null;

interface Asked {
  method?: string;
  headers: Record<string, string>;
  body?: string;
}

async function ask(url: string, init: Asked): Promise<unknown> {
  try {
    const headers = { accept: 'application/json', 'user-agent': 'plimsoll', ...init.headers };
    const answer = await boundedFetch(url, {
      ...init,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`status ${String(answer.status)}`);
    return JSON.parse(text);
  } catch (cause) {
    throw failed('GitHub did not respond', cause);
  }
}

/** OAuth 2 with state and PKCE; GitHub has no id token, so who it is comes from its API with the access token. */
export function gitHubProvider(options: GitHubOptions): SignInProvider {
  const base = options.url.replace(/\/+$/, '');
  const api = base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`;
  const scope = options.readOrganisations ? 'read:user user:email read:org' : 'read:user user:email';
  return {
    id: 'github',
    authorizationUrl: ({ state, verifier }, redirectUri) => {
      const url = new URL(`${base}/login/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: options.clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString();
      return Promise.resolve(url.href);
    },
    identify: async (callback, { verifier }) => {
      const code = callback.searchParams.get('code');
      if (code === null) throw failed('GitHub did not confirm the sign-in');
      const token = await exchange(base, options, code, verifier);
      const read = (path: string): Promise<unknown> =>
        ask(`${api}${path}`, { headers: { authorization: `Bearer ${token}` } });
      const [user, emails, organisations] = await Promise.all([
        read('/user'),
        read('/user/emails'),
        options.readOrganisations ? read('/user/orgs') : [],
      ]);
      return personOf(user, emails, organisations);
    },
  };
}

async function exchange(base: string, options: GitHubOptions, code: string, verifier: string): Promise<string> {
  const answer = await ask(`${base}/login/oauth/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: options.clientId,
      client_secret: options.clientSecret,
      code,
      code_verifier: verifier,
    }),
  });
  // GitHub says "bad code" with status 200.
  const token = isRecord(answer) && answer['error'] === undefined ? textOf(answer['access_token']) : null;
  if (token === null) throw failed('GitHub refused the code of this sign-in');
  return token;
}

function personOf(user: unknown, emails: unknown, organisations: unknown): Person {
  if (!isRecord(user) || typeof user['id'] !== 'number') throw failed('GitHub did not identify the user');
  const login = textOf(user['login']) ?? '';
  const list = Array.isArray(emails) ? emails.filter(isRecord) : [];
  const primary = list.find((entry) => entry['primary'] === true && entry['verified'] === true);
  return {
    subject: String(user['id']),
    email: textOf(primary?.['email']),
    name: textOf(user['name']) ?? login,
    avatarUrl: textOf(user['avatar_url']),
    githubUsername: login,
    organisations: (Array.isArray(organisations) ? organisations.filter(isRecord) : []).flatMap(
      (entry) => textOf(entry['login'])?.toLowerCase() ?? [],
    ),
  };
}
