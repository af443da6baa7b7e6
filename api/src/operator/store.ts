import type { ObjectCluster } from '../kubernetes/object-rows.ts';
import type { Owner } from '../tenancy/owner.ts';

/** The collector that sends the objects of a cluster, and its request. */
interface Turn {
  /** The term of the leading collector. */
  term: number;
  seq: number;
  /** Addresses of the collector's API server; empty: not known. */
  addresses: readonly string[];
}

export interface ManagedObjects {
  /** Null: there is no such cluster. */
  cluster(
    clusterKey: number,
  ): Promise<{ uid: string; reportedUid: string; name: string | null; rulesOrganisation: boolean } | null>;
  /**
   * Lets the objects of a cluster set rules of the whole organisation, or ends that, and locks the cluster until the
   * transaction ends. Null: the owner has no such cluster.
   */
  setRulesOrganisation(
    owner: Owner,
    clusterId: string,
    allowed: boolean,
  ): Promise<{ cluster: ObjectCluster; name: string | null; isChanged: boolean } | null>;
  /**
   * Locks the objects of a cluster until the transaction ends. Returns false if a later leader or a later request was
   * faster.
   */
  takeTurn(clusterKey: number, turn: Turn, now: number): Promise<boolean>;
}
