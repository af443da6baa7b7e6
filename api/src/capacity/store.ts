import type { ClusterFilter } from '../kubernetes/types.ts';
import type { CapacityFindings } from './findings.ts';
import type { ClusterParts, Plan } from './types.ts';

/** Pieces of `ClusterParts` as texts: a thread parses them, so that the API's own thread does not wait. */
export interface PartTexts {
  reportsPlacements: boolean;
  readsVolumes: boolean;
  nodes: string[];
  pods: string[];
  placements: string[];
  volumes: string[];
  usage: string[];
  specs: string[];
  ooms: string[];
  days: string[];
}

export interface StoredPlan {
  clusterId: string;
  clusterName: string | null;
  lastSeenAt: number;
  /** Null: no plan was computed yet. */
  computedAt: number | null;
  plan: Plan | null;
}
export interface StoredFindings extends Omit<StoredPlan, 'plan'> {
  nodes: number;
  findings: CapacityFindings | null;
}

/** Plans of clusters. Times are epoch milliseconds. */
export interface CapacityPlans {
  /** Keys of clusters that report and whose plan is older than `before`. */
  listDue(before: number, seenSince: number): Promise<number[]>;
  /** Null: the cluster is gone. */
  readParts(clusterKey: number, now: number): Promise<PartTexts | null>;
  /** Also adds the requests of the plan to the mean of the day. */
  save(clusterKey: number, plan: Plan, findings: CapacityFindings): Promise<void>;
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

/** Parses the pieces of a cluster. */
export const parseParts = (texts: PartTexts): ClusterParts => ({
  reportsPlacements: texts.reportsPlacements,
  readsVolumes: texts.readsVolumes,
  nodes: texts.nodes.flatMap((text) => JSON.parse(text) as ClusterParts['nodes']),
  pods: texts.pods.flatMap((text) => JSON.parse(text) as ClusterParts['pods']),
  placements: texts.placements.flatMap((text) => JSON.parse(text) as ClusterParts['placements']),
  volumes: texts.volumes.flatMap((text) => JSON.parse(text) as ClusterParts['volumes']),
  usage: texts.usage.flatMap((text) => JSON.parse(text) as ClusterParts['usage']),
  specs: texts.specs.flatMap((text) => JSON.parse(text) as ClusterParts['specs']),
  ooms: texts.ooms.flatMap((text) => JSON.parse(text) as ClusterParts['ooms']),
  days: texts.days.flatMap((text) => JSON.parse(text) as ClusterParts['days']),
});
