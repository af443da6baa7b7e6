import type { CapacityFindings } from './findings.ts';
import type { AdviceRules } from './advice.ts';
import type { ClusterParts, Plan, StoredAutoscaler } from './types.ts';

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
  advice: AdviceRules;
  /** Null: the cluster collector does not describe them. */
  autoscalers: string[] | null;
}

/** A plan as the thread returns it. */
export interface PlanDraft extends Pick<Plan, 'nodes' | 'resources' | 'pools'> {
  text: string;
  findings: CapacityFindings;
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
  advice: texts.advice,
  autoscalers: texts.autoscalers?.flatMap((text) => JSON.parse(text) as StoredAutoscaler[]) ?? null,
});
