declare const brand: unique symbol;

/** Identifies an organisation, which owns servers, clusters, rules and settings. A UUID. */
export type OrganisationId = string & { readonly [brand]: 'organisation' };

/** Identifies a person, who signs in and acts: the id of an account. A UUID. */
export type PersonId = string & { readonly [brand]: 'person' };

/** Brands an id that a row, or a token that the API issued, holds. Never for an id from a request. */
export const organisationIdOf = (stored: string): OrganisationId => stored as OrganisationId;
export const personIdOf = (stored: string): PersonId => stored as PersonId;

/** Returns the organisation that a person founded. It has the id of the founder's account. */
export const ownOrganisationOf = (founder: PersonId): OrganisationId => founder as string as OrganisationId;

/** Returns the person who founded an organisation. */
export const founderOf = (organisation: OrganisationId): PersonId => organisation as string as PersonId;
