// SQL inserts reports: one prepared statement writes the ledger, samples and latest figures of a batch.
import { CodedError } from '../../errors.ts';
import { ackOf } from '../ledger.ts';
import type { Settled } from '../ledger.ts';
import type { AcceptedBatch, AcceptedResult } from '../types.ts';
import type { DescribedSections, KubeletParts, ReportedResults, Reports } from '../store.ts';
import type { KnownAlertState } from '../../alerts/types.ts';
import { STATEMENT_SIZES } from './report-insert-sql.ts';
import { readyBatch, statementOf } from './report-insert-parameters.ts';
import type { ReadyBatch } from './report-insert-parameters.ts';
import type { PoolClient } from 'pg';
import type { HostSectionPart } from '@plimsoll/contract/wire/described-object';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import { inTransaction, isForeignKeyViolation, isCausedByOneRow, isStatementTimeout } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { GroupCommit } from './group-commit.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

/** Tries against other requests of the same stream; an agent sends one at a time, so even two is rare. */
const MAX_TRIES = 20;
/** Statements under way before reports that come are gathered for the next. */
const STATEMENTS_AT_ONCE = 2;
/** A batch of an agent that catches up is a statement's work of its own. */
const MOST_ITEMS_TOGETHER = 4;

interface AcceptRow {
  serverKey: number;
  isKnown: boolean;
  organisationId: OrganisationId | null;
  clash: boolean;
  /** Null when another request of this stream came between. */
  settled: string | null;
  stored: string[];
  newest: number | null;
  offline: boolean;
  wasRefused: boolean;
  refused: boolean;
  tracks: KnownAlertState['tracks'] | null;
  version: string | null;
  diskTrends: KnownAlertState['diskTrends'] | null;
  memoryTrend: KnownAlertState['memoryTrend'];
}

/** "{[1,4),[6,7)}" as PostgreSQL writes it, upper bounds excluded. */
const settledOf = (text: string): Settled =>
  [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => ({ from: Number(from), to: Number(to) - 1 }));

const resultOf = ({ batch, items }: ReadyBatch, row: AcceptRow, settled: string): AcceptedResult => {
  const seqs = [...items, ...batch.rejected].map(({ seq }) => seq);
  const { upto, also } = ackOf(settledOf(settled), seqs);
  const { organisationId, tracks, newest, offline, refused, wasRefused } = row;
  return {
    outcome: 'stored',
    storedSeqs: row.stored.map(Number),
    ackUpto: upto,
    ackAlso: also,
    organisationId,
    wasRefused,
    alertState: {
      tracks: tracks ?? {},
      version: Number(row.version ?? 0),
      newest,
      offline,
      refused,
      diskTrends: row.diskTrends ?? [],
      memoryTrend: row.memoryTrend,
    },
  };
};

const BUSY_SECONDS = 10;
/** Nothing is stored. The collector sends a batch of several reports again in halves, and a single one later. */
const tookTooLong = ({ items }: AcceptedBatch): CodedError =>
  items.length > 1
    ? new CodedError('body_too_large', 'The database takes too long to store this many reports', {
        remedy: 'Send fewer reports in one request.',
      })
    : new CodedError('overloaded', 'The database takes too long to store the report', {
        remedy: `Keep it and try again in ${String(BUSY_SECONDS)} s.`,
        retryAfterSeconds: BUSY_SECONDS,
      });

const sectionsOf = (
  { items }: ReadyBatch,
  stored: ReadonlySet<number>,
): { at: number; sections: HostSectionPart[] }[] =>
  items.flatMap(({ seq, sampleAt, report: { described: sections } }) =>
    sections && stored.has(seq) ? [{ at: sampleAt, sections }] : [],
  );

const resultsOf = ({ items }: ReadyBatch, stored: ReadonlySet<number>) =>
  items.flatMap(({ seq, sampleAt, report: { check_results: results } }) =>
    results && stored.has(seq) ? [{ at: sampleAt, results }] : [],
  );
const kubeletPartsOf = ({ items }: ReadyBatch, stored: ReadonlySet<number>): { at: number; part: NodePart }[] =>
  items.flatMap(({ seq, sampleAt, report: { kubernetes: part } }) =>
    part && stored.has(seq) ? [{ at: sampleAt / 1000, part }] : [],
  );
/** Parts that statements of their own store, in the transaction of the report. */
const hasMoreParts = ({ items }: ReadyBatch): boolean =>
  items.some(({ report }) => report.kubernetes ?? report.described ?? report.check_results);

/** Ports of the nouns that store parts of a report, in its transaction. */
export interface PartPorts {
  kubeletParts: KubeletParts;
  describedSections: DescribedSections;
  reportedResults: ReportedResults;
}

export const createReportStore = ({ pool }: Database, ports: PartPorts): Reports => {
  const insert = async (on: Pick<PoolClient, 'query'>, ready: readonly ReadyBatch[]): Promise<AcceptRow[]> => {
    const { rows } = await on.query<AcceptRow>(statementOf(ready));
    const byServer = new Map(rows.map((row) => [row.serverKey, row]));
    return ready.map(({ batch }) => {
      const row = byServer.get(batch.agent.serverKey);
      if (!row) throw new Error('the database returned no row for some servers');
      return row;
    });
  };
  const write = async (ready: readonly ReadyBatch[]): Promise<AcceptRow[]> => {
    const [only] = ready;
    // The statement is its own transaction. A report with more parts needs more of them, and never shares a batch.
    if (!only || !hasMoreParts(only)) return insert(pool, ready);
    return inTransaction(pool, async (client) => {
      const rows = await insert(client, ready);
      const stored = new Set(rows.flatMap((row) => row.stored.map(Number)));
      const { agent, receivedAt } = only.batch;
      const parts = kubeletPartsOf(only, stored);
      if (parts.length > 0) await ports.kubeletParts.write(client, agent.serverId, parts);
      const reports = sectionsOf(only, stored);
      if (reports.length > 0) await ports.describedSections.write(client, agent.serverKey, reports, receivedAt);
      const results = resultsOf(only, stored);
      const { organisationId = null } = rows[0] ?? {};
      if (results.length > 0)
        await ports.reportedResults.write(client, { serverKey: agent.serverKey, organisationId }, results);
      return rows;
    });
  };
  const together = new GroupCommit(write, {
    sizes: STATEMENT_SIZES,
    atOnce: STATEMENTS_AT_ONCE,
    keyOf: ({ batch }) => batch.agent.serverKey,
    kindOf: (ready) =>
      ready.items.length > MOST_ITEMS_TOGETHER || hasMoreParts(ready) ? null : [...ready.steps].join(' '),
    isCausedByOne: isCausedByOneRow,
  });
  const refusalOf = async (tokenHash: Buffer): Promise<AcceptedResult> => {
    const { rowCount } = await pool.query('SELECT 1 FROM deleted_agent_token WHERE token_hash = $1', [tokenHash]);
    return { outcome: rowCount === 0 ? 'token_unknown' : 'server_deleted' };
  };
  const accept: Reports['accept'] = async (batch) => {
    const ready = readyBatch(batch);
    if (!ready) return { outcome: 'conflict' };
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const row = await together.run(ready);
      if (!row.isKnown) return refusalOf(batch.agent.tokenHash);
      if (row.clash) return { outcome: 'conflict' };
      if (row.settled !== null) return resultOf(ready, row, row.settled);
    }
    throw new Error('the stream is written by too many requests at once');
  };
  return {
    accept: (batch) =>
      accept(batch).catch((error: unknown) => {
        if (isForeignKeyViolation(error)) return { outcome: 'server_deleted' };
        if (isStatementTimeout(error)) throw tookTooLong(batch);
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
