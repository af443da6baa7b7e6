import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { duration } from '../../../alerts/duration.ts';
import type { Period } from '../period.ts';
import type { Understood } from '../asked.ts';
import { byteRate, cell, escaped, moment } from '../reports.ts';

export type Content = Record<string, unknown>;
/** Writes the result of the tool of a question. `now`: epoch seconds. */
export type Write = (content: Content, asked: Understood, now: number) => string;

const FIGURE_NAMES: Readonly<Record<string, string>> = {
  cpu: 'CPU usage',
  memory: 'memory usage',
  free_memory: 'free memory',
  disk: 'disk usage',
  io_wait: 'IO wait',
  iops: 'disk operations',
  swap: 'swap usage',
  load: 'load',
  network: 'network traffic',
  receive: 'received traffic',
  transmit: 'sent traffic',
  temperature: 'temperature',
  uptime: 'uptime',
};
export const nameOfFigure = (by: unknown): string => FIGURE_NAMES[String(by)] ?? String(by);
const HUNDRED = 100;

/** Returns a value with its unit. */
export function valueOf(value: unknown, by: unknown): string {
  if (typeof value !== 'number') return 'N/A';
  switch (by) {
    case 'network':
    case 'receive':
    case 'transmit':
      return byteRate(value);
    case 'load':
      return String(Math.round(value * HUNDRED) / HUNDRED);
    case 'iops':
      return cell(value, ' a second');
    case 'uptime':
      return duration(value * 1000);
    case 'free_memory':
      return cell(value, ' GB');
    case 'temperature':
      return cell(value, ' °C');
    default:
      return cell(value, ' %');
  }
}

const ONE: Readonly<Record<number, string>> = { 60: 'hour', 1440: '24 h' };
const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
/** "in the last 6 h", "from 02:00 UTC to 03:00 UTC"; empty: the question names no time. */
export function periodWords(period: Period | null, now: number): string {
  if (period === null) return '';
  if (period.minutes !== null) return `in the last ${ONE[period.minutes] ?? duration(period.minutes * 60_000)}`;
  const [from, to] = [isoOf(period.from), isoOf(period.to)];
  const isDay = period.to - period.from === DAY_SECONDS && period.from % DAY_SECONDS === 0;
  if (isDay) return `on ${from.slice(0, 10)} (UTC)`;
  return `from ${moment(from, now)} to ${from.slice(0, 10) === to.slice(0, 10) ? moment(to, period.to) : moment(to, now)}`;
}
/** " on web-1"; empty: the question names none. */
export const onServer = ({ names }: Understood): string => (names[0] === undefined ? '' : ` on ${escaped(names[0])}`);
/** A sentence with its parts, without the empty ones. */
export const sentence = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');
export const ageOf = (seconds: unknown): string =>
  typeof seconds === 'number' ? `${duration(seconds * 1000)} ago` : 'no report yet';
/** As the screens name it. */
export const statusOf = (status: unknown): string => (status === 'active' ? 'online' : cell(status));
