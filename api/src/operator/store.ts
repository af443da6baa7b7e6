import type { CustomKind } from '@plimsoll/contract/rules/custom-resources';
import type { Applied, StoredChannel, WantedObjects } from './types.ts';

export interface ObjectSet {
  clusterKey: number;
  accountId: string;
  /** The term of the leading collector. */
  term: number;
  seq: number;
}

export interface ManagedObjects {
  /** Uid of a cluster; null: there is no such cluster. */
  clusterUid(clusterKey: number): Promise<string | null>;
  channels(clusterKey: number): Promise<StoredChannel[]>;
  /** One transaction. Null: a later leader or a later request was faster, and nothing was changed. */
  apply(set: ObjectSet, wanted: WantedObjects, now: number): Promise<Record<CustomKind, Applied> | null>;
}
