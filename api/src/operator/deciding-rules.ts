import { bySpecificity } from '../alerts/rules/effective-rules.ts';
import type { AlertRule } from '../alerts/types.ts';
import { keyOf, type ObjectKey } from './types.ts';

/** Names the rule as a person finds it. */
const nameOf = ({ object, id }: AlertRule, clusterId: string): string => {
  if (object === null) return `the rule ${id} of the dashboard`;
  const elsewhere = object.clusterId === clusterId ? '' : ` of cluster ${object.clusterName ?? object.clusterId}`;
  return `AlertRule ${object.namespace}/${object.name}${elsewhere}`;
};

/**
 * Returns for each AlertRule object of the cluster that shares metric and target with another rule a sentence that says
 * which one decides. Only that one opens alerts.
 */
export function decidingWords(rules: readonly AlertRule[], clusterId: string): ReadonlyMap<ObjectKey, string> {
  const words = new Map<ObjectKey, string>();
  const places = Map.groupBy(rules, ({ metric, target }) =>
    JSON.stringify([metric, Object.entries(target).toSorted(([a], [b]) => (a < b ? -1 : 1))]),
  );
  for (const same of places.values()) {
    if (same.length < 2) continue;
    const [first, ...others] = same.toSorted(bySpecificity);
    if (first === undefined) continue;
    for (const rule of same) {
      if (rule.object === null || rule.object.clusterId !== clusterId) continue;
      const text =
        rule === first
          ? `This rule decides for spec.metric and spec.target. Without effect: ${others.map((one) => nameOf(one, clusterId)).join(', ')}.`
          : `This rule has no effect: ${nameOf(first, clusterId)} has the same metric and target and decides. Delete one of them, or set spec.enabled to false.`;
      words.set(keyOf(rule.object), text.slice(0, 1000));
    }
  }
  return words;
}
