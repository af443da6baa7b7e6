import type { LabelRequirement } from '@plimsoll/contract/rules/label-selector';

/** Input of the filters of kube-scheduler. Amounts in base units: millicores, bytes, pods, devices. */

export type Labels = Readonly<Record<string, string>>;
type Amounts = Readonly<Record<string, number>>;

/** Plugins of the default profile, in the order in which they judge a node. */
export const PLUGINS = [
  'NodeUnschedulable',
  'TaintToleration',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesFit',
  'VolumeBinding',
  'PodTopologySpread',
  'InterPodAffinity',
] as const;
export type Plugin = (typeof PLUGINS)[number];

export interface Taint {
  key: string;
  value: string;
  effect: string;
}
export interface NodeFacts {
  name: string;
  labels: Labels;
  taints: readonly Taint[];
  isUnschedulable: boolean;
  allocatable: Amounts;
}

/** One term: every requirement of both lists must hold. */
export interface NodeTerm {
  labels: readonly LabelRequirement[];
  fields: readonly LabelRequirement[];
}
export interface Toleration {
  key: string | null;
  exists: boolean;
  value: string;
  /** Null: every effect. */
  effect: string | null;
}
/** A selector of pods; null selects none. */
export type PodSelector = readonly LabelRequirement[] | null;
export interface PodTerm {
  topologyKey: string;
  selector: PodSelector;
  /** Namespaces by name. */
  namespaces: ReadonlySet<string>;
  /** Namespaces by their labels; null: by name alone. */
  namespaceSelector: readonly LabelRequirement[] | null;
}
export interface SpreadTerm {
  topologyKey: string;
  maxSkew: number;
  minDomains: number;
  selector: PodSelector;
  honorsAffinity: boolean;
  honorsTaints: boolean;
}

/** Everything about a pod that decides where it can run. Equal pods share one profile. */
export interface PodProfile {
  namespace: string;
  labels: Labels;
  requests: Amounts;
  nodeSelector: Labels;
  /** Alternatives; null: no condition. An empty list matches no node. */
  nodeAffinity: readonly NodeTerm[] | null;
  tolerations: readonly Toleration[];
  /** "TCP:80" or "TCP:80@10.0.0.1". */
  hostPorts: readonly string[];
  affinity: readonly PodTerm[];
  antiAffinity: readonly PodTerm[];
  spread: readonly SpreadTerm[];
  /** Node affinity of each bound volume that has one. */
  volumes: readonly (readonly NodeTerm[])[];
  /** It counts for resources and not for the spread of others. */
  isTerminating: boolean;
  /** Why no verdict is possible; empty: one is. */
  notModelled: readonly string[];
}

/** One pod on a node. */
export interface PlacedPod {
  profile: number;
  node: number;
}
