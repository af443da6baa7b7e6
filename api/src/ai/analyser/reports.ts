import { distanceText, RESOURCE_NAME } from '@plimsoll/contract/rules/load-words';
import { ALERT_LEVELS, RESOURCES, type Resource } from '@plimsoll/contract/rules/limits';
import { duration } from '../../alerts/duration.ts';
import type { Intent } from './intent.ts';

/** For each question of the analyser: the tools it runs, and how their results are written down. */
interface Report {
  tools: readonly { name: string; input: Record<string, unknown> }[];
  /** `now`: epoch seconds. */
  write: (results: readonly Record<string, unknown>[], now: number) => string;
}
type Row = Record<string, unknown>;

export const rowsOf = (result: Row | undefined, name: string): Row[] => {
  const rows = result?.[name];
  return Array.isArray(rows) ? (rows as Row[]) : [];
};
export const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Row)[name] : undefined;
/** A cell: N/A for what is not known, and no mark of a table inside. */
export function cell(value: unknown, unit = ''): string {
  if (typeof value === 'number') return `${String(Number(value.toFixed(1)))}${unit}`;
  return typeof value === 'string' && value !== '' ? `${escaped(value)}${unit}` : 'N/A';
}
/**
 * Texts that machines report are shown as they are: nothing in them may act as markdown. Without a square bracket before
 * it, a round one does not.
 */
export const escaped = (text: string, most = 160): string =>
  text
    .replaceAll(/[\\`*_{}[\]<>#+!|~]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, ' ')
    .slice(0, most);
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
const GB_KB = 2 ** 20;
export const memory = (kilobytes: number): string =>
  kilobytes >= GB_KB ? cell(kilobytes / GB_KB, ' GB') : cell(kilobytes / 1024, ' MB');
/** To the minute; today's without the day. */
export function moment(iso: unknown, now: number): string {
  if (typeof iso !== 'string') return cell(iso);
  const [day, time] = [iso.slice(0, 10), `${iso.slice(11, 16)} UTC`];
  return day === new Date(now * 1000).toISOString().slice(0, 10) ? time : `${day} ${time}`;
}
const MB = 2 ** 20;
/** Below a tenth of a megabyte, kilobytes. */
export function byteRate(value: unknown): string {
  if (typeof value !== 'number') return 'N/A';
  return value >= MB / 10 ? cell(value / MB, ' MB/s') : cell(value / 1024, ' kB/s');
}
const countOf = (result: Row | undefined): number => Number(result?.['total'] ?? 0);
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : many}`;

const isResource = (value: unknown): value is Resource => RESOURCES.some((resource) => resource === value);
/** As the screens name it. */
const figureName = (value: unknown): string => (isResource(value) ? RESOURCE_NAME[value] : cell(value));

const headroomRow = (server: Row): string[] => {
  const headroom = server['headroom'];
  const points = inside(headroom, 'points');
  const age = server['last_report_age_seconds'];
  const name = cell(server['hostname']);
  // The last report of a silent server says nothing about now.
  if (server['status'] !== 'active')
    return [
      name,
      `${cell(server['status'])}, ${typeof age === 'number' ? `last report ${duration(age * 1000)} ago` : 'no report yet'}`,
      'N/A',
      'N/A',
    ];
  return [
    name,
    figureName(inside(headroom, 'resource')),
    typeof points === 'number'
      ? `${cell(inside(headroom, 'value'), ' %')} of ${cell(inside(headroom, 'line'), ' %')}`
      : 'N/A',
    typeof points === 'number' ? distanceText(points) : 'N/A',
  ];
};
const HEADROOM_HEAD = ['server', 'nearest its line', 'value of line', 'headroom'];
const MOST_HEADROOM_ROWS = 10;
/** The servers nearest to their line, then those that are silent. */
export function headroomTable(servers: readonly Row[], head: readonly string[] = HEADROOM_HEAD): string {
  const isReporting = ({ status }: Row): boolean => status === 'active';
  const reporting = servers.filter(isReporting).slice(0, MOST_HEADROOM_ROWS);
  const silent = servers.filter((server) => !isReporting(server)).slice(0, MOST_HEADROOM_ROWS);
  return table(head, [...reporting, ...silent].map(headroomRow));
}
const SERVERS = [{ name: 'list_servers', input: {} }];

function fleet(result: Row | undefined): string {
  const summary = result?.['summary'];
  return `${plural(countOf(result), 'server')}, ${cell(inside(summary, 'online'))} online, ${cell(inside(summary, 'over_line'))} over their load line.`;
}

export function processTable(result: Row | undefined): string {
  return table(
    ['server', 'process', 'pid', 'memory', 'memory of host', 'CPU of one core'],
    rowsOf(result, 'processes')
      .slice(0, 10)
      .map((row) => [
        cell(row['hostname']),
        cell(row['name']),
        cell(row['pid']),
        memory(Number(row['memory_kb'] ?? 0)),
        cell(row['memory_percent'], ' %'),
        cell(row['cpu_percent_of_one_core'], ' %'),
      ]),
  );
}

/** " %", " runnable tasks": what stands behind a value of a series. */
export function unitOf(result: Row | undefined): string {
  const unit = result?.['unit'];
  return typeof unit !== 'string' || unit.startsWith('per cent') ? ' %' : ` ${unit}`;
}
export const STATISTICS_HEAD = ['figure', 'min', 'mean', 'p95', 'max', 'trend an hour', 'same hours before'] as const;
/** The samples of one server are known: their extremes are no means of buckets. */
const EXTREME: Record<string, string> = { min: 'lowest', max: 'highest' };
export const statisticsRow = (result: Row | undefined): string[] => {
  const statistics = result?.['statistics'];
  const extremes = result?.['extremes'];
  const unit = unitOf(result);
  const usual = result?.['same_hours_of_days_before'];
  const unusual = inside(usual, 'unusual');
  return [
    figureName(result?.['figure']),
    ...(['min', 'mean', 'p95', 'max'] as const).map((name) =>
      cell(inside(extremes, EXTREME[name] ?? '') ?? inside(statistics, name), unit),
    ),
    cell(inside(statistics, 'trend_per_hour'), unit === ' %' ? ' points' : unit),
    unusual === undefined ? 'N/A' : `${unusual === true ? 'unusual' : 'usual'} (${cell(inside(usual, 'usual'), unit)})`,
  ];
};
const figure = (name: string): Report['tools'][number] => ({
  name: 'figures_over_time',
  input: { figure: name, chart: true },
});

const ageOfData = (cluster: Row | undefined): string => {
  const age = cluster?.['age_seconds'];
  return `Age of the data: ${typeof age === 'number' ? duration(age * 1000) : 'N/A'}.`;
};

/** Keeps the order within a level: the newest first. */
const gravestFirst = (alerts: readonly Row[]): Row[] =>
  alerts.toSorted((a, b) => rankOf(a['level']) - rankOf(b['level']));
const rankOf = (level: unknown): number => ALERT_LEVELS.findIndex((each) => each === level);

const noProcess = 'No process list has arrived yet.';
export const REPORTS: Record<Intent, Report> = {
  cpu_load: {
    tools: [
      figure('cpu'),
      { name: 'rank_servers', input: { by: 'cpu' } },
      { name: 'top_processes', input: { by: 'cpu' } },
    ],
    write: ([cpu, ranked, processes]) => {
      const statistics = cpu?.['statistics'];
      const rows = rowsOf(processes, 'processes').slice(0, 3);
      const servers = [...rowsOf(ranked, 'servers'), ...rowsOf(ranked, 'silent')];
      return [
        `CPU, ${cell(cpu?.['server'])}: **${cell(inside(statistics, 'last'), ' %')}** now, mean ${cell(inside(statistics, 'mean'), ' %')}, highest ${cell(inside(statistics, 'max'), ' %')} in the range.`,
        headroomTable(servers, ['server', 'figure', 'value of line', 'headroom']),
        ...(rows.length === 0
          ? []
          : [
              `Busiest processes: ${rows
                .map(
                  (row) =>
                    `${cell(row['name'])} on ${cell(row['hostname'])} (${cell(row['cpu_percent_of_one_core'], ' %')} of one core)`,
                )
                .join(', ')}.`,
            ]),
      ].join('\n\n');
    },
  },
  active_alerts: {
    tools: [{ name: 'list_alerts', input: {} }],
    write: ([alerts], now) =>
      countOf(alerts) === 0
        ? '**No alert is active.**'
        : [
            `**${plural(countOf(alerts), 'alert')} ${countOf(alerts) === 1 ? 'is' : 'are'} active.**`,
            table(
              ['level', 'server', 'alert', 'message', 'since'],
              gravestFirst(rowsOf(alerts, 'alerts')).map((row) => [
                cell(row['level']),
                cell(row['hostname']),
                cell(row['title']),
                cell(row['message']),
                moment(row['since'], now),
              ]),
            ),
          ].join('\n\n'),
  },
  top_memory: {
    tools: [{ name: 'top_processes', input: { by: 'memory' } }],
    write: ([processes]) => {
      const [first] = rowsOf(processes, 'processes');
      if (first === undefined) return noProcess;
      const use = `${memory(Number(first['memory_kb'] ?? 0))}, ${cell(first['memory_percent'], ' %')} of its host`;
      return `**${cell(first['name'])} on ${cell(first['hostname'])}** uses most: ${use}.\n\n${processTable(processes)}`;
    },
  },
  top_cpu: {
    tools: [{ name: 'top_processes', input: { by: 'cpu' } }],
    write: ([processes]) => (rowsOf(processes, 'processes').length === 0 ? noProcess : processTable(processes)),
  },
  statistics: {
    tools: [figure('cpu'), figure('memory'), figure('disk'), { name: 'list_servers', input: {} }],
    write: (results) => {
      const servers = results.findLast((result) => result['total'] !== undefined);
      const figures = results.filter((result) => result !== servers);
      return [
        ...(servers === undefined ? [] : [fleet(servers)]),
        table(STATISTICS_HEAD, figures.map(statisticsRow)),
      ].join('\n\n');
    },
  },
  disks: {
    tools: [figure('disk'), ...SERVERS],
    write: ([disk, servers]) => {
      const full = rowsOf(servers, 'servers').filter((row) => inside(row['headroom'], 'resource') === 'disk');
      return [
        `The fullest filesystem of each server is at ${cell(inside(disk?.['statistics'], 'last'), ' %')} on average, ${cell(inside(disk?.['statistics'], 'trend_per_hour'), ' points')} an hour.`,
        full.length === 0 ? 'No server has a disk as the resource nearest to its line.' : headroomTable(full),
      ].join('\n\n');
    },
  },
  network: {
    tools: [{ name: 'network_over_time', input: {} }],
    write: ([network]) =>
      table(
        ['', 'last', 'mean', 'p95', 'max'],
        (
          [
            ['received', 'receive_bytes_per_second', true],
            ['transmitted', 'transmit_bytes_per_second', true],
            ['connections', 'connections', false],
          ] as const
        ).map(([name, field, isBytes]) => [
          name,
          ...['last', 'mean', 'p95', 'max'].map((which) => {
            const value = inside(network?.[field], which);
            return isBytes ? byteRate(value) : cell(value);
          }),
        ]),
      ),
  },
  pods: {
    tools: [
      { name: 'cluster_summary', input: {} },
      { name: 'list_pods', input: {} },
    ],
    write: ([cluster, pods]) =>
      rowsOf(cluster, 'clusters').length === 0
        ? 'No Kubernetes cluster reports.'
        : [
            `${cell(cluster?.['ready_nodes'])} of ${cell(cluster?.['total_nodes'])} nodes ready, ${cell(cluster?.['running_pods'])} of ${cell(cluster?.['total_pods'])} pods running, ${cell(cluster?.['failed_pods'])} failed, ${cell(cluster?.['restarts_24h'])} restarts in 24 h. ${ageOfData(cluster)}`,
            table(
              ['namespace', 'pod', 'phase', 'reason', 'restarts in 24 h', 'OOM kills'],
              rowsOf(pods, 'pods')
                .slice(0, 10)
                .map((row) => [
                  cell(row['namespace']),
                  cell(row['pod_name']),
                  cell(row['phase']),
                  row['reason'] === null ? '' : cell(row['reason']),
                  cell(row['restarts_24h']),
                  cell(row['oom_kills_24h']),
                ]),
            ),
          ].join('\n\n'),
  },
  headroom: {
    tools: SERVERS,
    write: ([servers]) => [fleet(servers), headroomTable(rowsOf(servers, 'servers'))].join('\n\n'),
  },
};
