import type { OrganisationId, PersonId } from './ids.ts';

/** The author of a change, with the words that a reader of the audit log needs. Names are those of now. */
export interface Actor {
  readonly organisationId: OrganisationId;
  /** Null: a collector, or Plimsoll itself. */
  readonly person: { readonly id: PersonId; readonly name: string } | null;
  /** The API token that the person used, or the token of a collector. Null: a session, or none. */
  readonly token: { readonly id: string | null; readonly name: string } | null;
  /** Address of the client; null: it came over no network. */
  readonly address: string | null;
}
