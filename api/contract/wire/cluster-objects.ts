import { z } from 'zod';
import {
  at,
  bytes,
  count,
  int32,
  labels,
  name,
  nodeLabels,
  resources,
  text,
  uid,
  unknownFields,
} from './cluster-fields.ts';
import { CLUSTER_LIMITS as L, CONTAINER_STATUSES, POD_PHASES, RESIZE_STATES } from '../rules/kubernetes-limits.ts';
import { nodeTerms, placementHash } from './cluster-placement.ts';
import { MOST } from './number-bounds.ts';

/** Kubernetes objects as the cluster collector projects them, and the ends of containers it saw. */

/** int32 of ContainerStateTerminated; Windows nodes have negative ones. */
const exitCode = z
  .int()
  .min(-MOST.int32 - 1)
  .max(MOST.int32);

const condition = z.object({
  type: name,
  status: z.string().max(16),
  reason: text.nullable(),
  message: text.nullable(),
  since: at.nullable(),
});
export const nodeObject = z.object({
  uid,
  name,
  created_at: at,
  ready: z.boolean().nullable(),
  conditions: z.array(condition).max(50),
  unschedulable: z.boolean(),
  roles: z.array(z.string().max(317)).max(20),
  taints: z.array(text).max(50),
  labels: nodeLabels,
  capacity: resources.extend({ ephemeral_bytes: bytes.nullable(), pods: count.nullable() }),
  allocatable: resources.extend({
    ephemeral_bytes: bytes.nullable(),
    pods: count.nullable(),
    /** Resources such as nvidia.com/gpu, in units. Absent: there are none, or the collector is older than this field. */
    extended: z
      .record(z.string().max(317), bytes)
      .refine((v) => Object.keys(v).length <= L.extendedResources)
      .optional(),
  }),
  internal_ip: z.string().max(64).nullable(),
  os_type: text.nullable(),
  architecture: text.nullable(),
  os_image: text.nullable(),
  kernel: text.nullable(),
  kubelet_version: text.nullable(),
  container_runtime: text.nullable(),
  boot_id: z.string().max(64).nullable(),
  unknown_fields: unknownFields,
});

const termination = z.object({
  reason: text.nullable(),
  /** Last lines the container left in its termination log. Absent: the collector is older than this field. */
  message: text.nullable().optional(),
  exit_code: exitCode.nullable(),
  finished_at: at.nullable(),
});
export const containerObject = z.object({
  name,
  image: text,
  init: z.boolean(),
  status: z.enum(CONTAINER_STATUSES),
  /** Reason of the waiting or terminated state: CrashLoopBackOff, ImagePullBackOff, OOMKilled, Completed … */
  reason: text.nullable(),
  ready: z.boolean(),
  restart_count: int32,
  started_at: at.nullable(),
  /** Belongs to the current terminated state. */
  exit: termination.nullable(),
  last_termination: termination.nullable(),
  requests: resources,
  limits: resources,
  /**
   * While the pod is resized: what the kubelet applied so far, both or neither. Absent: the same as what is wanted, or not
   * told. A body may nest no deeper.
   */
  running_requests: resources.optional(),
  running_limits: resources.optional(),
});
/** A pod whose requests or limits were changed in place, and whose containers do not have them yet. */
const podResize = z.object({
  state: z.enum(RESIZE_STATES),
  message: text.nullable(),
  since: at.nullable(),
});
/** The top of the chain of owners: Deployment, not ReplicaSet; CronJob, not Job. */
const owner = z.object({ kind: name, name });
export const podObject = z.object({
  uid,
  namespace: name,
  name,
  node_name: name.nullable(),
  phase: z.enum(POD_PHASES),
  /** Worst reason of the pod or its containers; null when there is none. */
  reason: text.nullable(),
  created_at: at,
  deleting: z.boolean(),
  ready: z.boolean(),
  pod_ip: z.string().max(64).nullable(),
  host_ip: z.string().max(64).nullable(),
  qos_class: z.string().max(32).nullable(),
  /** Lifetime count as kubectl shows it: of init containers only until they succeed. */
  restart_count: int32,
  /** Effective: the larger of the running containers together and the largest init container. Null: none is set. */
  requests: resources,
  /** Null: a container without a limit makes the pod unlimited. */
  limits: resources,
  owner: owner.nullable(),
  labels,
  containers: z.array(containerObject).max(L.containersPerPod),
  claims: z.array(name).max(100),
  resize: podResize.optional(),
  /**
   * Hash of its placement constraints. Absent: it has none, or the collector is older than this field. Null: it has some
   * that cannot be sent.
   */
  placement: placementHash.nullable().optional(),
  unknown_fields: unknownFields,
});

export const workloadObject = z.object({
  uid,
  kind: z.enum(['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob']),
  namespace: name,
  name,
  created_at: at,
  desired: int32.nullable(),
  ready: int32.nullable(),
  /** CronJob: switched off. Deployment: paused. */
  suspended: z.boolean(),
  /** CronJob only. */
  last_run_at: at.nullable(),
  unknown_fields: unknownFields,
});
export const volumeObject = z.object({
  uid,
  namespace: name,
  name,
  phase: z.string().max(32),
  storage_class: text.nullable(),
  capacity_bytes: bytes.nullable(),
  requested_bytes: bytes.nullable(),
  /**
   * Nodes that can mount the bound volume. Null: any node. Absent: it is not bound, or the collector does not read
   * persistent volumes.
   */
  node_affinity: nodeTerms.nullable().optional(),
  unknown_fields: unknownFields,
});
export const eventObject = z.object({
  uid,
  type: z.string().max(32),
  reason: text,
  message: text,
  namespace: z.string().max(253),
  kind: z.string().max(253),
  name: z.string().max(317),
  object_uid: z.string().max(128).nullable(),
  component: text.nullable(),
  count: z.int().positive().max(MOST.int32),
  first_at: at,
  last_at: at,
});
/**
 * One run of a container that ended, from the watch or from the pod's last state. Key: pod uid, container, run. The same
 * end may be reported twice, first without, then with `restarted`.
 */
export const containerEnd = z.object({
  pod_uid: uid,
  namespace: name,
  pod_name: name,
  node_name: name.nullable(),
  owner: owner.nullable(),
  container: name,
  /** 0 for the first run: the restart count while it ran. */
  run: int32,
  restarted: z.boolean(),
  at,
  /** Null: not seen, only counted. */
  reason: text.nullable(),
  exit_code: exitCode.nullable(),
  memory_limit_bytes: bytes.nullable(),
});

/** A Job that failed. The owner is what made it, such as a CronJob. */
export const jobObject = z.object({
  uid,
  namespace: name,
  name,
  owner: owner.nullable(),
  conditions: z.array(condition).max(20),
});

export type JobObject = z.infer<typeof jobObject>;
export type NodeObject = z.infer<typeof nodeObject>;
export type ContainerObject = z.infer<typeof containerObject>;
export type PodObject = z.infer<typeof podObject>;
export type OwnerRef = z.infer<typeof owner>;
export type WorkloadObject = z.infer<typeof workloadObject>;
export type VolumeObject = z.infer<typeof volumeObject>;
export type EventObject = z.infer<typeof eventObject>;
export type ContainerEnd = z.infer<typeof containerEnd>;
