import type { NodeTerm as WireNodeTerm, PlacementObject } from '@plimsoll/contract/wire/cluster-placement';
import { readProfile, readTaint } from './scheduler/read-profile.ts';
import { dependsOnNamespaceLabels, NAMESPACE_LABEL } from './scheduler/topology.ts';
import type { NodeFacts, PodProfile } from './scheduler/types.ts';
import type { ClusterParts, StoredNode, StoredPod, StoredVolume } from './types.ts';

/** Value of `StoredPod.placement` when the collector could not send the constraints. */
const UNSENT = 'unknown';

export interface ReadPod {
  stored: StoredPod;
  profile: number;
  /** Null: it waits for a node, or its node is not listed. */
  node: number | null;
  priority: number;
}
export interface ReadCluster {
  nodes: NodeFacts[];
  profiles: PodProfile[];
  pods: ReadPod[];
}

/** Returns nodes, pods and their profiles; equal pods share one profile. */
export function readClusterParts(
  parts: Pick<ClusterParts, 'nodes' | 'pods' | 'placements' | 'volumes' | 'readsVolumes'>,
): ReadCluster {
  const nodes = parts.nodes.map(readNode);
  const nodeOf = new Map(nodes.map(({ name }, index) => [name, index]));
  const placements = new Map(parts.placements.map((one) => [one.hash, one]));
  const volumes = new Map(parts.volumes.map((one) => [`${one.namespace}/${one.name}`, one]));
  const profiles: PodProfile[] = [];
  const profileOf = new Map<string, number>();
  const pods = parts.pods.map((stored): ReadPod => {
    const placement = stored.placement === null ? null : (placements.get(stored.placement) ?? null);
    const bound = volumesOf(stored, volumes, parts);
    const unknown = [...unknownOf(stored, placement), ...bound.unknown];
    const key = JSON.stringify([
      stored.namespace,
      stored.labels,
      stored.cpu,
      stored.memory,
      stored.placement,
      bound.nodes,
      stored.deleting,
      unknown,
    ]);
    let profile = profileOf.get(key);
    if (profile === undefined) {
      profile = profiles.length;
      profileOf.set(key, profile);
      profiles.push(
        readProfile({
          namespace: stored.namespace,
          labels: stored.labels,
          cpuCores: stored.cpu,
          memoryBytes: stored.memory,
          placement,
          volumes: bound.nodes,
          isTerminating: stored.deleting,
          unknown,
        }),
      );
    }
    const node = stored.node === null ? null : (nodeOf.get(stored.node) ?? null);
    return { stored, profile, node, priority: placement?.priority ?? 0 };
  });
  return { nodes, profiles: withAvoided(profiles, pods), pods };
}

/** A placed pod can keep others away by labels of their namespaces. What nobody reads gives no verdict about them. */
function withAvoided(profiles: readonly PodProfile[], pods: readonly ReadPod[]): PodProfile[] {
  const placed = new Set(pods.flatMap(({ profile, node }) => (node === null ? [] : [profile])));
  const terms = [...placed].flatMap((profile) => profiles[profile]?.antiAffinity ?? []);
  const unread = terms.filter(
    ({ namespaceSelector }) => namespaceSelector?.some(({ key }) => key !== NAMESPACE_LABEL) === true,
  );
  return profiles.map((profile) =>
    unread.some((term) => dependsOnNamespaceLabels(term, profile))
      ? { ...profile, notModelled: [...profile.notModelled, 'anti-affinity of other pods by labels of namespaces'] }
      : profile,
  );
}

function readNode({ name, labels, taints, unschedulable, allocatable }: StoredNode): NodeFacts {
  return {
    name,
    labels,
    taints: taints.map(readTaint),
    isUnschedulable: unschedulable,
    allocatable: {
      cpu: Math.round((allocatable.cpu_cores ?? 0) * 1000),
      memory: allocatable.memory_bytes ?? 0,
      'ephemeral-storage': allocatable.ephemeral_bytes ?? 0,
      pods: allocatable.pods ?? 0,
      ...allocatable.extended,
    },
  };
}

function unknownOf({ placement: hash, unknown }: StoredPod, placement: PlacementObject | null): string[] {
  const requests = unknown?.find((one) => one.startsWith('requests.'));
  return [
    ...(hash === UNSENT ? ['its constraints could not be sent'] : []),
    ...(hash !== null && hash !== UNSENT && placement === null ? ['its constraints have not arrived yet'] : []),
    ...(requests === undefined ? [] : ['its requests cannot be read']),
  ];
}

function volumesOf(
  { namespace, claims }: StoredPod,
  volumes: ReadonlyMap<string, StoredVolume>,
  { readsVolumes }: Pick<ClusterParts, 'readsVolumes'>,
): { nodes: WireNodeTerm[][]; unknown: string[] } {
  const nodes: WireNodeTerm[][] = [];
  const unknown = new Set<string>();
  for (const claim of claims) {
    const volume = volumes.get(`${namespace}/${claim}`);
    if (volume === undefined) unknown.add('a claim of a volume is not reported');
    else if (volume.phase !== 'Bound') unknown.add('volume binding of unbound claims is not modelled');
    else if (volume.nodes === undefined)
      unknown.add(readsVolumes ? 'the nodes of its volume are not reported yet' : 'persistent volumes are not read');
    else if (volume.nodes !== null) nodes.push(volume.nodes);
  }
  return { nodes, unknown: [...unknown] };
}
