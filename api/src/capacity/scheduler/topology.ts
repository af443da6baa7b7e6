import { meets } from '@plimsoll/contract/rules/label-selector';
import { isRepelled, isSelected } from './node-filters.ts';
import type { NodeFacts, PodProfile, PodSelector, PodTerm, SpreadTerm } from './types.ts';

/** Counts of pods by topology value. They follow each placement, so a filter reads them and counts nothing. */

const pairOf = (key: string, value: string): string => `${key}\0${value}`;
const labelOf = ({ labels }: NodeFacts, key: string): string | null =>
  Object.hasOwn(labels, key) ? (labels[key] ?? null) : null;

const selects = (selector: PodSelector, { labels }: Pick<PodProfile, 'labels'>): boolean =>
  selector !== null && meets(labels, selector);

/** Every namespace has this label with its own name; labels of namespaces are not read otherwise. */
export const NAMESPACE_LABEL = 'kubernetes.io/metadata.name';
const termMatches = (term: PodTerm, pod: Pick<PodProfile, 'namespace' | 'labels'>): boolean =>
  (term.namespaces.has(pod.namespace) ||
    (term.namespaceSelector !== null && meets({ [NAMESPACE_LABEL]: pod.namespace }, term.namespaceSelector))) &&
  selects(term.selector, pod);

/** Returns true if a term may match a pod, and labels of its namespace decide it, which are not read. */
export function dependsOnNamespaceLabels(term: PodTerm, pod: Pick<PodProfile, 'namespace' | 'labels'>): boolean {
  const { namespaceSelector, namespaces, selector } = term;
  if (namespaceSelector === null || namespaces.has(pod.namespace) || !selects(selector, pod)) return false;
  const byName = namespaceSelector.filter(({ key }) => key === NAMESPACE_LABEL);
  return byName.length < namespaceSelector.length && meets({ [NAMESPACE_LABEL]: pod.namespace }, byName);
}

/** Counts pods under the topology keys that `keysOf` returns for their profile. */
export class PairCounts {
  readonly #counts = new Map<string, number>();
  readonly keysOf: (profile: PodProfile) => readonly string[];

  constructor(keysOf: (profile: PodProfile) => readonly string[]) {
    this.keysOf = keysOf;
  }

  add(keys: readonly string[], node: NodeFacts, change: number): void {
    for (const key of keys) {
      const value = labelOf(node, key);
      if (value === null) continue;
      const pair = pairOf(key, value);
      const count = (this.#counts.get(pair) ?? 0) + change;
      if (count === 0) this.#counts.delete(pair);
      else this.#counts.set(pair, count);
    }
  }

  has(key: string, node: NodeFacts): boolean {
    const value = labelOf(node, key);
    return value !== null && this.#counts.has(pairOf(key, value));
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }
}

/** The counts that InterPodAffinity needs for one profile. */
export class AffinityCounts {
  /** Pods that match every required affinity term. */
  readonly wanted: PairCounts;
  /** Pods that match an anti-affinity term of the profile. */
  readonly avoided: PairCounts;
  /** Pods whose own anti-affinity matches the profile. */
  readonly avoiding: PairCounts;
  readonly #profile: PodProfile;
  readonly #topologyKeys = new Set<string>();
  readonly #matchesItself: boolean;

  constructor(profile: PodProfile) {
    const { affinity, antiAffinity } = profile;
    this.#profile = profile;
    const wantedKeys = affinity.map(({ topologyKey }) => topologyKey);
    const matchesAll = (pod: PodProfile): boolean => affinity.every((term) => termMatches(term, pod));
    this.#matchesItself = affinity.length > 0 && matchesAll(profile);
    this.wanted = new PairCounts((pod) => (affinity.length > 0 && matchesAll(pod) ? wantedKeys : []));
    this.avoided = new PairCounts((pod) => keysOfTerms(antiAffinity, pod));
    this.avoiding = new PairCounts((pod) => {
      const keys = keysOfTerms(pod.antiAffinity, profile);
      for (const key of keys) this.#topologyKeys.add(key);
      return keys;
    });
  }

  get all(): readonly PairCounts[] {
    return [this.wanted, this.avoided, this.avoiding];
  }

  refuses(node: NodeFacts): boolean {
    for (const key of this.#topologyKeys) if (this.avoiding.has(key, node)) return true;
    const { affinity, antiAffinity } = this.#profile;
    if (antiAffinity.some(({ topologyKey }) => this.avoided.has(topologyKey, node))) return true;
    if (affinity.length === 0) return false;
    if (affinity.every(({ topologyKey }) => this.wanted.has(topologyKey, node))) return false;
    // The first pod of a group with affinity to itself may go anywhere, else no pod of the group could start.
    const isFirst = this.wanted.isEmpty && this.#matchesItself;
    return !(isFirst && affinity.every(({ topologyKey }) => labelOf(node, topologyKey) !== null));
  }
}

const keysOfTerms = (terms: readonly PodTerm[], pod: PodProfile): readonly string[] =>
  terms.length === 0 ? [] : terms.filter((term) => termMatches(term, pod)).map(({ topologyKey }) => topologyKey);

/** Counts of one topology spread constraint of a profile. */
export class SpreadCounts {
  readonly #term: SpreadTerm;
  readonly #profile: PodProfile;
  readonly #pods = new Map<string, number>();
  /** Nodes of each domain that count. */
  readonly #nodes = new Map<string, number>();
  readonly #isEligible: (node: NodeFacts) => boolean;
  readonly #self: number;
  #least: number | null = null;

  constructor(profile: PodProfile, term: SpreadTerm) {
    this.#profile = profile;
    this.#term = term;
    this.#self = selects(term.selector, profile) ? 1 : 0;
    const keys = profile.spread.map(({ topologyKey }) => topologyKey);
    this.#isEligible = (node) =>
      keys.every((key) => labelOf(node, key) !== null) &&
      (!term.honorsAffinity || isSelected(profile, node)) &&
      (!term.honorsTaints || !isRepelled(profile, node));
  }

  /** The scheduler counts no pod for a selector without requirements, although it selects every pod. */
  counts(pod: PodProfile): boolean {
    const { selector } = this.#term;
    if (selector === null || selector.length === 0 || pod.isTerminating) return false;
    return pod.namespace === this.#profile.namespace && selects(selector, pod);
  }

  addNode(node: NodeFacts, change: number): void {
    this.#change(this.#nodes, node, change);
  }
  addPod(node: NodeFacts, change: number): void {
    this.#change(this.#pods, node, change);
  }

  refuses(node: NodeFacts): boolean {
    const value = labelOf(node, this.#term.topologyKey);
    if (value === null) return true;
    return (this.#pods.get(value) ?? 0) + this.#self - this.#leastOf() > this.#term.maxSkew;
  }

  #leastOf(): number {
    if (this.#least !== null) return this.#least;
    let least = Number.POSITIVE_INFINITY;
    for (const value of this.#nodes.keys()) least = Math.min(least, this.#pods.get(value) ?? 0);
    this.#least = this.#nodes.size < this.#term.minDomains || least === Number.POSITIVE_INFINITY ? 0 : least;
    return this.#least;
  }

  #change(counts: Map<string, number>, node: NodeFacts, change: number): void {
    if (!this.#isEligible(node)) return;
    const value = labelOf(node, this.#term.topologyKey) ?? '';
    const count = (counts.get(value) ?? 0) + change;
    if (count === 0) counts.delete(value);
    else counts.set(value, count);
    this.#least = null;
  }
}
