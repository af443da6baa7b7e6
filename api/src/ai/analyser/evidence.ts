import type { Point } from '../statistics.ts';

/** Recorded facts about a node or a pod, with the pods around it. `at` is epoch seconds. */

export interface ClusterEvent {
  type: string;
  reason: string;
  kind: string;
  /** Namespace and name, or the name of a node. */
  name: string;
  message: string;
  at: number;
}

export interface ImageChange {
  /** Namespace and name of the workload. */
  workload: string;
  at: number;
  from: string;
  to: string;
}

/** Kubernetes around a pod, or around the node that the server is. */
export interface KubernetesSeen {
  /** Null: the question is about the node. */
  pod: {
    name: string;
    /** Namespace and name of what owns it. */
    workload: string;
    phase: string;
    reason: string | null;
    ready: boolean;
    /** Words of the last end of a container. */
    lastMessage: string | null;
    cpuLimitCores: number | null;
    cpuCores: readonly Point[];
    memoryMb: readonly Point[];
  } | null;
  /** Why a container of the pod does not start. */
  waiting: { reason: string; image: string; message: string | null } | null;
  /** Ends of the pod's containers, newest first. */
  restarts: readonly { at: number; reason: string | null; exitCode: number | null; memoryLimitMb: number | null }[];
  /** Image changes of the pod's workload, or of every workload with a pod on the node. */
  imageChanges: readonly ImageChange[];
  /** Events of the pod, its workload and its node. */
  events: readonly ClusterEvent[];
  volumes: readonly { claim: string; phase: string; usedPercent: number | null; reason: string | null }[];
  node: {
    name: string;
    ready: boolean | null;
    conditions: readonly { type: string; status: string; message: string | null; since: number | null }[];
    cores: number | null;
    cpu: readonly Point[];
    memory: readonly Point[];
  } | null;
  /** Other pods of the node that use most CPU. */
  neighbours: readonly {
    name: string;
    workload: string;
    image: string;
    cpuLimitCores: number | null;
    createdAt: number;
    cpuCores: readonly Point[];
    memoryMb: readonly Point[];
  }[];
}

export interface Evidence {
  /** Null: no pod and no node. */
  kubernetes: KubernetesSeen | null;
}
