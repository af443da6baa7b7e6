import {
  apiTokensAnswer,
  DEFAULT_TOKEN_SCOPES,
  generateTokenAnswer,
  generateTokenRequest,
  type ApiTokenView,
} from '@plimsoll/contract/wire/accounts/account';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { createApiToken } from '../api-tokens/create-api-token.ts';
import { revokeApiToken } from '../api-tokens/revoke-api-token.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import type { ApiToken } from '../types.ts';
import { iso, isoOrNull } from '../../http/units.ts';

const tag = 'Account';
/** Default body of the call; the Profile page sends none. */
const PERMANENT = { name: 'permanent', scopes: [...DEFAULT_TOKEN_SCOPES], expires_in_days: null };

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
        audit: 'token_created',
        tag,
        body: generateTokenRequest,
        answer: generateTokenAnswer,
      },
      async ({ actor, body }) => {
        const { name, scopes, expires_in_days: days } = body ?? PERMANENT;
        const { token, secret, isReplaced } = await createApiToken(deps, actor, { name, scopes, days });
        return { ...shapeToken(token), token: secret, replaced: isReplaced };
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
        const tokens = (await apiTokens.list(actor.personId)).map(shapeToken);
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
        audit: 'token_revoked',
        tag,
        params: { id: z.uuid() },
        answer: z.object({}),
      },
      async ({ actor, params }) => {
        await revokeApiToken(deps, actor, params.id);
        return {};
      },
    ),
  ];
};
