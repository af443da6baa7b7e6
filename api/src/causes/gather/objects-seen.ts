import type { KubernetesEvent, KubernetesNode, Pod } from '@plimsoll/contract/wire/kubernetes';
import { seconds, secondsOrNull } from './epoch-seconds.ts';
import type { EventSeen, NodeSeen, PodSeen } from '../evidence.ts';

/** Objects of a cluster as evidence: times in epoch seconds. */

export const eventSeen = (event: KubernetesEvent): EventSeen => ({
  clusterId: event.cluster_id,
  namespace: event.kind === 'Node' || event.namespace === '' ? null : event.namespace,
  kind: event.kind,
  name: event.name,
  type: event.type,
  reason: event.reason,
  message: event.message,
  count: event.count,
  firstAt: seconds(event.first_at),
  lastAt: seconds(event.last_at),
});

/** Shapes a pod; its restarts and its usage are read apart. */
export const podSeen = (pod: Pod): PodSeen => ({
  clusterId: pod.cluster_id,
  uid: pod.uid,
  namespace: pod.namespace,
  name: pod.pod_name,
  ownerKind: pod.owner_kind,
  ownerName: pod.owner_name,
  node: pod.node_name,
  phase: pod.phase,
  reason: pod.reason,
  ready: pod.ready,
  deleting: pod.deleting,
  createdAt: seconds(pod.created_at),
  labels: pod.labels,
  claims: pod.claims,
  containers: pod.containers.map((container) => {
    const end = container.exit ?? container.last_termination;
    return {
      name: container.name,
      image: container.image,
      isInit: container.init,
      status: container.status,
      ready: container.ready,
      reason: container.reason,
      restarts: container.restart_count,
      end:
        end === null
          ? null
          : { reason: end.reason, message: end.message, exitCode: end.exit_code, at: secondsOrNull(end.finished_at) },
      cpuLimitCores: container.limits.cpu_cores,
      memoryLimitMb: container.limits.memory_mb,
    };
  }),
  restarts: [],
  cpuCores: [],
  memoryMb: [],
});

/** Shapes a node; its usage is read apart. */
export const nodeSeen = (node: KubernetesNode): NodeSeen => ({
  clusterId: node.cluster_id,
  name: node.node_name,
  serverId: node.server_id,
  ready: node.ready,
  isCordoned: node.unschedulable,
  taints: node.taints,
  conditions: node.conditions.map(({ type, status, message, since }) => ({
    type,
    status,
    message,
    since: secondsOrNull(since),
  })),
  cores: node.capacity.cpu_cores,
  cpu: [],
  memory: [],
});
