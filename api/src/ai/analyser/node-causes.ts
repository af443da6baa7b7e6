import { clock, fixed, gigabytes, HOUR, type Evidence, type Finder, type KubernetesSeen } from './evidence.ts';

/** Causes on a node of a cluster. A pod suffers from them, too. */

const PRESSURES = {
  DiskPressure: { words: 'runs out of disk space', figure: /disk|ephemeral-storage|no space left|image/i },
  MemoryPressure: { words: 'runs out of memory', figure: /memory/i },
  PIDPressure: { words: 'runs out of process ids', figure: /pid/i },
} as const;
type Pressure = keyof typeof PRESSURES;

/** The kubelet says what each container used as it evicted its pod. */
const USED = /Container (\S+) was using (\d+(?:\.\d+)?)([KMGT]i?)?/;
const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };
interface Consumer {
  pod: string;
  bytes: number;
  /** Its use in words, with the source of the figure. */
  words: string;
}
const evictedConsumers = ({ events }: KubernetesSeen): Consumer[] =>
  events.flatMap((event): Consumer[] => {
    const used = event.reason === 'Evicted' ? USED.exec(event.message) : null;
    if (used === null) return [];
    const [, container = '', amount = '0', unit = ''] = used;
    const bytes = Number(amount) * (UNITS[unit[0] ?? ''] ?? 1);
    return [{ pod: event.name, bytes, words: `container ${container} was using ${amount}${unit}` }];
  });

/** The most memory that each pod of the node used in the hour before a moment. An evicted pod is seldom the largest. */
const memoryConsumers = ({ neighbours }: KubernetesSeen, at: number): Consumer[] =>
  neighbours.flatMap(({ name, memoryMb }): Consumer[] => {
    const values = memoryMb.flatMap(({ at: time, value }) =>
      value !== null && time > at - HOUR && time <= at + HOUR / 12 ? [value] : [],
    );
    if (values.length === 0) return [];
    const bytes = Math.max(...values) * 2 ** 20;
    return [{ pod: name, bytes, words: `${name} used ${gigabytes(bytes)}` }];
  });

function largestConsumer(seen: KubernetesSeen, { type, since }: { type: Pressure; since: number | null }, at: number) {
  const all = evictedConsumers(seen);
  if (type === 'MemoryPressure') all.push(...memoryConsumers(seen, since ?? at));
  return all.toSorted((a, b) => b.bytes - a.bytes)[0];
}

function pressureOf({ node, events }: KubernetesSeen, at: number): { type: Pressure; since: number | null } | null {
  for (const type of Object.keys(PRESSURES) as Pressure[]) {
    const condition = node?.conditions.find((one) => one.type === type && one.status === 'True');
    if (condition !== undefined) return { type, since: condition.since };
    const told = events.find(
      ({ reason, at: time }) => reason === `NodeHas${type}` && time > at - 12 * HOUR && time <= at + HOUR,
    );
    if (told !== undefined) return { type, since: told.at };
  }
  return null;
}

/** Young pods of the node, by how close to the beginning of the rise they were made. */
const youngPod = ({ kubernetes }: Evidence, since: number): KubernetesSeen['neighbours'][number] | undefined =>
  kubernetes?.neighbours
    .filter(({ createdAt }) => createdAt > since - 24 * HOUR && createdAt <= since)
    .toSorted((a, b) => b.createdAt - a.createdAt)[0];

export const nodeUnderPressure: Finder = (evidence) => {
  const { kubernetes: seen, at } = evidence;
  const pressure = seen === null ? null : pressureOf(seen, at);
  if (seen === null || pressure === null) return null;
  const { words, figure } = PRESSURES[pressure.type];
  const most = largestConsumer(seen, pressure, at);
  const young = most === undefined ? youngPod(evidence, pressure.since ?? at) : undefined;
  const pod = most?.pod ?? young?.name ?? null;
  const workloadOf = (name: string): string => name.replace(/-[a-z0-9]+-[a-z0-9]{5}$/, '');
  const image =
    pod === null
      ? undefined
      : seen.imageChanges.find(({ workload, at: time }) => workload === workloadOf(pod) && time <= at);
  const told = seen.events
    .filter(({ message, reason }) => figure.test(message) && reason !== 'Evicted')
    .toSorted((a, b) => b.at - a.at)[0];
  const node = seen.node?.name ?? evidence.hostname;
  const evictions = seen.events.filter(({ reason }) => reason === 'Evicted').length;
  return {
    kind: 'node_under_pressure',
    strength: 0.97,
    finding: `The node ${node} ${words}${pod === null ? '' : `; ${pod} uses most of it`}.`,
    evidence: [
      `${pressure.type}${pressure.since === null ? '' : ` since ${clock(pressure.since)}`}`,
      ...(most === undefined ? [] : [most.words]),
      ...(image === undefined ? [] : [`its image changed at ${clock(image.at)}: ${image.from} → ${image.to}`]),
      ...(evictions === 0 ? [] : [`${String(evictions)} evictions`]),
      ...(told === undefined ? [] : [told.message]),
      ...(seen.node?.ready === false ? ['the node is not ready'] : []),
    ],
    next:
      pressure.type === 'DiskPressure'
        ? 'Give the pod a limit of ephemeral storage or a volume, and free the disk of the node.'
        : 'Give the pods of the node limits and requests that fit, or drain some of them.',
  };
};

export const nodeNotReady: Finder = ({ kubernetes: seen, at, series, hostname }) => {
  const node = seen?.node ?? null;
  const told = seen?.events
    .filter(
      ({ reason, at: time }) =>
        /^(?:NodeNotReady|NodeNotSchedulable|SystemOOM|ContainerGCFailed|KubeletSetupFailed|Rebooted|TaintManagerEviction)$/.test(
          reason,
        ) && time > at - 6 * HOUR,
    )
    .toSorted((a, b) => b.at - a.at)[0];
  if (seen == null || node === null || node.ready !== false) {
    if (seen == null || node === null || node.ready !== null || told === undefined) return null;
  }
  const ready = node.conditions.find(({ type }) => type === 'Ready');
  const unknown = ready?.status === 'Unknown' || node.ready === null;
  const memory = series.memory.findLast(({ value }) => value !== null)?.value ?? null;
  return {
    kind: 'node_not_ready',
    strength: seen.pod === null ? 0.9 : 0.93,
    finding: unknown
      ? `The node ${node.name} no longer answers the control plane.`
      : `The node ${node.name} is not ready.`,
    evidence: [
      ...(ready?.message == null ? [] : [ready.message]),
      ...(ready?.since == null ? [] : [`since ${clock(ready.since)}`]),
      ...(told === undefined ? [] : [`${told.reason}: ${told.message}`]),
      ...(memory !== null && memory > 90 ? [`memory of ${hostname} was at ${fixed(memory)} %`] : []),
    ],
    next: 'Look at the kubelet and the container runtime of the node: `systemctl status kubelet containerd`.',
  };
};
