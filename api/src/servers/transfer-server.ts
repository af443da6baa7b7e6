import { hashToken, tokenType } from '../accounts/tokens.ts';
import { requireServers } from '../accounts/plans.ts';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { OrganisationId } from '../tenancy/ids.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { requireRole } from '../tenancy/role.ts';
import { requireServer } from './require-server.ts';
import type { Agent } from './types.ts';

type TransferDeps = Pick<Deps, 'storage' | 'clock' | 'changes'> & { config: Pick<Deps['config'], 'planLimits'> };

/**
 * Transfers a server with its history to the account of an API token: root on the host vouches for the server, the token
 * for the account. Returns the e-mail address of the new owner. Throws `api_token_unknown`, `forbidden`,
 * `owner_has_machine`, `plan_limit`.
 */
export async function transferServer(
  { storage, clock, changes, config }: TransferDeps,
  { agent, address }: { agent: Agent; address: string | null },
  apiToken: string,
): Promise<string> {
  const { to, sides } = await storage.inTransaction(async ({ accounts, agents, identity, servers, tenancy }) => {
    const isApi = tokenType(apiToken) === 'api';
    const known = isApi ? await identity.apiTokens.find(hashToken(apiToken), clock.now()) : null;
    const owner = known?.scopes.includes('transfer') ? await accounts.founderOf(known.membership.organisationId) : null;
    if (known === null || owner === null)
      throw new CodedError('api_token_unknown', 'The permanent token is unknown or may not take over servers', {
        field: 'api_token',
        remedy: 'Generate one on the Profile page of the new owner.',
      });
    requireRole(known.membership, 'editor');
    const { organisationId } = known.membership;
    const isNew = organisationId !== agent.organisationId;
    const { planLimits } = config;
    if (isNew && planLimits !== null) {
      await tenancy.teams.lock(ownerOf(organisationId));
      requireServers(planLimits, await agents.countOthers(organisationId, agent.serverId));
    }
    if (isNew && !(await servers.transfer(agent, organisationId)))
      throw new CodedError('owner_has_machine', 'That account has a server for this machine already', {
        remedy: 'Delete that server first.',
      });
    const { server } = await requireServer(servers, ownerOf(organisationId), agent.serverId);
    const detail = { id: server.id, server: server.displayName ?? server.hostname, to: owner.email };
    const by = { person: known.person, token: known.token, address };
    const both = [...new Set([agent.organisationId, organisationId])];
    const concerned = both.filter((side): side is OrganisationId => side !== null);
    for (const side of concerned)
      await tenancy.audit.record({ ...by, organisationId: side }, 'owner_changed', detail, clock.now());
    return { to: owner.email, sides: concerned };
  });
  for (const side of sides) changes.publish(side, { topic: 'servers', serverId: agent.serverId });
  return to;
}
