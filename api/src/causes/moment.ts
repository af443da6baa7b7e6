import { refKey } from './entities.ts';
import type { ChangeSeen, Evidence, ObjectRef } from './evidence.ts';
import { buildGraph, type Graph } from './graph.ts';
import { indexObjects, type ObjectIndex, type Workload } from './index-objects.ts';
import { symptomsOf, WINDOW_SECONDS, type Symptom } from './symptoms.ts';

/** Evidence with its graph and symptoms: what a mechanism looks at. */
export interface Moment {
  evidence: Evidence;
  index: ObjectIndex;
  graph: Graph;
  symptoms: readonly Symptom[];
  /** The first symptom; what came after the last one explains nothing. */
  firstAt: number;
  lastAt: number;
  workloads: readonly Workload[];
  /** Changes of an object in the hour before the last symptom, newest first. What came after its own first symptom comes last. */
  changesOf: (ref: ObjectRef) => readonly ChangeSeen[];
}

export function momentOf(given: Evidence): Moment {
  const evidence = ordered(given);
  const index = indexObjects(evidence);
  const symptoms = symptomsOf(evidence, index);
  const times = symptoms.map(({ at }) => at);
  const firstAt = times.length === 0 ? evidence.at : Math.min(...times);
  const lastAt = times.length === 0 ? evidence.at : Math.max(...times);
  const begins = (key: string): number => symptoms.find((one) => one.key === key)?.at ?? lastAt;
  return {
    evidence,
    index,
    graph: buildGraph(evidence, index),
    symptoms,
    firstAt,
    lastAt,
    workloads: [...index.workloads.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    changesOf: (ref) => {
      const onset = begins(refKey(ref));
      return index
        .changesOf(ref)
        .filter(({ at }) => at <= lastAt && at >= firstAt - WINDOW_SECONDS)
        .toSorted((a, b) => Number(a.at > onset) - Number(b.at > onset) || b.at - a.at || (a.id < b.id ? -1 : 1));
    },
  };
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
