import { duration } from '../../../alerts/duration.ts';
import { cell, escaped, inside, moment, plural, rowsOf, table } from '../reports.ts';
import { leadOf, type Figures } from './pods.ts';
import type { Content, Write } from './write.ts';

const used =
  (name: string): ((row: Content) => string) =>
  (row) =>
    cell(inside(row['used'], name), ' %');
const CLUSTER_FIGURE: Figures = {
  cpu: ['CPU usage', used('cpu_percent')],
  memory: ['memory usage', used('memory_percent')],
  pods: ['number of pods', (row) => cell(row['pods'])],
  nodes: ['number of nodes', (row) => cell(row['nodes'])],
};

const oneCluster = (row: Content): string =>
  `**${cell(row['name'] ?? row['cluster_id'])}: ${cell(row['ready_nodes'])} of ${plural(Number(row['nodes']), 'node')} ready, ${cell(row['broken_pods'])} of ${plural(Number(row['pods']), 'pod')} broken.**`;

export const clusters: Write = (content, asked) => {
  const { isCount, limit } = asked;
  const total = Number(content['total'] ?? 0);
  if (total === 0)
    return asked.names.length === 0 ? '**No Kubernetes cluster reports.**' : '**No cluster of that name reports.**';
  const summary = content['summary'];
  const [only] = rowsOf(content, 'clusters');
  // The summary is of all clusters.
  const head =
    asked.names.length > 0 && only !== undefined
      ? oneCluster(only)
      : `**${plural(total, 'cluster')}, ${cell(inside(summary, 'silent'))} silent; ${cell(inside(summary, 'ready_nodes'))} of ${plural(Number(inside(summary, 'nodes')), 'node')} ready, ${cell(inside(summary, 'broken_pods'))} of ${plural(Number(inside(summary, 'pods')), 'pod')} broken.**`;
  if (isCount) return head;
  const rows = rowsOf(content, 'clusters').slice(0, limit);
  const nameOf = (row: Content): string => cell(row['name'] ?? row['cluster_id']);
  return `${leadOf(rows, asked, nameOf, CLUSTER_FIGURE)}${head}\n\n${table(
    ['cluster', 'nodes ready', 'pods', 'broken', 'CPU', 'memory', 'alerts', 'age'],
    rows.map((row) => [
      nameOf(row),
      `${cell(row['ready_nodes'])} of ${cell(row['nodes'])}`,
      cell(row['pods']),
      cell(row['broken_pods']),
      cell(inside(row['used'], 'cpu_percent'), ' %'),
      cell(inside(row['used'], 'memory_percent'), ' %'),
      cell(inside(row['alerts'], 'total')),
      typeof row['age_seconds'] === 'number' ? duration(row['age_seconds'] * 1000) : 'N/A',
    ]),
  )}`;
};

export const kubernetesEvents: Write = (content, { limit, input, isCount }, now) => {
  const total = Number(content['total'] ?? 0);
  const noun = input['type'] === 'Warning' ? 'Kubernetes warning' : 'Kubernetes event';
  if (total === 0) return `**No ${noun} in the last 24 h.**`;
  const head = `**${plural(total, noun)} in the last 24 h, newest first.**`;
  if (isCount) return head;
  return `${head}\n\n${table(
    ['time', 'object', 'reason', 'message', 'times'],
    rowsOf(content, 'events')
      .slice(0, limit)
      .map((row) => [
        moment(row['last_at'], now),
        `${cell(row['kind'])} ${cell(row['name'])}`,
        cell(row['reason']),
        cell(row['message']),
        cell(row['count']),
      ]),
  )}`;
};

const notKnown = (content: Content): string | null =>
  typeof content['reason'] === 'string' ? `**Not known:** ${escaped(content['reason'])}` : null;

export const capacity: Write = (content, { limit }, now) => {
  const none = notKnown(content);
  if (none !== null) return none;
  const rows = rowsOf(content, 'fits');
  const named = cell(content['cluster']);
  const at = `Computed ${moment(content['computed_at'], now)}.`;
  if (rows.length === 0) return `**No workload of that name is in ${named}.** ${at}`;
  return `**What still fits into ${named}, by workload.** ${at}\n\n${table(
    ['workload', 'pods now', 'more that fit', 'runs out first'],
    rows
      .slice(0, limit)
      .map((row) => [
        `${cell(row['namespace'])}/${cell(row['name'])}`,
        cell(row['pods']),
        row['more'] === null
          ? `N/A: ${cell(row['reason'])}`
          : `${row['is_cut'] === true ? 'at least ' : ''}${cell(row['more'])}`,
        cell(row['first_limit']),
      ]),
  )}`;
};

export const loss: Write = (content, { limit }, now) => {
  const none = notKnown(content);
  if (none !== null) return none;
  const rows = Array.isArray(content['loss'])
    ? rowsOf(content, 'loss')
    : content['loss'] === null
      ? []
      : [content['loss'] as Content];
  const [worst] = rows;
  if (worst === undefined) return `**No node of that name is in ${cell(content['cluster'])}.**`;
  const pending = worst['pending'];
  const head =
    pending === 0
      ? `**All pods find a place if ${cell(worst['node'])} is lost.**`
      : `**${typeof pending === 'number' ? plural(pending, 'pod') : 'N/A pods'} would stay pending if ${cell(worst['node'])} is lost.**`;
  return `${head} Cluster ${cell(content['cluster'])}, computed ${moment(content['computed_at'], now)}.\n\n${table(
    ['node', 'pods left pending', 'CPU requested after', 'memory requested after'],
    rows
      .slice(0, limit)
      .map((row) => [
        cell(row['node']),
        row['pending'] === null ? `N/A: ${cell(row['reason'])}` : cell(row['pending']),
        cell(row['cpu_percent_after'], ' %'),
        cell(row['memory_percent_after'], ' %'),
      ]),
  )}`;
};
