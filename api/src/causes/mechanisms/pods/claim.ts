import { nameOf, objectEntity } from '../../entities.ts';
import type { ClaimSeen } from '../../evidence.ts';
import { fixed } from '../../figures.ts';
import { each, type Candidate, type Mechanism } from '../../mechanism.ts';
import type { WorkloadMoment } from '../../moment.ts';
import { quote } from '../../words.ts';
import { firstAt, workloadMechanism } from '../../workload-states.ts';
import { changeWords } from '../../change-words.ts';
import { POD_TROUBLE } from '../../aspects.ts';

const KIND = 'PersistentVolumeClaim';

/** Makes a mechanism that looks at each claim, with the workloads that use it. */
const claimMechanism = each<ClaimSeen & { users: readonly WorkloadMoment[] }, Omit<Candidate, 'entities' | 'reaches'>>(
  (moment) =>
    moment.evidence.claims.map((claim) => ({
      ...claim,
      users: moment.inNamespaceOf(claim).filter(({ pods }) => pods.some(({ claims }) => claims.includes(claim.name))),
    })),
  ({ clusterId, namespace, name, users }, found) => ({
    ...found,
    entities: [objectEntity({ clusterId, namespace, kind: KIND, name })],
    reaches: users.map(({ entity }) => entity),
  }),
);

/** A claim gets no volume: the cluster says why. */
const claimUnbound = claimMechanism('claim_unbound', 'Claim without a volume', (claim, moment) => {
  const { clusterId, namespace, name, phase, storageClass, reason, users } = claim;
  const isWaiting = users.some(({ pods }) => pods.some((pod) => !pod.ready && pod.claims.includes(name)));
  if ((phase !== 'Pending' && phase !== 'Lost') || !isWaiting) return null;
  const told = moment.evidence.events
    .filter(
      (one) => one.kind === KIND && one.name === name && one.namespace === namespace && one.clusterId === clusterId,
    )
    .toSorted((a, b) => b.lastAt - a.lastAt);
  const said = told.find(({ type }) => type !== 'Normal');
  const [change] = moment.changesOf({ clusterId, namespace: null, kind: 'StorageClass', name: storageClass ?? '' });
  return {
    finding: `The claim ${namespace}/${name} gets no volume${storageClass === null ? '' : ` of the class ${storageClass}`}.`,
    since: change?.at ?? firstAt(told),
    change,
    specificity: said === undefined && reason === null ? 'broken' : 'stated',
    brings: POD_TROUBLE,
    evidence: [quote(said), reason, `phase ${phase}`, change && changeWords(change)],
    next: 'Correct its class, its size or its access mode, or create the volume that it names.',
  };
});

const FULL_PERCENT = 95;
const FULL = /no space left|quota exceeded|disk full|could not (?:write|extend)/i;
const volumeFull = claimMechanism('volume_full', 'Volume is full', ({ name, usedPercent, users }) => {
  if (usedPercent === null || usedPercent < FULL_PERCENT) return null;
  const said = users.flatMap(({ texts }) => texts).find(({ text }) => FULL.test(text));
  return {
    finding: `The volume ${name} is ${usedPercent >= 99.5 ? '' : `${fixed(usedPercent, 0)} % `}full.`,
    since: said?.at ?? null,
    specificity: said === undefined ? 'broken' : 'stated',
    brings: [...POD_TROUBLE, 'disk'],
    evidence: [`${fixed(usedPercent)} % used`, quote(said)],
    next: 'Delete data on it, or enlarge the claim.',
  };
});

/** A volume of one node is wanted on another, or cannot be mounted. */
const volumeNotMounted = workloadMechanism('volume_mount_failure', 'Volume cannot be mounted', (workload) => {
  const told = workload
    .told(/^(?:FailedMount|FailedAttachVolume|FailedMapVolume)$/)
    .filter(({ message }) => !/(?:configmap|secret) "[^"]*" not found/i.test(message));
  const [said] = told;
  if (said === undefined) return null;
  const name = workload.pods.find(({ ready, claims }) => !ready && claims.length > 0)?.claims[0];
  const entity = name === undefined ? workload.entity : objectEntity({ ...workload.ref, kind: KIND, name });
  const isTaken = /Multi-Attach|already (?:exclusively attached|used by)|exclusive/i.test(said.message);
  return {
    entities: [entity],
    reaches: [workload.entity],
    finding: `The volume of ${nameOf(entity)} ${isTaken ? 'is attached to another node' : 'cannot be mounted'}.`,
    since: firstAt(told),
    change: undefined,
    specificity: 'stated',
    evidence: [quote(said)],
    next: isTaken
      ? 'End the pod that holds the volume, or use an access mode for several nodes.'
      : 'See the events of the claim and of its storage class.',
  };
});

export const claimMechanisms: readonly Mechanism[] = [claimUnbound, volumeFull, volumeNotMounted];
