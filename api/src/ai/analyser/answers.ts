import { duration } from '../../alerts/duration.ts';
import {
  cell,
  headroomTable,
  inside,
  memory,
  moment,
  plural,
  processTable,
  REPORTS,
  rowsOf,
  statisticsRow,
  table,
} from './reports.ts';
import type { Understood } from './understand.ts';

/** Writes the result of the tool of a question. `now`: epoch seconds. */
type Content = Record<string, unknown>;
type Write = (content: Content, asked: Understood, now: number) => string;

const FIGURE_NAMES: Readonly<Record<string, string>> = {
  cpu: 'CPU usage',
  memory: 'memory usage',
  disk: 'disk usage',
  io_wait: 'IO wait',
  iops: 'disk operations',
  swap: 'swap usage',
  load: 'load',
  network: 'network traffic',
  receive: 'received traffic',
  transmit: 'sent traffic',
  temperature: 'temperature',
};
const nameOfFigure = (by: unknown): string => FIGURE_NAMES[String(by)] ?? String(by);
const MB = 2 ** 20;
const HUNDRED = 100;

/** A value with its unit. */
function valueOf(value: unknown, by: unknown): string {
  if (typeof value !== 'number') return 'N/A';
  switch (by) {
    case 'network':
    case 'receive':
    case 'transmit':
      return value >= MB / 10 ? cell(value / MB, ' MB/s') : cell(value / 1024, ' kB/s');
    case 'load':
      return String(Math.round(value * HUNDRED) / HUNDRED);
    case 'iops':
      return cell(value, ' a second');
    case 'temperature':
      return cell(value, ' °C');
    default:
      return cell(value, ' %');
  }
}

const silentWords = (content: Content): string => {
  const silent = rowsOf(content, 'silent');
  if (silent.length === 0) return '';
  const names = silent.map((row) => cell(row['hostname'])).join(', ');
  return `\n\nWithout a fresh report, so not in the list: ${names}.`;
};

const rankServers: Write = (content, { limit }) => {
  const { by, order, without_value: missing } = content;
  const rows = rowsOf(content, 'servers').slice(0, limit);
  const [first] = rows;
  if (first === undefined) return `**No server reports its ${nameOfFigure(by)}.**${silentWords(content)}`;
  const most = order === 'lowest' ? 'lowest' : 'highest';
  const hasLines = first['headroom'] !== undefined;
  const body = hasLines
    ? headroomTable(rows.slice(0, limit), ['server', 'figure', 'value of line', 'headroom'])
    : table(
        ['server', nameOfFigure(by)],
        rows.map((row) => [cell(row['hostname']), valueOf(row['value'], by)]),
      );
  const others =
    typeof missing === 'number' && missing > 0 ? `\n\n${plural(missing, 'server')} without this figure.` : '';
  return `**${cell(first['hostname'])} has the ${most} ${nameOfFigure(by)}: ${valueOf(first['value'], by)}.**\n\n${body}${others}${silentWords(content)}`;
};

const statusRow = (row: Content): string[] => {
  const age = row['last_report_age_seconds'];
  return [
    cell(row['hostname']),
    cell(row['status']),
    typeof age === 'number' ? `${duration(age * 1000)} ago` : 'no report yet',
  ];
};

const servers: Write = (content, { isCount, limit, input }) => {
  const summary = content['summary'];
  const total = Number(content['total'] ?? 0);
  const rows = rowsOf(content, 'servers');
  const list = table(['server', 'status', 'last report'], rows.slice(0, limit).map(statusRow));
  if (input['status'] === 'offline')
    return total === 0
      ? '**No server is offline.**'
      : `**${plural(total, 'server')} ${total === 1 ? 'is' : 'are'} offline.**\n\n${list}`;
  const counted = `**${plural(total, 'server')}, ${cell(inside(summary, 'online'))} online, ${cell(inside(summary, 'offline'))} offline.**`;
  return isCount ? counted : `${counted}\n\n${list}`;
};

const LATEST: readonly (readonly [name: string, field: string, by: string])[] = [
  ['CPU', 'cpu_usage', 'cpu'],
  ['Memory', 'memory_usage', 'memory'],
  ['Disk, fullest', 'disk_usage', 'disk'],
  ['IO wait', 'io_wait', 'io_wait'],
  ['Swap', 'swap_usage', 'swap'],
  ['Load, 1 min', 'load_1m', 'load'],
  ['Disk operations', 'iops', 'iops'],
  ['Received', 'inbound_bytes_per_sec', 'receive'],
  ['Sent', 'outbound_bytes_per_sec', 'transmit'],
];

/** "online, last report 20 s ago (16:26 UTC)". */
function statusWords(content: Content, now: number): string {
  const age = content['last_report_age_seconds'];
  const seen = typeof age === 'number' ? `last report ${duration(age * 1000)} ago` : 'no report yet';
  const seenAt = content['last_seen_at'] === null ? '' : ` (${moment(content['last_seen_at'], now)})`;
  return `${content['status'] === 'active' ? 'online' : cell(content['status'])}, ${seen}${seenAt}`;
}

const latestOf = (content: Content, field: string): unknown => inside(inside(content['latest'], field), 'value');

/** Answers the figure that the question names. */
function serverSentence(content: Content, figure: string | null, now: number): string {
  const name = cell(content['hostname']);
  if (figure === 'temperature') {
    const sensors = rowsOf(content, 'temperatures').map((row) => Number(row['celsius']));
    if (sensors.length === 0) return `**${name} reports no temperature.**`;
    return `**${name} is at ${cell(Math.max(...sensors), ' °C')}, by its hottest sensor.**`;
  }
  const asked = LATEST.find(([, , by]) => by === figure);
  if (asked === undefined) return `**${name} is ${statusWords(content, now)}.**`;
  const [label, field, by] = asked;
  const silent = content['status'] === 'active' ? '' : `. It is ${statusWords(content, now)}`;
  return `**${name}: ${label} ${valueOf(latestOf(content, field), by)}${silent}.**`;
}

const server: Write = (content, { figure }, now) => {
  const mounts = rowsOf(content, 'filesystems').map((row) => [
    cell(row['mount']),
    cell(row['used_percent'], ' %'),
    memory(Number(row['available_bytes'] ?? 0) / 1024),
  ]);
  const figures = LATEST.map(([label, field, by]) => [label, valueOf(latestOf(content, field), by)]);
  const more =
    figure === 'disk' && mounts.length > 0
      ? table(['filesystem', 'used', 'free'], mounts)
      : table(['figure', 'now'], figures);
  return `${serverSentence(content, figure, now)}\n\n${more}`;
};

const alerts: Write = (content, { isCount, input, limit }, now) => {
  const total = Number(content['total'] ?? 0);
  const level = typeof input['level'] === 'string' ? `${input['level']} ` : '';
  const isRange = input['minutes'] !== undefined || input['status'] !== undefined;
  const on = typeof input['server'] === 'string' ? ` on ${cell(input['server'])}` : '';
  if (total === 0) return `**No ${level}alert ${isRange ? 'was found' : 'is active'}${on}.**`;
  const verb = isRange ? (total === 1 ? 'was found' : 'were found') : total === 1 ? 'is active' : 'are active';
  const first = `**${plural(total, `${level}alert`)} ${verb}${on}.**`;
  if (isCount) return first;
  const rows = rowsOf(content, 'alerts')
    .slice(0, limit)
    .map((row) => {
      const since =
        typeof row['since'] === 'string' ? duration(Math.max(0, now * 1000 - Date.parse(row['since']))) : null;
      return [
        cell(row['level']),
        cell(row['hostname']),
        cell(row['title']),
        `${moment(row['since'], now)}${since === null || row['resolved_at'] !== null ? '' : `, for ${since}`}`,
      ];
    });
  return `${first}\n\n${table(['level', 'server', 'alert', 'since'], rows)}`;
};

const events: Write = (content, { limit }, now) => {
  const rows = rowsOf(content, 'events').slice(0, limit);
  if (rows.length === 0) return '**No event of that time is stored.**';
  return `**${plural(Number(content['total'] ?? rows.length), 'event')}, newest first.**\n\n${table(
    ['time', 'server', 'event', 'message'],
    rows.map((row) => [moment(row['at'], now), cell(row['hostname']), cell(row['event_type']), cell(row['message'])]),
  )}`;
};

const processes: Write = (content, { input, limit, isCount }) => {
  const rows = rowsOf(content, 'processes');
  const [first] = rows;
  if (first === undefined) return 'No server sends its processes.';
  const total = isCount ? `${plural(Number(content['total'] ?? rows.length), 'process', 'processes')} listed. ` : '';
  const use =
    input['by'] === 'memory'
      ? `${memory(Number(first['memory_kb'] ?? 0))}, ${cell(first['memory_percent'], ' %')} of its host`
      : `${cell(first['cpu_percent_of_one_core'], ' %')} of one core`;
  const head = `${total}**${cell(first['name'])} on ${cell(first['hostname'])}** uses most ${input['by'] === 'memory' ? 'memory' : 'CPU'}: ${use}.`;
  return `${head}\n\n${processTable({ processes: rows.slice(0, limit) })}`;
};

const containers: Write = (content, { isCount, limit, input }) => {
  const summary = content['summary'];
  const counted = `**${plural(Number(inside(summary, 'total') ?? 0), 'container')}, ${cell(inside(summary, 'running'))} running, ${cell(inside(summary, 'broken'))} broken.**`;
  const rows = rowsOf(content, 'containers').slice(0, limit);
  if (rows.length === 0)
    return input['state'] === 'broken' ? '**No container is broken.**' : '**No container is reported.**';
  if (isCount) return counted;
  return `${counted}\n\n${table(
    ['container', 'server', 'state', 'CPU', 'memory', 'of limit', 'restarts'],
    rows.map((row) => [
      cell(row['name']),
      cell(row['hostname']),
      cell(row['state']),
      cell(row['cpu_cores'], ' cores'),
      cell(row['memory_mb'], ' MB'),
      cell(row['memory_percent_of_limit'], ' %'),
      cell(row['restarts']),
    ]),
  )}`;
};

const pods: Write = (content, { isCount, limit, input }) => {
  const total = Number(content['total'] ?? 0);
  const where = typeof input['namespace'] === 'string' ? ` in namespace ${cell(input['namespace'])}` : '';
  const what =
    input['unhealthy'] === true
      ? ' not ready'
      : typeof input['phase'] === 'string'
        ? ` ${input['phase'].toLowerCase()}`
        : '';
  const head = `**${total === 0 ? 'No pod' : plural(total, 'pod')}${what}${where}.**`;
  if (isCount || total === 0) return head;
  return `${head}\n\n${table(
    ['pod', 'namespace', 'phase', 'CPU', 'memory', 'restarts in 24 h'],
    rowsOf(content, 'pods')
      .slice(0, limit)
      .map((row) => [
        cell(row['pod_name']),
        cell(row['namespace']),
        row['reason'] === null ? cell(row['phase']) : `${cell(row['phase'])}, ${cell(row['reason'])}`,
        typeof row['cpu_usage_cores'] === 'number'
          ? `${String(Math.round(row['cpu_usage_cores'] * 1000) / 1000)} cores`
          : 'N/A',
        cell(row['memory_usage_mb'], ' MB'),
        cell(row['restarts_24h']),
      ]),
  )}`;
};

const nodes: Write = (content, { isCount, limit }) => {
  const total = Number(content['total'] ?? 0);
  if (total === 0) return '**No node is found.**';
  const ready = inside(content['summary'], 'ready');
  const head = `**${plural(total, 'node')}${typeof ready === 'number' ? `, ${String(ready)} ready` : ''}.**`;
  if (isCount) return head;
  return `${head}\n\n${table(
    ['node', 'ready', 'CPU', 'memory', 'disk', 'pods'],
    rowsOf(content, 'nodes')
      .slice(0, limit)
      .map((row) => [
        cell(row['node_name']),
        row['ready'] === true ? 'yes' : row['ready'] === false ? 'no' : 'not known',
        cell(inside(row['metrics'], 'cpu_usage'), ' %'),
        cell(inside(row['metrics'], 'memory_usage'), ' %'),
        cell(inside(row['metrics'], 'disk_usage'), ' %'),
        cell(inside(row['metrics'], 'pods_count')),
      ]),
  )}`;
};

const namespaces: Write = (content, { isCount, limit }) => {
  const total = Number(content['total'] ?? 0);
  if (total === 0) return 'No Kubernetes cluster reports.';
  const head = `**${plural(total, 'namespace')}.**`;
  if (isCount) return head;
  return `${head}\n\n${table(
    ['namespace', 'pods', 'CPU', 'memory', 'restarts in 24 h'],
    rowsOf(content, 'namespaces')
      .slice(0, limit)
      .map((row) => [
        cell(row['namespace']),
        cell(row['pods']),
        cell(row['cpu_usage_cores'], ' cores'),
        cell(row['memory_usage_mb'], ' MB'),
        cell(row['restarts_24h']),
      ]),
  )}`;
};

const history: Write = (content) => {
  const statistics = content['statistics'];
  const unit = cell(content['unit']).startsWith('per cent') ? ' %' : ` ${cell(content['unit'])}`;
  return [
    `**${cell(content['server'])}: ${cell(inside(statistics, 'mean'), unit)} on average, now ${cell(inside(statistics, 'last'), unit)}.**`,
    table(['figure', 'min', 'mean', 'p95', 'max', 'trend an hour', 'same hours before'], [statisticsRow(content)]),
  ].join('\n\n');
};

const forecast: Write = (content, { limit }) => {
  const rows = rowsOf(content, 'forecasts').slice(0, limit);
  const over = rowsOf(content, 'over_line').map((row) => `${cell(row['hostname'])} ${cell(row['mount'])}`);
  const first = over.length === 0 ? [] : [`Over the line already: ${over.join(', ')}.`];
  if (rows.length === 0) return [...first, '**No filesystem grows towards its line.**'].join('\n\n');
  return [
    `**${cell(rows[0]?.['hostname'])} reaches its line first, in ${cell(rows[0]?.['time_until_line'])}.**`,
    ...first,
    table(
      ['server', 'filesystem', 'reaches its line in'],
      rows.map((row) => [cell(row['hostname']), cell(row['mount']), cell(row['time_until_line'])]),
    ),
  ].join('\n\n');
};

/** Statistics, network and headroom have reports of several tools. */
export const ANSWERS: Partial<Record<Understood['subject'], Write>> = {
  servers: (content, asked, now) => (asked.tool === 'rank_servers' ? rankServers : servers)(content, asked, now),
  server,
  alerts,
  events,
  processes,
  containers,
  pods,
  nodes,
  namespaces,
  history,
  forecast,
  network: (content, _asked, now) => REPORTS.network.write([content], now),
};
