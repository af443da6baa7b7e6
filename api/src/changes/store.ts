import type { Page } from '../page.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { ChangeFilter, ChangeRecord, DescribedRecord, MarkDraft } from './types.ts';

export interface ChangeLedger {
  /** Lists entries, newest first. Counts them up to a bound; `isMore`: there are more. */
  list(
    owner: Owner,
    filter: ChangeFilter,
    page: Page,
  ): Promise<{ changes: ChangeRecord[]; total: number; isMore: boolean }>;
  /** Lists the present states of a cluster: objects of these namespaces, and those without one. Null: all. */
  listStates(
    owner: Owner,
    of: { clusterId: string; namespaces: readonly string[] | null; kinds: readonly string[] | null; limit: number },
  ): Promise<DescribedRecord[]>;
  /** Stores a deploy mark. One with a known key is left as it is. Null: the cluster is not the owner's. */
  addMark(owner: Owner, mark: MarkDraft, now: number): Promise<{ id: string; isNew: boolean } | null>;
}
