import type { NodePart, PodUsagePart, StallPart, VolumeUsagePart } from '@plimsoll/contract/wire/cluster-node';
import { CLUSTER_LIMITS, FIGURE_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { boundedNumber } from '@plimsoll/contract/rules/bounded-number';

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
  containers?: { name?: string; cpu?: Cpu; memory?: Memory }[];
  volume?: (Space & { pvcRef?: { name?: string; namespace?: string } })[];
  'ephemeral-storage'?: Space;
}
export interface Summary {
  node?: {
    startTime?: string;
    cpu?: Cpu;
    memory?: Memory;
    swap?: { swapAvailableBytes?: number; swapUsageBytes?: number };
    io?: Stall;
    fs?: Space;
    runtime?: { imageFs?: Space };
  };
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
  /** Bytes of the node; null: the kubelet does not say, as before Kubernetes 1.28. */
  swap: { total: number; used: number } | null;
  pods: PodUsagePart[];
  volumes: VolumeUsagePart[];
  /** Figures and entries that cannot be stored, each with its reason. */
  leftOut: string[];
}

/** Bounds what the kubelet says, because the API would refuse the report for one absurd figure. */
class Reading {
  readonly leftOut: string[] = [];

  /** A missing figure is unknown without a reason, an absurd one with it. */
  known(value: unknown, field: string, most: number = FIGURE_LIMITS.bytes): number | null {
    const figure = boundedNumber(value, most);
    if (figure === null && value !== undefined && value !== null) this.note(`${field}: is out of range`);
    return figure;
  }

  note(reason: string): void {
    if (this.leftOut.length < CLUSTER_LIMITS.unknownFields) this.leftOut.push(reason);
  }
}

const moment = (text: unknown): number | null => {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return boundedNumber(ms / 1000, FIGURE_LIMITS.epochSeconds) === null ? null : ms;
};
/** The answer is foreign: what should be a list may be anything, and so may its entries. */
const listOf = <T extends object>(value: readonly (T | null)[] | undefined): T[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];
/** Names in Kubernetes are ASCII. The API refuses any other. */
const isName = (value: unknown, most = 253): value is string =>
  typeof value === 'string' && value.length <= most && /^[ -~]+$/.test(value);

const countersOf = (cpu: Cpu | undefined, network: Network | undefined) => {
  // Counters leave the kubelet as uint64. Beyond 2^53 they are not exact, but their differences still are near.
  const counter = (value: unknown): number | null => boundedNumber(value, 2 ** 64);
  return {
    cpu: { at: moment(cpu?.time), value: counter(cpu?.usageCoreNanoSeconds) },
    receive: { at: moment(network?.time), value: counter(network?.rxBytes) },
    transmit: { at: moment(network?.time), value: counter(network?.txBytes) },
  };
};

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
export function usageOf(summary: Summary | null, before: Counters): { usage: Usage; counters: Counters } {
  const counters: Counters = new Map();
  const reading = new Reading();
  const { node, pods } = summary ?? {};
  const cpuOf = (key: string, field: string, cpu: Cpu | undefined, network?: Network): number | null => {
    const now = countersOf(cpu, network);
    counters.set(key, now);
    const told = before.get(key)?.cpu;
    const nanoCores = rate(told, now.cpu) ?? reading.known(cpu?.usageNanoCores, `${field}: usageNanoCores`);
    return nanoCores === null ? null : reading.known(nanoCores / 1e9, `${field}: cpu`, FIGURE_LIMITS.cores);
  };
  const ofNode = (value: unknown, field: string): number | null => reading.known(value, `node: ${field}`);
  const usage: Usage = {
    node: {
      cpu_cores: cpuOf('node', 'node', node?.cpu),
      memory_working_set_bytes: ofNode(node?.memory?.workingSetBytes, 'memory.workingSetBytes'),
      memory_available_bytes: ofNode(node?.memory?.availableBytes, 'memory.availableBytes'),
      filesystem_used_bytes: ofNode(node?.fs?.usedBytes, 'fs.usedBytes'),
      filesystem_capacity_bytes: ofNode(node?.fs?.capacityBytes, 'fs.capacityBytes'),
      filesystem_available_bytes: ofNode(node?.fs?.availableBytes, 'fs.availableBytes'),
      image_filesystem_used_bytes: ofNode(node?.runtime?.imageFs?.usedBytes, 'imageFs.usedBytes'),
      image_filesystem_capacity_bytes: ofNode(node?.runtime?.imageFs?.capacityBytes, 'imageFs.capacityBytes'),
      started_at: secondsOf(node?.startTime),
      stall: stallOf(node?.cpu, node?.memory, node?.io),
    },
    swap: swapOf(node?.swap, reading),
    pods: [],
    volumes: [],
    leftOut: reading.leftOut,
  };
  for (const pod of listOf(pods).slice(0, CLUSTER_LIMITS.podsPerNode)) {
    const { uid, name, namespace } = pod.podRef ?? {};
    if (!isName(uid, 128) || !isName(name) || !isName(namespace)) {
      reading.note('pods: an entry without a valid podRef');
      continue;
    }
    const field = `pods: ${namespace}/${name}`;
    const cpu_cores = cpuOf(uid, field, pod.cpu, pod.network);
    const [last, now] = [before.get(uid), counters.get(uid)];
    const perSecond = (key: 'receive' | 'transmit'): number | null =>
      now ? boundedNumber(rate(last?.[key], now[key]), FIGURE_LIMITS.bytesPerSecond) : null;
    usage.pods.push({
      uid,
      name,
      namespace,
      cpu_cores,
      memory_working_set_bytes: reading.known(pod.memory?.workingSetBytes, `${field}: memory.workingSetBytes`),
      receive_bytes_per_second: perSecond('receive'),
      transmit_bytes_per_second: perSecond('transmit'),
      ephemeral_bytes: reading.known(pod['ephemeral-storage']?.usedBytes, `${field}: ephemeral-storage.usedBytes`),
      containers: containersOf(pod, field, reading, (name, cpu) => cpuOf(`${uid}/${name}`, `${field}/${name}`, cpu)),
    });
    usage.volumes.push(...volumesOf(pod, reading));
  }
  usage.volumes.splice(CLUSTER_LIMITS.volumesPerNode);
  return { usage, counters };
}

function containersOf(
  { containers }: PodStats,
  field: string,
  reading: Reading,
  cpuOf: (name: string, cpu: Cpu | undefined) => number | null,
): NonNullable<PodUsagePart['containers']> {
  return listOf(containers)
    .slice(0, CLUSTER_LIMITS.containersPerPod)
    .flatMap(({ name, cpu, memory }) => {
      if (!isName(name)) {
        reading.note(`${field}: a container without a valid name`);
        return [];
      }
      const used = reading.known(memory?.workingSetBytes, `${field}/${name}: memory.workingSetBytes`);
      return [{ name, cpu_cores: cpuOf(name, cpu), memory_working_set_bytes: used }];
    });
}

type Swap = NonNullable<Summary['node']>['swap'];
function swapOf(swap: Swap, reading: Reading): Usage['swap'] {
  const used = reading.known(swap?.swapUsageBytes, 'node: swap.swapUsageBytes');
  const available = reading.known(swap?.swapAvailableBytes, 'node: swap.swapAvailableBytes');
  if (used === null || available === null || used + available > FIGURE_LIMITS.bytes) return null;
  return { total: used + available, used };
}

const secondsOf = (text: unknown): number | null => {
  const ms = moment(text);
  return ms === null ? null : ms / 1000;
};

const whole = (value: number | null): number | null => (value === null ? null : Math.floor(value));

function volumesOf({ volume }: PodStats, reading: Reading): VolumeUsagePart[] {
  return listOf(volume).flatMap(({ pvcRef, usedBytes, capacityBytes, inodesUsed, inodes }) => {
    const { namespace, name } = pvcRef ?? {};
    if (pvcRef === undefined || (usedBytes === undefined && capacityBytes === undefined)) return [];
    if (!isName(namespace) || !isName(name)) {
      reading.note('volumes: an entry without a valid pvcRef');
      return [];
    }
    const field = `volumes: ${namespace}/${name}`;
    // EFS and other volumes without a limit state a capacity of 8 EiB: that is no figure, and no fault.
    const isUnlimited = typeof capacityBytes === 'number' && capacityBytes > FIGURE_LIMITS.bytes;
    return [
      {
        namespace,
        claim: name,
        used_bytes: reading.known(usedBytes, `${field}: usedBytes`),
        capacity_bytes: isUnlimited ? null : reading.known(capacityBytes, `${field}: capacityBytes`),
        // Such volumes state as many inodes, too.
        inodes_used: whole(boundedNumber(inodesUsed, FIGURE_LIMITS.bytes)),
        inodes_total: whole(boundedNumber(inodes, FIGURE_LIMITS.bytes)),
      },
    ];
  });
}

const percent = (value: unknown): number | null => {
  const known = boundedNumber(value, Number.MAX_VALUE);
  return known === null ? null : Math.min(100, known);
};

/** On cgroup v1 the fields are there and all zero: a total of zero since boot is "not available", not "no pressure". */
function stallOf(cpu: Stall | undefined, memory: Stall | undefined, io: Stall | undefined): StallPart | null {
  const parts = [cpu, memory, io].map((each) => each?.psi);
  if (!parts.some((psi) => (psi?.some?.total ?? 0) > 0)) return null;
  const [ofCpu = null, ofMemory = null, ofIo = null] = parts.map((psi) => {
    const some = percent(psi?.some?.avg60);
    return some === null ? null : { some_percent: some, full_percent: percent(psi?.full?.avg60) };
  });
  return { cpu: ofCpu, memory: ofMemory, io: ofIo };
}
