import { bySpecificity } from './effective-rules.ts';
import { ruleText } from './rule-text.ts';
import type { AlertRule, RuleDraft, RuleTarget } from './types.ts';

/** Texts of a YAML double-quoted scalar are those of JSON. */
const quoted = (text: string): string => JSON.stringify(text);
const labelName = (key: string): string => key.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=[0-9])/, '_');
const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Tags are labels of the scrape target, a server is the instance of its host name with any port. */
function selectorOf(target: RuleTarget, hostnameOf: (serverId: string) => string): string[] {
  const instance = (id: string): string => `instance=~${quoted(`${escapeRegex(hostnameOf(id))}(:[0-9]+)?`)}`;
  if (target.kind === 'all') return [];
  if (target.kind === 'server') return [instance(target.serverId)];
  if (target.kind === 'tag')
    return [
      target.value === null ? `${labelName(target.key)}!=""` : `${labelName(target.key)}=${quoted(target.value)}`,
    ];
  return [`mountpoint=${quoted(target.mount)}`, ...(target.serverId === null ? [] : [instance(target.serverId)])];
}

const FILESYSTEMS = 'fstype!~"tmpfs|ramfs|squashfs|overlay"';
/** Expressions over the metrics of node_exporter, in per cent as Plimsoll measures them. */
const EXPRESSIONS: Record<AlertRule['metric'], (selectors: readonly string[]) => string> = {
  cpu_usage: (selectors) =>
    `100 * (1 - avg without (cpu, mode) (rate(node_cpu_seconds_total{${['mode="idle"', ...selectors].join(',')}}[2m])))`,
  memory_usage: (selectors) => {
    const labels = `{${selectors.join(',')}}`;
    return `100 * (1 - node_memory_MemAvailable_bytes${labels} / node_memory_MemTotal_bytes${labels})`;
  },
  disk_usage: (selectors) => {
    const labels = `{${[FILESYSTEMS, ...selectors].join(',')}}`;
    const used = `(node_filesystem_size_bytes${labels} - node_filesystem_free_bytes${labels})`;
    return `100 * ${used} / (${used} + node_filesystem_avail_bytes${labels})`;
  },
  offline: (selectors) => `up{${selectors.join(',')}}`,
};

const NAMES = {
  cpu_usage: 'PlimsollCpuUsage',
  memory_usage: 'PlimsollMemoryUsage',
  disk_usage: 'PlimsollDiskUsage',
  offline: 'PlimsollOffline',
} as const;

/** A rule with its id; a default rule has no dates. */
export type ExportedRule = RuleDraft & Pick<AlertRule, 'id'>;

/**
 * Returns the rules as a Prometheus rule file. A more specific rule overrides a general one there too: the expression
 * excludes its series. Prometheus has no hysteresis.
 */
export function prometheusRules(
  rules: readonly AlertRule[],
  defaults: readonly ExportedRule[],
  hostnameOf: (serverId: string) => string,
): string {
  const ordered: ExportedRule[] = [...rules.toSorted(bySpecificity), ...defaults];
  const entries = ordered.flatMap((rule, index) => {
    if (!rule.enabled) return [];
    const expression = EXPRESSIONS[rule.metric];
    const overriding = ordered.slice(0, index).filter(({ metric }) => metric === rule.metric);
    const exclusions = overriding.map(({ target }) => ` unless (${expression(selectorOf(target, hostnameOf))})`);
    return rule.lines.map(({ level, threshold }) => {
      const compared = threshold === null ? '== 0' : `>= ${String(threshold)}`;
      const value = expression(selectorOf(rule.target, hostnameOf));
      return entryOf(rule, level, `(${value} ${compared})${exclusions.join('')}`);
    });
  });
  return ['groups:', '  - name: plimsoll', `    rules:${entries.length === 0 ? ' []' : ''}`, ...entries, ''].join('\n');
}

const seconds = (ms: number): string => `${String(Math.round(ms / 1000))}s`;
const entryOf = (rule: ExportedRule, level: string, expression: string): string =>
  [
    `      - alert: ${NAMES[rule.metric]}`,
    `        expr: ${quoted(expression)}`,
    `        for: ${seconds(rule.forMs)}`,
    ...(rule.keepFiringForMs > 0 ? [`        keep_firing_for: ${seconds(rule.keepFiringForMs)}`] : []),
    '        labels:',
    `          severity: ${level}`,
    `          plimsoll_rule: ${quoted(rule.id)}`,
    '        annotations:',
    `          summary: ${quoted(ruleText(rule))}`,
  ].join('\n');
