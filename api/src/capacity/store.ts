import type { ClusterFilter } from '../kubernetes/types.ts';
import type { DiskTrend } from '../series/types.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { AdviceRules, Price } from './advice.ts';
import type { MemoryPoint, ServerUsage } from './server-usage.ts';
import type { ContainerDay } from './types.ts';
import type { PartTexts, PlanDraft, StoredFindings, StoredPlan } from './stored-plan.ts';

interface WorkloadOfCluster {
  owner: Owner;
  clusterId: string;
  namespace: string;
  kind: string;
  name: string;
}

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
  /** Usage of the containers of one workload in the last days, the oldest first. */
  readUsage(of: WorkloadOfCluster, now: number, days: number): Promise<ContainerDay[]>;
  /** The same with the small part of each plan. */
  listFindings(filter: ClusterFilter): Promise<StoredFindings[]>;
}

/** The use of servers over two weeks. */
export interface ServerUsages {
  /** Keys of servers whose use is older than `before`, the oldest first. */
  listDue(before: number, limit: number): Promise<number[]>;
  /** Aggregates the rollups of the servers. `memory`: the mean of each hour. */
  read(
    serverKeys: readonly number[],
    now: number,
  ): Promise<(ServerUsage & { memory: MemoryPoint[]; memoryTotalBytes: number | null })[]>;
  save(usage: ServerUsage, trend: DiskTrend | null): Promise<void>;
  list(owner: Owner): Promise<ServerUsage[]>;
}

interface ClusterPrice extends Price {
  clusterId: string;
  clusterName: string | null;
}
/** Settings of the advice of an organisation, and prices of its clusters. */
export interface CapacitySettings {
  /** Null: the defaults. */
  get(owner: Owner): Promise<AdviceRules | null>;
  put(owner: Owner, advice: AdviceRules, now: number): Promise<void>;
  /** By the name of the cluster. */
  listPrices(owner: Owner): Promise<ClusterPrice[]>;
  /** Null: nobody entered one. */
  getPrice(owner: Owner, clusterId: string): Promise<Price | null>;
  putPrice(clusterKey: number, price: Price, now: number): Promise<void>;
  deletePrice(clusterKey: number): Promise<boolean>;
}
