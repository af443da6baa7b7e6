import { readClusterParts } from '../../../api/src/capacity/read-stored-parts.ts';
import { ClusterModel } from '../../../api/src/capacity/scheduler/model.ts';
import type { Plugin } from '../../../api/src/capacity/scheduler/types.ts';
import type { ClusterParts, StoredNode, StoredPod, StoredVolume } from '../../../api/src/capacity/types.ts';
import { nodes as nodeResource } from '../../../collector/src/kubernetes/watch/nodes.ts';
import { persistentVolumes } from '../../../collector/src/kubernetes/watch/persistent-volumes.ts';
import { pods as podResource } from '../../../collector/src/kubernetes/watch/pods.ts';
import { volumes as claimResource } from '../../../collector/src/kubernetes/watch/volumes.ts';
import type { KubernetesObject } from './random-cluster.ts';

/** The parts that the product stores of a cluster, and of pods that are placed one after the other. */
export type Stored = Pick<ClusterParts, 'nodes' | 'pods' | 'placements' | 'volumes'>;

/** Objects as the API server returns them. */
export interface Read {
  nodes: KubernetesObject[];
  claims: KubernetesObject[];
  volumes: KubernetesObject[];
}

/** Projects objects as the cluster collector does, and stores them as the API does. */
export function store({ nodes, claims, volumes }: Read): Stored {
  const bound = new Map(volumes.map((one) => persistentVolumes.project(one)).map((one) => [one.claimUid, one]));
  return {
    nodes: nodes.map((one): StoredNode => {
      const { name, labels, taints, unschedulable, ready, allocatable: sizes } = nodeResource.project(one);
      const { extended, ...plain } = sizes;
      const allocatable = extended === undefined ? plain : { ...plain, extended };
      return {
        name,
        labels,
        taints,
        unschedulable,
        ready,
        allocatable,
        usedCpu: null,
        usedMemory: null,
        usedDisk: null,
      };
    }),
    volumes: claims.map((one): StoredVolume => {
      const { uid, namespace, name, phase } = claimResource.project(one);
      return { namespace, name, phase, nodes: bound.get(uid)?.nodeAffinity ?? null };
    }),
    pods: [],
    placements: [],
  };
}

/** Adds a pod with its constraints. `node`: where the scheduler placed it. */
export function addPod(stored: Stored, object: KubernetesObject, node: string | null): StoredPod {
  const pod = podResource.project(object);
  const { placement } = pod;
  if (placement && !stored.placements.some(({ hash }) => hash === placement.hash)) stored.placements.push(placement);
  const one: StoredPod = {
    namespace: pod.namespace,
    name: pod.name,
    node,
    kind: null,
    owner: null,
    labels: pod.labels,
    cpu: pod.requests.cpu_cores,
    memory: pod.requests.memory_bytes,
    usedCpu: null,
    usedMemory: null,
    placement: placement?.hash ?? null,
    claims: pod.claims,
    createdAt: pod.created_at,
    deleting: false,
    unknown: pod.unknown_fields ?? null,
  };
  stored.pods.push(one);
  return one;
}

/** The verdict of the model on a pod: the nodes that fit, or how many nodes each filter refuses. */
export type Judgement =
  | { nodes: string[]; notModelled: readonly string[] }
  | { refused: Partial<Record<Plugin, number>>; notModelled: readonly string[] };

/** Judges the last pod of the list on the state that the others make. */
export function judge(stored: Stored): Judgement {
  const { nodes, profiles, pods } = readClusterParts({
    ...stored,
    readsVolumes: true,
  });
  const candidate = pods.at(-1);
  if (candidate === undefined) throw new Error('no pod to judge');
  const placed = pods.flatMap(({ profile, node }) => (node === null ? [] : [{ profile, node }]));
  const model = new ClusterModel(nodes, profiles, placed);
  const notModelled = profiles[candidate.profile]?.notModelled ?? [];
  const verdicts = nodes.map((_, node) => model.refusal(candidate.profile, node)?.plugin ?? null);
  const fitting = nodes.filter((_, index) => verdicts[index] === null).map(({ name }) => name);
  if (fitting.length > 0) return { nodes: fitting, notModelled };
  const refused: Partial<Record<Plugin, number>> = {};
  for (const plugin of verdicts) if (plugin !== null) refused[plugin] = (refused[plugin] ?? 0) + 1;
  return { refused, notModelled };
}
