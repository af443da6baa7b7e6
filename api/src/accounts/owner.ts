declare const ownerBrand: unique symbol;
declare const authorizedBrand: unique symbol;

/**
 * The account on whose behalf a query runs. Only `ownerOf` makes one, and only the session middleware calls it,
 * so that no account id from a request body can reach a query.
 */
export interface Owner {
  readonly accountId: string;
  readonly [ownerBrand]: true;
}
export const ownerOf = (accountId: string): Owner => ({ accountId }) as Owner;

/**
 * Proof that the owner may touch this object. Storage adapters make it after an ownership check; what writes or reads
 * an object's data asks for it, so a missing check does not compile.
 */
export type Authorized<T> = T & { readonly [authorizedBrand]: true };
export const authorized = <T>(value: T): Authorized<T> => value as Authorized<T>;
