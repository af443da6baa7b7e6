import { withUnit } from '@plimsoll/contract/rules/alert-metric-scales';
import type { AlertRuleTarget } from '@plimsoll/contract/rules/alert-rule-limits';
import type { AlertRuleOnWire } from '@plimsoll/contract/wire/alert-rules';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { RULE_METRICS } from './rule-metrics.ts';

export const TARGET_NAME: Record<AlertRuleTarget, string> = {
  all: 'Everything',
  tag: 'Tag',
  server: 'One server',
  mount: 'One mount point',
  cluster: 'One cluster',
  namespace: 'One namespace',
  workload: 'One workload',
};

type Names = readonly { id: string; name: string }[];
const nameIn = (names: Names, id: unknown): string | null =>
  typeof id === 'string' ? (names.find((each) => each.id === id)?.name ?? id.slice(0, 8)) : null;

/** Says what a rule applies to: "env=prod", "db-01", "/var on db-01", "shop/checkout". */
export function targetWords(rule: AlertRuleOnWire, servers: Names, clusters: Names): string {
  const at: Readonly<Record<string, unknown>> = rule;
  const text = (name: string) => (typeof at[name] === 'string' ? escapeInvisible(at[name]) : '');
  const server = nameIn(servers, rule.server_id);
  const cluster = nameIn(clusters, at['cluster_id']);
  const inCluster = cluster === null ? '' : ` in ${cluster}`;
  const { target } = rule;
  if (target === 'tag')
    return `servers with ${text('tag_key')}${rule.tag_value === null ? '' : `=${text('tag_value')}`}`;
  if (target === 'server') return server ?? 'a server';
  if (target === 'mount') return `${text('mount')} on ${server ?? 'all servers'}`;
  if (target === 'cluster') return `cluster ${cluster ?? ''}`;
  if (target === 'namespace') return `namespace ${text('namespace')}${inCluster}`;
  if (target === 'workload') return `${text('namespace')}/${text('workload')}${inCluster}`;
  const metric = RULE_METRICS.get(rule.metric);
  if (metric?.subject === 'check') return 'all checks';
  return metric?.targets.includes('cluster') === true ? 'all clusters' : 'all servers';
}

/** "80 / 95 %"; empty for a state. */
export function linesWords({ metric, lines }: Pick<AlertRuleOnWire, 'metric' | 'lines'>): string {
  const values = lines.flatMap(({ threshold }) => (threshold === null ? [] : [String(threshold)]));
  return values.length === 0 ? '' : withUnit(values.join(' / '), RULE_METRICS.get(metric)?.unit ?? '').trim();
}

/** The ids of the default rules that a rule for everything replaces. */
export const replacedDefaults = (rules: readonly AlertRuleOnWire[]): ReadonlySet<string> =>
  new Set(rules.filter(({ target }) => target === 'all').map(({ metric }) => metric));
