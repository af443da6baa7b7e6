import type { NodePart, PodUsagePart, StallPart, VolumeUsagePart } from '@plimsoll/contract/wire/cluster-node';
import { CLUSTER_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';

/** The fields of the stats.k8s.io/v1alpha1 Summary that are read; every field may be missing. */
interface Pressure {
  total?: number;
  avg60?: number;
}
interface Stall {
  psi?: { some?: Pressure; full?: Pressure };
}
interface Cpu extends Stall {
  time?: string;
  usageNanoCores?: number;
  usageCoreNanoSeconds?: number;
}
interface Memory extends Stall {
  workingSetBytes?: number;
  availableBytes?: number;
}
interface Space {
  usedBytes?: number;
  capacityBytes?: number;
  availableBytes?: number;
  inodesUsed?: number;
  inodes?: number;
}
interface Network {
  time?: string;
  rxBytes?: number;
  txBytes?: number;
}
interface PodStats {
  podRef?: { name?: string; namespace?: string; uid?: string };
  cpu?: Cpu;
  memory?: Memory;
  network?: Network;
  volume?: (Space & { pvcRef?: { name?: string; namespace?: string } })[];
  'ephemeral-storage'?: Space;
}
export interface Summary {
  node?: { startTime?: string; cpu?: Cpu; memory?: Memory; io?: Stall; fs?: Space; runtime?: { imageFs?: Space } };
  pods?: PodStats[];
}

/** Cumulative counters of the last reading, by pod uid and "node". */
export type Counters = Map<string, { cpu: Counter; receive: Counter; transmit: Counter }>;
interface Counter {
  /** Milliseconds, by the kubelet's clock at the moment it read. */
  at: number | null;
  value: number | null;
}

export interface Usage {
  node: NonNullable<NodePart['node']>;
  pods: PodUsagePart[];
  volumes: VolumeUsagePart[];
}

const known = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) && value >= 0 ? value : null;
const moment = (text: string | undefined): number | null => {
  const ms = Date.parse(text ?? '');
  return Number.isFinite(ms) ? ms : null;
};

const countersOf = (cpu: Cpu | undefined, network: Network | undefined) => ({
  cpu: { at: moment(cpu?.time), value: known(cpu?.usageCoreNanoSeconds) },
  receive: { at: moment(network?.time), value: known(network?.rxBytes) },
  transmit: { at: moment(network?.time), value: known(network?.txBytes) },
});

/** Per second; null without an earlier reading, when the kubelet has not read anew, and when a counter went back. */
function rate(before: Counter | undefined, now: Counter): number | null {
  if (!before || before.at === null || now.at === null || before.value === null || now.value === null) return null;
  const seconds = (now.at - before.at) / 1000;
  return seconds > 0 && now.value >= before.value ? (now.value - before.value) / seconds : null;
}

/**
 * Usage between two readings: the difference of the cumulative CPU time over the time the kubelet says has passed, a true
 * mean of the interval. In the first reading the kubelet's own short mean has to do.
 */
export function usageOf(summary: Summary, before: Counters): { usage: Usage; counters: Counters } {
  const counters: Counters = new Map();
  const { node, pods = [] } = summary;
  const cpuOf = (key: string, cpu: Cpu | undefined, network: Network | undefined): number | null => {
    const now = countersOf(cpu, network);
    counters.set(key, now);
    const nanoCores = rate(before.get(key)?.cpu, now.cpu) ?? known(cpu?.usageNanoCores);
    return nanoCores === null ? null : nanoCores / 1e9;
  };
  const usage: Usage = {
    node: {
      cpu_cores: cpuOf('node', node?.cpu, undefined),
      memory_working_set_bytes: known(node?.memory?.workingSetBytes),
      memory_available_bytes: known(node?.memory?.availableBytes),
      filesystem_used_bytes: known(node?.fs?.usedBytes),
      filesystem_capacity_bytes: known(node?.fs?.capacityBytes),
      filesystem_available_bytes: known(node?.fs?.availableBytes),
      image_filesystem_used_bytes: known(node?.runtime?.imageFs?.usedBytes),
      image_filesystem_capacity_bytes: known(node?.runtime?.imageFs?.capacityBytes),
      started_at: secondsOf(node?.startTime),
      stall: stallOf(node?.cpu, node?.memory, node?.io),
    },
    pods: [],
    volumes: [],
  };
  for (const pod of pods.slice(0, CLUSTER_LIMITS.podsPerNode)) {
    const { uid, name, namespace } = pod.podRef ?? {};
    if (!uid || !name || !namespace) continue;
    const cpu_cores = cpuOf(uid, pod.cpu, pod.network);
    const [last, now] = [before.get(uid), counters.get(uid)];
    usage.pods.push({
      uid,
      name,
      namespace,
      cpu_cores,
      memory_working_set_bytes: known(pod.memory?.workingSetBytes),
      receive_bytes_per_second: now ? rate(last?.receive, now.receive) : null,
      transmit_bytes_per_second: now ? rate(last?.transmit, now.transmit) : null,
      ephemeral_bytes: known(pod['ephemeral-storage']?.usedBytes),
    });
    usage.volumes.push(...volumesOf(pod));
  }
  usage.volumes.splice(CLUSTER_LIMITS.volumesPerNode);
  return { usage, counters };
}

const secondsOf = (text: string | undefined): number | null => {
  const ms = moment(text);
  return ms === null ? null : ms / 1000;
};

const volumesOf = ({ volume = [] }: PodStats): VolumeUsagePart[] =>
  volume.flatMap(({ pvcRef, usedBytes, capacityBytes, inodesUsed, inodes }) =>
    pvcRef?.name && pvcRef.namespace && usedBytes !== undefined && capacityBytes !== undefined
      ? [
          {
            namespace: pvcRef.namespace,
            claim: pvcRef.name,
            used_bytes: usedBytes,
            capacity_bytes: capacityBytes,
            inodes_used: known(inodesUsed),
            inodes_total: known(inodes),
          },
        ]
      : [],
  );

/** On cgroup v1 the fields are there and all zero: a total of zero since boot is "not available", not "no pressure". */
function stallOf(cpu: Stall | undefined, memory: Stall | undefined, io: Stall | undefined): StallPart | null {
  const parts = [cpu, memory, io].map((each) => each?.psi);
  if (!parts.some((psi) => (psi?.some?.total ?? 0) > 0)) return null;
  const [ofCpu = null, ofMemory = null, ofIo = null] = parts.map((psi) => {
    const some = known(psi?.some?.avg60);
    return some === null ? null : { some_percent: Math.min(100, some), full_percent: known(psi?.full?.avg60) };
  });
  return { cpu: ofCpu, memory: ofMemory, io: ofIo };
}
