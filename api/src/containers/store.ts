import type { Owner } from '../tenancy/owner.ts';
import type { ContainerPoint, ContainersOfServer } from './types.ts';

export interface Containers {
  /** Returns the containers of the newest report of every server of the owner that sends containers. `within`: server keys. */
  listLatest(owner: Owner, within: readonly number[] | undefined): Promise<ContainersOfServer[]>;
  /** Stores a point of the current step for each server that has none. Returns the number of servers. */
  record(now: number): Promise<number>;
  /** Returns the stored points since `from` of the containers of these servers of the owner, by server key and container id. */
  listHistory(
    owner: Owner,
    serverKeys: readonly number[],
    from: number,
  ): Promise<Map<number, Map<string, ContainerPoint[]>>>;
}
