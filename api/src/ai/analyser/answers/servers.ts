import { distanceText } from '@plimsoll/contract/rules/load-words';
import { duration } from '../../../alerts/duration.ts';
import type { Understood } from '../asked.ts';
import { SERVER_FACTS } from '../plan-servers.ts';
import { cell, escaped, headroomTable, inside, moment, plural, rowsOf, table } from '../reports.ts';
import { ageOf, nameOfFigure, onServer, statusOf, valueOf, type Content, type Write } from './write.ts';

const silentWords = (content: Content): string => {
  const silent = rowsOf(content, 'silent');
  if (silent.length === 0) return '';
  const names = silent.map((row) => cell(row['hostname'])).join(', ');
  return `\n\nWithout a fresh report, so not in the list: ${names}.`;
};

/** "above 80 %" of a question, for a figure of its unit. */
const thresholdWords = ({ threshold }: Understood, by: unknown): string =>
  threshold === null ? '' : ` ${threshold.side === 'over' ? 'above' : 'below'} ${valueOf(threshold.value, by)}`;

export const rankServers: Write = (content, asked) => {
  const { by, order, without_value: missing } = content;
  const { limit, threshold, isCount } = asked;
  const matching = Number(content['matching'] ?? 0);
  const rows = rowsOf(content, 'servers').slice(0, threshold === null ? limit : undefined);
  const [first] = rows;
  const others =
    typeof missing === 'number' && missing > 0 ? `\n\n${plural(missing, 'server')} without this figure.` : '';
  const apart = `${others}${silentWords(content)}`;
  const name = nameOfFigure(by);
  if (threshold !== null && (first === undefined || isCount)) {
    const counted =
      matching === 0 ? 'No server has' : `${plural(matching, 'server')} ${matching === 1 ? 'has' : 'have'}`;
    return `**${counted} a ${name}${thresholdWords(asked, by)}.**${apart}`;
  }
  if (first === undefined) return `**No server reports its ${name}.**${silentWords(content)}`;
  const isFree = first['used_percent'] !== undefined;
  const most = order === 'lowest' ? (isFree ? 'least' : 'lowest') : isFree ? 'most' : 'highest';
  const body =
    first['headroom'] === undefined
      ? table(
          ['server', name, ...(isFree ? ['used'] : [])],
          rows.map((row) => [
            cell(row['hostname']),
            valueOf(row['value'], by),
            ...(isFree ? [cell(row['used_percent'], ' %')] : []),
          ]),
        )
      : headroomTable(rows, ['server', 'figure', 'value of line', 'headroom']);
  const head =
    threshold === null
      ? `${cell(first['hostname'])} has the ${most} ${name}: ${valueOf(first['value'], by)}${isFree ? `, ${cell(first['used_percent'], ' %')} used` : ''}.`
      : `${plural(matching, 'server')} ${matching === 1 ? 'has' : 'have'} a ${name}${thresholdWords(asked, by)}.`;
  return `**${head}**\n\n${body}${apart}`;
};

const statusRow = (row: Content): string[] => [
  cell(row['hostname']),
  statusOf(row['status']),
  ageOf(row['last_report_age_seconds']),
];

export const servers: Write = (content, { isCount, limit, input, terms }) => {
  const summary = content['summary'];
  const total = Number(content['total'] ?? 0);
  const rows = rowsOf(content, 'servers');
  const { status, search } = input;
  const where = typeof search === 'string' ? ` with “${escaped(search)}” in name, region or tags` : '';
  const list = table(['server', 'status', 'last report'], rows.slice(0, limit).map(statusRow));
  if (typeof status === 'string')
    return total === 0
      ? `**No server${where} is ${statusOf(status)}.**`
      : `**${plural(total, 'server')}${where} ${total === 1 ? 'is' : 'are'} ${statusOf(status)}.**\n\n${list}`;
  if (total === 0 && where !== '') return `**There is no server${where}.**`;
  const asked = (['offline', 'online', 'uninstalled'] as const).find((state) => terms.has(state) && !terms.has('not'));
  const counted = `${plural(total, 'server')}${where}, ${cell(inside(summary, 'online'))} online, ${cell(inside(summary, 'offline'))} offline`;
  const head =
    isCount && asked !== undefined ? `${cell(inside(summary, asked))} of ${plural(total, 'server')} ${asked}` : counted;
  return isCount ? `**${head}.**` : `**${head}.**\n\n${list}`;
};

/** Sums over the servers that are installed. */
export const totals: Write = (content, { terms }) => {
  const summary = content['summary'];
  const of = (name: string, unit: string): string => cell(inside(summary, name), unit);
  const parts = [
    ...(terms.has('core') || terms.has('cpu') ? [`${of('total_cpu_cores', '')} cores`] : []),
    ...(terms.has('memory')
      ? [`${of('total_memory_gb', ' GB')} memory, ${of('used_memory_gb', ' GB')} of it used`]
      : []),
    ...(terms.has('disk')
      ? [`${of('total_storage_gb', ' GB')} storage, ${of('used_storage_gb', ' GB')} of it used`]
      : []),
  ];
  const used =
    terms.has('memory') || terms.has('disk')
      ? ` Used amounts are of the ${of('online', '')} servers that are online.`
      : '';
  return `**All servers together: ${parts.join('; ')}.**${used}`;
};

export const idle: Write = (content, { limit }) => {
  const rows = rowsOf(content, 'servers').slice(0, limit);
  const days = cell(content['days']);
  const judged = `${plural(Number(content['judged'] ?? 0), 'server')} judged by the last ${days} days, nodes of clusters apart.`;
  if (rows.length === 0) return `**No server is idle.** ${judged}`;
  return `**${plural(Number(content['total'] ?? rows.length), 'server')} could be given back.** ${judged}\n\n${table(
    ['server', 'CPU, p95', 'memory, max', 'needed by'],
    rows.map((row) => [
      cell(row['hostname']),
      cell(row['cpu_percent_p95'], ' %'),
      cell(row['memory_percent_max'], ' %'),
      row['reason'] === null ? 'nobody seen' : cell(row['reason']),
    ]),
  )}`;
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
  return `${statusOf(content['status'])}, ${seen}${seenAt}`;
}

const latestOf = (content: Content, field: string): unknown => inside(inside(content['latest'], field), 'value');

const GB_BYTES = 2 ** 30;
/** The whole of a per cent: "of 16 GB, 6 GB free". */
function sizeWords(content: Content, by: string): string {
  if (by === 'cpu')
    return typeof content['cpu_cores'] === 'number' ? ` of ${plural(content['cpu_cores'], 'core')}` : '';
  const total = content['total_memory_gb'];
  const percent = latestOf(content, 'memory_usage');
  if (by === 'memory' && typeof total === 'number')
    return ` of ${cell(total, ' GB')}${typeof percent === 'number' ? `, ${cell(total * (1 - percent / 100), ' GB')} free` : ''}`;
  const [fullest] = rowsOf(content, 'filesystems').toSorted(
    (a, b) => Number(b['used_percent'] ?? 0) - Number(a['used_percent'] ?? 0),
  );
  if (by !== 'disk' || fullest === undefined) return '';
  return ` on ${cell(fullest['mount'])}, ${cell(Number(fullest['available_bytes']) / GB_BYTES, ' GB')} free`;
}

function temperatureWords(content: Content): string {
  const sensors = rowsOf(content, 'temperatures').map((row) => Number(row['celsius']));
  return sensors.length === 0
    ? 'reports no temperature'
    : `is at ${cell(Math.max(...sensors), ' °C')}, by its hottest sensor`;
}

/** "CPU 22 % of 8 cores". */
function figureWords(content: Content, figure: string): string {
  const [label, field, by] = LATEST.find(([, , name]) => name === figure) ?? [figure, figure, figure];
  return `${label} ${valueOf(latestOf(content, field), by)}${sizeWords(content, by)}`;
}

type Fact = (typeof SERVER_FACTS)[number];
const FACTS: Record<Fact, (content: Content, now: number) => string> = {
  os: ({ os }) => `runs ${cell(os)}`,
  kernel: ({ kernel }) => `has the kernel ${cell(kernel)}`,
  version: ({ collector_version: version }) => `has the agent ${cell(version)}`,
  agent: ({ collector_version: version }) => `has the agent ${cell(version)}`,
  core: ({ cpu_cores: cores, cpu_model: model }) =>
    `has ${cell(cores)} cores${model === null ? '' : ` (${cell(model)})`}`,
  region: ({ region }) => `is in the region ${cell(region)}`,
  uptime: ({ uptime_seconds: up, last_seen_at: seen }, now) =>
    typeof up === 'number' && typeof seen === 'string'
      ? `has been up for ${duration(up * 1000)}, since ${moment(new Date(Date.parse(seen) - up * 1000).toISOString(), now)}`
      : 'reports no uptime',
  added: ({ created_at: at }, now) => `was added ${moment(at, now)}`,
  unit: ({ failed_units: units }) => unitWords(units),
  headroom: ({ headroom }) => headroomWords(headroom),
};
const MOST_UNITS = 10;
function unitWords(units: unknown): string {
  if (!Array.isArray(units)) return 'does not report its units';
  if (units.length === 0) return 'has no failed unit';
  const names = (units as Content[]).slice(0, MOST_UNITS).map((unit) => cell(unit['name']));
  return `has ${plural(units.length, 'failed unit')}: ${names.join(', ')}`;
}
function headroomWords(headroom: unknown): string {
  const points = inside(headroom, 'points');
  if (typeof points !== 'number') return 'has no known headroom';
  return `is nearest its line with ${cell(inside(headroom, 'resource'))}: ${cell(inside(headroom, 'value'), ' %')} of ${cell(inside(headroom, 'line'), ' %')}, ${distanceText(points)}`;
}

/** ", which is not above 50 %". */
function comparedWords(content: Content, asked: Understood): string {
  const { threshold, figures } = asked;
  const [, field, by] = LATEST.find(([, , name]) => name === figures[0]) ?? [];
  const value = field === undefined ? null : latestOf(content, field);
  if (threshold === null || typeof value !== 'number') return '';
  const isIt = threshold.side === 'over' ? value > threshold.value : value < threshold.value;
  return `, which is ${isIt ? '' : 'not'}${thresholdWords(asked, by)}`.replace('is  ', 'is ');
}

/** Answers the figures and the facts that the question names. */
function serverSentence(content: Content, asked: Understood, now: number): string {
  const { figures, terms } = asked;
  const name = cell(content['hostname']);
  const silent = content['status'] === 'active' ? '' : ` It is ${statusWords(content, now)}.`;
  // "How long has it been up?"
  const isUpSince = terms.has('since') && terms.has('online') && !terms.has('update') && silent === '';
  const facts = SERVER_FACTS.filter((fact) => terms.has(fact) || (fact === 'uptime' && isUpSince)).map((fact) =>
    FACTS[fact](content, now),
  );
  const unique = [...new Set(facts)];
  if (figures[0] === 'temperature') return `**${name} ${temperatureWords(content)}.**${silent}`;
  if (unique.length > 0 && figures.length === 0) return `**${name} ${unique.join(', ')}.**${silent}`;
  if (figures.length === 0) return `**${name} is ${statusWords(content, now)}.**`;
  const known = figures.map((figure) => figureWords(content, figure)).join('; ') + comparedWords(content, asked);
  const age = silent === '' ? ` Last report ${ageOf(content['last_report_age_seconds'])}.` : silent;
  return `**${name}: ${known}.**${age}`;
}

export const server: Write = (content, asked, now) => {
  const mounts = rowsOf(content, 'filesystems').map((row) => [
    cell(row['mount']),
    cell(row['used_percent'], ' %'),
    cell(Number(row['available_bytes'] ?? 0) / GB_BYTES, ' GB'),
  ]);
  const figures = LATEST.map(([label, field, by]) => [label, valueOf(latestOf(content, field), by)]);
  // The figures of a silent server are those of its last report.
  const when = content['status'] === 'active' ? 'now' : `last report, ${moment(content['last_seen_at'], now)}`;
  const more =
    asked.figures[0] === 'disk' && mounts.length > 0
      ? table(['filesystem', 'used', 'free'], mounts)
      : table(['figure', when], figures);
  return `${serverSentence(content, asked, now)}\n\n${more}`;
};

/** Why a filesystem has no forecast is known for one server only: it names each. */
const unforecast = (rows: readonly Content[]): string => {
  const [first] = rows;
  return first === undefined ? '' : ` ${cell(first['mount'])}: ${cell(first['reason'])}.`.replaceAll('\\_', ' ');
};

export const forecast: Write = (content, asked) => {
  const all = rowsOf(content, 'forecasts');
  const hostOf = (row: Content): string => cell(row['hostname'] ?? content['hostname']);
  const isOver = ({ reason }: Content): boolean => reason === 'over_line';
  const rows = all.filter((row) => row['reaches_at'] !== null).slice(0, asked.limit);
  const over = [...rowsOf(content, 'over_line'), ...all.filter(isOver)];
  const head =
    over.length === 0
      ? []
      : [`Over the line already: ${over.map((row) => `${hostOf(row)} ${cell(row['mount'])}`).join(', ')}.`];
  const [first] = rows;
  if (first === undefined) {
    const where = onServer(asked);
    const reason = where === '' ? '' : unforecast(all.filter((row) => !isOver(row)));
    return [...head, `**No filesystem${where} grows towards its line.**${reason}`].join('\n\n');
  }
  return [
    `**${hostOf(first)} ${cell(first['mount'])} reaches its line first, in ${cell(first['time_until_line'])}.**`,
    ...head,
    table(
      ['server', 'filesystem', 'reaches its line in'],
      rows.map((row) => [hostOf(row), cell(row['mount']), cell(row['time_until_line'])]),
    ),
  ].join('\n\n');
};
