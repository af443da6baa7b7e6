import { networkInterfaces } from 'node:os';
import { enrolmentTokenAnswer } from '@plimsoll/contract/wire/install';
import { issueEnrolmentToken } from '../enrol.ts';
import { builtKits } from '../kits.ts';
import { lanAddresses } from '../lan-addresses.ts';
import type { Deps } from '../../deps.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';

export const enrolmentTokenRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'POST',
      path: '/api/user/enrolment-tokens',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Creates a token for the install command; it enrols servers for 24 h and cannot read data',
      tag: 'Setup',
      answer: enrolmentTokenAnswer,
    },
    async ({ actor, http }) => {
      const { storage, clock, config } = deps;
      const { enrolmentTokens } = storage;
      const { id, token, expiresAt } = await issueEnrolmentToken({ enrolmentTokens, clock }, actor.owner);
      await audit(deps, http, actor.owner.accountId, 'enrolment_token_created', { id });
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
  ),
];
