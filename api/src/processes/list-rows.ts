import { PROCESS_HISTORY, PROCESS_MINUTES } from '@plimsoll/contract/rules/limits';
import type { ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import type { ProcessPart, Report } from '@plimsoll/contract/wire/report';
import { valuesOf } from './list-entries.ts';
import type { EntryValues, ListKind, StoredEntry } from './list-entries.ts';
import { greediest } from './process-block.ts';
import type { AcceptedItem } from '../reports/types.ts';

/**
 * Every so often the top of each list goes into history: a minute-by-minute one of 500 servers would be 3.9 GB a day.
 */
const HISTORY_STEP_MS = PROCESS_HISTORY.stepSeconds * 1000;

const MINUTE_MS = PROCESS_MINUTES.stepSeconds * 1000;

const byCpu = (a: ProcessPart, b: ProcessPart): number =>
  (b.cpu_percent ?? 0) - (a.cpu_percent ?? 0) || b.memory_bytes - a.memory_bytes || a.pid - b.pid;
const byImportance = (a: ConnectionPart, b: ConnectionPart): number => b.importance_score - a.importance_score;

const top = <T>(entries: readonly T[], order: (a: T, b: T) => number): T[] =>
  entries.toSorted(order).slice(0, PROCESS_HISTORY.entries);

/**
 * The item itself decides whether it is the first of its quarter of an hour, by the length of its window: so the same
 * rows are kept in whatever order reports arrive.
 */
const isFirstOfStep = ({ sampleAt, report }: AcceptedItem): boolean =>
  sampleAt % HISTORY_STEP_MS < (report.window_seconds ?? 0) * 1000;

interface HistoryRow {
  seq: number;
  at: number;
  /** Start of the quarter of an hour. */
  ts: number;
  entries: readonly StoredEntry<ListKind>[];
}
/** `topOf` returns undefined when the report lacks the list. */
const historyRows = (
  items: readonly AcceptedItem[],
  topOf: (report: Report) => HistoryRow['entries'] | undefined,
): HistoryRow[] =>
  items.filter(isFirstOfStep).flatMap(({ seq, sampleAt, report }) => {
    const entries = topOf(report);
    return entries === undefined ? [] : [{ seq, at: sampleAt, ts: sampleAt - (sampleAt % HISTORY_STEP_MS), entries }];
  });

export const quarterListRows = (items: readonly AcceptedItem[]): HistoryRow[] =>
  historyRows(items, ({ processes }) => processes && valuesOf.processes(top(processes, byCpu)));
/** Objects: as values these are below the 2 kB from which PostgreSQL compresses, and would take twice the disk. */
export const connectionHistoryRows = (items: readonly AcceptedItem[]): HistoryRow[] =>
  historyRows(items, ({ connections }) => connections && top(connections, byImportance));

/** One list a minute is enough, also where a collector reports more often. */
const isFirstOfMinute = ({ sampleAt, report }: AcceptedItem): boolean =>
  sampleAt % MINUTE_MS < (report.window_seconds ?? PROCESS_MINUTES.stepSeconds) * 1000;

export const minuteListRows = (items: readonly AcceptedItem[]) =>
  items
    .filter(isFirstOfMinute)
    .flatMap(({ seq, sampleAt, report: { processes } }) =>
      processes === undefined || processes.length === 0
        ? []
        : [{ seq, at: sampleAt, entries: valuesOf.processes(greediest(processes)) }],
    );

interface RankedList {
  entries: EntryValues[];
  /** CPU in per cent, or importance; an element an entry. */
  firstRank: (number | null)[];
  /** Memory in bytes; none for connections. */
  secondRank: number[];
}

/** The entries of a list, each once, and what they are ranked by. */
export function rankedList(report: Report, kind: ListKind): RankedList {
  if (kind === 'processes') {
    const entries = distinct(
      report.processes ?? [],
      ({ pid }) => pid,
      () => true,
    );
    const firstRank = entries.map(({ cpu_percent: cpu }) => cpu);
    const secondRank = entries.map(({ memory_bytes: bytes }) => bytes);
    return { entries: valuesOf.processes(entries), firstRank, secondRank };
  }
  const entries = distinct(report.connections ?? [], portsOf, isSameSight);
  const firstRank = entries.map(({ importance_score: score }) => score);
  return { entries: valuesOf.connections(entries), firstRank, secondRank: [] };
}

/** Masked, several connections of one network can look the same. */
const isSameSight = (a: ConnectionPart, b: ConnectionPart): boolean =>
  a.remote_ip === b.remote_ip &&
  a.remote_port === b.remote_port &&
  a.local_port === b.local_port &&
  a.protocol === b.protocol &&
  a.state === b.state &&
  a.pid === b.pid;
/** Nearly tells them apart. */
const portsOf = (one: ConnectionPart): number => one.remote_port * 65_536 + one.local_port;

/** The first of those that are the same, which have one key too. */
const distinct = <T>(entries: readonly T[], keyOf: (entry: T) => number, isSame: (a: T, b: T) => boolean): T[] => {
  const byKey = new Map<number, T[]>();
  return entries.filter((entry) => {
    const key = keyOf(entry);
    const others = byKey.get(key);
    if (others?.some((other) => isSame(other, entry))) return false;
    if (others) others.push(entry);
    else byKey.set(key, [entry]);
    return true;
  });
};

/**
 * The host's clock may be wrong by years; what it says of an event only places it within the 26 h before its report.
 */
const MAX_EVENT_AGE_MS = 26 * 3_600_000;

export const eventRows = (items: readonly AcceptedItem[]) =>
  items.flatMap(({ seq, sampleAt, report }) =>
    (report.events ?? []).map((event) => {
      const age = Math.min(Math.max((report.ts - event.ts) * 1000, 0), MAX_EVENT_AGE_MS);
      return { ...event, seq, event_id: event.id, at: sampleAt - age };
    }),
  );
