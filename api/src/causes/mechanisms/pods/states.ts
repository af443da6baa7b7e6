import type { ContainerSeen, PodSeen } from '../../evidence.ts';
import { HOUR } from '../../figures.ts';
import type { Mechanism, Specificity } from '../../mechanism.ts';
import { quote } from '../../words.ts';
import { containersOf, eventsOf, shell, textsOf, workloadMechanism } from '../../workload-states.ts';

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
const stated = ({ id, title, test, said, finding, ...more }: State): Mechanism =>
  workloadMechanism(id, title, ['pods'], (workload, moment, name) => {
    const [found] = containersOf(workload, (container, pod) => test(container, pod, moment.evidence.now));
    if (found === undefined) return null;
    const { pod, container } = found;
    const [text] = textsOf(workload, moment, (one) => said.test(one));
    return {
      ...more,
      finding: finding(name, container),
      since: text?.at ?? pod.createdAt,
      evidence: [
        `container ${container.name} of pod ${pod.name}: ${container.reason ?? container.status}`,
        quote(text),
      ],
      command: container.isInit
        ? `kubectl -n ${shell(pod.namespace)} logs ${shell(pod.name)} -c ${shell(container.name)}`
        : null,
    };
  });

/** A pod had to go. Whatever filled the node stands behind it. */
const evicted = workloadMechanism('evicted', 'Evicted', ['pods'], (workload, _, name) => {
  const told = eventsOf(workload, /^(?:Evicted|Preempted|Preempting|TaintManagerEviction)$/);
  const pod = workload.pods.find(({ reason }) => reason === 'Evicted');
  if (told.length === 0 && pod === undefined) return null;
  return {
    finding: told[0]?.reason.startsWith('Preempt')
      ? `A pod of ${name} had to make room for one of higher priority.`
      : `The node evicted a pod of ${name}.`,
    since: told.at(-1)?.firstAt ?? pod?.createdAt ?? null,
    change: undefined,
    specificity: 'broken',
    brings: ['missing', 'failing', 'crash'],
    is: 'missing',
    evidence: ['reason Evicted', quote(told[0])],
    next: 'Give the pod requests that fit what it uses, and find what fills the node.',
  };
});

/** Fewer ends than these are no loop. */
const LOOP_ENDS = 3;
/** It ends again and again, and nothing says why. */
const crashLoop = workloadMechanism('crash_loop', 'Crash loop', ['pods'], (workload, moment, name) => {
  const looping = containersOf(workload, ({ reason }) => /CrashLoop|BackOff/.test(reason ?? ''));
  const ends = workload.pods
    .flatMap(({ restarts }) => restarts)
    .filter(({ at }) => at > moment.firstAt - 24 * HOUR)
    .toSorted((a, b) => a.at - b.at);
  const isFailed =
    workload.pods.some(({ phase }) => phase === 'Failed') ||
    eventsOf(workload, /^(?:BackoffLimitExceeded|DeadlineExceeded)$/).length > 0;
  const isAlarmed = moment.symptoms.some(({ key, aspects }) => key === workload.key && aspects.includes('crash'));
  if (looping.length === 0 && !isFailed && !(isAlarmed && ends.length >= LOOP_ENDS)) return null;
  const [said] = textsOf(workload, moment, () => true);
  const code = looping[0]?.container.end?.exitCode ?? ends.at(-1)?.exitCode ?? null;
  const [pod] = [...looping.map((one) => one.pod), ...workload.pods];
  return {
    finding: `A container of ${name} ${isFailed && looping.length === 0 ? 'ended with an error' : 'restarts again and again'}.`,
    since: ends[0]?.at ?? looping[0]?.container.end?.at ?? null,
    change: undefined,
    specificity: 'state',
    brings: ['crash', 'failing', 'missing', 'cpu', 'start'],
    is: 'crash',
    evidence: [
      `${String(ends.length)} restarts within a day of the alert`,
      code !== null && `last exit code ${String(code)}`,
      quote(said),
    ],
    next: 'Read the log of its last run. No change of it was recorded before.',
    command: pod && `kubectl -n ${shell(pod.namespace)} logs --previous ${shell(pod.name)}`,
  };
});

export const stateMechanisms: readonly Mechanism[] = [...STATES.map(stated), evicted, crashLoop];
