import type { Membership, Role } from './role.ts';

declare const ownerBrand: unique symbol;
declare const authorizedBrand: unique symbol;

/**
 * The organisation on whose behalf a query runs, and what the caller may do in it. Only `ownerOf` and `memberOf` make
 * one, and only the session middleware calls them, so that no account id from a request body can reach a query.
 */
export interface Owner {
  /** The value of account_id columns: an organisation has the id of the account that founded it. */
  readonly accountId: string;
  readonly organisationId: string;
  readonly role: Role;
  readonly [ownerBrand]: true;
}
/** Returns the account itself, as the admin of its own organisation. */
export const ownerOf = (accountId: string): Owner => memberOf({ organisationId: accountId, role: 'admin' });
/** Returns the organisation, with the role the member has in it. */
export const memberOf = ({ organisationId, role }: Membership): Owner =>
  ({ accountId: organisationId, organisationId, role }) as Owner;

/**
 * Proof that the owner may touch this object. Storage adapters make it after an ownership check; functions that read or
 * write an object's data require it, so a missing check does not compile.
 */
export type Authorized<T> = T & { readonly [authorizedBrand]: true };
export const authorized = <T>(value: T): Authorized<T> => value as Authorized<T>;
