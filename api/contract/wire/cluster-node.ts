import { z } from 'zod';
import { at, bytes, cores, count, name, percent, rate, readerState, uid } from './cluster-fields.ts';
import { CLUSTER_LIMITS as L, NODE_AGENT_MODES } from '../rules/kubernetes-limits.ts';

/**
 * Messages of a node agent. It enrols with the cluster's token (`POST /api/agent/v1/nodes/enrol`) and then sends host
 * reports like any collector; `nodePart` is their optional `kubernetes` part.
 */

/** Share of time in per cent in which some (or all) tasks waited, mean of 60 s. */
const stall = z.object({ some_percent: percent, full_percent: percent.nullable() });
/** Null: the node has no pressure figures (before Kubernetes 1.34, or cgroup v1). */
export const stallPart = z.object({ cpu: stall.nullable(), memory: stall.nullable(), io: stall.nullable() });

export const podUsagePart = z.object({
  uid,
  namespace: name,
  name,
  /** Mean over the report's window from the cumulative counter; null in the first report after a start. */
  cpu_cores: cores.nullable(),
  memory_working_set_bytes: bytes.nullable(),
  receive_bytes_per_second: rate.nullable(),
  transmit_bytes_per_second: rate.nullable(),
  ephemeral_bytes: bytes.nullable(),
  /** Usage of each container. Absent: the agent is older than this field. */
  containers: z
    .array(z.object({ name, cpu_cores: cores.nullable(), memory_working_set_bytes: bytes.nullable() }))
    .max(L.containersPerPod)
    .optional(),
});
export const volumeUsagePart = z.object({
  namespace: name,
  claim: name,
  used_bytes: bytes.nullable(),
  /** Null: the volume has no limit, as EFS, which states 8 EiB, or its capacity is unknown. */
  capacity_bytes: bytes.nullable(),
  inodes_used: count.nullable(),
  inodes_total: count.nullable(),
});
/** The `kubernetes` part of a node agent's host report. */
export const nodePart = z.object({
  node_name: name,
  mode: z.enum(NODE_AGENT_MODES),
  kubelet: readerState,
  /** False: the operator switched the check of the kubelet's certificate off. */
  kubelet_tls_verified: z.boolean(),
  node: z
    .object({
      cpu_cores: cores.nullable(),
      memory_working_set_bytes: bytes.nullable(),
      memory_available_bytes: bytes.nullable(),
      filesystem_used_bytes: bytes.nullable(),
      filesystem_capacity_bytes: bytes.nullable(),
      filesystem_available_bytes: bytes.nullable(),
      image_filesystem_used_bytes: bytes.nullable(),
      image_filesystem_capacity_bytes: bytes.nullable(),
      started_at: at.nullable(),
      stall: stallPart.nullable(),
    })
    .nullable(),
  pods: z.array(podUsagePart).max(L.podsPerNode),
  volumes: z.array(volumeUsagePart).max(L.volumesPerNode),
});

/** POST /api/agent/v1/nodes/enrol, `Authorization: Bearer` a ClusterToken; answers `enrolAnswer` of install.ts. */
export const nodeEnrolRequest = z.object({
  node_name: name,
  /** Boot id of the running kernel. It distinguishes a node from a later node of the same name. */
  boot_id: z.string().min(1).max(64),
  hostname: name,
});

export type StallPart = z.infer<typeof stallPart>;
export type PodUsagePart = z.infer<typeof podUsagePart>;
export type VolumeUsagePart = z.infer<typeof volumeUsagePart>;
export type NodePart = z.infer<typeof nodePart>;
export type NodeEnrolRequest = z.infer<typeof nodeEnrolRequest>;
