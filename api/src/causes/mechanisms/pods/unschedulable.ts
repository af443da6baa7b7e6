import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import { nameOf, objectEntity } from '../../entities.ts';
import type { ChangeSeen, EventSeen } from '../../evidence.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { quote } from '../../words.ts';
import { declaredPorts, firstAt, workloadMechanism } from '../../workload-states.ts';
import { changeWords } from '../../change-words.ts';

interface Why {
  /** The scheduler names each reason with the number of nodes. */
  says: RegExp;
  words: string;
  /** Fields of the pod that may ask too much. */
  own?: RegExp;
  /** Fields of a node whose change may have taken it away. */
  node?: RegExp;
  /** Further causes behind it. */
  other?: (workload: WorkloadMoment, moment: Moment, told: readonly EventSeen[]) => readonly Other[];
}
interface Other {
  entity: CauseEntity;
  change?: ChangeSeen | undefined;
  /** Guilty whatever changed: alone, or with the workload. */
  isNamed?: 'alone' | 'beside';
}
const room = (says: RegExp, words: string): Why => ({
  says,
  words,
  own: /resources\.requests/,
  node: /^cordoned$/,
  other: scaledUp,
});
const TAINTED = /untolerated taint|had taints?|didn't tolerate/i;
/** The most telling first. */
const REASONS: readonly Why[] = [
  {
    says: /persistentvolumeclaim|volume node affinity|unbound immediate/i,
    words: 'its volume is not available there',
    own: /volumes/,
    other: pendingClaim,
  },
  { says: /free ports/i, words: 'its host port is taken', own: /ports|hostNetwork/, other: portRival },
  {
    says: TAINTED,
    words: 'it tolerates none of the taints of the nodes',
    own: /tolerations/,
    node: /^taints\./,
  },
  { says: /were unschedulable|unschedulable\}/i, words: 'nodes are cordoned', node: /^cordoned$/ },
  room(/insufficient cpu/i, 'no node has enough CPU left for its request'),
  room(/insufficient memory/i, 'no node has enough memory left for its request'),
  room(/insufficient (?!cpu|memory)\S+/i, 'no node has enough of a resource it requests'),
  room(/too many pods/i, 'no node may take another pod'),
  { says: /pressure/i, words: 'nodes are under pressure' },
  {
    says: /affinity|selector|nodename/i,
    words: 'no node fits its selector or affinity',
    own: /nodeSelector|affinity|nodeName|topologySpread/,
    node: /^labels\./,
  },
];

/** A change explains more than a state that lasts: the nodes of the control plane never take an ordinary pod. */
const isChanged = ({ own, node }: Why, workload: WorkloadMoment, moment: Moment): boolean =>
  (own !== undefined && workload.rollout(own) !== undefined) || nodesWith(workload, moment, node).length > 0;

export const unschedulable = workloadMechanism('unschedulable', 'No node takes the pod', (workload, moment) => {
  const told = workload.told(/^(?:FailedScheduling|NotTriggerScaleUp)$/);
  const [last] = told;
  if (last === undefined || !workload.pods.some(({ phase, node }) => phase === 'Pending' && node === null)) return null;
  const order = (one: Why): number => (isChanged(one, workload, moment) ? 0 : one.says === TAINTED ? 2 : 1);
  const why = REASONS.filter(({ says }) => told.some(({ message }) => says.test(message))).toSorted(
    (a, b) => order(a) - order(b),
  );
  const { entities, change } = guiltOf(workload, moment, told, why);
  const isOwn = entities[0] === workload.entity;
  const [first, ...others] = why.map(({ words }) => words);
  return {
    entities,
    reaches: [workload.entity],
    finding: `No node takes ${workload.name}${first === undefined ? '' : `: ${first}`}${isOwn ? '' : `, because of ${entities.map(nameOf).join(', ')}`}.`,
    since: firstAt(told),
    change,
    specificity: 'stated',
    brings: ['missing', 'start', 'failing'],
    is: isOwn && change === undefined ? 'missing' : undefined,
    evidence: [quote(last), change && `${change.kind} ${change.name}: ${changeWords(change)}`, ...others],
    next: 'Lower its requests, add a node, or correct its selector, tolerations or claim.',
  };
});

/** The pod requests something that no node has, or a change took it away. The later change decides. */
function guiltOf(workload: WorkloadMoment, moment: Moment, told: readonly EventSeen[], why: readonly Why[]) {
  const own = why.flatMap((one) => (one.own && workload.rollout(one.own)) ?? []);
  const more = workload.scaling?.change ?? [];
  const [change] = [...own, more].flat().toSorted((a, b) => b.at - a.at);
  const others = why.flatMap((one): readonly Other[] => [
    ...(one.other?.(workload, moment, told) ?? []),
    ...nodesWith(workload, moment, one.node),
  ]);
  const alone = others.find(({ isNamed }) => isNamed === 'alone');
  if (alone !== undefined) return { entities: [alone.entity], change };
  const [other] = others.toSorted((a, b) => (b.change?.at ?? 0) - (a.change?.at ?? 0));
  if (other?.isNamed === 'beside') return { entities: [workload.entity, other.entity], change };
  return other !== undefined && (change === undefined || (other.change?.at ?? 0) > change.at)
    ? { entities: [other.entity], change: other.change }
    : { entities: [workload.entity], change };
}

/** Nodes that are gone, or changed in this. */
const nodesWith = ({ ref: { clusterId } }: WorkloadMoment, moment: Moment, field: RegExp | undefined): Other[] =>
  [...new Set(moment.evidence.changes.flatMap((one) => (one.kind === 'Node' ? one.name : [])))].flatMap((name) => {
    const ref = { clusterId, namespace: null, kind: 'Node', name };
    const change = moment
      .changesOf(ref)
      .find(
        ({ fields, action }) =>
          action === 'gone' || fields.some((one) => field?.test(one.field) === true && one.was !== 'removed'),
      );
    return field === undefined || change === undefined ? [] : [{ entity: objectEntity(ref), change }];
  });

/** Another workload that was scaled up took the room. */
function scaledUp(workload: WorkloadMoment, moment: Moment): Other[] {
  return moment.workloads.flatMap((other) =>
    other.key !== workload.key && other.ref.clusterId === workload.ref.clusterId && other.scaling?.isUp === true
      ? [{ entity: other.entity, change: other.scaling.change }]
      : [],
  );
}

function pendingClaim(
  { ref: { clusterId, namespace }, pods }: WorkloadMoment,
  moment: Moment,
  told: readonly EventSeen[],
) {
  const said = /persistentvolumeclaim "([^"]{1,253})"/i.exec(told[0]?.message ?? '')?.[1];
  const own = new Set(pods.flatMap(({ claims }) => claims));
  const pending = moment.evidence.claims.find(
    (one) => one.clusterId === clusterId && one.namespace === namespace && one.phase !== 'Bound' && own.has(one.name),
  );
  const name = said ?? pending?.name;
  const ref = { clusterId, namespace, kind: 'PersistentVolumeClaim', name: name ?? '' };
  return name === undefined ? [] : [{ entity: objectEntity(ref), isNamed: 'alone' as const }];
}

/** Another workload that declares the same port and runs on a node. */
function portRival(workload: WorkloadMoment, moment: Moment): Other[] {
  const own = declaredPorts(workload).filter((port) => /^\d+$/.test(port));
  const rivals = moment.workloads.filter(
    (other) =>
      other !== workload &&
      other.ref.clusterId === workload.ref.clusterId &&
      other.pods.some(({ node, phase }) => node !== null && phase === 'Running') &&
      declaredPorts(other).some((port) => own.includes(port)),
  );
  const recent = rivals.filter((one) => one.rollout() !== undefined);
  const [rival] = recent.length > 0 ? recent : rivals.length === 1 ? rivals : [];
  return rival === undefined ? [] : [{ entity: rival.entity, isNamed: 'beside' }];
}
