import type { AlertRuleMetric } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import type { RuleTarget } from '../types.ts';

/** Names of what rules target by id. */
export interface TargetNames {
  hostnameOf: (serverId: string) => string;
  clusterNameOf: (clusterId: string) => string;
}

/** Texts of a YAML or PromQL double-quoted scalar are those of JSON. */
export const quoted = (text: string): string => JSON.stringify(text);
const labelName = (key: string): string => key.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=[0-9])/, '_');
const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const oneOf = (values: readonly string[]): string => [...new Set(values)].map(escapeRegex).join('|');
const isText = (value: string | null): value is string => value !== null;

/** Returns the matcher of a label with any of the values. */
function labelIn(label: string, values: readonly string[]): string {
  const [first, ...others] = values;
  if (first !== undefined && others.every((value) => value === first)) return `${label}=${quoted(first)}`;
  return `${label}=~${quoted(oneOf(values))}`;
}

/** A server is the instance of its host name with any port. */
function instanceIn(hostnames: readonly string[]): string {
  const alternatives = oneOf(hostnames);
  return `instance=~${quoted(`${new Set(hostnames).size === 1 ? alternatives : `(${alternatives})`}(:[0-9]+)?`)}`;
}

/**
 * Returns the label matchers of a target; tags are labels of the scrape target. Several targets must be of one group of
 * `groupOf`: their series together.
 */
export function selectorOf(metric: AlertRuleMetric, targets: readonly RuleTarget[], names: TargetNames): string[] {
  const [first] = targets;
  if (first === undefined) return [];
  const servers = targets.map((target) => ('serverId' in target ? target.serverId : null)).filter(isText);
  const instance = servers.length === 0 ? [] : [instanceIn(servers.map(names.hostnameOf))];
  const clusters = targets.map((target) => ('clusterId' in target ? target.clusterId : null)).filter(isText);
  const cluster = clusters.length === 0 ? [] : [labelIn('cluster', clusters.map(names.clusterNameOf))];
  const namespaces = targets.map((target) => ('namespace' in target ? target.namespace : null)).filter(isText);
  switch (first.kind) {
    case 'all':
      return [];
    case 'server':
      return instance;
    case 'tag': {
      const values = targets.map((target) => (target.kind === 'tag' ? target.value : null)).filter(isText);
      const label = labelName(first.key);
      return [first.value === null ? `${label}!=""` : labelIn(label, values)];
    }
    case 'mount': {
      const mounts = targets.flatMap((target) => (target.kind === 'mount' ? [target.mount] : []));
      return [labelIn('mountpoint', mounts), ...instance];
    }
    case 'cluster':
      return cluster;
    case 'namespace':
      return [labelIn('namespace', namespaces), ...cluster];
    case 'workload':
      return [labelIn('namespace', namespaces), ...workloadSelector(metric, first.workload), ...cluster];
  }
}

function workloadSelector(metric: AlertRuleMetric, workload: string): string[] {
  const entry = ALERT_METRICS[metric];
  return entry.scope === 'cluster' && entry.workloadSelector !== null ? [entry.workloadSelector(workload)] : [];
}

/** Returns a key. Targets with the same key differ in one label only, so that one selector can name them all. */
export function groupOf(target: RuleTarget): string {
  switch (target.kind) {
    case 'tag':
      return JSON.stringify([target.kind, labelName(target.key), target.value === null]);
    case 'mount':
      return JSON.stringify([target.kind, target.serverId === null ? null : target.mount]);
    case 'namespace':
      return JSON.stringify([target.kind, target.clusterId]);
    case 'workload':
      return JSON.stringify(target);
    case 'all':
    case 'server':
    case 'cluster':
      return target.kind;
  }
}

const differ = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a !== null && a !== undefined && b !== null && b !== undefined && a !== b;
const withoutPort = (host: string): string => host.replace(/:[0-9]+$/, '');

/** Returns true if no series belongs to both targets. Their names decide, as in Prometheus, not their ids. */
export function areDisjoint(a: RuleTarget, b: RuleTarget, names: TargetNames): boolean {
  const server = (target: RuleTarget): string | null =>
    'serverId' in target && target.serverId !== null ? withoutPort(names.hostnameOf(target.serverId)) : null;
  const cluster = (target: RuleTarget): string | null =>
    'clusterId' in target && target.clusterId !== null ? names.clusterNameOf(target.clusterId) : null;
  if (differ(server(a), server(b)) || differ(cluster(a), cluster(b))) return true;
  if (a.kind === 'tag' && b.kind === 'tag') return labelName(a.key) === labelName(b.key) && differ(a.value, b.value);
  if (a.kind === 'mount' && b.kind === 'mount') return a.mount !== b.mount;
  if (!('namespace' in a && 'namespace' in b)) return false;
  if (a.namespace !== b.namespace) return true;
  // Pods carry the name of their workload as a prefix: those of "web-api" belong to "web" too.
  const [one, other] = [a, b].map((target) => (target.kind === 'workload' ? `${target.workload}-` : ''));
  return one !== undefined && other !== undefined && !one.startsWith(other) && !other.startsWith(one);
}
