import { tellingFields } from './change-words.ts';
import { nameOf, refKey } from './entities.ts';
import type { ChangeSeen, Evidence, EventSeen, FieldSeen, ObjectRef, ObjectSeen, PodSeen } from './evidence.ts';
import { buildGraph, type Graph } from './graph.ts';
import { indexObjects, type ObjectIndex, type Text, type Workload } from './index-objects.ts';
import { isUnwell, symptomsOf, WINDOW_SECONDS, type Symptom } from './symptoms.ts';

/** Evidence with its graph and symptoms: what a mechanism looks at. */
export interface Moment {
  evidence: Evidence;
  index: ObjectIndex;
  graph: Graph;
  symptoms: readonly Symptom[];
  /** The first symptom; what came after the last one explains nothing. */
  firstAt: number;
  lastAt: number;
  workloads: readonly WorkloadMoment[];
  /** Changes of an object in the hour before the last symptom, newest first. What came after its own first symptom comes last. */
  changesOf: (ref: ObjectRef) => readonly ChangeSeen[];
  inNamespaceOf: (of: Pick<ObjectRef, 'clusterId' | 'namespace'>) => readonly WorkloadMoment[];
  /** Workloads behind a Service. */
  behind: (service: ObjectRef) => readonly WorkloadMoment[];
  /** Workloads whose texts name the Service as an address. */
  callersOf: (service: ObjectRef) => readonly WorkloadMoment[];
  /** The first text of theirs that names it. */
  saidAbout: (service: ObjectRef) => Text | undefined;
}

/** A workload at the moment. Its changes are those of the hour before. */
export interface WorkloadMoment extends Workload {
  /** "Deployment shop/orders". */
  name: string;
  unwell: readonly PodSeen[];
  /** It has a symptom or a pod that is not well. */
  isInTrouble: boolean;
  /** Others of its namespace. */
  neighbours: readonly WorkloadMoment[];
  /** Services that lead to it. */
  services: readonly ObjectSeen[];
  /** The newest change of its pod template. */
  rollout: (field?: RegExp) => ChangeSeen | undefined;
  /** Its creation says nothing about what is wrong with it. */
  creation: ChangeSeen | undefined;
  scaling: Scaling | null;
  /** Events by reason, the newest first. */
  told: (reason: RegExp, words?: RegExp) => EventSeen[];
  /** Texts of the time around the symptoms, the newest first. */
  said: (test: RegExp | ((text: string) => boolean)) => Text[];
  /** Changes of the numbers of ready addresses of its Services, the oldest first. */
  readiness: { at: number; more: number }[];
  /** Returns true if the ready addresses of its Services rose after a moment, and stayed for a minute. */
  hasSettled: (after: number) => boolean;
}
interface Scaling {
  change: ChangeSeen;
  before: string | null;
  after: string | null;
  isUp: boolean;
}

/** Texts count this long before the first symptom. */
const TEXT_SECONDS = 7200;
/** Pods that stay ready for this long went through their start. */
const SETTLED_SECONDS = 60;

const workloadMoment = (workload: Workload, moment: Moment): WorkloadMoment => ({
  ...workload,
  name: nameOf(workload.entity),
  unwell: workload.pods.filter(isUnwell),
  isInTrouble: workload.pods.some(isUnwell) || moment.symptoms.some(({ key }) => key === workload.key),
  get services() {
    return servicesOf(workload, moment);
  },
  get neighbours() {
    return moment.inNamespaceOf(workload.ref).filter(({ key }) => key !== workload.key);
  },
  rollout: (field = /^/) =>
    moment.changesOf(workload.ref).find((change) => tellingFields(change).some((one) => field.test(one.field))),
  get creation() {
    return moment.changesOf(workload.ref).find(({ action }) => action === 'added');
  },
  get scaling() {
    const found = moment
      .changesOf(workload.ref)
      .flatMap((change) =>
        change.fields.filter(({ field }) => field === 'replicas').map((field) => scalingOf(change, field)),
      );
    return found[0] ?? null;
  },
  told: (reason, words = /^/) =>
    workload.events
      .filter((event) => reason.test(event.reason) && words.test(event.message))
      .toSorted((a, b) => b.lastAt - a.lastAt),
  said: (test) =>
    workload.texts
      .filter(({ at }) => at === null || at >= moment.firstAt - TEXT_SECONDS)
      .filter(({ text }) => (typeof test === 'function' ? test(text) : test.test(text)))
      .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0) || (a.text < b.text ? -1 : 1)),
  get readiness() {
    return readinessOf(workload, moment);
  },
  hasSettled: (after) => {
    const counts = readinessOf(workload, moment).filter(({ at }) => at >= after);
    return counts.some(
      ({ at, more }, index) => more > 0 && (counts[index + 1]?.at ?? moment.firstAt) - at >= SETTLED_SECONDS,
    );
  },
});

const scalingOf = (change: ChangeSeen, { before, after }: FieldSeen): Scaling => ({
  change,
  before,
  after,
  isUp: Number(after) > Number(before ?? 0),
});

const servicesOf = ({ key }: Workload, { index, graph }: Moment): ObjectSeen[] =>
  index.objectsOf('Service').filter((one) => graph.behind(one).some((other) => other.key === key));

function readinessOf(workload: Workload, moment: Moment): WorkloadMoment['readiness'] {
  const { ref } = workload;
  const services = servicesOf(workload, moment);
  return moment.evidence.changes
    .filter(
      ({ kind, namespace, clusterId, name }) =>
        kind === 'EndpointSlice' &&
        namespace === ref.namespace &&
        clusterId === ref.clusterId &&
        services.some((service) => name.startsWith(`${service.name}-`)),
    )
    .flatMap(({ at, fields }) =>
      fields
        .filter(({ field }) => field === 'readyAddresses')
        .map(({ before, after }) => ({ at, more: Number(after) - Number(before ?? 0) })),
    )
    .toSorted((a, b) => a.at - b.at);
}

/** Warnings of a pod that is gone or ready now are over, if it said them for the last time so long before the first alert. */
const OVER_SECONDS = 300;
/** An obstacle to a start is over as soon as the pod started, unless it lasted. */
const START = /^(?:Failed(?:Mount|AttachVolume|MapVolume|Scheduling|CreatePodSandBox)|NotTriggerScaleUp)$/;
const START_OVER_SECONDS = 30;
const LASTED_SECONDS = 60;
function withoutOver(evidence: Evidence): Evidence {
  const first = Math.min(evidence.at, ...evidence.alerts.map(({ at }) => at));
  const keyOf = (one: { clusterId: string; namespace: string | null; name: string }): string =>
    JSON.stringify([one.clusterId, one.namespace, one.name]);
  const isReady = new Map(evidence.pods.map((pod) => [keyOf(pod), pod.ready && !pod.deleting]));
  const isOver = (event: EventSeen): boolean => {
    const state = isReady.get(keyOf(event));
    if (event.kind !== 'Pod' || event.type === 'Normal' || state === false) return false;
    const isShort = state === true && START.test(event.reason) && event.lastAt - event.firstAt < LASTED_SECONDS;
    return event.lastAt < first - (isShort ? START_OVER_SECONDS : OVER_SECONDS);
  };
  return { ...evidence, events: evidence.events.filter((event) => !isOver(event)) };
}

export function momentOf(given: Evidence): Moment {
  const evidence = withoutOver(ordered(given));
  const index = indexObjects(evidence);
  const graph = buildGraph(evidence, index);
  const symptoms = symptomsOf(evidence, index);
  const times = symptoms.map(({ at }) => at);
  const firstAt = times.length === 0 ? evidence.at : Math.min(...times);
  const lastAt = times.length === 0 ? evidence.at : Math.max(...times);
  const begins = (key: string): number => symptoms.find((one) => one.key === key)?.at ?? lastAt;
  const workloads: WorkloadMoment[] = [];
  const moment: Moment = {
    evidence,
    index,
    graph,
    symptoms,
    firstAt,
    lastAt,
    workloads,
    changesOf: (ref) => {
      const onset = begins(refKey(ref));
      return index
        .changesOf(ref)
        .filter(({ at }) => at <= lastAt && at >= firstAt - WINDOW_SECONDS)
        .toSorted((a, b) => Number(a.at > onset) - Number(b.at > onset) || b.at - a.at || (a.id < b.id ? -1 : 1));
    },
    inNamespaceOf: ({ clusterId, namespace }) =>
      workloads.filter(({ ref }) => ref.clusterId === clusterId && ref.namespace === namespace),
    behind: (service) => seen(graph.behind(service)),
    callersOf: (service) => seen(graph.callersOf(service)),
    saidAbout: (service) =>
      graph
        .callersOf(service)
        .flatMap(({ texts }) => texts)
        .find(({ text }) => text.includes(service.name)),
  };
  const byKey = new Map([...index.workloads].map(([key, one]) => [key, workloadMoment(one, moment)]));
  const seen = (list: readonly Workload[]): WorkloadMoment[] => list.flatMap(({ key }) => byKey.get(key) ?? []);
  workloads.push(...[...byKey.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)));
  return moment;
}

const refText = ({ clusterId, namespace, kind, name }: ObjectRef): string =>
  JSON.stringify([clusterId, namespace, kind, name]);
const by = <T>(list: readonly T[], key: (one: T) => string): T[] => {
  const keys = new Map(list.map((one) => [one, key(one)]));
  const keyOf = (one: T): string => keys.get(one) ?? '';
  return list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
};

/** The order in which things were read must not decide what is found. */
const ordered = (evidence: Evidence): Evidence => ({
  ...evidence,
  alerts: by(evidence.alerts, ({ id }) => id),
  checks: by(evidence.checks, ({ id }) => id),
  objects: by(evidence.objects, refText),
  changes: by(evidence.changes, ({ id }) => id),
  pods: by(evidence.pods, ({ clusterId, namespace, name }) => JSON.stringify([clusterId, namespace, name])),
  nodes: by(evidence.nodes, ({ clusterId, name }) => JSON.stringify([clusterId, name])),
  workloads: by(evidence.workloads, refText),
  events: by(evidence.events, (one) => JSON.stringify([refText(one), one.reason, one.lastAt, one.message])),
  claims: by(evidence.claims, ({ clusterId, namespace, name }) => JSON.stringify([clusterId, namespace, name])),
  lines: by(evidence.lines, ({ at, kind, text, subject, pod }) => JSON.stringify([at, kind, text, subject, pod])),
  servers: by(evidence.servers, ({ serverId }) => serverId),
});
