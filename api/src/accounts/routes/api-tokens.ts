import {
  apiTokensAnswer,
  DEFAULT_TOKEN_SCOPES,
  generateTokenAnswer,
  generateTokenRequest,
  type ApiTokenView,
} from '@plimsoll/contract/wire/account';
import { z } from 'zod';
import { hashToken, newToken } from '../tokens.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import type { ApiToken } from '../types.ts';
import { iso, isoOrNull } from '../../http/units.ts';

const tag = 'Account';
/** Default body of the call; the Profile page sends none. */
const PERMANENT = { name: 'permanent', scopes: [...DEFAULT_TOKEN_SCOPES], expires_in_days: null };
const DAY_MS = 86_400_000;

const shapeToken = (token: ApiToken): ApiTokenView => ({
  id: token.id,
  name: token.name,
  last_four: token.lastFour,
  scopes: token.scopes,
  created_at: iso(token.createdAt),
  last_used_at: isoOrNull(token.lastUsedAt),
  expires_at: isoOrNull(token.expiresAt),
});

export const apiTokenRoutes = (deps: Deps): Route[] => {
  const { apiTokens } = deps.storage.identity;
  return [
    defineRoute(
      {
        method: 'POST',
        path: '/api/user/generate-auth-token',
        actor: 'user',
        role: 'admin',
        scope: 'session',
        summary: 'Creates a token for scripts and the command line; the response shows it once',
        tag,
        body: generateTokenRequest,
        answer: generateTokenAnswer,
      },
      async ({ actor, body, http }) => {
        const { name, scopes, expires_in_days: days } = body ?? PERMANENT;
        const now = deps.clock.now();
        const secret = newToken('api');
        const entry = { name, scopes, tokenHash: hashToken(secret), lastFour: secret.slice(-4) };
        const expiresAt = days === null ? null : now + days * DAY_MS;
        const { token, replaced } = await apiTokens.replace(actor.self, { ...entry, expiresAt }, now);
        await audit(deps, http, actor.accountId, 'token_created', { name, scopes: scopes.join(' ') });
        return { ...shapeToken(token), token: secret, replaced };
      },
    ),
    defineRoute(
      {
        method: 'GET',
        path: '/api/user/api-tokens',
        actor: 'user',
        scope: 'session',
        summary: 'Lists your permanent tokens without the secrets',
        tag,
        answer: apiTokensAnswer,
      },
      async ({ actor }) => {
        const tokens = (await apiTokens.list(actor.self)).map(shapeToken);
        return { tokens, total: tokens.length };
      },
    ),
    defineRoute(
      {
        method: 'DELETE',
        path: '/api/user/api-tokens/:id',
        actor: 'user',
        role: 'admin',
        scope: 'session',
        summary: 'Revokes a permanent token and closes its streams at once',
        tag,
        params: { id: z.uuid() },
        answer: z.object({}),
      },
      async ({ actor, params, http }) => {
        if (!(await apiTokens.revoke(actor.self, params.id))) throw notFound('Token');
        deps.streams.endSession(params.id);
        await audit(deps, http, actor.accountId, 'token_revoked', { id: params.id });
        return {};
      },
    ),
  ];
};
