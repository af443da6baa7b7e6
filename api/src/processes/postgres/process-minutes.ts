// SQL packs the rows of an hour into one and reads a partitioned table.
import { PROCESS_MINUTES } from '@plimsoll/contract/rules/limits';
import type { PoolClient } from 'pg';
import type { Database } from '../../database/database.ts';
import { milliseconds, timestamp } from '../../database/time.ts';
import { namedProcesses, type StoredProcesses } from '../list-entries.ts';
import { packed, unpacked } from '../process-block.ts';
import type { ProcessMinutes } from '../store.ts';
import { AT_ONCE, closedBefore, packAll, packSome, type Window } from './pack-blocks.ts';

const BLOCK = `interval '${PROCESS_MINUTES.blockSeconds} seconds'`;
const BLOCK_MS = PROCESS_MINUTES.blockSeconds * 1000;
/** Advisory lock: of several replicas one packs. */
const PACK_LOCK = 0x70_61_63_6b;

/** $1 time before which hours are packed, ms  $2 blocks at most */
const DUE = `SELECT server_key AS key, ${milliseconds(`date_bin(${BLOCK}, ts, to_timestamp(0))`)} AS at FROM process_minute
  WHERE ts < ${timestamp('$1')} GROUP BY 1, 2 ORDER BY 2, 1 LIMIT $2`;
/** $1 server key  $2 start of the block, ms */
const TAKE = `DELETE FROM process_minute WHERE server_key = $1 AND ts >= ${timestamp('$2')} AND ts < ${timestamp('$2')} + ${BLOCK}
  RETURNING ${milliseconds('ts')} AS at, entries::json AS entries`;
const READ_BLOCK = `SELECT packed FROM process_block WHERE server_key = $1 AND ts = ${timestamp('$2')}`;
/** The server can be gone by now. */
const WRITE_BLOCK = `INSERT INTO process_block (ts, server_key, lists, packed)
  SELECT ${timestamp('$2')}, key, $3, $4 FROM server WHERE key = $1
  ON CONFLICT (server_key, ts) DO UPDATE SET lists = excluded.lists, packed = excluded.packed`;

/** $1 server key  $2 from, ms  $3 to, ms, included */
const ROWS = `SELECT ${milliseconds('ts')} AS at, entries::json AS entries FROM process_minute
  WHERE server_key = $1 AND ts >= ${timestamp('$2')} AND ts <= ${timestamp('$3')}`;
const BLOCKS = `SELECT packed FROM process_block
  WHERE server_key = $1 AND ts > ${timestamp('$2')} - ${BLOCK} AND ts <= ${timestamp('$3')} ORDER BY ts`;

const packBlock = async (client: PoolClient, { key, at }: Window): Promise<void> => {
  const { rows } = await client.query<StoredProcesses>(TAKE, [key, at]);
  const known = await client.query<{ packed: Buffer }>(READ_BLOCK, [key, at]);
  const before = known.rows.flatMap((row) => unpacked(row.packed));
  const lists = [...before, ...rows.map(namedProcesses)];
  await client.query(WRITE_BLOCK, [key, at, lists.length, packed(lists)]);
};

export const createProcessMinutes = ({ pool }: Database): ProcessMinutes => ({
  pack: async (now) => {
    const closed = closedBefore(now, BLOCK_MS);
    const due = async (client: PoolClient) => (await client.query<Window>(DUE, [closed, AT_ONCE])).rows;
    return packAll(() => packSome(pool, PACK_LOCK, due, packBlock));
  },
  lists: async ({ server }, { from, to }) => {
    const range = [server.key, from, to];
    // Blocks last: what is packed between the two statements is then read twice and not missed.
    const fresh = await pool.query<StoredProcesses>(ROWS, range);
    const blocks = await pool.query<{ packed: Buffer }>(BLOCKS, range);
    const all = [...fresh.rows.map(namedProcesses), ...blocks.rows.flatMap((row) => unpacked(row.packed))];
    const inRange = all.filter(({ at }) => at >= from && at <= to);
    return [...new Map(inRange.map((list) => [list.at, list])).values()].toSorted((a, b) => a.at - b.at);
  },
});
