import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { nameOf, objectEntity, workloadRefOf } from '../../entities.ts';
import type { EventSeen, NodeSeen, PodSeen } from '../../evidence.ts';
import { clock, fixed, mostBy } from '../../figures.ts';
import { moved } from '../../host-moment.ts';
import { each, type Candidate, type Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { shiftOf, type Shift } from '../../shift.ts';
import { isResolverSilent, quote, quoted } from '../../words.ts';
import { isJustBefore, OVER_OWN_LIMIT } from '../../workload-states.ts';
import { changeWords } from '../../change-words.ts';
import { POD_TROUBLE } from '../../aspects.ts';

/** Makes a mechanism that looks at each node. A pod that took what the others need is guilty, else the node. */
const nodeMechanism = each<NodeSeen, Omit<Candidate, 'entities'> & { by?: PodSeen | undefined }>(
  ({ evidence }) => evidence.nodes,
  ({ clusterId, name }, { by, reaches = [], ...found }) => {
    const node = objectEntity({ clusterId, namespace: null, kind: 'Node', name });
    return {
      ...found,
      entities: [by === undefined ? node : objectEntity(workloadRefOf(by))],
      reaches: [node, ...reaches],
    };
  },
);

const LEFT = /^(?:NodeNotReady|TaintManagerEviction)$/;
/** The control plane lost a node: its pods are victims. */
const nodeDown = nodeMechanism('node_not_ready', 'Node is not ready', (node, { workloads }) => {
  if (node.ready === true) return null;
  const ready = node.conditions.find(({ type }) => type === 'Ready');
  const victims = workloads.filter(
    ({ ref, events }) =>
      ref.clusterId === node.clusterId &&
      events.some(({ reason, message }) => LEFT.test(reason) || /not-ready|unreachable/.test(message)),
  );
  return {
    reaches: victims.map(({ entity }) => entity),
    finding:
      node.ready === false
        ? `The node ${node.name} is not ready.`
        : `The control plane has lost the node ${node.name}.`,
    since: ready?.since ?? null,
    specificity: 'stated',
    brings: ['node', 'missing', 'failing', 'crash', 'silent', 'start'],
    is: 'node',
    evidence: [ready?.message != null && quoted(ready.message), `Ready: ${ready?.status ?? 'unknown'}`],
    next: 'Check whether the machine answers, then its kubelet.',
  };
});

const podsOn = (node: NodeSeen, { evidence }: Moment): PodSeen[] =>
  evidence.pods.filter((pod) => pod.node === node.name && pod.clusterId === node.clusterId);
const top = (use: Shift): number => Math.max(use.is, use.last);

/** Per cent of a node's CPU from which its pods starve. */
const SATURATED = 85;
const RISE_POINTS = 10;
/** Share of the node's cores that one pod must have taken. */
const SHARE = 0.25;
/** Fields of a template after which the same work may cost more. */
const COSTLIER = /image|env|args|command|resources|volumes/;
const ROLLOUT_SECONDS = 900;
/** A pod takes the CPU of its node, and the others starve. */
const noisyNeighbour = nodeMechanism('noisy_neighbour', 'Noisy neighbour', (node, moment) => {
  const cpu = shiftOf(node.cpu, moment.lastAt);
  if (cpu === null || top(cpu) < SATURATED) return null;
  const risers = podsOn(node, moment).flatMap((pod) => {
    const use = shiftOf(pod.cpuCores, moment.lastAt);
    const is = use === null ? (pod.cpuCores.findLast(({ value }) => value !== null)?.value ?? 0) : top(use);
    return is < SHARE * (node.cores ?? Infinity)
      ? []
      : [{ pod, is, more: is - (use?.was ?? 0), onset: use?.onset ?? pod.createdAt }];
  });
  const [by] = mostBy(risers, ({ more }) => more);
  // A node that was as full before explains nothing new.
  if (by === undefined && top(cpu) - cpu.was < RISE_POINTS) return null;
  const isLimited = by?.pod.containers.some(({ cpuLimitCores }) => cpuLimitCores !== null) === true;
  const owner = moment.workloads.find(({ pods }) => by !== undefined && pods.includes(by.pod));
  const rollout = owner?.rollout(COSTLIER);
  // A mean over some minutes begins before the change, and a new version may take a while until it is used.
  const change =
    by !== undefined && rollout !== undefined && Math.abs(by.onset - rollout.at) <= ROLLOUT_SECONDS
      ? rollout
      : undefined;
  return {
    by: by?.pod,
    finding:
      by === undefined
        ? `The node ${node.name} has no CPU left for its pods.`
        : `${by.pod.namespace}/${by.pod.name} takes the CPU of the node ${node.name}, and others starve.`,
    since: change?.at ?? by?.onset ?? cpu.onset,
    change,
    as: change && { id: 'cpu_after_change', title: 'CPU after a change' },
    specificity: by === undefined ? 'state' : 'broken',
    brings: ['failing', 'crash', 'missing', 'cpu', 'load', 'node'],
    evidence: [
      `${moved('CPU of the node', cpu.was, cpu.is)} since ${clock(cpu.onset)}`,
      by &&
        `${by.pod.name} uses ${fixed(by.is)} of ${fixed(node.cores ?? 0, 0)} cores${isLimited ? '' : ', without a CPU limit'}`,
      change && `its rollout at ${clock(change.at)}: ${changeWords(change)}`,
    ],
    next: `Give ${by === undefined ? 'its pods' : nameOf(objectEntity(workloadRefOf(by.pod)))} a CPU limit or another node.`,
  };
});

const PRESSURE = /^(MemoryPressure|DiskPressure|PIDPressure)$/;
const EVICTS = /^(?:Evicted|SystemOOM|EvictionThresholdMet)$/;
const STARVED = /The node was low on resource: ([\w-]+)/;
/** Something fills a node, and others must go. The one that took most is the cause. */
const nodePressure = nodeMechanism('node_under_pressure', 'Node under pressure', (node, moment) => {
  const condition = node.conditions.find(({ type, status }) => PRESSURE.test(type) && status === 'True');
  const own = podsOn(node, moment);
  const others = moment.evidence.pods.filter((pod) => pod.node !== null && !own.includes(pod));
  const isOf = (event: EventSeen) => (pod: PodSeen) => pod.name === event.name && pod.namespace === event.namespace;
  const evictions = moment.evidence.events.filter(
    (event) =>
      event.clusterId === node.clusterId &&
      EVICTS.test(event.reason) &&
      !OVER_OWN_LIMIT.test(event.message) &&
      event.lastAt > moment.firstAt - HOUR_SECONDS &&
      (event.kind === 'Node'
        ? event.name === node.name
        : // A pod that is gone: with one node under pressure it was there.
          own.some(isOf(event)) || (condition !== undefined && !others.some(isOf(event)))),
  );
  if (condition === undefined && evictions.length === 0) return null;
  const starved = evictions.flatMap(({ message }) => STARVED.exec(message)?.[1] ?? [])[0];
  const resource = starved ?? (condition?.type === 'DiskPressure' ? 'ephemeral-storage' : 'memory');
  const eater = eaterOf(resource === 'memory' ? own : [], evictions, moment);
  return {
    by: eater?.pod,
    reaches: moment.workloads
      .filter(
        ({ pods, events }) =>
          events.some((event) => evictions.includes(event)) ||
          pods.some((pod) => pod.node === node.name && pod.reason === 'Evicted'),
      )
      .map(({ entity }) => entity),
    finding:
      eater === null
        ? `The node ${node.name} runs short of ${resource} and evicts pods.`
        : `${eater.pod.namespace}/${eater.pod.name} uses most of the ${resource} of the node ${node.name}, and others are evicted.`,
    since: eater?.since ?? condition?.since ?? null,
    specificity: eater === null ? 'broken' : 'stated',
    brings: ['node', 'missing', 'failing', 'crash', 'memory_kill', 'disk', 'memory'],
    // A program of the machine may have taken it.
    is: eater === null ? 'node' : undefined,
    evidence: [
      eater?.words,
      condition?.message != null && `${condition.type}: ${quoted(condition.message)}`,
      ...evictions.slice(0, 2).map(quote),
    ],
    next: 'Free room on the node, and give its pods limits, and requests that fit what they use.',
  };
});

const USING = /Container \S{1,253} was using (\w+), request is (\w+)/g;
const UNITS: Readonly<Record<string, number>> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, K: 1e3, M: 1e6, G: 1e9 };
const bytesOf = (text = ''): number => Number.parseInt(text, 10) * (UNITS[text.replace(/^\d+/, '')] ?? 1) || 0;
/** Less is no reason for a node to evict. */
const LEAST_BYTES = 64 * 2 ** 20;
/** The pod that used most beyond its request, by the words of an eviction or by its figures. */
function eaterOf(pods: readonly PodSeen[], evictions: readonly EventSeen[], { evidence, lastAt }: Moment) {
  const [told] = mostBy(
    evictions.flatMap(({ message, name, namespace }) => {
      const pod = evidence.pods.find((one) => one.name === name && one.namespace === namespace);
      return [...message.matchAll(USING)].map(([words, using, request]) => ({
        pod,
        words,
        over: bytesOf(using) - bytesOf(request),
      }));
    }),
    ({ over }) => over,
  );
  const [grown] = mostBy(
    pods.flatMap((pod) => {
      const use = shiftOf(pod.memoryMb, lastAt);
      return use === null ? [] : [{ pod, use, grown: (top(use) - use.was) * 2 ** 20 }];
    }),
    (one) => one.grown,
  );
  if (grown !== undefined && grown.grown > Math.max(LEAST_BYTES, told?.over ?? 0)) {
    const { pod, use } = grown;
    return { pod, since: use.onset, words: moved(`memory of ${pod.name}`, use.was, top(use), ' MB', 0) };
  }
  return told?.pod === undefined || told.over < LEAST_BYTES ? null : { pod: told.pod, since: null, words: told.words };
}

/** A node started anew, and its pods with it. */
const nodeRebooted = nodeMechanism('node_rebooted', 'Restart of the node', ({ clusterId, name }, moment) => {
  const ref = { clusterId, namespace: null, kind: 'Node', name };
  const change = moment.changesOf(ref).find(({ fields }) => fields.some(({ field }) => field === 'bootId'));
  const said = moment.evidence.events.find(
    (one) => one.reason === 'Rebooted' && one.kind === 'Node' && one.name === name,
  );
  const at = change?.at ?? said?.firstAt;
  if (at === undefined || !isJustBefore(at, moment)) return null;
  return {
    finding: `The node ${name} was restarted at ${clock(at)}.`,
    since: at,
    change,
    specificity: 'stated',
    brings: ['node', 'missing', 'failing', 'crash', 'start', 'silent'],
    evidence: [quote(said), change && changeWords(change)],
    next: 'Find out who or what restarted it: an upgrade, its cloud, or a fault of the machine.',
  };
});

/** The pods of one node cannot resolve names, and those of others can: its own resolver or its network fails. */
const dnsOfNode = nodeMechanism('dns_of_node', 'DNS of a node', ({ name, clusterId }, moment) => {
  const tellers = moment.workloads
    .filter((one) => one.ref.clusterId === clusterId && one.unwell.length > 0)
    .flatMap((one) =>
      one
        .said(isResolverSilent)
        .slice(0, 1)
        .map((said) => ({ ...one, said })),
    );
  const isHere = tellers.every((one) => one.unwell.every(({ node }) => node === name));
  const isElsewhereWell = tellers.some(({ pods }) => pods.some((pod) => pod.ready && pod.node !== name));
  if (!isHere || !isElsewhereWell) return null;
  return {
    reaches: tellers.map(({ entity }) => entity),
    finding: `Pods on the node ${name} cannot resolve names, and those on other nodes can.`,
    since: tellers[0]?.said.at ?? null,
    specificity: 'broken',
    brings: POD_TROUBLE,
    evidence: [quote(tellers[0]?.said)],
    next: 'Check the network of the node, its local DNS cache and its way to the pods of the resolver.',
  };
});

export const nodeMechanisms: readonly Mechanism[] = [nodeDown, noisyNeighbour, nodePressure, nodeRebooted, dnsOfNode];
