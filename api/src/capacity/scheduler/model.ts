import { portsConflict, refusalOfNode } from './node-filters.ts';
import { AffinityCounts, type PairCounts, SpreadCounts } from './topology.ts';
import type { NodeFacts, PlacedPod, Plugin, PodProfile } from './types.ts';

/** Counts that change when a pod of a profile is placed. */
interface Follower {
  change(node: NodeFacts, by: number): void;
}
/** Refusals that no placement changes. */
interface Fixed {
  ofNode: readonly (Plugin | null)[];
  /** Nodes without such a refusal. */
  candidates: readonly number[];
}
interface Judged extends Fixed {
  affinity: AffinityCounts;
  spread: readonly SpreadCounts[];
}

/** Request of a pod for one resource, with the free amount of each node. */
interface Want {
  name: string;
  amount: number;
  free: Float64Array;
}

/**
 * Returns after how many nodes with room the scheduler stops looking for a better one: of 5,000 nodes at 500. The formula
 * is `numFeasibleNodesToFind` of kube-scheduler.
 */
const enoughNodes = (nodes: number): number => Math.max(100, Math.floor((nodes * Math.max(5, 50 - nodes / 125)) / 100));

const [OPEN, GONE, CLOSED] = [0, 1, 2] as const;

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
  /** One of the states above for each node. */
  readonly #state: Uint8Array;
  /** Pods of each profile on each node. */
  readonly #placed: Map<number, number>[];
  readonly #followers: Follower[][];
  readonly #spreads: SpreadCounts[] = [];
  readonly #judged = new Map<number, Judged>();
  readonly #fixed = new Map<string, Fixed>();
  readonly #wants: Want[][];
  readonly #enough: number;
  /** The scheduler begins each search where the last one ended. */
  #next = 0;

  constructor(nodes: readonly NodeFacts[], profiles: readonly PodProfile[], pods: readonly PlacedPod[]) {
    this.nodes = nodes;
    this.profiles = profiles;
    this.#ports = nodes.map(() => new Map());
    this.#state = new Uint8Array(nodes.length);
    this.#placed = profiles.map(() => new Map());
    this.#followers = profiles.map(() => []);
    const resources = new Set(['pods', ...profiles.flatMap(({ requests }) => Object.keys(requests))]);
    for (const name of resources) {
      const size = Float64Array.from(nodes, ({ allocatable }) => allocatable[name] ?? 0);
      this.#size.set(name, size);
      this.#free.set(name, size.slice());
    }
    this.#wants = profiles.map(({ requests }) =>
      Object.entries({ pods: 1, ...requests }).map(([name, amount]) => ({ name, amount, free: this.#freeList(name) })),
    );
    this.#enough = enoughNodes(nodes.length);
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
    if ((this.#state[node] === GONE) === isGone) return;
    this.#state[node] = isGone ? GONE : OPEN;
    const facts = this.#node(node);
    for (const spread of this.#spreads) spread.addNode(facts, isGone ? -1 : 1);
  }

  /** Places no pod on a node any more. It is still there: its pods count, and its zone is a domain of the spread. */
  close(node: number): void {
    this.#state[node] = CLOSED;
  }

  /** Returns the free amount of a resource; negative where pods request more than the node has. */
  freeOf(resource: string, node: number): number {
    return this.#free.get(resource)?.[node] ?? 0;
  }

  /** Returns the first plugin that refuses the node; null: the pod fits. */
  refusal(profile: number, node: number): Refusal | null {
    const judged = this.#judge(profile);
    const fixed = judged.ofNode[node] ?? null;
    if (fixed !== null && fixed !== 'VolumeBinding') return { plugin: fixed, resource: null };
    if (this.#lacksPort(profile, node)) return { plugin: 'NodePorts', resource: null };
    const resource = this.#lacking(profile, node);
    if (resource !== null) return { plugin: 'NodeResourcesFit', resource };
    if (fixed !== null) return { plugin: fixed, resource: null };
    const facts = this.#node(node);
    if (judged.spread.some((spread) => spread.refuses(facts))) return { plugin: 'PodTopologySpread', resource: null };
    return judged.affinity.refuses(facts) ? { plugin: 'InterPodAffinity', resource: null } : null;
  }

  /** Nodes that are there and that no fixed refusal excludes. */
  candidates(profile: number): number[] {
    return this.#judge(profile).candidates.filter((node) => this.#state[node] === OPEN);
  }

  /** Returns true if a node has room for the resources of a pod, whatever else refuses it. */
  hasRoom(profile: number): boolean {
    return this.#judge(profile).candidates.some(
      (node) => this.#state[node] === OPEN && this.#lacking(profile, node) === null,
    );
  }

  /** Returns the node with the most room after the pod, as the scheduler prefers; null: it fits nowhere. */
  best(profile: number): number | null {
    const { candidates } = this.#judge(profile);
    let best: number | null = null;
    let most = Number.NEGATIVE_INFINITY;
    let found = 0;
    const from = this.#next;
    for (let step = 0; step < candidates.length && found < this.#enough; step += 1) {
      const node = candidates[(from + step) % candidates.length] ?? 0;
      this.#next = from + step + 1;
      if (this.#state[node] !== OPEN || this.#lacking(profile, node) !== null) continue;
      const room = this.#room(profile, node);
      // A worse node that something refuses makes no difference, so it counts as found unseen.
      if (room > most) {
        if (this.refusal(profile, node) !== null) continue;
        most = room;
        best = node;
      }
      found += 1;
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

  #freeList(name: string): Float64Array {
    return this.#free.get(name) ?? new Float64Array(this.nodes.length);
  }

  #change(profile: number, node: number, by: number): void {
    for (const { free, amount } of this.#wants[profile] ?? []) free[node] = (free[node] ?? 0) - by * amount;
    const { hostPorts } = this.#profile(profile);
    for (const port of hostPorts) add(this.#ports[node], port, by);
    add(this.#placed[profile], node, by);
    const followers = this.#followers[profile] ?? [];
    if (followers.length === 0) return;
    const facts = this.#node(node);
    for (const follower of followers) follower.change(facts, by);
  }

  #lacking(profile: number, node: number): string | null {
    const wants = this.#wants[profile] ?? [];
    for (let index = 0; index < wants.length; index += 1) {
      const want = wants[index];
      if (want !== undefined && want.amount > 0 && want.amount > (want.free[node] ?? 0)) return want.name;
    }
    return null;
  }

  /** Share of CPU and memory that stays free, of two. */
  #room(profile: number, node: number): number {
    let room = 0;
    for (const { name, amount, free } of this.#wants[profile] ?? []) {
      if (name !== 'cpu' && name !== 'memory') continue;
      const size = this.#size.get(name)?.[node] ?? 0;
      if (size > 0) room += ((free[node] ?? 0) - amount) / size;
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
    const judged: Judged = {
      ...this.#fixedOf(facts),
      affinity: new AffinityCounts(facts),
      spread: facts.spread.map((term) => new SpreadCounts(facts, term)),
    };
    for (const counts of judged.affinity.all) this.#follow(counts);
    for (const spread of judged.spread) this.#followSpread(spread);
    this.#judged.set(profile, judged);
    return judged;
  }

  /** Profiles differ in few ways here: most have neither selector nor toleration. */
  #fixedOf(profile: PodProfile): Fixed {
    const { nodeSelector, nodeAffinity, tolerations, volumes } = profile;
    const key = JSON.stringify([nodeSelector, nodeAffinity, tolerations, volumes]);
    const known = this.#fixed.get(key);
    if (known) return known;
    const ofNode = this.nodes.map((node) => refusalOfNode(profile, node));
    const fixed = { ofNode, candidates: ofNode.flatMap((refusal, node) => (refusal === null ? [node] : [])) };
    this.#fixed.set(key, fixed);
    return fixed;
  }

  #follow(counts: PairCounts): void {
    for (const [index, profile] of this.profiles.entries()) {
      const keys = counts.keysOf(profile);
      if (keys.length > 0) this.#register(index, { change: (node, by) => counts.add(keys, node, by) });
    }
  }

  #followSpread(spread: SpreadCounts): void {
    this.#spreads.push(spread);
    for (const [index, node] of this.nodes.entries()) if (this.#state[index] !== GONE) spread.addNode(node, 1);
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
