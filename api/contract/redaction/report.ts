import { isPlainValue, isSecretName } from './names.ts';
import { isShortWord } from './text.ts';
import { REDACTED } from './shapes.ts';

/** The ways to redact the texts of a report. */
export interface TextRedactor {
  prose(text: string): string;
  commandLine(command: string, name: string): string;
  address(address: string): string;
}

/**
 * Every text of a report is redacted as prose unless a rule says otherwise, so a new field of the schema is covered
 * without a change here. The collector redacts before it stores and sends, the API redacts again.
 */
export type Rule = 'keep' | 'address' | 'processes' | 'record' | 'texts' | 'keys' | Rules;
export interface Rules {
  readonly [field: string]: Rule;
}

/** Fields that identify an object: rows are found by them, so they are stored as they came. */
export const REPORT_RULES: Rules = {
  kind: 'keep',
  boot_id: 'keep',
  processes: 'processes',
  // The schema admits two words each. A report has most texts here, so skipping these pays.
  connections: { remote_ip: 'address', protocol: 'keep', family: 'keep' },
  events: { id: 'keep' },
  containers: { id: 'keep' },
  check_results: {
    check_id: 'keep',
    reason: 'keep',
    failed_phase: 'keep',
    certificate: { subject: 'keep', issuer: 'keep', names: 'keep', key: 'keep', fingerprint: 'keep' },
  },
  described: { section: 'keep', entries: 'texts' },
  agent: { sources: 'record' },
  kubernetes: {
    node_name: 'keep',
    kubelet: { name: 'keep' },
    pods: { uid: 'keep', namespace: 'keep', name: 'keep', containers: { name: 'keep' } },
    volumes: { namespace: 'keep', claim: 'keep' },
  },
};

const OWNER = { kind: 'keep', name: 'keep' } as const;
const POD_TERM = { selector: 'keep', namespaces: 'keep', namespace_selector: 'keep' } as const;
export const CLUSTER_RULES: Rules = {
  kind: 'keep',
  listing: { id: 'keep', covers: 'keep', covers_objects: 'keep' },
  nodes: { uid: 'keep', name: 'keep', boot_id: 'keep', labels: 'record', allocatable: { extended: 'record' } },
  pods: {
    uid: 'keep',
    namespace: 'keep',
    name: 'keep',
    node_name: 'keep',
    owner: OWNER,
    labels: 'record',
    containers: { name: 'keep' },
    claims: 'keep',
    placement: 'keep',
  },
  // The schema refuses a selector on a label whose name says that its value is a secret.
  placements: {
    hash: 'keep',
    node_selector: 'record',
    node_affinity: { labels: 'keep', fields: 'keep' },
    pod_affinity: POD_TERM,
    pod_anti_affinity: POD_TERM,
    spread: { selector: 'keep' },
    requests: 'record',
  },
  workloads: { uid: 'keep', kind: 'keep', namespace: 'keep', name: 'keep' },
  volumes: { uid: 'keep', namespace: 'keep', name: 'keep', node_affinity: { labels: 'keep', fields: 'keep' } },
  events: { uid: 'keep', namespace: 'keep', kind: 'keep', name: 'keep', object_uid: 'keep' },
  ends: {
    pod_uid: 'keep',
    namespace: 'keep',
    pod_name: 'keep',
    node_name: 'keep',
    owner: OWNER,
    container: 'keep',
  },
  jobs: { uid: 'keep', namespace: 'keep', name: 'keep', owner: OWNER },
  objects: {
    uid: 'keep',
    kind: 'keep',
    namespace: 'keep',
    name: 'keep',
    digest_key: 'keep',
    fields: 'record',
    digests: 'keys',
  },
  usage: { node_name: 'keep', pods: { uid: 'keep' } },
  history: { nodes: { node_name: 'keep', pods: 'keep' } },
  deleted: { nodes: 'keep', pods: 'keep', workloads: 'keep', volumes: 'keep', objects: 'keep' },
  readers: { name: 'keep' },
};

export const CLUSTER_HEAD_RULES: Rules = { cluster: { uid: 'keep' }, collector: { id: 'keep' } };
const NO_RULES: Rules = {};

type Tree = Record<string, unknown>;

/** The tree itself when nothing in it changed: a report has 2,000 values, and a copy of them is garbage. */
export function redactTree<T>(value: T, rule: Rule, redactor: TextRedactor): T;
export function redactTree(value: unknown, rule: Rule, redactor: TextRedactor): unknown {
  if (rule === 'keep') return value;
  if (typeof value === 'string') return rule === 'address' ? redactor.address(value) : redactor.prose(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return redactList(value, rule, redactor);
  const tree = value as Tree;
  if (rule === 'processes') return redactProcess(tree, redactor);
  if (rule === 'record') return redactRecord(tree, redactor);
  if (rule === 'texts') return redactTexts(tree, redactor);
  if (rule === 'keys') return redactKeys(tree, redactor);
  return redactFields(tree, typeof rule === 'string' ? NO_RULES : rule, redactor);
}

function redactList(list: unknown[], rule: Rule, redactor: TextRedactor): unknown[] {
  let changed: unknown[] | null = null;
  for (let index = 0; index < list.length; index += 1) {
    const child = list[index];
    if (typeof child === 'number') continue;
    const safe = redactTree(child, rule, redactor);
    if (safe !== child) (changed ??= [...list])[index] = safe;
  }
  return changed ?? list;
}

function redactFields(tree: Tree, rules: Rules, redactor: TextRedactor): Tree {
  let changed: Tree | null = null;
  for (const field in tree) {
    const child = tree[field];
    if (typeof child === 'number') continue;
    if (rules === NO_RULES && typeof child === 'string' && isShortWord(child)) continue;
    const safe =
      field === 'message' && typeof child === 'string' && child.includes('\n')
        ? redactLines(child, redactor)
        : redactTree(child, rules[field] ?? NO_RULES, redactor);
    if (safe !== child) (changed ??= { ...tree })[field] = safe;
  }
  return changed ?? tree;
}

/**
 * Redacts a message and keeps its line ends. A secret may reach over several lines, so the lines only stay where the whole
 * text gives the same words.
 */
function redactLines(message: string, redactor: TextRedactor): string {
  const whole = redactor.prose(message);
  const lines = message.split('\n').map((line) => redactor.prose(line));
  return lines.join(' ').startsWith(whole) ? lines.join('\n').slice(0, whole.length) : whole;
}

const PROCESS_RULES: Rules = { command: 'keep', status: 'keep' };

function redactProcess(process: Tree, redactor: TextRedactor): Tree {
  const safe = redactFields(process, PROCESS_RULES, redactor);
  const { command, name } = process;
  if (typeof command !== 'string') return safe;
  const line = redactor.commandLine(command, typeof name === 'string' ? name : '');
  return line === command ? safe : { ...safe, command: line };
}

/** Keys come from outside, too; the name of a label can say that its value is a secret. */
function redactRecord(record: Tree, redactor: TextRedactor): Tree {
  const safe: Tree = {};
  let isChanged = false;
  for (const [key, value] of Object.entries(record)) {
    const safeKey = redactor.prose(key);
    const safeValue =
      typeof value === 'string' && isSecretName(key) && !isPlainValue(value)
        ? REDACTED
        : redactTree(value, NO_RULES, redactor);
    isChanged ||= safeKey !== key || safeValue !== value;
    safe[safeKey] = safeValue;
  }
  return isChanged ? safe : record;
}

/** For records whose values the schema limits to digits. */
function redactKeys(record: Tree, redactor: TextRedactor): Tree {
  const entries = Object.entries(record).map(([key, value]) => [redactor.prose(key), value] as const);
  return entries.every(([key]) => Object.hasOwn(record, key)) ? record : Object.fromEntries(entries);
}

/** For records whose keys name a package or a file: "passwd" does not make its version a secret. */
function redactTexts(record: Tree, redactor: TextRedactor): Tree {
  const entries = Object.entries(record).map(
    ([key, value]) => [redactor.prose(key), redactTree(value, NO_RULES, redactor)] as const,
  );
  return entries.every(([key, value]) => Object.hasOwn(record, key) && record[key] === value)
    ? record
    : Object.fromEntries(entries);
}
