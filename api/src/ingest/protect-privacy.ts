import type { ClusterEnvelope, ClusterItem } from '@plimsoll/contract/cluster-report';
import { maskIp } from '@plimsoll/contract/mask-ip';
import { isPlainValue, isSecretName } from '@plimsoll/contract/redact-names';
import { REDACTED } from '@plimsoll/contract/redact-shapes';
import type { DroppedRange, Report } from '@plimsoll/contract/report';
import type { Redactor } from './redactor.ts';

/**
 * Redacts what a collector sends, because an old or foreign collector may not have done it. Every text is redacted as
 * prose unless a rule below says otherwise, so a new field of the schema is covered without a change here.
 */
type Rule = 'keep' | 'address' | 'processes' | 'record' | Rules;
interface Rules {
  readonly [field: string]: Rule;
}

/** Fields that identify an object: rows are found by them, so they are stored as they came. */
export const REPORT_RULES: Rules = {
  kind: 'keep',
  boot_id: 'keep',
  processes: 'processes',
  connections: { remote_ip: 'address' },
  events: { id: 'keep' },
  containers: { id: 'keep' },
  agent: { sources: 'record' },
  kubernetes: {
    node_name: 'keep',
    kubelet: { name: 'keep' },
    pods: { uid: 'keep', namespace: 'keep', name: 'keep' },
    volumes: { namespace: 'keep', claim: 'keep' },
  },
};

const OWNER = { kind: 'keep', name: 'keep' } as const;
export const CLUSTER_RULES: Rules = {
  kind: 'keep',
  listing: { id: 'keep' },
  nodes: { uid: 'keep', name: 'keep', boot_id: 'keep', labels: 'record' },
  pods: {
    uid: 'keep',
    namespace: 'keep',
    name: 'keep',
    node_name: 'keep',
    owner: OWNER,
    labels: 'record',
    containers: { name: 'keep' },
    claims: 'keep',
  },
  workloads: { uid: 'keep', kind: 'keep', namespace: 'keep', name: 'keep' },
  volumes: { uid: 'keep', namespace: 'keep', name: 'keep' },
  events: { uid: 'keep', namespace: 'keep', kind: 'keep', name: 'keep', object_uid: 'keep' },
  ends: {
    pod_uid: 'keep',
    namespace: 'keep',
    pod_name: 'keep',
    node_name: 'keep',
    owner: OWNER,
    container: 'keep',
  },
  usage: { node_name: 'keep', pods: { uid: 'keep' } },
  history: { nodes: { node_name: 'keep', pods: 'keep' } },
  deleted: { nodes: 'keep', pods: 'keep', workloads: 'keep', volumes: 'keep' },
  readers: { name: 'keep' },
};

const CLUSTER_HEAD_RULES: Rules = { cluster: { uid: 'keep' }, collector: { id: 'keep' } };
const NO_RULES: Rules = {};

export const protectReport = (report: Report, redactor: Redactor): Report => protect(report, REPORT_RULES, redactor);
export const protectClusterItem = (item: ClusterItem, redactor: Redactor): ClusterItem =>
  protect(item, CLUSTER_RULES, redactor);
export const protectClusterHead = (
  head: Omit<ClusterEnvelope, 'reports'>,
  redactor: Redactor,
): Omit<ClusterEnvelope, 'reports'> => protect(head, CLUSTER_HEAD_RULES, redactor);
export const protectDropped = (ranges: DroppedRange[], redactor: Redactor): DroppedRange[] =>
  protect(ranges, NO_RULES, redactor);

type Tree = Record<string, unknown>;

/** The tree itself when nothing in it changed: a report has 2,000 values, and a copy of them is garbage. */
function protect<T>(value: T, rule: Rule, redactor: Redactor): T;
function protect(value: unknown, rule: Rule, redactor: Redactor): unknown {
  if (rule === 'keep') return value;
  if (typeof value === 'string') return rule === 'address' ? mask(value) : redactor.prose(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return protectList(value, rule, redactor);
  const tree = value as Tree;
  if (rule === 'processes') return protectProcess(tree, redactor);
  if (rule === 'record') return protectRecord(tree, redactor);
  return protectFields(tree, typeof rule === 'string' ? NO_RULES : rule, redactor);
}

function protectList(list: unknown[], rule: Rule, redactor: Redactor): unknown[] {
  let changed: unknown[] | null = null;
  for (let index = 0; index < list.length; index += 1) {
    const child = list[index];
    if (typeof child === 'number') continue;
    const safe = protect(child, rule, redactor);
    if (safe !== child) (changed ??= [...list])[index] = safe;
  }
  return changed ?? list;
}

function protectFields(tree: Tree, rules: Rules, redactor: Redactor): Tree {
  let changed: Tree | null = null;
  for (const field of Object.keys(tree)) {
    const child = tree[field];
    if (typeof child === 'number') continue;
    const safe = protect(child, rules[field] ?? NO_RULES, redactor);
    if (safe !== child) (changed ??= { ...tree })[field] = safe;
  }
  return changed ?? tree;
}

const PROCESS_RULES: Rules = { command: 'keep' };

function protectProcess(process: Tree, redactor: Redactor): Tree {
  const safe = protectFields(process, PROCESS_RULES, redactor);
  const { command, name } = process;
  if (typeof command !== 'string') return safe;
  const line = redactor.commandLine(command, typeof name === 'string' ? name : '');
  return line === command ? safe : { ...safe, command: line };
}

/** Keys come from outside, too; the name of a label can say that its value is a secret. */
function protectRecord(record: Tree, redactor: Redactor): Tree {
  const safe: Tree = {};
  let isChanged = false;
  for (const [key, value] of Object.entries(record)) {
    const safeKey = redactor.prose(key);
    const safeValue =
      typeof value === 'string' && isSecretName(key) && !isPlainValue(value)
        ? REDACTED
        : protect(value, NO_RULES, redactor);
    isChanged ||= safeKey !== key || safeValue !== value;
    safe[safeKey] = safeValue;
  }
  return isChanged ? safe : record;
}

/** Masked addresses as they come: the collector has masked them, and finding that out takes 0.4 µs each. */
const masked = new Set<string>();
const MOST_MASKED = 20_000;

/** Only addresses that were masked already are stored: no address is kept in memory. */
function mask(address: string): string {
  if (masked.has(address)) return address;
  const safe = maskIp(address);
  if (safe !== address) return safe;
  if (masked.size >= MOST_MASKED) masked.clear();
  masked.add(address);
  return address;
}
