import { nameOf, objectEntity } from '../../entities.ts';
import type { ObjectRef } from '../../evidence.ts';
import { fixed } from '../../figures.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { quoted } from '../../words.ts';
import { changeWords, describeCommand, firstAt, POD_TROUBLE } from '../../workload-states.ts';

const claimRef = (clusterId: string, namespace: string | null, name: string): ObjectRef => ({
  clusterId,
  namespace,
  kind: 'PersistentVolumeClaim',
  name,
});

/** A claim gets no volume: the cluster says why. */
export const claimUnbound: Mechanism = {
  id: 'claim_unbound',
  title: 'Claim without a volume',
  needs: ['claims'],
  recognise: (moment) =>
    moment.evidence.claims.flatMap((claim): Candidate[] => {
      if (claim.phase !== 'Pending' && claim.phase !== 'Lost') return [];
      const ref = claimRef(claim.clusterId, claim.namespace, claim.name);
      const users = usersOf(ref, moment);
      if (users.length === 0) return [];
      const told = moment.evidence.events.filter(
        (event) =>
          event.kind === ref.kind &&
          event.name === ref.name &&
          event.namespace === ref.namespace &&
          event.clusterId === ref.clusterId,
      );
      const [said] = told.filter(({ type }) => type !== 'Normal').toSorted((a, b) => b.lastAt - a.lastAt);
      const storage = moment.changesOf({
        clusterId: claim.clusterId,
        namespace: null,
        kind: 'StorageClass',
        name: claim.storageClass ?? '',
      });
      const entity = objectEntity(ref);
      return [
        {
          entities: [entity],
          reaches: users,
          finding: `The claim ${nameOf(entity)} gets no volume${claim.storageClass === null ? '' : ` of the class ${claim.storageClass}`}.`,
          since: storage[0]?.at ?? firstAt(told),
          change: storage[0],
          specificity: said === undefined && claim.reason === null ? 'broken' : 'stated',
          brings: POD_TROUBLE,
          evidence: [
            said !== undefined && { text: quoted(said.message), at: said.lastAt },
            claim.reason !== null && quoted(claim.reason),
            `phase ${claim.phase}`,
            storage[0] !== undefined && changeWords(storage[0]),
          ],
          next: 'Correct its class, its size or its access mode, or make the volume that it wants.',
          command: describeCommand('pvc', claim.namespace, claim.name),
        },
      ];
    }),
};

const usersOf = (ref: ObjectRef, moment: Moment) =>
  moment.workloads
    .filter(
      ({ pods, ref: own }) =>
        own.clusterId === ref.clusterId &&
        own.namespace === ref.namespace &&
        pods.some(({ claims, ready }) => !ready && claims.includes(ref.name)),
    )
    .map(({ entity }) => entity);

const MOUNT = /^(?:FailedMount|FailedAttachVolume|FailedMapVolume)$/;
/** A volume of one node is wanted on another, or cannot be mounted. */
export const volumeNotMounted: Mechanism = {
  id: 'volume_mount_failure',
  title: 'Volume cannot be mounted',
  needs: ['pods', 'events'],
  recognise: (moment) =>
    moment.workloads.flatMap((workload): Candidate[] => {
      const told = workload.events.filter(
        ({ reason, message }) => MOUNT.test(reason) && !/(?:configmap|secret) ".*" not found/i.test(message),
      );
      const [said] = told.toSorted((a, b) => b.lastAt - a.lastAt);
      const pods = workload.pods.filter(({ ready, claims }) => !ready && claims.length > 0);
      const name = pods[0]?.claims[0];
      if (said === undefined) return [];
      const isTaken = /Multi-Attach|already (?:exclusively attached|used by)|exclusive/i.test(said.message);
      const entity =
        name === undefined
          ? workload.entity
          : objectEntity(claimRef(workload.ref.clusterId, workload.ref.namespace, name));
      return [
        {
          entities: [entity],
          reaches: [workload.entity],
          finding: isTaken
            ? `The volume of ${nameOf(entity)} is attached to another node.`
            : `The volume of ${nameOf(entity)} cannot be mounted.`,
          since: firstAt(told),
          specificity: 'stated',
          brings: POD_TROUBLE,
          evidence: [{ text: quoted(said.message), at: said.lastAt }],
          next: isTaken
            ? 'End the pod that holds the volume, or use an access mode for several nodes.'
            : 'See the events of the claim and of its storage class.',
          command: describeCommand(name === undefined ? 'pod' : 'pvc', workload.ref.namespace, name ?? said.name),
        },
      ];
    }),
};

const FULL_PERCENT = 95;
export const volumeFull: Mechanism = {
  id: 'volume_full',
  title: 'Volume is full',
  needs: ['claims'],
  recognise: (moment) =>
    moment.evidence.claims.flatMap((claim): Candidate[] => {
      if ((claim.usedPercent ?? 0) < FULL_PERCENT) return [];
      const ref = claimRef(claim.clusterId, claim.namespace, claim.name);
      const entity = objectEntity(ref);
      const users = moment.workloads.filter(
        ({ pods, ref: own }) =>
          own.clusterId === ref.clusterId &&
          own.namespace === ref.namespace &&
          pods.some(({ claims }) => claims.includes(ref.name)),
      );
      const said = users
        .flatMap(({ texts }) => texts)
        .find(({ text }) => /no space left|quota exceeded|disk full|could not (?:write|extend)/i.test(text));
      return [
        {
          entities: [entity],
          reaches: users.map((one) => one.entity),
          finding: `The volume ${claim.name} is full.`,
          since: said?.at ?? null,
          specificity: said === undefined ? 'broken' : 'stated',
          brings: [...POD_TROUBLE, 'disk'],
          evidence: [
            `${fixed(claim.usedPercent ?? 0)} % used`,
            said !== undefined && { text: quoted(said.text), at: said.at },
          ],
          next: 'Delete data on it, or enlarge the claim.',
          command: describeCommand('pvc', claim.namespace, claim.name),
        },
      ];
    }),
};
