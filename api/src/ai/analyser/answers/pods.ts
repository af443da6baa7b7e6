import { distanceText } from '@plimsoll/contract/rules/load-words';
import { duration } from '../../../alerts/duration.ts';
import { cell, inside, memory, plural, rowsOf, table } from '../reports.ts';
import type { Understood } from '../asked.ts';
import type { Term } from '../words.ts';
import { onServer, type Content, type Write } from './write.ts';

export type Figures = Readonly<Record<string, readonly [name: string, of: (row: Content) => string]>>;
const FIGURE: Figures = {
  cpu: ['CPU usage', (row) => coresOf(row['cpu_usage_cores'] ?? row['cpu_cores'])],
  memory: ['memory usage', (row) => megabytes(row['memory_usage_mb'] ?? row['memory_mb'])],
  restarts: ['number of restarts', (row) => cell(row['restarts_24h'] ?? row['restarts'])],
  pods: ['number of pods', (row) => cell(row['pods'])],
};
/** Thousandths matter to small pods. */
const coresOf = (value: unknown): string =>
  typeof value === 'number' ? `${String(Math.round(value * 1000) / 1000)} cores` : 'N/A';

const megabytes = (value: unknown): string => (typeof value === 'number' ? memory(value * 1024) : 'N/A');
/** " Age of the data: prod 20 s." */
function ageWords(content: Content): string {
  const ages = rowsOf(content, 'clusters').map(
    (row) =>
      `${cell(row['name'])} ${typeof row['age_seconds'] === 'number' ? duration(row['age_seconds'] * 1000) : 'N/A'}`,
  );
  return ages.length === 0 ? '' : ` Age of the data: ${ages.join(', ')}.`;
}

/** Words that name the figure of a ranking. */
const ASKS: Record<string, readonly Term[]> = {
  cpu: ['cpu', 'busy', 'load'],
  memory: ['memory'],
  disk: ['disk'],
  restarts: ['restarts'],
  pods: ['top', 'least'],
  nodes: ['top', 'least'],
  headroom: ['headroom'],
};

/** "shop has the highest CPU usage: 7.5 cores. "; empty: the question names no figure. */
export function leadOf(
  rows: readonly Content[],
  { input, terms }: Understood,
  nameOf: (row: Content) => string,
  figures = FIGURE,
): string {
  const [first] = rows;
  const by = String(input['by']);
  const figure = figures[by];
  if (first === undefined || figure === undefined || !(ASKS[by] ?? []).some((term) => terms.has(term))) return '';
  const [name, of] = figure;
  if (rows.length === 1) return `**${nameOf(first)}: ${name} ${of(first)}.** `;
  const most = by === 'headroom' ? 'least' : input['order'] === 'lowest' ? 'lowest' : 'highest';
  return `**${nameOf(first)} has the ${most} ${name}: ${of(first)}.** `;
}

export const containers: Write = (content, asked) => {
  const { isCount, limit, input } = asked;
  const summary = content['summary'];
  const counted = `**${plural(Number(inside(summary, 'total') ?? 0), 'container')}${onServer(asked)}, ${cell(inside(summary, 'running'))} running, ${cell(inside(summary, 'broken'))} broken.**`;
  const rows = rowsOf(content, 'containers').slice(0, limit);
  if (rows.length === 0)
    return input['state'] === 'broken'
      ? `**No container${onServer(asked)} is broken.**`
      : `**No container${onServer(asked)} is reported.**`;
  if (isCount) return counted;
  return `${leadOf(rows, asked, (row) => `${cell(row['name'])} on ${cell(row['hostname'])}`)}${counted}\n\n${table(
    ['container', 'server', 'state', 'CPU', 'memory', 'of limit', 'restarts'],
    rows.map((row) => [
      cell(row['name']),
      cell(row['hostname']),
      cell(row['state']),
      coresOf(row['cpu_cores']),
      megabytes(row['memory_mb']),
      cell(row['memory_percent_of_limit'], ' %'),
      cell(row['restarts']),
    ]),
  )}`;
};

/** The word for the pods of a question. */
function stateWords({ input, program }: Understood): string {
  if (Array.isArray(input['reasons'])) return ` in ${cell(input['reasons'][0])}`;
  if (input['unhealthy'] === true) return ' not ready';
  return typeof input['phase'] === 'string' && program === null ? ` ${input['phase'].toLowerCase()}` : '';
}
/** " with a memory usage above 1 GB"; empty: the question has no limit. */
function boundWords({ threshold, input }: Understood): string {
  if (threshold === null || (input['above'] ?? input['below']) === undefined) return '';
  const { side, value, unit } = threshold;
  const limit = unit === 'mb' ? megabytes(value) : unit === 'cores' ? coresOf(value) : `${String(value)} %`;
  const name = { cpu: 'CPU', memory: 'memory', disk: 'disk' }[String(input['by'])] ?? '';
  return ` with a ${name} usage ${side === 'over' ? 'above' : 'below'} ${limit}`;
}
/** Without a filter, a list has at most so many pods. */
const MOST_SHOWN = 20;
/** " in cluster prod"; empty: the answer is about all. */
const clusterWords = ({ cluster }: Understood): string => (cluster === undefined ? '' : ` in cluster ${cell(cluster)}`);
const isSome = (value: unknown): boolean => typeof value === 'number' && value > 0;

export const pods: Write = (content, asked) => {
  const { isCount, limit, input, terms } = asked;
  const total = Number(content['total'] ?? 0);
  const where = [
    clusterWords(asked),
    ...(typeof input['namespace'] === 'string' ? [` in namespace ${cell(input['namespace'])}`] : []),
    ...(typeof input['node'] === 'string' ? [` on node ${cell(input['node'])}`] : []),
    ...(typeof input['search'] === 'string' ? [` with “${cell(input['search'])}” in the name`] : []),
  ].join('');
  const [looked, of] = [Number(content['looked_at'] ?? 0), Number(content['of'] ?? 0)];
  const rest = looked < of && total < looked ? ` Looked at ${String(looked)} of ${plural(of, 'pod')}.` : '';
  const head = `**${total === 0 ? 'No pod' : plural(total, 'pod')}${stateWords(asked)}${where}${boundWords(asked)}.**${looked > MOST_SHOWN ? rest : ''}`;
  if (total === 0) return `${head}${ageWords(content)}`;
  const isOom = terms.has('oom');
  const isRestarts = terms.has('restarts') && !isOom;
  const all = rowsOf(content, 'pods');
  const rows = all.filter((row) => (isOom ? isSome(row['oom_kills_24h']) : !isRestarts || isSome(row['restarts_24h'])));
  if (isOom && rows.length === 0)
    return `**No pod${where} was killed for its memory in the last 24 h**, of the ${String(all.length)} that restarted most.${ageWords(content)}`;
  if (isRestarts && rows.length === 0) return `**No pod${where} restarted in the last 24 h.**${ageWords(content)}`;
  const killed = isOom ? `**${plural(rows.length, 'pod')}${where} killed for memory in the last 24 h.**` : '';
  if (isCount) return killed === '' ? `${head}${ageWords(content)}` : `${killed}${ageWords(content)}`;
  const podName = (row: Content): string => `${cell(row['namespace'])}/${cell(row['pod_name'])}`;
  const lead = isOom ? killed : leadOf(rows, asked, podName);
  return `${lead}${isOom ? '' : head}${ageWords(content)}\n\n${table(
    ['pod', 'namespace', 'cluster', 'phase', 'CPU', 'memory', 'restarts in 24 h', ...(isOom ? ['OOM kills'] : [])],
    rows
      .slice(0, limit)
      .map((row) => [
        cell(row['pod_name']),
        cell(row['namespace']),
        cell(row['cluster']),
        row['reason'] === null ? cell(row['phase']) : `${cell(row['phase'])}, ${cell(row['reason'])}`,
        coresOf(row['cpu_usage_cores']),
        megabytes(row['memory_usage_mb']),
        cell(row['restarts_24h']),
        ...(isOom ? [cell(row['oom_kills_24h'])] : []),
      ]),
  )}`;
};

const metric =
  (name: string): ((row: Content) => string) =>
  (row) =>
    cell(inside(row['metrics'], name), ' %');
const NODE_FIGURE: Figures = {
  cpu: ['CPU usage', metric('cpu_usage')],
  memory: ['memory usage', metric('memory_usage')],
  disk: ['disk usage', metric('disk_usage')],
  pods: ['number of pods', (row) => cell(inside(row['metrics'], 'pods_count'))],
  headroom: [
    'headroom',
    (row) => {
      const points = inside(row['headroom'], 'points');
      return typeof points === 'number' ? distanceText(points) : 'N/A';
    },
  ],
};

export const nodes: Write = (content, asked) => {
  const { isCount, limit, input } = asked;
  const total = Number(content['total'] ?? 0);
  const search = typeof input['search'] === 'string' ? ` with “${cell(input['search'])}” in the name` : '';
  const named = `${clusterWords(asked)}${search}`;
  if (total === 0 && asked.threshold !== null) return `**No node${named}${boundWords(asked)}.**${ageWords(content)}`;
  if (total === 0 && input['ready'] !== undefined)
    return `**No node is ${input['ready'] === true ? '' : 'not '}ready.**${ageWords(content)}`;
  if (total === 0) return `**No node${named} is found.**`;
  const ready = inside(content['summary'], 'ready');
  const state = input['ready'] === undefined ? '' : input['ready'] === true ? ' ready' : ' not ready';
  const counted =
    asked.threshold !== null
      ? boundWords(asked)
      : state === '' && typeof ready === 'number'
        ? `, ${String(ready)} ready`
        : state;
  const head = `**${plural(total, 'node')}${named}${counted}.**`;
  if (isCount) return `${head}${ageWords(content)}`;
  const rows = rowsOf(content, 'nodes').slice(0, limit);
  return `${leadOf(rows, asked, (row) => cell(row['node_name']), NODE_FIGURE)}${head}${ageWords(content)}\n\n${table(
    ['node', 'cluster', 'ready', 'CPU', 'memory', 'disk', 'pods'],
    rows.map((row) => [
      cell(row['node_name']),
      cell(row['cluster']),
      row['ready'] === true ? 'yes' : row['ready'] === false ? 'no' : 'not known',
      ...['cpu_usage', 'memory_usage', 'disk_usage'].map((name) => metric(name)(row)),
      cell(inside(row['metrics'], 'pods_count')),
    ]),
  )}`;
};

export const namespaces: Write = (content, asked) => {
  const { isCount, limit } = asked;
  const total = Number(content['total'] ?? 0);
  if (total === 0) return 'No Kubernetes cluster reports.';
  const head = `**${plural(total, 'namespace')}${clusterWords(asked)}, each counted in its cluster.**`;
  if (isCount) return `${head}${ageWords(content)}`;
  const rows = rowsOf(content, 'namespaces').slice(0, limit);
  const nameOf = (row: Content): string => `${cell(row['namespace'])} in ${cell(row['cluster'])}`;
  return `${leadOf(rows, asked, nameOf)}${head}${ageWords(content)}\n\n${table(
    ['namespace', 'cluster', 'pods', 'CPU', 'memory', 'restarts in 24 h'],
    rows.map((row) => [
      cell(row['namespace']),
      cell(row['cluster']),
      cell(row['pods']),
      coresOf(row['cpu_usage_cores']),
      megabytes(row['memory_usage_mb']),
      cell(row['restarts_24h']),
    ]),
  )}`;
};

const ownerOf = (row: Content): string =>
  row['name'] === null ? 'pods without an owner' : `${cell(row['kind'])} ${cell(row['name'])}`;

export const workloads: Write = (content, asked) => {
  const { isCount, limit, input } = asked;
  const total = Number(content['total'] ?? 0);
  const what = input['unready'] === true ? ' with fewer ready pods than desired' : '';
  const where = clusterWords(asked);
  const head = `**${total === 0 ? 'No workload' : plural(total, 'workload')}${where}${what}.**`;
  if (isCount || total === 0) return `${head}${ageWords(content)}`;
  const rows = rowsOf(content, 'workloads').slice(0, limit);
  const nameOf = (row: Content): string => `${ownerOf(row)} of ${cell(row['namespace'])} in ${cell(row['cluster'])}`;
  return `${leadOf(rows, asked, nameOf)}${head}${ageWords(content)}\n\n${table(
    ['workload', 'namespace', 'cluster', 'ready', 'CPU', 'memory', 'restarts in 24 h'],
    rows.map((row) => [
      ownerOf(row),
      cell(row['namespace']),
      cell(row['cluster']),
      row['desired'] === null ? 'N/A' : `${cell(row['ready'])} of ${cell(row['desired'])}`,
      coresOf(row['cpu_usage_cores']),
      megabytes(row['memory_usage_mb']),
      cell(row['restarts_24h']),
    ]),
  )}`;
};
