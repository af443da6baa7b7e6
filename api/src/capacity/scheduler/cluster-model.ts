import { portsConflict, refusalOfNode } from './node-filters.ts';
import { AffinityCounts, type PairCounts, SpreadCounts } from './topology.ts';
import type { NodeFacts, PlacedPod, Plugin, PodProfile } from './types.ts';

/** Counts that change when a pod of a profile is placed. */
interface Follower {
  change(node: NodeFacts, by: number): void;
}
interface Judged {
  /** Refusals that no placement changes, by node. */
  fixed: readonly (Plugin | null)[];
  /** Nodes without such a refusal. */
  candidates: readonly number[];
  affinity: AffinityCounts;
  spread: readonly SpreadCounts[];
}

/** `resource`: the one that the node lacks, where NodeResourcesFit refuses. */
export interface Refusal {
  plugin: Plugin;
  resource: string | null;
}

/**
 * A cluster as the filters of kube-scheduler see it. Pods can be placed and taken away again; every count follows. Nodes
 * and profiles are numbers: their places in the lists.
 */
export class ClusterModel {
  readonly nodes: readonly NodeFacts[];
  readonly profiles: readonly PodProfile[];
  readonly #free = new Map<string, Float64Array>();
  readonly #size = new Map<string, Float64Array>();
  readonly #ports: Map<string, number>[];
  readonly #isGone: Uint8Array;
  /** Pods of each profile on each node. */
  readonly #placed: Map<number, number>[];
  readonly #followers: Follower[][];
  readonly #spreads: SpreadCounts[] = [];
  readonly #judged = new Map<number, Judged>();

  constructor(nodes: readonly NodeFacts[], profiles: readonly PodProfile[], pods: readonly PlacedPod[]) {
    this.nodes = nodes;
    this.profiles = profiles;
    this.#ports = nodes.map(() => new Map());
    this.#isGone = new Uint8Array(nodes.length);
    this.#placed = profiles.map(() => new Map());
    this.#followers = profiles.map(() => []);
    const resources = new Set(['pods', ...profiles.flatMap(({ requests }) => Object.keys(requests))]);
    for (const name of resources) {
      const size = Float64Array.from(nodes, ({ allocatable }) => allocatable[name] ?? 0);
      this.#size.set(name, size);
      this.#free.set(name, size.slice());
    }
    for (const { profile, node } of pods) this.place(profile, node);
  }

  place(profile: number, node: number): void {
    this.#change(profile, node, 1);
  }
  unplace(profile: number, node: number): void {
    this.#change(profile, node, -1);
  }

  /** Takes a node without pods out of the cluster, or puts it back. */
  setGone(node: number, isGone: boolean): void {
    if ((this.#isGone[node] === 1) === isGone) return;
    this.#isGone[node] = isGone ? 1 : 0;
    const facts = this.#node(node);
    for (const spread of this.#spreads) spread.addNode(facts, isGone ? -1 : 1);
  }

  /** What a node has left of a resource; negative where its pods request more than it can give. */
  freeOf(resource: string, node: number): number {
    return this.#free.get(resource)?.[node] ?? 0;
  }

  /** Returns the first plugin that refuses the node; null: the pod fits. */
  refusal(profile: number, node: number): Refusal | null {
    const judged = this.#judge(profile);
    const fixed = judged.fixed[node] ?? null;
    if (fixed !== null && fixed !== 'VolumeBinding') return { plugin: fixed, resource: null };
    if (this.#lacksPort(profile, node)) return { plugin: 'NodePorts', resource: null };
    const resource = this.#lacking(this.#profile(profile), node);
    if (resource !== null) return { plugin: 'NodeResourcesFit', resource };
    if (fixed !== null) return { plugin: fixed, resource: null };
    const facts = this.#node(node);
    if (judged.spread.some((spread) => spread.refuses(facts))) return { plugin: 'PodTopologySpread', resource: null };
    return judged.affinity.refuses(facts) ? { plugin: 'InterPodAffinity', resource: null } : null;
  }

  /** Nodes that are there and that no fixed refusal excludes. */
  candidates(profile: number): number[] {
    return this.#judge(profile).candidates.filter((node) => this.#isGone[node] === 0);
  }

  /** Returns the node with the most room after the pod, as the scheduler prefers; null: it fits nowhere. */
  best(profile: number): number | null {
    let best: number | null = null;
    let most = Number.NEGATIVE_INFINITY;
    const facts = this.#profile(profile);
    for (const node of this.#judge(profile).candidates) {
      if (this.#isGone[node] === 1 || this.#lacking(facts, node) !== null) continue;
      const room = this.#room(facts, node);
      if (room <= most || this.refusal(profile, node) !== null) continue;
      most = room;
      best = node;
    }
    return best;
  }

  /** True if placing pods of the profile can change where more of them fit, beside resources. */
  isSelfLimiting(profile: number): boolean {
    const { hostPorts, affinity, antiAffinity, spread } = this.#profile(profile);
    return hostPorts.length + affinity.length + antiAffinity.length + spread.length > 0;
  }

  #profile(index: number): PodProfile {
    const profile = this.profiles[index];
    if (profile === undefined) throw new Error(`no profile ${String(index)}`);
    return profile;
  }
  #node(index: number): NodeFacts {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`no node ${String(index)}`);
    return node;
  }

  #change(profile: number, node: number, by: number): void {
    const { requests, hostPorts } = this.#profile(profile);
    const facts = this.#node(node);
    for (const [name, amount] of Object.entries(requests)) this.#take(name, node, by * amount);
    this.#take('pods', node, by);
    const ports = this.#ports[node];
    for (const port of hostPorts) add(ports, port, by);
    add(this.#placed[profile], node, by);
    for (const follower of this.#followers[profile] ?? []) follower.change(facts, by);
  }

  #take(resource: string, node: number, amount: number): void {
    const free = this.#free.get(resource);
    if (free) free[node] = (free[node] ?? 0) - amount;
  }

  #lacking({ requests }: PodProfile, node: number): string | null {
    if (this.freeOf('pods', node) < 1) return 'pods';
    for (const name in requests) {
      const amount = requests[name] ?? 0;
      if (amount > 0 && amount > (this.#free.get(name)?.[node] ?? 0)) return name;
    }
    return null;
  }

  /** Mean share of CPU and memory that stays free. */
  #room({ requests }: PodProfile, node: number): number {
    let room = 0;
    for (const name of ['cpu', 'memory']) {
      const size = this.#size.get(name)?.[node] ?? 0;
      if (size > 0) room += (this.freeOf(name, node) - (requests[name] ?? 0)) / size;
    }
    return room;
  }

  #lacksPort(profile: number, node: number): boolean {
    const { hostPorts } = this.#profile(profile);
    if (hostPorts.length === 0) return false;
    const used = [...(this.#ports[node]?.keys() ?? [])];
    return hostPorts.some((port) => used.some((other) => portsConflict(port, other)));
  }

  #judge(profile: number): Judged {
    const known = this.#judged.get(profile);
    if (known) return known;
    const facts = this.#profile(profile);
    const fixed = this.nodes.map((node) => refusalOfNode(facts, node));
    const judged: Judged = {
      fixed,
      candidates: fixed.flatMap((refusal, node) => (refusal === null ? [node] : [])),
      affinity: new AffinityCounts(facts),
      spread: facts.spread.map((term) => new SpreadCounts(facts, term)),
    };
    for (const counts of judged.affinity.all) this.#follow(counts);
    for (const spread of judged.spread) this.#followSpread(spread);
    this.#judged.set(profile, judged);
    return judged;
  }

  #follow(counts: PairCounts): void {
    for (const [index, profile] of this.profiles.entries()) {
      const keys = counts.keysOf(profile);
      if (keys.length > 0) this.#register(index, { change: (node, by) => counts.add(keys, node, by) });
    }
  }

  #followSpread(spread: SpreadCounts): void {
    this.#spreads.push(spread);
    for (const [index, node] of this.nodes.entries()) if (this.#isGone[index] === 0) spread.addNode(node, 1);
    for (const [index, profile] of this.profiles.entries())
      if (spread.counts(profile)) this.#register(index, { change: (node, by) => spread.addPod(node, by) });
  }

  /** Adds counts that follow a profile, and counts the pods that are placed already. */
  #register(profile: number, follower: Follower): void {
    this.#followers[profile]?.push(follower);
    for (const [node, count] of this.#placed[profile] ?? []) follower.change(this.#node(node), count);
  }
}

function add(counts: Map<string, number> | Map<number, number> | undefined, key: string | number, by: number): void {
  const map = counts as Map<string | number, number> | undefined;
  const count = (map?.get(key) ?? 0) + by;
  if (count === 0) map?.delete(key);
  else map?.set(key, count);
}
