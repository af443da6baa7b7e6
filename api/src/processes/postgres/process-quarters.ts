// SQL packs the rows of six hours into one and reads partitioned tables.
import { PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import type { Pool, PoolClient } from 'pg';
import type { Database } from '../../database/database.ts';
import { milliseconds, timestamp } from '../../database/time.ts';
import { namedProcesses, type StoredProcesses } from '../list-entries.ts';
import { firstOfEachSlot, packedQuarters, unpackedQuarters, type QuarterList } from '../quarter-block.ts';
import type { ProcessQuarters } from '../store.ts';
import { AT_ONCE, closedBefore, packAll, packSome, type Window } from './pack-blocks.ts';

const BLOCK = `interval '${PROCESS_HISTORY.blockSeconds} seconds'`;
const BLOCK_MS = PROCESS_HISTORY.blockSeconds * 1000;
const STEP = `interval '${PROCESS_HISTORY.stepSeconds} seconds'`;
/** Advisory lock: of several replicas one packs. */
const PACK_LOCK = 0x70_61_63_71;

interface Row extends StoredProcesses {
  slot: number;
}
const COLUMNS = `${milliseconds('ts')} AS slot, ${milliseconds('sample_at')} AS at, entries`;
const listOf = (row: Row): QuarterList => ({ slot: row.slot, ...namedProcesses(row) });
const WINDOW_OF = (ts: string): string => milliseconds(`date_bin(${BLOCK}, ${ts}, to_timestamp(0))`);

/** $1 time before which windows are closed, ms  $2 blocks at most */
const DUE = `SELECT server_key AS key, ${WINDOW_OF('ts')} AS at FROM process_quarter
  WHERE ts < ${timestamp('$1')} GROUP BY 1, 2 ORDER BY 2, 1 LIMIT $2`;
/**
 * The oldest window of each server with rows from before process_quarter. By server, because an index finds these rows:
 * partitions are full of connections.
 */
const DUE_BEFORE = `SELECT s.key, ${WINDOW_OF('oldest.ts')} AS at FROM server s CROSS JOIN LATERAL (
    SELECT ts FROM server_list_history WHERE server_key = s.key AND kind = 'processes' AND ts < ${timestamp('$1')}
    ORDER BY ts LIMIT 1
  ) AS oldest LIMIT $2`;
/** $1 server key  $2 start of the window, ms */
const IN_WINDOW = `server_key = $1 AND ts >= ${timestamp('$2')} AND ts < ${timestamp('$2')} + ${BLOCK}`;
const TAKE = `WITH before AS (
    DELETE FROM server_list_history WHERE kind = 'processes' AND ${IN_WINDOW} RETURNING ${COLUMNS}
  ), fresh AS (DELETE FROM process_quarter WHERE ${IN_WINDOW} RETURNING ${COLUMNS})
  SELECT * FROM before UNION ALL SELECT * FROM fresh`;
/** Locked, because retention rewrites blocks too. */
const READ_BLOCK = `SELECT packed FROM process_quarter_block WHERE server_key = $1 AND ts = ${timestamp('$2')} FOR UPDATE`;
/** The server can be gone by now. */
const WRITE_BLOCK = `INSERT INTO process_quarter_block (ts, server_key, lists, packed)
  SELECT ${timestamp('$2')}, key, $3, $4 FROM server WHERE key = $1
  ON CONFLICT (server_key, ts) DO UPDATE SET lists = excluded.lists, packed = excluded.packed`;

const packBlock = async (client: PoolClient, { key, at }: Window): Promise<void> => {
  const { rows } = await client.query<Row>(TAKE, [key, at]);
  const known = await client.query<{ packed: Buffer }>(READ_BLOCK, [key, at]);
  // The first list of a slot stays, as in the table: the block has those that came first.
  const lists = [...known.rows.flatMap((row) => unpackedQuarters(row.packed)), ...rows.map(listOf)];
  const count = new Set(lists.map(({ slot }) => slot)).size;
  await client.query(WRITE_BLOCK, [key, at, count, packedQuarters(lists)]);
};

export const createProcessQuarters = ({ pool }: Pick<Database, 'pool'>): ProcessQuarters => {
  /** Up to here this process found no row from before process_quarter, ms: looking at every server each minute is dear. */
  let packedBefore = 0;
  return {
    pack: async (now) => {
      const closed = closedBefore(now, BLOCK_MS);
      const dueBy = (text: string) => async (client: PoolClient) =>
        (await client.query<Window>(text, [closed, AT_ONCE])).rows;
      const packDue = (text: string) => packSome(pool, PACK_LOCK, dueBy(text), packBlock);
      const total = await packAll(() => packDue(DUE));
      if (total === null || packedBefore >= closed) return total;
      // An upgrade finds two weeks of rows: a part of them each minute, so that requests have the processor too.
      const before = await packDue(DUE_BEFORE);
      if (before === null) return null;
      if (before < AT_ONCE) packedBefore = closed;
      return total + before;
    },
  };
};

/** $1 server keys  $2 from, ms  $3 to, ms, included. A row is up to a step older than the time it carries. */
const SLOT_IN_RANGE = `server_key = ANY($1) AND ts <= ${timestamp('$3')} AND ts >= ${timestamp('$2')} - ${STEP}`;
const ROWS = `SELECT server_key AS key, ${COLUMNS} FROM server_list_history WHERE kind = 'processes' AND ${SLOT_IN_RANGE}
  UNION ALL SELECT server_key, ${COLUMNS} FROM process_quarter WHERE ${SLOT_IN_RANGE}`;
const BLOCKS = `SELECT server_key AS key, packed FROM process_quarter_block
  WHERE server_key = ANY($1) AND ts <= ${timestamp('$3')} AND ts > ${timestamp('$2')} - ${STEP} - ${BLOCK}`;

/** Rows and blocks of some servers, for `quartersOf`. */
export interface StoredQuarters {
  rows: readonly (Row & { key: number })[];
  blocks: readonly { key: number; packed: Buffer }[];
}
/** Reads what is stored of the servers between `from` and `to` (ms, inclusive). */
export const readQuarters = async (
  pool: Pool,
  keys: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<StoredQuarters> => {
  // Blocks last: what is packed between the two statements is then read twice and not missed.
  const { rows } = await pool.query<StoredQuarters['rows'][number]>(ROWS, [keys, from, to]);
  const blocks = await pool.query<StoredQuarters['blocks'][number]>(BLOCKS, [keys, from, to]);
  return { rows, blocks: blocks.rows };
};

/** Returns the lists of a server in order of their slots. They can begin before and end after the range that was read. */
export const quartersOf = ({ rows, blocks }: StoredQuarters, key: number): QuarterList[] =>
  firstOfEachSlot([
    ...blocks.filter((block) => block.key === key).flatMap(({ packed }) => unpackedQuarters(packed)),
    ...rows.filter((row) => row.key === key).map(listOf),
  ]);
