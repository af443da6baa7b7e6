import type { Owner } from '../tenancy/owner.ts';
import type { StatusPage, StatusPageDraft } from './types.ts';

/** Times are epoch milliseconds. */

export interface StatusPages {
  /** Oldest first. */
  list(owner: Owner): Promise<StatusPage[]>;
  /** Null: the owner has no such page. */
  get(owner: Owner, id: string): Promise<StatusPage | null>;
  create(
    owner: Owner,
    draft: StatusPageDraft,
    made: Pick<StatusPage, 'slug' | 'createdBy'>,
    now: number,
  ): Promise<StatusPage>;
  /** Replaces all but the address. Null: the owner has no such page. */
  update(owner: Owner, id: string, draft: StatusPageDraft, now: number): Promise<StatusPage | null>;
  /** Switches a page off. Returns false if the owner has no such page. */
  unpublish(owner: Owner, id: string, now: number): Promise<boolean>;
  /** Returns false if the owner has no such page. */
  delete(owner: Owner, id: string): Promise<boolean>;
  /** Returns the page of an address, public or not, with its owner as a viewer: the address stands for a reader. */
  find(slug: string): Promise<{ owner: Owner; page: StatusPage } | null>;
}
