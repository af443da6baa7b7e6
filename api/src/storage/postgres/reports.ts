import { hash } from 'node:crypto';
import type { DroppedRange, Report } from '@plimsoll/contract/report';
import { ackOf } from '../../domain/ledger.ts';
import type { Settled } from '../../domain/ledger.ts';
import type { AcceptedBatch, AcceptedItem, AcceptedResult, Reports } from '../ports.ts';
import type { KnownAlertState } from '../alert-ports.ts';
import { acceptStatement, FACTS, LISTS, OPTIONAL_STEPS } from './accept-statement.ts';
import type { OptionalStep } from './accept-statement.ts';
import { isForeignKeyViolation } from './database.ts';
import type { Database } from './database.ts';
import { eventRows, historyListRows, rankedList } from './list-rows.ts';
import { figuresOf, storageTotalOf } from './sample-columns.ts';

/** Tries against other requests of the same stream; an agent sends one at a time, so even two is rare. */
const MAX_TRIES = 20;

interface AcceptRow {
  isKnown: boolean;
  accountId: string | null;
  clash: boolean;
  /** Null when another request of this stream came between. */
  settled: string | null;
  stored: string[];
  newest: number | null;
  offline: boolean;
  tracks: KnownAlertState['tracks'] | null;
  version: string | null;
}

/** "{[1,4),[6,7)}" as PostgreSQL writes it, upper bounds excluded. */
const settledOf = (text: string): Settled =>
  [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => ({ from: Number(from), to: Number(to) - 1 }));

/** 32 bits tell two boots of one machine apart. */
const bootNumber = (bootId: string): number => hash('sha256', bootId, 'buffer').readInt32BE(0);

const itemRow = ({ seq, sampleAt, up, bootId, contentHash, report }: AcceptedItem) => ({
  seq,
  at: sampleAt,
  boot: bootNumber(bootId),
  up,
  hash: contentHash.toString('hex'),
  ...figuresOf(report),
});

/** A text of JSON, or what PostgreSQL takes for NULL. */
const json = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

const partValues = (newest: AcceptedItem | undefined): unknown[] => {
  const { cpu, filesystems, disks, interfaces, agent } = newest?.report ?? {};
  const parts = [cpu?.per_core_percent, filesystems, disks, interfaces, agent];
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
  return [item.seq, item.sampleAt, JSON.stringify(entries), firstRank, secondRank];
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

/** What each optional step is given, null when the batch has nothing for it. */
const STEP_VALUES: Record<OptionalStep, (batch: AcceptedBatch, newestFirst: AcceptedItem[]) => unknown[] | null> = {
  lists: (_batch, newestFirst) =>
    newestFirst.some(({ report }) => LISTS.some((kind) => report[kind]))
      ? LISTS.flatMap((kind) => listValues(newestFirst, kind))
      : null,
  losses: (batch) => rowsParameter(lossRows(batch)),
  history: (_batch, items) => rowsParameter(historyListRows(items)),
  events: (_batch, items) => rowsParameter(eventRows(items)),
};
const rowsParameter = (rows: unknown[]): unknown[] | null => (rows.length > 0 ? [JSON.stringify(rows)] : null);

const statementOf = (
  batch: AcceptedBatch,
  items: AcceptedItem[],
): { name: string; text: string; values: unknown[] } => {
  const newestFirst = items.toSorted((a, b) => b.sampleAt - a.sampleAt);
  const fixed = [
    batch.agent.serverKey,
    batch.streamId,
    batch.receivedAt,
    batch.clockSkewSeconds,
    batch.agent.tokenHash,
    JSON.stringify(items.map(itemRow)),
    settledRanges(batch),
    ...partValues(newestFirst[0]),
    ...FACTS.flatMap((name) => newestWith(newestFirst, FACT_READERS[name])),
  ];
  const steps = OPTIONAL_STEPS.map((step) => [step, STEP_VALUES[step](batch, newestFirst)] as const);
  const present = steps.filter(([, values]) => values !== null);
  const statement = acceptStatement(new Set(present.map(([step]) => step)));
  return { ...statement, values: [...fixed, ...present.flatMap(([, values]) => values ?? [])] };
};

const resultOf = (batch: AcceptedBatch, items: AcceptedItem[], row: AcceptRow, settled: string): AcceptedResult => {
  const seqs = [...items, ...batch.rejected].map(({ seq }) => seq);
  const { upto, also } = ackOf(settledOf(settled), seqs);
  const { accountId, tracks, newest, offline } = row;
  return {
    outcome: 'stored',
    storedSeqs: row.stored.map(Number),
    ackUpto: upto,
    ackAlso: also,
    accountId,
    alertState: { tracks: tracks ?? {}, version: Number(row.version ?? 0), newest, offline },
  };
};

export const reportsOn = ({ pool }: Database): Reports => {
  const refusalOf = async (tokenHash: Buffer): Promise<AcceptedResult> => {
    const { rowCount } = await pool.query('SELECT 1 FROM deleted_agent_token WHERE token_hash = $1', [tokenHash]);
    return { outcome: rowCount === 0 ? 'token_unknown' : 'server_deleted' };
  };
  const accept = async (batch: AcceptedBatch): Promise<AcceptedResult> => {
    const items = distinctItems(batch.items);
    if (!items) return { outcome: 'conflict' };
    const statement = statementOf(batch, items);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const row = (await pool.query<AcceptRow>(statement)).rows[0];
      if (row?.isKnown === false) return refusalOf(batch.agent.tokenHash);
      if (row?.clash) return { outcome: 'conflict' };
      if (row?.settled != null) return resultOf(batch, items, row, row.settled);
    }
    throw new Error('the stream is written by too many requests at once');
  };
  return {
    accept: (batch) =>
      accept(batch).catch((error: unknown) => {
        if (isForeignKeyViolation(error)) return { outcome: 'server_deleted' };
        throw error;
      }),
    clockSkew: async (agent) => {
      const { rows } = await pool.query<{ skew: number | null }>(
        `SELECT clock_skew_seconds AS skew FROM report_stream
         WHERE server_key = $1 AND clock_skew_seconds IS NOT NULL ORDER BY last_received_at DESC LIMIT 1`,
        [agent.serverKey],
      );
      return rows[0]?.skew ?? null;
    },
  };
};
