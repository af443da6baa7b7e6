import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import { nameOf, objectEntity } from '../../entities.ts';
import type { ChangeSeen, EventSeen } from '../../evidence.ts';
import type { Workload } from '../../index-objects.ts';
import type { Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { quoted } from '../../words.ts';
import {
  changeWords,
  describeCommand,
  eachWorkload,
  eventsOf,
  firstAt,
  replicasChange,
  templateChange,
} from '../../workload-states.ts';

/** The scheduler names each reason with the number of nodes; the most telling first. */
const REASONS = [
  ['claim', /persistentvolumeclaim|volume node affinity|unbound immediate/i, 'its volume is not available there'],
  ['ports', /free ports/i, 'its host port is taken'],
  ['taint', /untolerated taint|had taints?|didn't tolerate/i, 'it tolerates none of the taints of the nodes'],
  ['cordon', /were unschedulable|unschedulable\}/i, 'nodes are cordoned'],
  ['room', /insufficient cpu/i, 'no node has enough CPU left for its request'],
  ['room', /insufficient memory/i, 'no node has enough memory left for its request'],
  ['room', /insufficient \S+/i, 'no node has enough of a resource it requests'],
  ['room', /too many pods/i, 'no node may take another pod'],
  ['pressure', /pressure/i, 'nodes are under pressure'],
  ['place', /affinity|selector|nodename/i, 'no node fits its selector or affinity'],
] as const;
type Why = (typeof REASONS)[number][0];

const OWN_FIELDS: Partial<Record<Why, RegExp>> = {
  ports: /ports|hostNetwork/,
  taint: /tolerations/,
  room: /resources\.requests/,
  place: /nodeSelector|affinity|nodeName|topologySpread/,
  claim: /volumes/,
};

export const unschedulable: Mechanism = {
  id: 'unschedulable',
  title: 'No node takes the pod',
  needs: ['pods', 'events'],
  recognise: eachWorkload((workload, moment) => {
    const isPending = workload.pods.some(({ phase, node }) => phase === 'Pending' && node === null);
    const told = eventsOf(workload, /^(?:FailedScheduling|NotTriggerScaleUp)$/);
    const [last] = told;
    if (last === undefined || !isPending) return null;
    const words = told.map(({ message }) => message).join('\n');
    const why = REASONS.filter(([, pattern]) => pattern.test(words));
    const guilt = guiltOf(
      workload,
      moment,
      told,
      why.map(([one]) => one),
    );
    const [first, ...others] = why.map(([, , text]) => text);
    const own = guilt.entities[0];
    return {
      entities: guilt.entities,
      reaches: [workload.entity],
      finding: `No node takes ${nameOf(workload.entity)}${first === undefined ? '' : `: ${first}`}${
        guilt.isOwn || own === undefined ? '' : `, because of ${nameOf(own)}`
      }.`,
      since: guilt.change?.at ?? firstAt(told),
      change: guilt.change,
      specificity: 'stated',
      brings: ['missing', 'start', 'failing'],
      ...(guilt.isOwn && guilt.change === undefined && { is: 'missing' as const }),
      evidence: [
        { text: quoted(last.message), at: last.lastAt },
        guilt.change !== undefined && `${nameOf(guilt.entities[0] ?? workload.entity)}: ${changeWords(guilt.change)}`,
        ...others,
      ],
      next: 'Lower its requests, add a node, or correct its selector, tolerations or claim.',
      command: describeCommand('pod', workload.ref.namespace, last.name),
    };
  }),
};

interface Guilt {
  entities: readonly CauseEntity[];
  change: ChangeSeen | undefined;
  isOwn: boolean;
}

/** The pod requests something that no node has, or a change took it away. The later change decides. */
function guiltOf(workload: Workload, moment: Moment, told: readonly EventSeen[], why: readonly Why[]): Guilt {
  const own = why.flatMap((one) => {
    const fields = OWN_FIELDS[one];
    const change = fields === undefined ? undefined : templateChange(workload, moment, fields);
    return change === undefined ? [] : [change];
  });
  const others = why.flatMap((one) => othersOf(one, workload, moment, told));
  const more = replicasChange(workload, moment);
  const [change] = [...own, ...(more === null ? [] : [more.change])].toSorted((a, b) => b.at - a.at);
  const [other] = others.toSorted((a, b) => (b.change?.at ?? 0) - (a.change?.at ?? 0));
  const claim = others.find(({ entity }) => entity.kind === 'volume_claim');
  if (claim !== undefined) return { entities: [claim.entity], change, isOwn: false };
  const isOther =
    other !== undefined && (other.isNamed === true || change === undefined || (other.change?.at ?? 0) > change.at);
  if (isOther)
    return {
      entities: [...(other.isNamed === true ? [workload.entity] : []), other.entity],
      change: other.change ?? change,
      isOwn: other.isNamed === true,
    };
  return { entities: [workload.entity], change, isOwn: true };
}

interface Other {
  entity: CauseEntity;
  change: ChangeSeen | undefined;
  /** It shares the guilt with the workload. */
  isNamed?: boolean;
}
function othersOf(why: Why, workload: Workload, moment: Moment, told: readonly EventSeen[]): Other[] {
  const { clusterId, namespace } = workload.ref;
  const nodeChanges = (field: RegExp): Other[] =>
    moment.evidence.nodes.flatMap((node) => {
      const ref = { clusterId, namespace: null, kind: 'Node', name: node.name };
      const change = moment
        .changesOf(ref)
        .find(
          ({ fields, action }) =>
            action === 'gone' || fields.some((one) => field.test(one.field) && one.was !== 'removed'),
        );
      return change === undefined || node.clusterId !== clusterId ? [] : [{ entity: objectEntity(ref), change }];
    });
  switch (why) {
    case 'taint':
      return nodeChanges(/^taints\./);
    case 'cordon':
      return nodeChanges(/^cordoned$/);
    case 'place':
      return nodeChanges(/^labels\./);
    case 'room':
      return [
        ...moment.workloads.flatMap((other): Other[] => {
          const scaled = other === workload ? null : replicasChange(other, moment);
          const isUp = scaled !== null && Number(scaled.field.after) > Number(scaled.field.before ?? 0);
          return isUp && other.ref.clusterId === clusterId ? [{ entity: other.entity, change: scaled.change }] : [];
        }),
        ...nodeChanges(/^cordoned$/),
      ];
    case 'ports':
      return portRival(workload, moment);
    case 'claim': {
      const said = /persistentvolumeclaim "([^"]{1,253})"/i.exec(told[0]?.message ?? '')?.[1];
      const own = workload.pods.flatMap(({ claims }) => claims);
      const pending = moment.evidence.claims.find(
        (one) =>
          one.clusterId === clusterId && one.namespace === namespace && one.phase !== 'Bound' && own.includes(one.name),
      );
      const name = said ?? pending?.name;
      if (name === undefined) return [];
      const entity = objectEntity({ clusterId, namespace, kind: 'PersistentVolumeClaim', name });
      return [{ entity, change: undefined }];
    }
    case 'pressure':
      return [];
  }
}

/** Another workload that declares the same port and runs on a node. */
function portRival(workload: Workload, moment: Moment): Other[] {
  const portsOf = ({ object }: Workload): string[] =>
    Object.entries(object?.fields ?? {}).flatMap(([field, value]) =>
      field.endsWith('.ports') ? [...value.matchAll(/(\d{1,5})\//g)].map(([, port = '']) => port) : [],
    );
  const own = portsOf(workload);
  const rivals = moment.workloads.filter(
    (other) =>
      other !== workload &&
      other.ref.clusterId === workload.ref.clusterId &&
      other.pods.some(({ node, phase }) => node !== null && phase === 'Running') &&
      portsOf(other).some((port) => own.includes(port)),
  );
  const recent = rivals.filter((one) => templateChange(one, moment) !== undefined);
  const [rival] = recent.length > 0 ? recent : rivals.length === 1 ? rivals : [];
  return rival === undefined ? [] : [{ entity: rival.entity, change: undefined, isNamed: true }];
}
