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
  /** Changes of an object in the hour before the last symptom, newest first. */
  changesOf: (ref: ObjectRef) => readonly ChangeSeen[];
}

export function momentOf(evidence: Evidence): Moment {
  const index = indexObjects(evidence);
  const symptoms = symptomsOf(evidence, index);
  const times = symptoms.map(({ at }) => at);
  const firstAt = times.length === 0 ? evidence.at : Math.min(...times);
  const lastAt = times.length === 0 ? evidence.at : Math.max(...times);
  return {
    evidence,
    index,
    graph: buildGraph(evidence, index),
    symptoms,
    firstAt,
    lastAt,
    workloads: [...index.workloads.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    changesOf: (ref) =>
      index
        .changesOf(ref)
        .filter(({ at }) => at <= lastAt && at >= firstAt - WINDOW_SECONDS)
        .toSorted((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1)),
  };
}
