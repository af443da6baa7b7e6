import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { HIDDEN_KINDS, type HiddenKind } from '@plimsoll/contract/rules/servers/hidden-parts';
import type { HiddenPart } from '@plimsoll/contract/wire/hidden-parts';
import type { LoadLines } from '@plimsoll/contract/wire/servers';
import { DEFAULT_LINES, RESOURCE_OF_METRIC } from '../load-lines.ts';
import {
  appliesTo,
  DEFAULT_OFFLINE_RULE,
  DEFAULT_REFUSED_RULE,
  FALLBACK_RULES,
  isOffByDefault,
  STATE_THRESHOLD,
  type OfflineRule,
  type ThresholdMetric,
  type ThresholdRule,
} from './rules.ts';
import type { AlertRule, RuleTarget } from '../types.ts';

export type Tags = Readonly<Record<string, string>>;
export interface RuledServer {
  id: string;
  tags: Tags;
}

/** The rules that apply to one server: one per metric and subject. */
export interface ServerRules {
  thresholds: readonly ThresholdRule[];
  /** null: switched off. */
  offline: OfflineRule | null;
  /** null: switched off. */
  refused: OfflineRule | null;
  lines: LoadLines;
  hidden: HiddenSubjects;
}

/** Hidden parts of one server by kind. */
export type HiddenSubjects = Readonly<Record<HiddenKind, ReadonlySet<string>>>;
const NONE: ReadonlySet<string> = new Set();
const NOTHING_HIDDEN: HiddenSubjects = { filesystem: NONE, interface: NONE, sensor: NONE, container: NONE };

export const hiddenSubjects = (parts: readonly HiddenPart[]): HiddenSubjects => {
  const of = (kind: HiddenKind) => new Set(parts.flatMap((part) => (part.kind === kind ? [part.subject] : [])));
  return {
    filesystem: of('filesystem'),
    interface: of('interface'),
    sensor: of('sensor'),
    container: of('container'),
  };
};

const hiddenOf = (hidden: HiddenSubjects, metric: ThresholdMetric): ReadonlySet<string> => {
  const { subject } = ALERT_METRICS[metric];
  return HIDDEN_KINDS.some((kind) => kind === subject) ? hidden[subject as HiddenKind] : NONE;
};

/** Returns the rule without the hidden subjects; null when it applies to nothing else. */
function withoutHidden(rule: ThresholdRule, hidden: HiddenSubjects): ThresholdRule | null {
  const subjects = hiddenOf(hidden, rule.metric);
  if (subjects.size === 0) return rule;
  if (rule.subjects !== undefined && 'only' in rule.subjects) return subjects.has(rule.subjects.only) ? null : rule;
  return { ...rule, subjects: { except: [...(rule.subjects?.except ?? []), ...subjects] } };
}

/** Higher is more specific: mount over server over tag over all; workload over namespace over cluster over all. */
const PRECEDENCE = { all: 0, tag: 1, server: 2, mount: 3, cluster: 1, namespace: 2, workload: 3 } as const;
/** Orders two targets of one kind: the more specific comes first. Less than the step between two kinds. */
const NAMED = 0.4;
const isNamed = (value: string | null): number => (value === null ? 0 : NAMED);
function precedenceOf(target: RuleTarget): number {
  const base = PRECEDENCE[target.kind];
  if (target.kind === 'mount') return base + isNamed(target.serverId);
  if (target.kind === 'namespace') return base + isNamed(target.clusterId);
  if (target.kind === 'workload') return base + isNamed(target.clusterId) + isNamed(target.workloadKind) / 2;
  return base;
}

/** `mount` null: the server as a whole. */
export function matches(target: RuleTarget, server: RuledServer, mount: string | null): boolean {
  if (target.kind === 'all') return true;
  if (target.kind === 'server') return target.serverId === server.id;
  if (target.kind === 'mount')
    return target.mount === mount && (target.serverId === null || target.serverId === server.id);
  if (target.kind !== 'tag') return false;
  return Object.hasOwn(server.tags, target.key) && (target.value === null || server.tags[target.key] === target.value);
}

/** The line that a value reaches first: the lower, the sooner; of a metric that is worse when lower, the other way. */
const firstLine = ({ metric, lines }: AlertRule): number => {
  const sign = ALERT_METRICS[metric].isWorseWhenLower === true ? -1 : 1;
  return Math.min(...lines.map(({ threshold }) => sign * (threshold ?? 0)));
};

/** Most specific first. Of two with the same precedence: one that is on, then the line that is reached first, then the older one. */
export const bySpecificity = (a: AlertRule, b: AlertRule): number =>
  precedenceOf(b.target) - precedenceOf(a.target) ||
  Number(b.enabled) - Number(a.enabled) ||
  firstLine(a) - firstLine(b) ||
  a.createdAt - b.createdAt ||
  (a.id < b.id ? -1 : 1);

/** Returns the rule of a user that decides for this server and subject, null where the default rule does. */
function decidingRule(
  rules: readonly AlertRule[],
  metric: AlertRule['metric'],
  server: RuledServer,
  mount: string | null = null,
): AlertRule | null {
  const matching = rules.filter((rule) => rule.metric === metric && matches(rule.target, server, mount));
  return matching.toSorted(bySpecificity)[0] ?? null;
}

/** Returns a user's threshold rule in the evaluator's form. */
export function thresholdRuleOf<M extends AlertRule['metric']>(
  rule: AlertRule,
  metric: M,
  intervalMs: number,
): ThresholdRule<M> {
  const { id, forMs, keepFiringForMs, hysteresisPoints } = rule;
  const lines = rule.lines.map(({ level, threshold }) => ({ level, threshold: threshold ?? STATE_THRESHOLD }));
  return { id, metric, lines, forMs, keepFiringForMs, hysteresisPoints, intervalMs };
}

export function effectiveRules(
  rules: readonly AlertRule[],
  server: RuledServer,
  intervalMs: number,
  hidden: HiddenSubjects = NOTHING_HIDDEN,
): ServerRules {
  const decided = FALLBACK_RULES.flatMap((fallback): ThresholdRule[] => {
    const { metric } = fallback;
    const mounts = mountsOf(rules, metric, server);
    const ofMounts = mounts.flatMap((mount) => {
      const rule = decidingRule(rules, metric, server, mount);
      if (rule === null || !rule.enabled) return [];
      return [{ ...thresholdRuleOf(rule, metric, intervalMs), subjects: { only: mount } }];
    });
    const decides = decidingRule(rules, metric, server);
    if (decides === null ? isOffByDefault(metric) : !decides.enabled) return ofMounts;
    const base = decides === null ? { ...fallback, intervalMs } : thresholdRuleOf(decides, metric, intervalMs);
    return [{ ...base, ...(mounts.length > 0 && { subjects: { except: mounts } }) }, ...ofMounts];
  });
  const thresholds = decided.flatMap((rule) => withoutHidden(rule, hidden) ?? []);
  return {
    thresholds,
    hidden,
    offline: jobRuleOf(decidingRule(rules, 'offline', server), DEFAULT_OFFLINE_RULE),
    refused: jobRuleOf(decidingRule(rules, 'reports_refused', server), DEFAULT_REFUSED_RULE),
    lines: linesOf(decided),
  };
}

const mountsOf = (rules: readonly AlertRule[], metric: ThresholdMetric, server: RuledServer): string[] => [
  ...new Set(
    rules.flatMap(({ metric: its, target }) =>
      its === metric && target.kind === 'mount' && matches(target, server, target.mount) ? [target.mount] : [],
    ),
  ),
];

function jobRuleOf(rule: AlertRule | null, fallback: OfflineRule): OfflineRule | null {
  if (rule === null) return fallback;
  if (!rule.enabled) return null;
  return { id: rule.id, level: rule.lines[0]?.level ?? fallback.level, forMs: rule.forMs };
}

const DEFAULT_IDS: ReadonlySet<string> = new Set(FALLBACK_RULES.map(({ id }) => id));

/**
 * The lowest line of a user's rule is the load line, a higher one the critical line. A metric without one keeps the
 * default.
 */
function linesOf(thresholds: readonly ThresholdRule[]): LoadLines {
  const lines = { ...DEFAULT_LINES };
  for (const rule of thresholds) {
    const [lowest, ...higher] = rule.lines;
    if (lowest === undefined || DEFAULT_IDS.has(rule.id)) continue;
    if (rule.subjects !== undefined && 'only' in rule.subjects) continue;
    if (!hasLoadLine(rule.metric)) continue;
    lines[RESOURCE_OF_METRIC[rule.metric]] = {
      warning: lowest.threshold,
      critical: higher.at(-1)?.threshold ?? null,
    };
  }
  return lines;
}

const hasLoadLine = (metric: ThresholdMetric): metric is keyof typeof RESOURCE_OF_METRIC =>
  Object.hasOwn(RESOURCE_OF_METRIC, metric);

/** Returns true if the rule of this id still decides for the subject. */
export function isInForce(rules: ServerRules, id: string, metric: string, subject: string): boolean {
  if (metric === 'offline') return rules.offline?.id === id;
  if (metric === 'reports_refused') return rules.refused?.id === id;
  return rules.thresholds.some((rule) => rule.id === id && rule.metric === metric && appliesTo(rule, subject));
}
