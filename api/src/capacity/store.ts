import type { ClusterFilter } from '../kubernetes/types.ts';
import type { PartTexts, PlanDraft, StoredFindings, StoredPlan } from './stored-plan.ts';

/** Plans of clusters. Times are epoch milliseconds. */
export interface CapacityPlans {
  /** Keys of clusters that report and whose plan is older than `before`. */
  listDue(before: number, seenSince: number): Promise<number[]>;
  /** Null: the cluster is gone. */
  readParts(clusterKey: number, now: number): Promise<PartTexts | null>;
  /** Also adds the requests of the plan to the mean of the day. */
  save(clusterKey: number, plan: PlanDraft): Promise<void>;
  /** Clusters of the filter with their plans, by name. */
  list(filter: ClusterFilter): Promise<StoredPlan[]>;
  /**
   * Adds waiting readings of containers to the histograms of their day, and deletes what is older than it is kept.
   * Returns the number of readings.
   */
  foldReadings(now: number): Promise<number>;
  /** The same with the small part of each plan. */
  listFindings(filter: ClusterFilter): Promise<StoredFindings[]>;
}
