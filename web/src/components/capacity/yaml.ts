import type { CapacitySizing } from '@plimsoll/contract/wire/capacity';

/** The patch that sets the advised requests and limits. Plimsoll prints it and applies nothing. */

const MEBIBYTE = 2 ** 20;
/** Whole millicores, as Kubernetes writes them. */
const cpuText = (cores: number): string => `${String(Math.max(1, Math.round(cores * 1000)))}m`;
const memoryText = (bytes: number): string => `${String(Math.max(1, Math.ceil(bytes / MEBIBYTE)))}Mi`;

/** A name of Kubernetes needs no quotes unless YAML reads it as something else. */
const quoted = (text: string): string =>
  /^[a-z][a-z0-9-]*$/.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$/.test(text) ? text : JSON.stringify(text);

type Sizes = Pick<CapacitySizing, 'container' | 'cpu_cores' | 'memory_bytes'>;
function containerLines({ container, cpu_cores: cpu, memory_bytes: memory }: Sizes): string[] {
  const requests = [
    ...(cpu.advice === null ? [] : [`cpu: ${cpuText(cpu.advice)}`]),
    ...(memory.advice === null ? [] : [`memory: ${memoryText(memory.advice)}`]),
  ];
  return [
    `        - name: ${quoted(container)}`,
    '          resources:',
    '            requests:',
    ...requests.map((line) => `              ${line}`),
    ...(memory.advice === null ? [] : ['            limits:', `              memory: ${memoryText(memory.advice)}`]),
  ];
}

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
