import { cell, escaped, moment, plural, rowsOf, table } from '../reports.ts';
import { onServer, type Content, type Write } from './write.ts';

interface Words {
  one: string;
  many: string;
  /** The word for those that are broken; null: none can be. */
  worse: string | null;
  head: readonly string[];
  cells: (row: Content) => string[];
}
const GB = 2 ** 30;
const gigabytes = (value: unknown): string => (typeof value === 'number' ? cell(value / GB, ' GB') : 'N/A');
const yesNo = (value: unknown, yes: string, no: string): string =>
  value === true ? yes : value === false ? no : 'N/A';

const KINDS: Record<string, Words> = {
  gpus: {
    one: 'GPU',
    many: 'GPUs',
    worse: null,
    head: ['GPU', 'use', 'memory', 'temperature', 'power'],
    cells: (row) => [
      cell(row['name'] ?? row['id']),
      cell(row['use_percent'], ' %'),
      `${gigabytes(row['memory_used_bytes'])} of ${gigabytes(row['memory_total_bytes'])}`,
      cell(row['celsius'], ' °C'),
      cell(row['power_watts'], ' W'),
    ],
  },
  raid: {
    one: 'RAID array or pool',
    many: 'RAID arrays or pools',
    worse: 'not in order',
    head: ['array', 'kind', 'state', 'failed disks'],
    cells: (row) => [
      cell(row['name']),
      cell(row['level'] ?? row['type']),
      cell(row['state']),
      row['failed_disks'] === null ? 'none' : cell(row['failed_disks']),
    ],
  },
  drives: {
    one: 'drive with SMART',
    many: 'drives with SMART',
    worse: 'expecting to fail',
    head: ['drive', 'SMART', 'temperature', 'wear'],
    cells: (row) => [
      `${cell(row['device'])} ${row['model'] === null ? '' : cell(row['model'])}`.trim(),
      row['passed'] === false ? `fails: ${cell(row['reason'])}` : yesNo(row['passed'], 'passed', 'fails'),
      cell(row['celsius'], ' °C'),
      cell(row['wear_percent'], ' %'),
    ],
  },
  fans: {
    one: 'fan',
    many: 'fans',
    worse: 'too slow by its chip',
    head: ['fan', 'turns a minute', 'alarm'],
    cells: (row) => [`${cell(row['chip'])} ${cell(row['label'])}`, cell(row['rpm']), yesNo(row['alarm'], 'yes', 'no')],
  },
  power: {
    one: 'battery or UPS',
    many: 'batteries or UPS',
    worse: 'running on battery',
    head: ['battery', 'state', 'charge', 'load'],
    cells: (row) => [
      cell(row['name']),
      cell(row['state']),
      cell(row['charge_percent'], ' %'),
      cell(row['load_percent'], ' %'),
    ],
  },
  failed_units: {
    one: 'failed unit',
    many: 'failed units',
    worse: null,
    head: ['unit', 'state'],
    cells: (row) => [cell(row['name']), cell(row['state'])],
  },
};

/** " web-1 is offline, last report 16:24 UTC." */
const silentWords = (content: Content, now: number): string =>
  rowsOf(content, 'silent')
    .map(
      (row) => ` ${cell(row['hostname'])} is ${cell(row['status'])}, last report ${moment(row['last_seen_at'], now)}.`,
    )
    .join('');

export const hardware: Write = (content, asked, now) => {
  const words = KINDS[String(content['kind'])];
  if (words === undefined) return 'N/A';
  const { one, many, worse, head, cells } = words;
  const [total, reporting, looked, servers] = ['total', 'reporting', 'looked_at', 'servers'].map((name) =>
    Number(content[name] ?? 0),
  ) as [number, number, number, number];
  const [server] = asked.names;
  if (reporting === 0)
    return server === undefined
      ? `**No server reports ${many}: N/A.** ${plural(looked, 'server')} looked at.`
      : `**${escaped(server)} reports no ${many}: N/A.** It has none, or nothing reads them.${silentWords(content, now)}`;
  const rest = looked < servers ? ` Looked at ${String(looked)} of ${plural(servers, 'server')}.` : '';
  const among =
    server === undefined
      ? ` On the ${plural(reporting, 'server')} that report${reporting === 1 ? 's' : ''} them.${rest}`
      : silentWords(content, now);
  if (total === 0) return `**No ${one}${onServer(asked)}.**${among}`;
  const wrong = worse === null ? '' : `, ${String(Number(content['worse'] ?? 0))} ${worse}`;
  const counted = `**${plural(total, one, many)}${onServer(asked)}${wrong}.**${among}`;
  if (asked.isCount) return counted;
  const { terms } = asked;
  const by = terms.has('temperature') ? 'celsius' : terms.has('memory') ? 'memory_used_bytes' : 'use_percent';
  // A part whose figure is not known has no rank.
  const rank = (row: Content): number => Number(row[by] ?? -1);
  const parts = rowsOf(content, 'parts');
  const rows = content['kind'] === 'gpus' ? parts.toSorted((a, b) => rank(b) - rank(a)) : parts;
  return `${counted}\n\n${table(
    ['server', ...head],
    rows.slice(0, asked.limit).map((row) => [cell(row['hostname']), ...cells(row)]),
  )}`;
};
