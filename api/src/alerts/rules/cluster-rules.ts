import type { ClusterMetricName } from '@plimsoll/contract/rules/alert-metric-scales';
import { CLUSTER_METRIC_NAMES } from '@plimsoll/contract/rules/alert-rule-limits';
import { bySpecificity, thresholdRuleOf } from './effective-rules.ts';
import {
  DEFAULT_CLUSTER_SILENT_RULE,
  defaultRule,
  type ObjectMetric,
  type OfflineRule,
  type ThresholdRule,
} from './rules.ts';
import type { AlertRule, Place, RuleTarget } from '../types.ts';

type Where = Pick<Place, 'namespace' | 'workloadKind' | 'name'>;
const NOWHERE: Where = { namespace: null, workloadKind: null, name: null };

/** Returns true if a target names an object of the cluster, or the cluster itself. */
function matchesObject(target: RuleTarget, clusterId: string, { namespace, workloadKind, name }: Where): boolean {
  if (target.kind === 'all') return true;
  if (!('clusterId' in target) || (target.clusterId !== null && target.clusterId !== clusterId)) return false;
  if (target.kind === 'cluster') return true;
  if (target.namespace !== namespace) return false;
  if (target.kind === 'namespace') return true;
  return target.workload === name && (target.workloadKind === null || target.workloadKind === workloadKind);
}

/** The rules of an account as they apply to one cluster. */
export class ClusterRules {
  readonly #rules: ReadonlyMap<ClusterMetricName, readonly AlertRule[]>;
  readonly #clusterId: string;
  readonly #intervalMs: number;

  constructor(rules: readonly AlertRule[], clusterId: string, intervalMs: number) {
    this.#clusterId = clusterId;
    this.#intervalMs = intervalMs;
    this.#rules = new Map(
      CLUSTER_METRIC_NAMES.map((metric) => [
        metric,
        rules.filter((rule) => rule.metric === metric).toSorted(bySpecificity),
      ]),
    );
  }

  #deciding(metric: ClusterMetricName, where: Where): AlertRule | null {
    return this.#rules.get(metric)?.find(({ target }) => matchesObject(target, this.#clusterId, where)) ?? null;
  }

  /** Returns the rule that decides for an object; null: switched off. */
  of(metric: ObjectMetric, where: Where): ThresholdRule<ObjectMetric> | null {
    const rule = this.#deciding(metric, where);
    if (rule === null) return defaultRule(metric, this.#intervalMs);
    return rule.enabled ? thresholdRuleOf(rule, metric, this.#intervalMs) : null;
  }

  /** Returns every rule of a metric that may have a say in the cluster, those of single workloads included. */
  all(metric: ObjectMetric): ThresholdRule<ObjectMetric>[] {
    const written = (this.#rules.get(metric) ?? []).filter(({ enabled }) => enabled);
    return [
      ...written.map((rule) => thresholdRuleOf(rule, metric, this.#intervalMs)),
      defaultRule(metric, this.#intervalMs),
    ];
  }

  /** Returns null where the alert is switched off. */
  silence(): OfflineRule | null {
    const rule = this.#deciding('cluster_silent', NOWHERE);
    if (rule === null) return DEFAULT_CLUSTER_SILENT_RULE;
    if (!rule.enabled) return null;
    return { id: rule.id, level: rule.lines[0]?.level ?? DEFAULT_CLUSTER_SILENT_RULE.level, forMs: rule.forMs };
  }
}
