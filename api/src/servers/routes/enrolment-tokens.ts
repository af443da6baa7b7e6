import { networkInterfaces } from 'node:os';
import { enrolmentTokenAnswer, enrolmentTokensAnswer } from '@plimsoll/contract/wire/install';
import { z } from 'zod';
import { createEnrolmentToken } from '../create-enrolment-token.ts';
import { builtKits } from '../kits.ts';
import { lanAddresses } from '../lan-addresses.ts';
import { revokeEnrolmentToken } from '../revoke-enrolment-token.ts';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { peopleOf, shapeCreator } from '../../tenancy/creator.ts';
import { iso } from '../../http/units.ts';

export const enrolmentTokenRoutes = (deps: Deps): Route[] => [createRoute(deps), listRoute(deps), revokeRoute(deps)];

const createRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/user/enrolment-tokens',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Creates a token for the install command; it enrols servers for 24 h and cannot read data',
      audit: 'enrolment_token_created',
      tag: 'Setup',
      answer: enrolmentTokenAnswer,
    },
    async ({ actor }) => {
      const { config } = deps;
      const { id, token, expiresAt } = await createEnrolmentToken(deps, actor);
      return {
        id,
        token,
        expires_at: iso(expiresAt),
        public_url: config.publicUrl,
        lan_addresses: lanAddresses(networkInterfaces()),
        kits: await builtKits(config.agentDir),
        image_registry: config.images.registry,
        image_tag: config.images.tag,
      };
    },
  );

const listRoute = ({ storage, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/user/enrolment-tokens',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Lists the tokens of install commands that still work, newest first, without the secret',
      tag: 'Setup',
      answer: enrolmentTokensAnswer,
    },
    async ({ actor }) => {
      const listed = await storage.enrolmentTokens.list(actor.owner, clock.now());
      const names = await storage.tenancy.teams.findNames(peopleOf(listed));
      const tokens = listed.map((entry) => ({
        id: entry.id,
        created_at: iso(entry.createdAt),
        expires_at: iso(entry.expiresAt),
        servers: entry.servers,
        created_by: shapeCreator(entry.createdBy, names),
      }));
      return { tokens, total: tokens.length };
    },
  );

const revokeRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/api/user/enrolment-tokens/:id',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Revokes the token of an install command; servers that enrolled with it keep reporting',
      audit: 'enrolment_token_revoked',
      tag: 'Setup',
      params: { id: z.uuid('must be a token id (a UUID)') },
      answer: z.object({}),
    },
    async ({ actor, params: { id } }) => {
      await revokeEnrolmentToken(deps, actor, id);
      return {};
    },
  );
