import type { BlackBoxOnWire } from '@plimsoll/contract/wire/alerts/alert-detail';
import { epochSeconds, iso, isoOrNull, rounded } from '../../http/units.ts';
import type { BlackBox } from '../acting/black-box.ts';

const MIB = 2 ** 20;
const megabytes = (bytes: number | null): number | null => (bytes === null ? null : rounded(bytes / MIB));

export function shapeBlackBox(box: BlackBox, takenAt: number): BlackBoxOnWire {
  const { processes, connections, sockets, events, pods } = box;
  const frozen = ({ sampledAt, total }: { sampledAt: number; total: number }) => ({
    sampled_at: iso(sampledAt),
    age_seconds: Math.max(0, Math.round((takenAt - sampledAt) / 1000)),
    total,
  });
  const counts = sockets?.counts ?? null;
  const listed = connections ?? (sockets && { sampledAt: sockets.sampledAt, total: 0, entries: [] });
  return {
    taken_at: iso(takenAt),
    processes: processes && {
      ...frozen(processes),
      entries: processes.entries.map((each) => ({
        pid: each.pid,
        name: each.name,
        command: each.command,
        user: each.user,
        status: each.status,
        cpu_usage: rounded(each.cpu_percent),
        memory_usage: rounded(each.memory_percent),
        memory_kb: Math.round(each.memory_bytes / 1024),
      })),
    },
    connections: listed && {
      ...frozen(listed),
      summary: counts && {
        total: counts.total,
        established: counts.established,
        listen: counts.listen,
        time_wait: counts.time_wait,
        close_wait: counts.close_wait,
      },
      entries: listed.entries.map(({ remote_ip, remote_port, local_port, protocol, state, pid }) => ({
        remote_ip,
        remote_port,
        local_port,
        protocol,
        state,
        pid,
      })),
    },
    events: events.map(({ at, eventType, serviceName, processName, message, severity }) => ({
      timestamp: epochSeconds(at),
      event_type: eventType,
      service_name: serviceName,
      process_name: processName,
      message,
      severity,
    })),
    pods: pods && {
      ...frozen(pods),
      entries: pods.entries.map((pod) => ({
        namespace: pod.namespace,
        pod_name: pod.name,
        phase: pod.phase,
        reason: pod.reason,
        restart_count: pod.restartCount,
        cpu_usage_cores: rounded(pod.cpuCores, 3),
        memory_usage_mb: megabytes(pod.memoryBytes),
        ...(pod.nodeName !== undefined && { node_name: pod.nodeName }),
      })),
    },
    ...(box.cluster && { cluster: shapeCluster(box.cluster) }),
  };
}

const shapeCluster = ({
  events,
  nodes,
  terminations,
}: NonNullable<BlackBox['cluster']>): NonNullable<BlackBoxOnWire['cluster']> => ({
  events: events.map(({ at, ...event }) => ({ timestamp: epochSeconds(at), ...event })),
  nodes: nodes.map((node) => ({
    name: node.name,
    ready: node.isReady,
    measured_at: isoOrNull(node.measuredAt),
    cpu_usage_cores: rounded(node.cpuCores, 3),
    cpu_capacity_cores: rounded(node.cpuCapacityCores, 3),
    memory_usage_mb: megabytes(node.memoryBytes),
    memory_capacity_mb: megabytes(node.memoryCapacityBytes),
  })),
  terminations: terminations.map(({ at, namespace, podName, container, reason, exitCode, message }) => ({
    at: isoOrNull(at),
    namespace,
    pod_name: podName,
    container,
    reason,
    exit_code: exitCode,
    message,
  })),
});
