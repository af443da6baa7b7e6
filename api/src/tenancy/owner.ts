import type { OrganisationId } from './ids.ts';
import type { Membership, Role } from './role.ts';

declare const ownerBrand: unique symbol;
declare const authorizedBrand: unique symbol;

/**
 * The organisation on whose behalf a query runs, and what the caller may do in it. Only `ownerOf` and `memberOf` make
 * one, and only the session middleware calls them, so that no organisation id from a request body can reach a query.
 */
export interface Owner {
  readonly organisationId: OrganisationId;
  readonly role: Role;
  readonly [ownerBrand]: true;
}
/** Returns the organisation itself, with the rights of its admins. */
export const ownerOf = (organisationId: OrganisationId): Owner => memberOf({ organisationId, role: 'admin' });
/** Returns the organisation, with the role the member has in it. */
export const memberOf = ({ organisationId, role }: Membership): Owner => ({ organisationId, role }) as Owner;

/**
 * Proof that the owner may touch this object. Functions that read or write an object's data require it, so a missing check
 * does not compile. Only `authorize` makes one.
 */
export type Authorized<T> = T & { readonly [authorizedBrand]: true };

/** Checks that an object belongs to the owner. Returns the object with the proof, or null for a foreign one. */
export const authorize = <T>(
  { organisationId }: Owner,
  object: T,
  ownerOfObject: (object: T) => OrganisationId | null,
): Authorized<T> | null => (ownerOfObject(object) === organisationId ? (object as Authorized<T>) : null);
