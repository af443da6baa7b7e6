import type {
  ExchangeRequest,
  LocalSignInRequest,
  SessionAnswer,
  SignInMethodsAnswer,
} from '@plimsoll/contract/wire/accounts/auth';
import { sessionToken } from '../state/session-token.ts';
import { request, RequestFailed } from './client.ts';
import type { Ask } from './query.ts';

export const signInMethodsQuery = (): Ask<SignInMethodsAnswer> => ({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => request('/api/auth/methods', { signal }),
});

/** Returns the address of the provider. Throws if the response contains none. */
export async function authUrl(provider: 'github' | 'google' | 'oidc', redirectUri?: string): Promise<string> {
  return addressOf(await request<Begun>(`/api/auth/${provider}`, { query: { redirect_uri: redirectUri } }));
}

interface Begun {
  auth_url?: unknown;
}

/** Returns the address of the provider, from an answer of whatever stands before the API. */
export function addressOf(answer: Begun): string {
  if (typeof answer.auth_url === 'string' && answer.auth_url !== '') return answer.auth_url;
  throw new RequestFailed('Invalid auth response: missing auth_url', 200);
}

async function begin(answer: Promise<SessionAnswer>): Promise<void> {
  const { token } = await answer;
  sessionToken.set(token);
}

export const signInLocally = (body: LocalSignInRequest) =>
  begin(request<SessionAnswer>('/api/auth/local', { method: 'POST', body }));

/** Trades a single-use code (callback or first-run link) for a session. */
export const exchangeCode = (body: ExchangeRequest) =>
  begin(request<SessionAnswer>('/api/auth/exchange', { method: 'POST', body }));

/** The local token goes even when the call fails. */
export async function signOut(): Promise<void> {
  await request('/api/auth/logout', { method: 'POST', body: {} }).catch(() => null);
  sessionToken.set(null);
}
