import type { ClusterParts, ResourceRow } from './types.ts';

/** Returns use, requests and size of some nodes with the pods on them. */
export function resourcesOf({ nodes, pods }: Pick<ClusterParts, 'nodes' | 'pods'>): ResourceRow[] {
  const total = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
  };
  const whole = (values: readonly (number | null)[]): number | null => (values.includes(null) ? null : total(values));
  const placed = pods.filter(({ node }) => node !== null);
  return [
    {
      resource: 'cpu',
      used: whole(nodes.map(({ usedCpu }) => usedCpu)),
      requested: total(placed.map(({ cpu }) => cpu)),
      allocatable: whole(nodes.map(({ allocatable }) => allocatable.cpu_cores)),
    },
    {
      resource: 'memory',
      used: whole(nodes.map(({ usedMemory }) => usedMemory)),
      requested: total(placed.map(({ memory }) => memory)),
      allocatable: whole(nodes.map(({ allocatable }) => allocatable.memory_bytes)),
    },
    {
      resource: 'disk',
      used: whole(nodes.map(({ usedDisk }) => usedDisk)),
      requested: null,
      allocatable: whole(nodes.map(({ allocatable }) => allocatable.ephemeral_bytes)),
    },
    {
      resource: 'pods',
      used: placed.length,
      requested: placed.length,
      allocatable: whole(nodes.map(({ allocatable }) => allocatable.pods)),
    },
  ];
}
