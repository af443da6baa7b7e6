import type { CapacitySizing, SizedResource } from '@plimsoll/contract/wire/capacity';
import { autoscalerWords } from './capacity-words.ts';

/** The patch that sets the advised requests and limits. Plimsoll prints it and applies nothing. */

const MEBIBYTE = 2 ** 20;
/** Whole millicores, as Kubernetes writes them. */
const cpuText = (cores: number): string => `${String(Math.max(1, Math.round(cores * 1000)))}m`;
const memoryText = (bytes: number): string => `${String(Math.max(1, Math.ceil(bytes / MEBIBYTE)))}Mi`;

/** A name of Kubernetes needs no quotes unless YAML reads it as something else. */
const quoted = (text: string): string =>
  /^[a-z][a-z0-9-]*$/.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$/.test(text) ? text : JSON.stringify(text);

type Sizes = Pick<CapacitySizing, 'container' | 'cpu_cores' | 'memory_bytes' | 'autoscalers'>;
function containerLines({ container, cpu_cores: cpu, memory_bytes: memory }: Sizes): string[] {
  const requests = [
    ...(cpu.advice === null ? [] : [`cpu: ${cpuText(cpu.advice)}`]),
    ...(memory.advice === null ? [] : [`memory: ${memoryText(memory.advice)}`]),
  ];
  const limits = [
    ...cpuLimit(cpu),
    ...(memory.limit_advice === null ? [] : [`memory: ${memoryText(memory.limit_advice)}`]),
  ];
  return [
    `        - name: ${quoted(container)}`,
    '          resources:',
    '            requests:',
    ...requests.map((line) => `              ${line}`),
    ...(limits.length === 0 ? [] : ['            limits:', ...limits.map((line) => `              ${line}`)]),
  ];
}

/** A patch keeps what it does not name, so null takes a limit away. */
function cpuLimit({ advice, limit, limit_advice: advised }: SizedResource): string[] {
  if (advice === null) return [];
  if (advised !== null) return [`cpu: ${cpuText(advised)}`];
  return limit === null ? [] : ['cpu: null'];
}

/** One line for each autoscaler: its target is a share of the request. */
const scalerLines = ({ autoscalers }: Sizes): string[] =>
  autoscalers.map((one) => `# ${autoscalerWords(one).replaceAll(/\s+/g, ' ')}`);

const API: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  ReplicaSet: 'apps/v1',
};

type Row = Pick<CapacitySizing, 'namespace' | 'kind' | 'name'> & Sizes;
/** Returns the YAML of one workload with its advised containers; empty without advice. */
export function workloadYaml(rows: readonly Row[]): string {
  const advised = rows.filter(
    ({ cpu_cores: cpu, memory_bytes: memory }) => cpu.advice !== null || memory.advice !== null,
  );
  const [first] = advised;
  if (first === undefined) return '';
  return [
    ...new Set(advised.flatMap(scalerLines)),
    `apiVersion: ${API[first.kind] ?? 'apps/v1'}`,
    `kind: ${quoted(first.kind)}`,
    'metadata:',
    `  name: ${quoted(first.name)}`,
    `  namespace: ${quoted(first.namespace)}`,
    'spec:',
    '  template:',
    '    spec:',
    '      containers:',
    ...advised.flatMap(containerLines),
    '',
  ].join('\n');
}

/** Returns the YAML of several workloads, each a document of its own. */
export function allYaml(rows: readonly Row[]): string {
  const groups = Map.groupBy(rows, ({ namespace, kind, name }) => `${namespace}/${kind}/${name}`);
  return [...groups.values()]
    .map(workloadYaml)
    .filter((text) => text !== '')
    .join('---\n');
}
