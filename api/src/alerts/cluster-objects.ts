import type { CapacityFindings } from '../capacity/findings.ts';

/** Objects of a cluster that its alert rules are evaluated on. Values are in base units; null is unknown. */

interface PodName {
  uid: string;
  namespace: string;
  /** Null: the pod has no owner. */
  ownerKind: string | null;
  ownerName: string | null;
  podName: string;
  nodeName: string | null;
}
/** The newest end of a container that waits to start again. */
export interface LastEnd {
  reason: string | null;
  exitCode: number | null;
  /** Text that the container left; may have several lines. */
  message: string | null;
  memoryLimitBytes: number | null;
}
export interface UnwellPod extends PodName {
  reason: string | null;
  /** Null: no container of the pod waits after an end. */
  lastEnd: LastEnd | null;
  ageMs: number;
  isPending: boolean;
  isLooping: boolean;
  isPulling: boolean;
}
/** Ends of the containers of a pod within the last hour. */
interface PodEnds extends PodName {
  restarts: number;
  oomKills: number;
  /** The smallest limit that a container was killed at; null: none is known. */
  oomLimitBytes: number | null;
  /** Ends with an error in the last minutes. */
  failures: number;
}
/** State of a cluster's objects: all volumes, workloads that miss replicas, and unhealthy objects. */
export interface ClusterObjects {
  nodes: readonly {
    name: string;
    ready: boolean | null;
    isCordoned: boolean;
    /** Types of its conditions that report a problem, Ready apart: "MemoryPressure", "ReadonlyFilesystem" … */
    problems: readonly string[];
    reason: string | null;
  }[];
  pods: readonly UnwellPod[];
  ends: readonly PodEnds[];
  failedJobs: readonly (Omit<PodName, 'uid'> & { reason: string | null })[];
  volumes: readonly { namespace: string; claim: string; usedBytes: number | null; capacityBytes: number | null }[];
  workloads: readonly {
    namespace: string;
    kind: string;
    name: string;
    desired: number;
    ready: number;
    /** Nodes of its pods that do not serve. */
    nodes: readonly string[];
  }[];
  /** Addresses of the API servers of the cluster and of a second one with its uid, which is refused; null: there is none. */
  rival: { addresses: readonly string[]; here: readonly string[] } | null;
  /** From the last plan of the cluster; null: there is none of the last minutes. */
  capacity: CapacityFindings | null;
}
