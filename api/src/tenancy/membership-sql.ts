// SQL joins the membership: authentication reads it with the session or token in one round trip.
import { type Membership, roleOf } from './role.ts';
import { type OrganisationId, ownOrganisationOf, type PersonId } from './ids.ts';

export interface MembershipRow {
  account_id: PersonId;
  organisation_id: OrganisationId | null;
  role: string | null;
  person_name: string;
}
/** `a` is the account. */
export const MEMBERSHIP = 'm.organisation_id, m.role, a.name AS person_name';
export const JOIN_MEMBERSHIP = 'LEFT JOIN membership m ON m.account_id = a.id';

/** An account whose organisation was deleted is the admin of its own again. */
export const membershipOf = (row: MembershipRow): Membership =>
  row.organisation_id === null || row.role === null
    ? { organisationId: ownOrganisationOf(row.account_id), role: 'admin' }
    : { organisationId: row.organisation_id, role: roleOf(row.role) };
