import type { Actor } from '../tenancy/actor.ts';
import type { OrganisationId } from '../tenancy/ids.ts';
import type { ClusterAgent } from './types.ts';

/** Returns the collector of a cluster, as the audit log names it. */
export const collectorActor = (
  { tokenId, name }: ClusterAgent,
  organisationId: OrganisationId,
  address: string | null,
): Actor => ({ organisationId, person: null, token: { id: tokenId, name: `collector of ${name}` }, address });
