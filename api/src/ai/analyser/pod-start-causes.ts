import { clock, fixed, type Finder } from './evidence.ts';
import { imagesOf, latest, ofPod } from './pod-seen.ts';

/** Causes of a pod that does not start, or may not stay. */

const PULL_REASONS = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
]);
export const imagePullFailure: Finder = (evidence) => {
  const seen = ofPod(evidence);
  if (seen?.waiting == null || !PULL_REASONS.has(seen.waiting.reason)) return null;
  const { waiting } = seen;
  const told = waiting.message ?? latest(seen.events, /^(?:Failed|ErrImagePull|BackOff)$/)?.message ?? null;
  const [changed] = imagesOf(seen);
  return {
    kind: 'image_pull_failure',
    strength: 0.96,
    finding: `The image ${waiting.image} cannot be pulled.`,
    evidence: [
      waiting.reason,
      ...(told === null ? [] : [told]),
      ...(changed === undefined ? [] : [`image ${changed.from} → ${changed.to} at ${clock(changed.at)}`]),
    ],
    next: 'Check name and tag of the image, and whether the pod has an imagePullSecret for its registry.',
  };
};

const CONFIG_REASONS =
  /^(?:CreateContainerConfigError|CreateContainerError|RunContainerError|StartError|ContainerCannotRun)$/;
export const containerConfigError: Finder = (evidence) => {
  const seen = ofPod(evidence);
  if (seen === null) return null;
  const told = latest(seen.events, /^(?:Failed|FailedCreatePodContainer|FailedCreatePodSandBox)$/);
  const reason = [seen.waiting?.reason, seen.pod?.reason, seen.restarts[0]?.reason].find(
    (one) => one != null && CONFIG_REASONS.test(one),
  );
  const missing =
    told !== undefined && /(?:configmap|secret)s? ".*" not found|couldn't find key/i.test(told.message)
      ? told
      : undefined;
  if (reason === undefined && missing === undefined) return null;
  const shown = seen.waiting?.message ?? missing?.message ?? told?.message ?? null;
  return {
    kind: 'container_config_error',
    strength: 0.955,
    finding: 'The container cannot be created from its specification.',
    evidence: [...(reason == null ? [] : [reason]), ...(shown === null ? [] : [shown])],
    next: 'Create the ConfigMap or Secret it names, or correct its command, and the pod starts by itself.',
  };
};

export const unschedulable: Finder = (evidence) => {
  const seen = ofPod(evidence);
  const told = seen === null ? undefined : latest(seen.events, /^(?:FailedScheduling|NotTriggerScaleUp)$/);
  if (seen?.pod == null || seen.pod.phase !== 'Pending' || (told === undefined && seen.pod.reason !== 'Unschedulable'))
    return null;
  const words = told?.message ?? '';
  const want = [
    [/persistentvolumeclaim|volume node affinity/i, 'its volume is not available there'],
    [/insufficient cpu/i, 'no node has enough CPU left for its request'],
    [/insufficient memory/i, 'no node has enough memory left for its request'],
    [/insufficient (?!cpu|memory)\S+/i, 'no node has enough of a resource it requests'],
    [/were unschedulable|unschedulable\}/i, 'nodes are cordoned'],
    [/too many pods/i, 'no node may take another pod'],
    [/pressure/i, 'nodes are under pressure'],
    [/affinity|selector/i, 'no node fits its selector or affinity'],
    [/taint/i, 'it tolerates none of the taints of the nodes'],
  ] as const;
  const why = want.filter(([pattern]) => pattern.test(words)).map(([, text]) => text);
  return {
    kind: 'unschedulable',
    strength: 0.95,
    finding: `No node takes the pod${why[0] === undefined ? '' : `: ${why[0]}`}.`,
    evidence: [...(words === '' ? [] : [words]), ...why.slice(1)],
    next: 'Lower its requests, add a node, or correct its selector, tolerations or claim.',
  };
};

export const volumeCauses: Finder = (evidence) => {
  const seen = ofPod(evidence);
  if (seen === null) return null;
  const failed = latest(
    seen.events,
    /^(?:FailedMount|FailedAttachVolume|FailedMapVolume|ProvisioningFailed|FailedBinding)$/,
  );
  const full = seen.volumes.find(({ usedPercent }) => (usedPercent ?? 0) >= 95);
  const lost = seen.volumes.find(({ phase }) => phase === 'Lost' || phase === 'Pending');
  const noSpace = [...seen.events.map(({ message }) => message), seen.pod?.lastMessage ?? ''].find((text) =>
    /no space left|disk quota exceeded/i.test(text),
  );
  if (full !== undefined)
    return {
      kind: 'volume_full',
      strength: 0.955,
      finding: `The volume ${full.claim} is full.`,
      evidence: [
        `${fixed(full.usedPercent ?? 0)} % used`,
        ...(noSpace === undefined || noSpace === '' ? [] : [noSpace]),
      ],
      next: 'Delete data on it, or enlarge the claim.',
    };
  if (failed === undefined && !(lost !== undefined && seen.pod?.phase === 'Pending')) return null;
  return {
    kind: 'volume_mount_failure',
    strength: 0.945,
    finding:
      lost === undefined ? 'A volume of the pod cannot be mounted.' : `The volume ${lost.claim} is not available.`,
    evidence: [
      ...(failed === undefined ? [] : [`${failed.reason}: ${failed.message}`]),
      ...(lost?.reason == null ? [] : [lost.reason]),
    ],
    next: 'See the events of the claim and of its storage class; a volume of another node must be released first.',
  };
};

export const quotaExceeded: Finder = ({ kubernetes }) => {
  const told = kubernetes?.events.find(
    ({ reason, message }) => reason === 'FailedCreate' && /exceeded quota|forbidden|denied/i.test(message),
  );
  if (told === undefined) return null;
  return {
    kind: 'quota_exceeded',
    strength: 0.93,
    finding: `${told.kind} ${told.name} may not create its pods.`,
    evidence: [told.message],
    next: 'Raise the quota of the namespace, or correct what the admission refuses.',
  };
};

export const evicted: Finder = (evidence) => {
  const seen = ofPod(evidence);
  const told =
    seen === null ? undefined : latest(seen.events, /^(?:Evicted|Preempted|Preempting|TaintManagerEviction)$/);
  if (seen?.pod == null || (seen.pod.reason !== 'Evicted' && told === undefined)) return null;
  return {
    kind: 'evicted',
    strength: 0.92,
    finding:
      told?.reason.startsWith('Preempt') === true
        ? 'The pod had to make room for one of higher priority.'
        : 'The node evicted the pod.',
    evidence: told === undefined ? ['reason Evicted'] : [`${told.reason}: ${told.message}`],
    next: 'Give the pod requests that fit what it uses, and find what fills the node.',
  };
};
