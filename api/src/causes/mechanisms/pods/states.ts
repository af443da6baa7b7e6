import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import { nameOf, objectEntity, peerEntity, workloadRefOf } from '../../entities.ts';
import type { ContainerSeen, EventSeen, PodSeen } from '../../evidence.ts';
import { mostBy } from '../../figures.ts';
import type { Mechanism, Specificity } from '../../mechanism.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { quote } from '../../words.ts';
import { firstAt, OVER_OWN_LIMIT, REGISTRY_SILENT, workloadMechanism } from '../../workload-states.ts';
import { shell } from '../../commands.ts';

/** States that Kubernetes names itself, at a container and in the texts around it. */
interface State {
  id: string;
  title: string;
  /** Returns true if the container is in this state. */
  test: (container: ContainerSeen, pod: PodSeen, now: number) => boolean;
  /** Texts that say more. */
  said: RegExp;
  /** Fields of the template that may be behind it; left out: any. */
  fields?: RegExp;
  specificity: Specificity;
  is?: 'start' | 'missing';
  finding: (name: string, container: ContainerSeen) => string;
  next: string;
}
const PULL = /^(?:ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull|RegistryUnavailable)$/;
const NOT_CREATED =
  /^(?:CreateContainerConfigError|CreateContainerError|RunContainerError|StartError|ContainerCannotRun|CreatePodSandboxError|PostStartHookError)$/;
/** Shorter is a usual start. */
const WAIT_SECONDS = 120;
const STATES: readonly State[] = [
  {
    id: 'image_pull_failure',
    title: 'Image cannot be pulled',
    test: ({ reason }) => PULL.test(reason ?? ''),
    said: /image|pull/i,
    fields: /\.image$/,
    specificity: 'stated',
    finding: (name, { image }) => `The image ${image} of ${name} cannot be pulled.`,
    next: 'Check name and tag of the image, and whether the pod has an imagePullSecret for its registry.',
  },
  {
    id: 'container_not_created',
    title: 'Container cannot be created',
    test: ({ reason, end }) => NOT_CREATED.test(reason ?? '') || NOT_CREATED.test(end?.reason ?? ''),
    said: /error|fail|cannot/i,
    specificity: 'broken',
    is: 'start',
    finding: (name) => `A container of ${name} cannot be created from its specification.`,
    next: 'Correct its command, its user or what it mounts. The pod then starts by itself.',
  },
  {
    id: 'init_waits',
    title: 'Init container does not end',
    test: ({ isInit, status, reason, end }, { phase, createdAt }, now) =>
      isInit &&
      phase === 'Pending' &&
      now - createdAt > WAIT_SECONDS &&
      ((status === 'running' && end?.exitCode !== 0) || /CrashLoop|BackOff|Error/.test(reason ?? '')),
    said: /init|wait|resolve|connect|forbidden/i,
    fields: /initContainers|serviceAccount|env/,
    specificity: 'broken',
    is: 'missing',
    finding: (name, container) => `${name} does not start: its init container ${container.name} does not end.`,
    next: 'Read what the init container waits for.',
  },
];
const containersOf = (workload: WorkloadMoment, test: (container: ContainerSeen, pod: PodSeen) => boolean) =>
  workload.pods
    .filter(({ deleting }) => !deleting)
    .flatMap((pod) => pod.containers.filter((one) => test(one, pod)).map((container) => ({ pod, container })));
/** "registry.example.net/shop/orders:1.0"; an image without a host comes from the registry of Docker. */
const registryOf = ({ image }: ContainerSeen): string => {
  const [host = '', ...path] = image.split('/');
  return path.length > 0 && (/[.:]/.test(host) || host === 'localhost') ? host : 'docker.io';
};
const stated = ({ id, title, test, said, finding, ...more }: State): Mechanism =>
  workloadMechanism(id, title, (workload, moment) => {
    const [found] = containersOf(workload, (container, pod) => test(container, pod, moment.evidence.now));
    if (found === undefined) return null;
    const { pod, container } = found;
    const [text] = workload.said(said);
    const registry =
      id === 'image_pull_failure' && REGISTRY_SILENT.test(text?.text ?? '') ? registryOf(container) : null;
    if (registry !== null)
      return {
        entities: [peerEntity(registry)],
        reaches: [workload.entity],
        finding: `The registry ${registry} does not answer, and ${workload.name} gets no image.`,
        since: text?.at ?? pod.createdAt,
        change: undefined,
        specificity: more.specificity,
        evidence: [quote(text)],
        next: 'Check the registry, the way to it, and its limit of requests.',
      };
    return {
      ...more,
      finding: finding(workload.name, container),
      since: text?.at ?? pod.createdAt,
      evidence: [
        `container ${container.name} of pod ${pod.name}: ${container.reason ?? container.status}`,
        quote(text),
      ],
      command: container.isInit
        ? `kubectl -n ${shell(pod.namespace)} logs ${shell(pod.name)} -c ${shell(container.name)}`
        : undefined,
    };
  });

/** By namespace and name, or by its uid. */
const PREEMPTOR = /Preempted by (?:pod )?(?:([\w-]{1,63})\/([\w.-]{1,253})|([\da-f]{8}-[\da-f-]{27}))/;
/** The workload of the pod for which another had to make room. */
function preemptorOf({ ref }: WorkloadMoment, told: readonly EventSeen[], { evidence }: Moment): CauseEntity | null {
  const [, namespace, name, uid] = told.flatMap(({ message }) => PREEMPTOR.exec(message) ?? []);
  const here = evidence.pods.filter(({ clusterId }) => clusterId === ref.clusterId);
  const isWaiting = (one: PodSeen): boolean =>
    one.node === null && one.phase === 'Pending' && workloadRefOf(one).name !== ref.name;
  const pod =
    here.find((one) => (uid === undefined ? one.name === name && one.namespace === namespace : one.uid === uid)) ??
    // It is gone, or waits for the room that was made.
    (uid === undefined ? undefined : mostBy(here.filter(isWaiting), ({ createdAt }) => createdAt)[0]);
  return pod === undefined ? null : objectEntity(workloadRefOf(pod));
}
/** A pod had to go. Whatever filled the node stands behind it, unless it used too much itself. */
const evicted = workloadMechanism('evicted', 'Evicted', (workload, moment) => {
  const told = workload.told(/^(?:Evicted|Preempted|Preempting|TaintManagerEviction)$/);
  const pod = workload.pods.find(({ reason }) => reason === 'Evicted');
  if (told.length === 0 && pod === undefined) return null;
  const over = told.find(({ message }) => OVER_OWN_LIMIT.test(message));
  const rival = preemptorOf(workload, told, moment);
  return {
    ...(rival !== null && { entities: [rival], reaches: [workload.entity] }),
    finding: told[0]?.reason.startsWith('Preempt')
      ? `A pod of ${workload.name} had to make room for ${rival === null ? 'one of higher priority' : nameOf(rival)}.`
      : over === undefined
        ? `The node evicted a pod of ${workload.name}.`
        : `A pod of ${workload.name} wrote more than its limit of local storage allows, and was evicted.`,
    since: told.at(-1)?.firstAt ?? pod?.createdAt ?? null,
    change: undefined,
    specificity: over === undefined && rival === null ? 'broken' : 'stated',
    brings: ['missing', 'failing', 'crash'],
    is: over === undefined && rival === null ? 'missing' : undefined,
    evidence: [quote(over ?? told[0]) ?? 'reason Evicted'],
    next:
      over === undefined
        ? 'Give the pod requests that fit what it uses, and find what fills the node.'
        : 'Find what it writes (logs, temporary files, an emptyDir), or raise its limit of ephemeral storage.',
  };
});

/** Fewer ends than these are no loop. */
const LOOP_ENDS = 3;
/** It ends again and again, and nothing says why. */
const crashLoop = workloadMechanism('crash_loop', 'Crash loop', (workload, moment) => {
  const looping = containersOf(workload, ({ reason }) => /CrashLoop|BackOff/.test(reason ?? ''));
  const ends = workload.pods
    .flatMap(({ restarts }) => restarts)
    .filter(({ at }) => at > moment.firstAt - 24 * HOUR_SECONDS)
    .toSorted((a, b) => a.at - b.at);
  const isFailed =
    workload.pods.some(({ phase }) => phase === 'Failed') ||
    workload.told(/^(?:BackoffLimitExceeded|DeadlineExceeded)$/).length > 0;
  const isAlarmed = moment.symptoms.some(({ key, aspects }) => key === workload.key && aspects.includes('crash'));
  if (looping.length === 0 && !isFailed && !(isAlarmed && ends.length >= LOOP_ENDS)) return null;
  const [said] = workload.said(/^/);
  const code = looping[0]?.container.end?.exitCode ?? ends.at(-1)?.exitCode ?? null;
  const [pod] = [...looping.map((one) => one.pod), ...workload.pods];
  const isLate = workload.told(/^DeadlineExceeded$/).length > 0;
  return {
    finding: isLate
      ? `${workload.name} ran longer than its deadline.`
      : `A container of ${workload.name} ${isFailed && looping.length === 0 ? 'ended with an error' : 'restarts again and again'}.`,
    since: ends[0]?.at ?? looping[0]?.container.end?.at ?? null,
    change: undefined,
    specificity: 'state',
    brings: ['crash', 'failing', 'missing', 'cpu', 'start'],
    is: 'crash',
    evidence: [
      ends.length > 0 && `${String(ends.length)} restarts within a day of the alert`,
      code !== null && `last exit code ${String(code)}`,
      quote(said),
    ],
    next: 'Read the log of its last run. No change of it was recorded before.',
    command: pod && `kubectl -n ${shell(pod.namespace)} logs --previous ${shell(pod.name)}`,
  };
});

/** The node cannot give the pod its network. */
const noSandbox = workloadMechanism('no_pod_network', 'Node gives pods no network', (workload) => {
  const told = workload.told(/^FailedCreatePodSandBox$/);
  const [node] = workload.unwell.flatMap((pod) => pod.node ?? []);
  if (told.length === 0 || node === undefined) return null;
  return {
    entities: [objectEntity({ clusterId: workload.ref.clusterId, namespace: null, kind: 'Node', name: node })],
    reaches: [workload.entity],
    finding: `The node ${node} cannot set up the network of pods of ${workload.name}.`,
    since: firstAt(told),
    change: undefined,
    specificity: 'stated',
    evidence: [quote(told[0])],
    next: 'Check the network plugin on the node, and whether its range of addresses is used up.',
  };
});

export const stateMechanisms: readonly Mechanism[] = [...STATES.map(stated), evicted, crashLoop, noSandbox];
