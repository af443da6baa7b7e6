import {
  clusterTokenAnswer,
  clusterTokenRequest,
  clusterTokensAnswer,
  separateClusterAnswer,
  separateClusterRequest,
} from '@plimsoll/contract/wire/kubernetes';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { createClusterToken } from '../acting/create-cluster-token.ts';
import { separateCluster } from '../acting/separate-cluster.ts';
import { revokeClusterToken } from '../acting/revoke-cluster-token.ts';
import { peopleOf, shapeCreator } from '../../tenancy/creator.ts';
import { iso, isoOrNull } from '../../http/units.ts';

const tag = 'Setup';

export const clusterTokenRoutes = (deps: Deps): Route[] => [
  createToken(deps),
  listTokens(deps),
  separate(deps),
  revoke(deps),
];

const createToken = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/user/cluster-tokens',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary:
        'A token for the collectors of one cluster; shown once; expires after 24 h if it is never used, else only when it is revoked',
      audit: 'cluster_token_created',
      tag,
      body: clusterTokenRequest,
      answer: clusterTokenAnswer,
    },
    async ({ actor, body }) => createClusterToken(deps, actor, body.name ?? null),
  );

const listTokens = (deps: Deps): Route =>
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
      const listed = await deps.storage.kubernetes.tokens.list(actor.owner);
      const names = await deps.storage.tenancy.teams.findNames(peopleOf(listed));
      const entries = listed.map((entry) => ({
        id: entry.id,
        name: entry.name,
        last_four: entry.lastFour,
        cluster_id: entry.clusterId,
        cluster_name: entry.clusterName,
        created_at: iso(entry.createdAt),
        last_used_at: isoOrNull(entry.lastUsedAt),
        expires_at: isoOrNull(entry.expiresAt),
        is_replaced: entry.isReplaced,
        created_by: shapeCreator(entry.createdBy, names),
      }));
      return { tokens: entries, total: entries.length };
    },
  );

const separate = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/kubernetes/clusters/separate',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Makes the refused copy of a cluster a cluster of its own; returns a token for its collectors, once',
      audit: 'cluster_separated',
      tag: 'Kubernetes',
      body: separateClusterRequest,
      answer: separateClusterAnswer,
    },
    async ({ actor, body }) => {
      const { clusterId, tokenId, token } = await separateCluster(deps, actor, body.cluster_id);
      return { cluster_id: clusterId, token_id: tokenId, token };
    },
  );

const revoke = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/api/user/cluster-tokens/:id',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Revoke a cluster token; its collectors are refused from then on',
      audit: 'cluster_token_revoked',
      tag,
      params: { id: z.uuid('must be a token id (a UUID)') },
      answer: z.object({}),
    },
    async ({ actor, params }) => {
      await revokeClusterToken(deps, actor, params.id);
      return {};
    },
  );
