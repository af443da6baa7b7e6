import type { DroppedRange, Report } from '@plimsoll/contract/wire/report';
import { bootNumber } from '../boot-number.ts';
import type { AcceptedBatch, AcceptedItem } from '../types.ts';
import type { HostDetails } from '../../servers/types.ts';
import { float8Array } from '../../database/float8-array.ts';
import { acceptStatement, FACTS, LISTS, OPTIONAL_STEPS } from './report-insert-sql.ts';
import type { OptionalStep } from './report-insert-sql.ts';
import {
  connectionHistoryRows,
  eventRows,
  minuteListRows,
  quarterListRows,
  rankedList,
} from '../../processes/list-rows.ts';
import { storageTotalOf } from '../../series/part-totals.ts';
import { figuresOf } from '../../series/stored-figures.ts';

const itemRow = (
  { agent: { serverKey }, hiddenMounts }: AcceptedBatch,
  { seq, sampleAt, up, bootId, contentHash, report }: AcceptedItem,
) => ({
  server_key: serverKey,
  seq,
  at: sampleAt,
  boot: bootNumber(bootId),
  up,
  hash: contentHash.toString('hex'),
  ...figuresOf(report, hiddenMounts),
});

/** A text of JSON, or what PostgreSQL takes for NULL. */
const json = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

/** Parts that a report lacks are left out by JSON. */
const insideOf = ({ load, pressure, temperatures, containers, units, memory, ...report }: Report): HostDetails => ({
  swap_total_bytes: memory?.swap_total_bytes,
  load,
  pressure,
  temperatures,
  containers,
  units,
  raid: report.raid,
  pools: report.pools,
  updates: report.updates,
  gpus: report.gpus,
  drives: report.drives,
  fans: report.fans,
  power: report.power,
  conntrack: report.conntrack,
  open_files: report.open_files,
  ephemeral_ports: report.ephemeral_ports,
  clock_synchronized: report.clock_synchronized,
});
const partValues = (newest: AcceptedItem | undefined): unknown[] => {
  const { cpu, filesystems, disks, interfaces, agent } = newest?.report ?? {};
  const parts = [cpu?.per_core_percent, filesystems, disks, interfaces, agent, newest && insideOf(newest.report)];
  return [newest?.seq ?? null, newest?.sampleAt ?? null, ...parts.map(json)];
};

/** Seq, time and value of the newest item that has one; facts and lists stay true when a later report lacks them. */
const newestWith = (newestFirst: AcceptedItem[], read: (report: Report) => unknown): unknown[] => {
  const item = newestFirst.find(({ report }) => read(report) != null);
  return item ? [item.seq, item.sampleAt, json(read(item.report))] : [null, null, null];
};

/** As a fact, and what the entries are ranked by. */
const listValues = (newestFirst: AcceptedItem[], kind: (typeof LISTS)[number]): unknown[] => {
  const item = newestFirst.find(({ report }) => report[kind]);
  if (!item) return [null, null, null, null, null];
  const { entries, firstRank, secondRank } = rankedList(item.report, kind);
  return [item.seq, item.sampleAt, JSON.stringify(entries), float8Array(firstRank), float8Array(secondRank)];
};
const FACT_READERS: Record<(typeof FACTS)[number], (report: Report) => unknown> = {
  system: (report) => report.system,
  memory_total_bytes: (report) => report.memory?.total_bytes,
  storage_total_bytes: storageTotalOf,
};

/** "thinned" items were made smaller and still come: their seqs are not settled by the notice. */
const isLost = ({ why }: DroppedRange): boolean => why !== 'thinned';
const isForward = ({ from, to }: DroppedRange): boolean => from <= to;

const settledRanges = ({ items, rejected, dropped }: AcceptedBatch): string => {
  const seqs = [...items, ...rejected].map(({ seq }) => `[${seq},${seq}]`);
  const ranges = dropped
    .filter(isForward)
    .filter(isLost)
    .map(({ from, to }) => `[${from},${to}]`);
  return `{${[...seqs, ...ranges].join(',')}}`;
};

const lossRows = ({ rejected, dropped }: AcceptedBatch) => [
  ...rejected.map(({ seq, code }) => ({ seq_from: seq, seq_to: seq, count: 1, why: `rejected:${code}` })),
  ...dropped.filter(isForward).map(({ from, to, n, why }) => ({ seq_from: from, seq_to: to, count: n, why })),
];

/** One row a seq; null when the batch itself holds a seq twice with different content. */
const distinctItems = (items: AcceptedItem[]): AcceptedItem[] | null => {
  const bySeq = new Map<number, AcceptedItem>();
  for (const item of items) {
    const other = bySeq.get(item.seq);
    if (other && !other.contentHash.equals(item.contentHash)) return null;
    if (!other) bySeq.set(item.seq, item);
  }
  return [...bySeq.values()];
};

/** A batch ready to insert. Its parameters are computed once, also if the insert is retried. */
export interface ReadyBatch {
  batch: AcceptedBatch;
  /** One row a seq. */
  items: AcceptedItem[];
  /** Optional steps of its statement: all it has something for. */
  steps: ReadonlySet<OptionalStep>;
  request: unknown[];
  parts: unknown[];
  facts: unknown[];
  lists: unknown[];
  /** The list of the newest report that is the first of its minute. */
  minute: unknown[];
  rows: Record<(typeof ROW_STEPS)[number], object[]>;
}

/** Steps that insert rows, in the order of their parameters. Only some reports need them. */
const ROW_STEPS = ['minutes', 'losses', 'quarters', 'history', 'events'] as const;

/**
 * What a statement carries beside the samples: the lists of a usual report, or all there can be. Every set of steps is a
 * statement to prepare of each size, and each keeps about 1 MB in every connection that used it: sixteen sets took 48.
 */
const USUAL: ReadonlySet<OptionalStep> = new Set(['lists', 'minute']);
const EVERYTHING: ReadonlySet<OptionalStep> = new Set(OPTIONAL_STEPS);

/** Null when the batch itself holds a seq twice with different content. */
export const readyBatch = (batch: AcceptedBatch): ReadyBatch | null => {
  const items = distinctItems(batch.items);
  if (!items) return null;
  const newestFirst = items.toSorted((a, b) => b.sampleAt - a.sampleAt);
  const { serverKey, tokenHash } = batch.agent;
  const [minute, ...minutes] = minuteListRows(newestFirst);
  const rows = {
    minutes,
    losses: lossRows(batch),
    quarters: quarterListRows(newestFirst),
    history: connectionHistoryRows(newestFirst),
    events: eventRows(newestFirst),
  };
  return {
    batch,
    items,
    steps: ROW_STEPS.some((step) => rows[step].length > 0) ? EVERYTHING : USUAL,
    request: [serverKey, batch.streamId, batch.receivedAt, batch.clockSkewSeconds, tokenHash, settledRanges(batch)],
    parts: [serverKey, ...partValues(newestFirst[0])],
    facts: [serverKey, ...FACTS.flatMap((name) => newestWith(newestFirst, FACT_READERS[name]))],
    lists: [serverKey, ...LISTS.flatMap((kind) => listValues(newestFirst, kind))],
    minute: [serverKey, minute?.seq ?? null, minute?.at ?? null, json(minute?.entries)],
    rows,
  };
};

/** The statement that takes these batches, which are of different servers and have the same steps. */
export const statementOf = (ready: readonly ReadyBatch[]): { name: string; text: string; values: unknown[] } => {
  const steps = ready[0]?.steps ?? new Set();
  const rowsOf = (step: (typeof ROW_STEPS)[number]): string =>
    JSON.stringify(
      ready.flatMap(({ batch, rows }) => rows[step].map((row) => ({ server_key: batch.agent.serverKey, ...row }))),
    );
  const items = ready.flatMap((one) => one.items.map((item) => itemRow(one.batch, item)));
  return {
    ...acceptStatement(ready.length, steps),
    values: [
      JSON.stringify(items),
      ...ready.flatMap(({ request }) => request),
      ...ready.flatMap(({ parts }) => parts),
      ...ready.flatMap(({ facts }) => facts),
      ...ready.flatMap(({ lists }) => lists),
      ...ready.flatMap(({ minute }) => minute),
      ...ROW_STEPS.filter((step) => steps.has(step)).map(rowsOf),
    ],
  };
};
