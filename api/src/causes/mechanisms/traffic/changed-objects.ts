import { keyOf, nameOf, objectEntity, refKey } from '../../entities.ts';
import type { ChangeSeen, ObjectRef, ObjectSeen } from '../../evidence.ts';
import { clock } from '../../figures.ts';
import { SELECTOR, type Reach } from '../../graph.ts';
import { each, type Candidate, type Mechanism } from '../../mechanism.ts';
import { fieldsBelow, refOf } from '../../index-objects.ts';
import { quote } from '../../words.ts';
import { ifNoticed, isJustBefore, isWayKnown } from '../../workload-states.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { changeWords } from '../../change-words.ts';
import { POD_TROUBLE } from '../../aspects.ts';

interface Changed {
  change: ChangeSeen;
  ref: ObjectRef;
  /** Null: it is gone. */
  object: ObjectSeen | null;
  name: string;
}
/** What is added beside others does no harm, but these act from their creation on. */
const ACTS_AT_ONCE = /^(?:NetworkPolicy|\w+WebhookConfiguration)$/;
/** Makes mechanisms that look at each change or deletion of the objects of a kind. */
export const changeMechanism = (kind: string) =>
  each<
    Changed,
    Pick<Candidate, 'specificity' | 'brings' | 'evidence' | 'against' | 'next' | 'reaches'> & { finding?: string }
  >(
    (moment) =>
      moment.evidence.changes.flatMap((change): Changed[] => {
        const { clusterId, namespace, name, action } = change;
        const isHarmless = action === 'added' && !ACTS_AT_ONCE.test(kind);
        if (change.kind !== kind || clusterId === null || isHarmless || name === 'kube-root-ca.crt') return [];
        const ref = { clusterId, namespace, kind, name };
        if (!moment.changesOf(ref).includes(change)) return [];
        const object = action === 'gone' ? null : moment.index.find(ref);
        return [{ change, ref, object, name: nameOf(objectEntity(ref)) }];
      }),
    ({ change, ref, name }, found) => {
      const did = { gone: 'was deleted', added: 'came' }[change.action] ?? 'changed';
      return {
        entities: [objectEntity(ref)],
        finding: `${name} ${did} at ${clock(change.at)}${change.action === 'gone' ? '' : `: ${changeWords(change)}`}.`,
        since: change.at,
        change,
        ...found,
      };
    },
  );

const KEY = /^(?:data|binaryData)\.(.+)$/;
/** A shorter key is a word of many texts. */
const TELLING_KEY = 3;
/** A program that is restarted reads its configuration: if it is ready with it, it may still fail at its work. */
const READ_SECONDS = 300;
interface Restart {
  one: WorkloadMoment;
  at: number;
}
const restarts = new WeakMap<Moment, Restart[]>();
/** Restarts before the first symptom of what alerts are about, found once: the ways through a large graph take long. */
function restartsOf(moment: Moment): Restart[] {
  const known = restarts.get(moment);
  if (known !== undefined) return known;
  const byKey = new Map(moment.workloads.map((one) => [one.key, one]));
  const made = moment.evidence.changes
    .filter(({ at, fields }) => at <= moment.firstAt && fields.some(({ field }) => field.endsWith('restartedAt')))
    .flatMap(({ clusterId, namespace, kind, name, at }) => {
      const one = clusterId === null ? undefined : byKey.get(refKey({ clusterId, namespace, kind, name }));
      return one === undefined || !isWayKnown(one, moment) ? [] : [{ one, at }];
    });
  restarts.set(moment, made);
  return made;
}
/** A ConfigMap changed, and pods that read it fail. */
const configChanged = changeMechanism('ConfigMap')(
  'configuration_changed',
  'Configuration changed',
  ({ change, ref, name }, moment) => {
    const keys = change.fields.flatMap(({ field, was }) => {
      const key = KEY.exec(field)?.[1];
      return key === undefined ? [] : [{ key, was }];
    });
    const reach = moment.graph.reach([keyOf(objectEntity(ref))]);
    const way = ({ key }: { key: string }): Reach | undefined => reach.get(key);
    const sick = moment.workloads.filter((one) => way(one)?.isCall === false && one.isInTrouble);
    const words = [...keys.map(({ key }) => key), ref.name].filter((word) => word.length >= TELLING_KEY);
    const [said] = sick.flatMap((one) => one.said((text) => words.some((word) => text.includes(word))));
    const isGone = change.action === 'gone';
    const anew = restartsOf(moment)
      .filter(({ one, at }) => at >= change.at - 5 && at <= change.at + READ_SECONDS && way(one)?.isCall === false)
      .map(({ one }) => one);
    if (sick.length === 0 && anew.length > 0 && isJustBefore(change.at, moment))
      return {
        specificity: 'changed',
        brings: ['failing', 'cpu', 'memory'],
        reaches: anew.map(({ entity }) => entity),
        evidence: [changeWords(change), ...anew.map((one) => `${one.name} may read it, and was restarted after it`)],
        against: anew.map((one) => `${one.name} itself is well.`),
        next: 'Put the keys back as they were, and restart the workloads that read them.',
      };
    if (sick.length === 0) return null;
    const isLess = isGone || keys.some(({ was }) => was === 'removed');
    const isRead = sick.some((one) => way(one)?.certainty === 1);
    return {
      // Nobody is known to read it: without a text that names it, only its time speaks for it.
      specificity: said !== undefined ? 'stated' : !isRead ? 'before' : isLess ? 'broken' : 'changed',
      ...(keys.length > 0 &&
        !isGone && {
          finding: `${name} changed at ${clock(change.at)}: ${keys.map(({ key, was }) => `${key} ${was}`).join(', ')}.`,
        }),
      brings: [...POD_TROUBLE, 'cpu', 'memory'],
      evidence: [
        quote(said),
        ...sick
          .slice(0, 3)
          .map((one) => `${one.name} ${way(one)?.certainty === 1 ? 'reads it' : 'may read it'}, and fails`),
      ],
      next: 'Put the keys back as they were, and restart what reads them.',
    };
  },
);

/** A workload was deleted: the Services that led to it lead nowhere. */
const workloadDeleted = (kind: string): Mechanism =>
  changeMechanism(kind)('workload_deleted', 'Workload deleted', ({ change, ref }, moment) => {
    if (change.action !== 'gone' || moment.index.find(ref) !== null) return null;
    const empty = moment.index.objectsOf('Service').filter((service) => {
      const selector = fieldsBelow(service.fields, SELECTOR);
      const isHere = service.clusterId === ref.clusterId && service.namespace === ref.namespace;
      const isOf = service.name === ref.name || Object.values(selector).includes(ref.name);
      return isHere && isOf && moment.index.selected(service, selector).length === 0;
    });
    const [said] = empty.flatMap((service) => moment.saidAbout(service) ?? []);
    return {
      reaches: empty.map((service) => objectEntity(refOf(service))),
      specificity: said === undefined ? ifNoticed('broken', change.at, moment) : 'stated',
      brings: ['missing', 'failing', 'crash', 'start'],
      evidence: [...empty.map(({ name }) => `the Service ${name} leads to no pod`), quote(said)],
      next: 'Create it again from its source.',
    };
  });

/** Ports and selectors have mechanisms of their own, and a mark does nothing. */
const OTHERWISE = /^(?:ports$|selector\.|marks\.|labels\.|annotations\.)/;
/** A Service was deleted, or another part than its ports and its selector changed. */
const serviceChanged = changeMechanism('Service')(
  'service_gone',
  'Service deleted or changed',
  ({ change, ref }, moment) => {
    const isGone = change.action === 'gone' && moment.index.find(ref) === null;
    if (!isGone && !change.fields.some(({ field }) => !OTHERWISE.test(field))) return null;
    const said = moment.saidAbout(ref);
    // Nobody names it, and nothing was behind it: nobody misses it.
    const isUnused = isGone && moment.behind(ref).length === 0;
    const unsaid = isUnused ? 'before' : ifNoticed(isGone ? 'broken' : 'changed', change.at, moment);
    return {
      specificity: isGone && said !== undefined ? 'stated' : unsaid,
      brings: ['failing', 'missing', 'crash', 'start'],
      evidence: [quote(said) ?? change.title],
      next: isGone ? 'Create the Service again.' : 'Check whether the callers still reach it.',
    };
  },
);

const WAY = /^(?:rules\.|defaultBackend|ingressClassName|tls\.)/;
/** An Ingress was deleted, or leads elsewhere. */
const ingressBackend = changeMechanism('Ingress')(
  'ingress_backend',
  'Ingress leads elsewhere',
  ({ change, ref, object }, moment) =>
    // A path that is added beside the others does no harm, and neither does a mark.
    change.action !== 'gone' && !change.fields.some(({ field, was }) => was !== 'set' && WAY.test(field))
      ? null
      : {
          specificity: ifNoticed('broken', change.at, moment),
          brings: ['failing'],
          evidence: Object.values(object?.fields ?? {}).flatMap((value) => {
            const name = /^Service (.{1,253}):/.exec(value)?.[1];
            const isThere = name === undefined || moment.index.find({ ...ref, kind: 'Service', name }) !== null;
            return isThere ? [] : [`there is no Service ${name}`];
          }),
          next: 'Put the path back to its Service.',
        },
);

/** A lower bound, or another metric: what the autoscaler acts on suffers. A quota or a LimitRange refuses pods and says so. */
const autoscalerChanged = changeMechanism('HorizontalPodAutoscaler')(
  'rule_changed',
  'Autoscaler changed',
  ({ change, ref }, moment) => {
    const reach = moment.graph.reach([keyOf(objectEntity(ref))]);
    const sick = moment.workloads.filter((one) => reach.has(one.key) && one.isInTrouble);
    const isRaised = change.fields.every(({ before, after }) => Number(after) > Number(before));
    if (sick.length === 0 || isRaised) return null;
    return {
      specificity: 'state',
      brings: ['missing', 'failing', 'cpu', 'memory'],
      evidence: sick.slice(0, 3).map(({ name }) => `it acts on ${name}`),
      next: 'Compare its bounds and its metric with what the workload needs.',
    };
  },
);

/** A webhook that answers late, or not at all, keeps pods from being made. */
const webhookChanged = (kind: string): Mechanism =>
  changeMechanism(kind)('webhook_slow', 'Admission webhook came or changed', ({ change }, moment) => {
    const waiting = moment.workloads.filter(
      ({ ref, desired, pods }) =>
        ref.clusterId === change.clusterId && desired !== null && pods.filter((pod) => !pod.deleting).length < desired,
    );
    const [said] = waiting.flatMap((one) => one.said(/webhook|admission/i));
    if (change.action === 'gone' || waiting.length === 0) return null;
    return {
      reaches: waiting.map(({ entity }) => entity),
      specificity: said === undefined ? 'changed' : 'stated',
      brings: ['missing', 'start', 'failing'],
      evidence: [quote(said), ...waiting.slice(0, 3).map(({ name }) => `${name} has fewer pods than it wants`)],
      next: 'Check that its Service answers in time, or lower its timeout and let failures pass.',
    };
  });

export const changedObjects: readonly Mechanism[] = [
  configChanged,
  ...['Deployment', 'StatefulSet', 'DaemonSet'].map(workloadDeleted),
  serviceChanged,
  ingressBackend,
  autoscalerChanged,
  webhookChanged('ValidatingWebhookConfiguration'),
  webhookChanged('MutatingWebhookConfiguration'),
];
