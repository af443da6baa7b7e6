import type { ClusterModel, Refusal } from './model.ts';

export interface Fit {
  /** At least so many more pods fit. */
  more: number;
  /** True: counting stopped there, and more may fit. */
  isCut: boolean;
  /** The resource or plugin that refuses one more pod on most nodes. Null: nothing refuses it, or the count was cut. */
  firstLimit: Refusal | null;
}

/** Placing pods one by one stops here; a cluster with room for as many has room enough. */
const MOST_PLACED = 1000;

/** Returns how many more pods of a profile fit beside what runs. The model is as before when it returns. */
export function countFits(model: ClusterModel, profile: number): Fit {
  return model.isSelfLimiting(profile) ? countOneByOne(model, profile) : countByRoom(model, profile);
}

function countOneByOne(model: ClusterModel, profile: number): Fit {
  const placed: number[] = [];
  let before = -1;
  // A placed pod can satisfy the affinity of the next one on a node that refused before. So repeat until nothing fits.
  while (placed.length > before && placed.length < MOST_PLACED) {
    before = placed.length;
    placeInTurns(model, profile, placed);
  }
  const isCut = placed.length >= MOST_PLACED;
  const firstLimit = isCut ? null : mostCommon(model.nodes.map((_, node) => model.refusal(profile, node)));
  for (const node of placed) model.unplace(profile, node);
  return { more: placed.length, isCut, firstLimit };
}

/** Places one pod in each domain in turn, so that spread constraints refuse as late as possible. */
function placeInTurns(model: ClusterModel, profile: number, placed: number[]): void {
  const keys = model.profiles[profile]?.spread.map(({ topologyKey }) => topologyKey) ?? [];
  const domains = [
    ...Map.groupBy(model.candidates(profile), (node) =>
      keys.map((key) => model.nodes[node]?.labels[key] ?? '').join('\0'),
    ).values(),
  ].map((nodes) => ({ nodes, next: 0 }));
  let isPlacing = true;
  while (isPlacing) {
    isPlacing = false;
    for (const domain of domains) {
      if (placed.length >= MOST_PLACED) return;
      const node = nextFitting(model, profile, domain);
      if (node === null) continue;
      model.place(profile, node);
      placed.push(node);
      isPlacing = true;
    }
  }
}

/** Returns the next node of a domain that takes the pod; null: none does, or the spread forbids the domain now. */
function nextFitting(model: ClusterModel, profile: number, domain: { nodes: number[]; next: number }): number | null {
  for (; domain.next < domain.nodes.length; domain.next += 1) {
    const node = domain.nodes[domain.next] ?? 0;
    const refusal = model.refusal(profile, node);
    if (refusal === null) return node;
    if (refusal.plugin === 'PodTopologySpread') return null;
  }
  return null;
}

/** Without constraints between its own pods each node takes what its room allows. */
function countByRoom(model: ClusterModel, profile: number): Fit {
  const wanted = Object.entries({ ...model.profiles[profile]?.requests, pods: 1 }).filter(([, amount]) => amount > 0);
  let more = 0;
  const limits: (Refusal | null)[] = [];
  for (const node of model.candidates(profile)) {
    const refusal = model.refusal(profile, node);
    if (refusal !== null) {
      limits.push(refusal);
      continue;
    }
    let least = Number.POSITIVE_INFINITY;
    let resource = 'pods';
    for (const [name, amount] of wanted) {
      const count = Math.floor(model.freeOf(name, node) / amount);
      if (count < least) [least, resource] = [count, name];
    }
    more += least;
    limits.push({ plugin: 'NodeResourcesFit', resource });
  }
  if (limits.length > 0) return { more, isCut: false, firstLimit: mostCommon(limits) };
  return { more, isCut: false, firstLimit: mostCommon(model.nodes.map((_, node) => model.refusal(profile, node))) };
}

function mostCommon(refusals: readonly (Refusal | null)[]): Refusal | null {
  const groups = Map.groupBy(
    refusals.filter((one) => one !== null),
    ({ plugin, resource }) => `${plugin}/${resource ?? ''}`,
  );
  const [first] = [...groups.values()].toSorted((a, b) => b.length - a.length);
  return first?.[0] ?? null;
}
