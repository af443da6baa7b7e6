import { isWorkloadKind, objectEntity, refKey, workloadRefOf } from './entities.ts';
import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import { isCallError } from './words.ts';
import type { ChangeSeen, Evidence, EventSeen, ObjectRef, ObjectSeen, PodSeen } from './evidence.ts';

/** Finds what belongs together: pods of a workload, workloads of a Service, texts of a workload. */

export interface Workload {
  ref: ObjectRef;
  entity: CauseEntity;
  key: string;
  pods: readonly PodSeen[];
  /** Null: the ledger does not describe it. */
  object: ObjectSeen | null;
  desired: number | null;
  ready: number | null;
  events: readonly EventSeen[];
  /** Texts of its pods: messages of events, ends of containers, last words. */
  texts: readonly Text[];
  /** It ended, and none of its last words speaks of a call. */
  blamesItself: boolean;
}
export interface Text {
  text: string;
  at: number | null;
}

export interface ObjectIndex {
  workloads: ReadonlyMap<string, Workload>;
  objectsOf: (kind: string) => readonly ObjectSeen[];
  /** Workloads that said something. */
  talking: readonly Workload[];
  find: (ref: ObjectRef) => ObjectSeen | null;
  /** Workloads that a selector of labels matches. An empty selector matches none. */
  selected: (of: ObjectRef, selector: Readonly<Record<string, string>>) => readonly Workload[];
  changesOf: (ref: ObjectRef) => readonly ChangeSeen[];
}

const LABEL = 'template.labels.';
export const fieldsBelow = (fields: Readonly<Record<string, string>>, path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith(path) ? [[name.slice(path.length), value]] : [],
    ),
  );

/** Labels of a workload's pods, as its template and its pods have them. */
export function labelsOf({ object, pods }: Pick<Workload, 'object' | 'pods'>): Readonly<Record<string, string>> {
  const template = object === null ? {} : fieldsBelow(object.fields, LABEL);
  const [newest] = pods.toSorted((a, b) => b.createdAt - a.createdAt);
  return Object.keys(template).length > 0 ? template : (newest?.labels ?? {});
}

/** A ReplicaSet, a Job or a pod is named after what owns it. */
const OWNED = new Set(['ReplicaSet', 'Job', 'Pod', 'StatefulSet', 'DaemonSet', 'Deployment']);

export function indexObjects(evidence: Evidence): ObjectIndex {
  const drafts = new Map<string, { ref: ObjectRef; pods: PodSeen[]; object: ObjectSeen | null }>();
  const draft = (ref: ObjectRef) => {
    const key = refKey(ref);
    const found = drafts.get(key) ?? { ref, pods: [], object: null };
    drafts.set(key, found);
    return found;
  };
  const byKey = new Map(evidence.objects.map((object) => [refKey(object), object]));
  const jobOwner = cronJobOf(evidence);
  for (const object of evidence.objects)
    if (isWorkloadKind(object.kind) && jobOwner(object) === null) draft(refOf(object)).object = object;
  for (const pod of evidence.pods) {
    const ref = workloadRefOf(pod);
    draft(jobOwner(ref) ?? ref).pods.push(pod);
  }
  for (const workload of evidence.workloads) if (jobOwner(workload) === null) draft(refOf(workload));
  const counts = new Map(evidence.workloads.map((one) => [refKey(one), one]));
  const spoken = textsByPlace(evidence);
  const named = namesByPlace([...drafts.values()].map(({ ref }) => ref));
  const events = new Map<string, EventSeen[]>();
  const podOwner = new Map(
    [...drafts].flatMap(([key, { pods }]) => pods.map((pod): [string, string] => [placeKey(pod, pod.name), key])),
  );
  for (const event of evidence.events) {
    if (!OWNED.has(event.kind) && event.kind !== 'CronJob') continue;
    const key = drafts.has(refKey(event)) ? refKey(event) : (podOwner.get(placeKey(event, event.name)) ?? named(event));
    if (key !== null) events.set(key, [...(events.get(key) ?? []), event]);
  }
  const workloads = new Map(
    [...drafts].map(([key, { ref, pods, object }]): [string, Workload] => {
      const own = events.get(key) ?? [];
      return [
        key,
        {
          ref,
          entity: objectEntity(ref),
          key,
          pods,
          object,
          desired: counts.get(key)?.desired ?? null,
          ready: counts.get(key)?.ready ?? null,
          events: own,
          ...wordsOf(pods, own, spoken(ref.clusterId, ref.namespace, pods, ref.name)),
        },
      ];
    }),
  );
  const changes = Map.groupBy(
    evidence.changes.filter(({ clusterId }) => clusterId !== null),
    ({ clusterId, namespace, kind, name }) => refKey({ clusterId: clusterId ?? '', namespace, kind, name }),
  );
  const kinds = Map.groupBy(evidence.objects, ({ kind }) => kind);
  const labelled = [...workloads.values()].map((workload) => ({ workload, labels: labelsOf(workload) }));
  const byNamespace = Map.groupBy(labelled, ({ workload }) => placeKey(workload.ref, ''));
  return {
    workloads,
    talking: [...workloads.values()].filter(({ texts }) => texts.length > 0),
    objectsOf: (kind) => kinds.get(kind) ?? [],
    find: (ref) => byKey.get(refKey(ref)) ?? null,
    changesOf: (ref) => changes.get(refKey(ref)) ?? [],
    selected: (of, selector) =>
      Object.keys(selector).length === 0
        ? []
        : (byNamespace.get(placeKey(of, '')) ?? []).flatMap(({ workload, labels }) =>
            matches(labels, selector) ? [workload] : [],
          ),
  };
}

export const matches = (
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>>,
): boolean => Object.entries(selector).every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value);

export const refOf = ({ clusterId, namespace, kind, name }: ObjectRef): ObjectRef => ({
  clusterId,
  namespace,
  kind,
  name,
});
const placeKey = (of: { clusterId: string; namespace: string | null }, name: string): string =>
  JSON.stringify([of.clusterId, of.namespace, name]);

/** Returns the CronJob of a Job: its name is that of the CronJob and a number. */
function cronJobOf(evidence: Evidence): (ref: ObjectRef) => ObjectRef | null {
  const cronJobs = new Map(
    [...evidence.objects, ...evidence.workloads]
      .filter(({ kind }) => kind === 'CronJob')
      .map((one) => [placeKey(one, one.name), refOf(one)]),
  );
  return (ref) =>
    ref.kind === 'Job' ? (cronJobs.get(placeKey(ref, ref.name.replace(/-\d{1,12}$/, ''))) ?? null) : null;
}

/** Finds the workload that a pod or a ReplicaSet was named after: the longest name that it begins with. */
function namesByPlace(refs: readonly ObjectRef[]): (event: ObjectRef) => string | null {
  const known = Map.groupBy(refs, (ref) => placeKey(ref, ref.name));
  return (event) => {
    const parts = event.name.split('-');
    for (let length = parts.length; length > 0; length -= 1) {
      const [found] = known.get(placeKey(event, parts.slice(0, length).join('-'))) ?? [];
      if (found !== undefined) return refKey(found);
    }
    return null;
  };
}

type Spoken = (clusterId: string, namespace: string | null, pods: readonly PodSeen[], name: string) => readonly Text[];
function textsByPlace(evidence: Evidence): Spoken {
  const lines = Map.groupBy(
    evidence.lines.filter(({ pod }) => pod !== null),
    ({ clusterId, namespace, pod }) => placeKey({ clusterId: clusterId ?? '', namespace }, pod ?? ''),
  );
  const byNamespace = Map.groupBy([...lines.values()].flat(), ({ clusterId, namespace }) =>
    placeKey({ clusterId: clusterId ?? '', namespace }, ''),
  );
  return (clusterId, namespace, pods, name) => {
    const alive = new Set(pods.map((pod) => pod.name));
    // A pod that is gone has no row: its name still begins with that of its workload.
    return (byNamespace.get(placeKey({ clusterId, namespace }, '')) ?? [])
      .filter(({ pod }) => pod !== null && (alive.has(pod) || isNamedAfter(pod, name)))
      .map(({ text, at }) => ({ text, at }));
  };
}
/** "orders-7d9f8c5b6d-x2k4p", "orders-0". */
const isNamedAfter = (pod: string, name: string): boolean =>
  pod.startsWith(`${name}-`) && /^(?:[a-z0-9]{4,10}-)?[a-z0-9]{1,10}$/.test(pod.slice(name.length + 1));

function wordsOf(pods: readonly PodSeen[], events: readonly EventSeen[], lines: readonly Text[]) {
  const ends = pods.flatMap(({ containers }) => containers.flatMap(({ end }) => end ?? []));
  const last = [...ends.flatMap(({ message, at }) => (message === null ? [] : [{ text: message, at }])), ...lines];
  const told = events
    .filter(({ type }) => type !== 'Normal')
    .map(({ message, lastAt }) => ({ text: message, at: lastAt }));
  const speaksOfCalls = last.some(({ text }) => isCallError(text));
  return { texts: [...last, ...told], blamesItself: ends.length > 0 && last.length > 0 && !speaksOfCalls };
}
