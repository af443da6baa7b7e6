import type { Actor } from '../../api/src/tenancy/actor.ts';
import { ownOrganisationOf, type PersonId } from '../../api/src/tenancy/ids.ts';
import { type Owner, ownerOf } from '../../api/src/tenancy/owner.ts';

/** The person of the demo, as the verbs of the product take it. */
export function demoActor(personId: PersonId): { owner: Owner; by: Actor } {
  const organisationId = ownOrganisationOf(personId);
  const by = { organisationId, person: { id: personId, name: 'Demo' }, token: null, address: null };
  return { owner: ownerOf(organisationId), by };
}
