import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import type { ListedKind } from '@plimsoll/contract/rules/kubernetes-limits';

/** A listing that is arriving in several items. */
export interface ListingProgress {
  /** Empty: none of its items has arrived. */
  id: string;
  items: number;
  /** Kinds that lost an object which nobody can name. */
  lostKinds: ListedKind[];
  /** Listings that lost an item, by id; an empty text stands for any. */
  lostIds: string[];
}
const NOTHING: ListingProgress = { id: '', items: 0, lostKinds: [], lostIds: [] };
/** A collector completes its listings one after another. */
const MOST_LOST = 20;

export const withLostItems = (known: ListingProgress | null, ids: readonly string[]): ListingProgress => {
  const { lostIds, ...rest } = known ?? NOTHING;
  return { ...rest, lostIds: [...new Set([...lostIds, ...ids])].slice(-MOST_LOST) };
};

/**
 * Returns the progress after an item of a listing. `gone`: kinds whose objects are deleted unless the listing named them.
 * It is empty if an item was lost, because the objects in that item still exist.
 */
export function afterItem(
  known: ListingProgress | null,
  listing: NonNullable<ClusterItem['listing']>,
  lost: readonly ListedKind[],
): { progress: ListingProgress | null; isWhole: boolean; gone: ListedKind[] } {
  const { id, complete, covers, items: wanted } = listing;
  const { lostIds } = known ?? NOTHING;
  const isKnown = known?.id === id;
  const items = (isKnown ? known.items : 0) + 1;
  const lostKinds = [...new Set([...(isKnown ? known.lostKinds : []), ...lost])];
  if (!complete) return { progress: { id, items, lostKinds, lostIds }, isWhole: false, gone: [] };
  const isWhole = !lostIds.includes('') && !lostIds.includes(id) && items >= (wanted ?? 0);
  const gone = isWhole ? covers.filter((kind) => !lostKinds.includes(kind)) : [];
  return { progress: null, isWhole, gone };
}
