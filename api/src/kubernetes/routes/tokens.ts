import { clusterTokenAnswer, clusterTokenRequest, clusterTokensAnswer } from '@plimsoll/contract/wire/kubernetes';
import { z } from 'zod';
import { issueClusterToken } from '../cluster-tokens.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { sanitizeText } from '../../reports/sanitize.ts';
import { iso, isoOrNull } from '../../http/units.ts';

const tag = 'Setup';

export const clusterTokenRoutes = (deps: Deps): Route[] => {
  const { clock } = deps;
  const { tokens } = deps.storage.kubernetes;
  return [
    defineRoute(
      {
        method: 'POST',
        path: '/api/user/cluster-tokens',
        actor: 'user',
        role: 'admin',
        scope: 'session',
        summary:
          'A token for the collectors of one cluster; shown once; expires after 24 h if it is never used, else only when it is revoked',
        tag,
        body: clusterTokenRequest,
        answer: clusterTokenAnswer,
      },
      async ({ actor, body, http }) => {
        const name = body.name === undefined ? null : sanitizeText(body.name, 120);
        const issued = await issueClusterToken({ tokens, clock }, actor.owner, name);
        await audit(deps, http, actor.owner.accountId, 'cluster_token_created', { id: issued.id });
        return issued;
      },
    ),
    defineRoute(
      {
        method: 'GET',
        path: '/api/user/cluster-tokens',
        actor: 'user',
        scope: 'session',
        summary: 'Your cluster tokens, newest first, without the secret',
        tag,
        answer: clusterTokensAnswer,
      },
      async ({ actor }) => {
        const entries = (await tokens.list(actor.owner)).map((entry) => ({
          id: entry.id,
          name: entry.name,
          last_four: entry.lastFour,
          cluster_id: entry.clusterId,
          cluster_name: entry.clusterName,
          created_at: iso(entry.createdAt),
          last_used_at: isoOrNull(entry.lastUsedAt),
          expires_at: isoOrNull(entry.expiresAt),
        }));
        return { tokens: entries, total: entries.length };
      },
    ),
    defineRoute(
      {
        method: 'DELETE',
        path: '/api/user/cluster-tokens/:id',
        actor: 'user',
        role: 'admin',
        scope: 'session',
        summary: 'Revoke a cluster token; its collectors are refused from then on',
        tag,
        params: { id: z.uuid('must be a token id (a UUID)') },
        answer: z.object({}),
      },
      async ({ actor, params, http }) => {
        if (!(await tokens.revoke(actor.owner, params.id))) throw notFound('Cluster token');
        await audit(deps, http, actor.owner.accountId, 'cluster_token_revoked', { id: params.id });
        return {};
      },
    ),
  ];
};
