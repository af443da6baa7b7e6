import { ClusterRules } from './cluster-rules.ts';
import { effectiveRules, hiddenSubjects, type ServerRules, type Tags } from './effective-rules.ts';
import type { AccountRules, AlertRule } from '../types.ts';

const NO_TAGS: Tags = {};

/** The rules of an account, worked out once per server and once per cluster. */
export class RuleBook {
  readonly rules: readonly AlertRule[];
  readonly #tags: AccountRules['tags'];
  readonly #hidden: NonNullable<AccountRules['hidden']>;
  readonly #intervalMs: number;
  readonly #known = new Map<string, ServerRules>();
  readonly #clusters = new Map<string, ClusterRules>();

  constructor({ rules, tags, hidden = new Map() }: AccountRules, intervalMs: number) {
    this.rules = rules;
    this.#tags = tags;
    this.#hidden = hidden;
    this.#intervalMs = intervalMs;
  }

  of(serverId: string): ServerRules {
    const known = this.#known.get(serverId);
    if (known !== undefined) return known;
    const tags = this.#tags.get(serverId) ?? NO_TAGS;
    const hidden = this.#hidden.get(serverId);
    const rules = effectiveRules(
      this.rules,
      { id: serverId, tags },
      this.#intervalMs,
      hidden && hiddenSubjects(hidden),
    );
    this.#known.set(serverId, rules);
    return rules;
  }

  ofCluster(clusterId: string): ClusterRules {
    const known = this.#clusters.get(clusterId);
    if (known !== undefined) return known;
    const rules = new ClusterRules(this.rules, clusterId, this.#intervalMs);
    this.#clusters.set(clusterId, rules);
    return rules;
  }
}
