import type { Transaction } from '../database/store.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { OrganisationId, PersonId } from '../tenancy/ids.ts';
import type { Maintenance, MaintenanceDraft, Period } from './types.ts';

/** Times are epoch milliseconds. */
export interface Maintenances {
  /** Ordered by name. */
  list(owner: Owner): Promise<Maintenance[]>;
  /** Lists the maintenances of all organisations. */
  listAll(): Promise<Maintenance[]>;
  count(owner: Owner): Promise<number>;
  /** Null: the owner has no such maintenance. */
  get(owner: Owner, id: string): Promise<Maintenance | null>;
  create(owner: Owner, draft: MaintenanceDraft, createdBy: PersonId | null, now: number): Promise<Maintenance>;
  /** Drops the periods that have not begun. Null: the owner has no such maintenance. */
  update(owner: Owner, id: string, draft: MaintenanceDraft, now: number): Promise<Maintenance | null>;
  /** Ends the running period, and drops those that have not begun. Returns false if the owner has no such maintenance. */
  delete(owner: Owner, id: string, now: number): Promise<boolean>;
  /** Adds the periods that are not planned yet. Returns how many. */
  plan(maintenance: Maintenance, periods: readonly Period[], now: number): Promise<number>;
  /**
   * Time that was planned for each of these checks: the periods of its maintenance, and the silences of its whole server
   * that were made before they began.
   */
  ofChecks(
    owner: Owner,
    checkIds: readonly string[],
    range: { from: number; to: number },
  ): Promise<Map<string, Period[]>>;
  /** Planned periods that have not ended, by maintenance and start; at most `most` of each. */
  listPeriods(ids: readonly string[], now: number, most: number): Promise<Map<string, Period[]>>;
}

/** Messages that a silence holds. */
export interface HeldMessages {
  /** Makes them due within the transaction that ends the silence, so that the sender judges them anew. */
  wakeHeld(transaction: Transaction, organisationId: OrganisationId, now: number): Promise<void>;
}
