// SQL reads the nearest stored list of a partitioned table.
import { PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import type { Pool, PoolClient } from 'pg';
import { entryObject, namedProcesses, type StoredProcesses } from '../list-entries.ts';
import type { ProcessList } from '../process-block.ts';
import type { QuarterList } from '../quarter-block.ts';
import type { ProcessSnapshots } from '../store.ts';
import type { ProcessSnapshot } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds, timestamp } from '../../database/time.ts';
import { quartersOf, readQuarters } from './process-quarters.ts';

const STEP_MS = PROCESS_HISTORY.stepSeconds * 1000;

/** $1 server key  $2 from, ms  $3 to, ms, included */
const NEWEST_AT = `SELECT ${milliseconds('sample_at')} AS at FROM server_list
  WHERE server_key = $1 AND kind = 'processes' AND sample_at BETWEEN ${timestamp('$2')} AND ${timestamp('$3')}`;
const NEWEST = NEWEST_AT.replace('AS at', 'AS at, entries::json AS entries');

/**
 * $1 server key. The top of the newest lists by what they are ranked by, as the history of every quarter of an hour has it:
 * connections as objects.
 */
const FREEZE = `WITH frozen AS (
  SELECT sample_at, server_key, kind, top.entries FROM server_list l CROSS JOIN LATERAL (
    SELECT json_agg(value ORDER BY rank DESC NULLS LAST, place) AS entries FROM (
      SELECT CASE l.kind WHEN 'connections' THEN ${entryObject('connections', 'e.value')} ELSE e.value END AS value, e.place,
        l.first_rank[e.place] AS rank
      FROM json_array_elements(l.entries::json) WITH ORDINALITY AS e(value, place)
      ORDER BY rank DESC NULLS LAST, place LIMIT ${PROCESS_HISTORY.entries}
    ) AS best
  ) AS top WHERE server_key = $1 AND top.entries IS NOT NULL
), processes AS (
  INSERT INTO process_quarter (ts, server_key, sample_at, entries)
  SELECT sample_at, server_key, sample_at, entries FROM frozen WHERE kind = 'processes' ON CONFLICT DO NOTHING
)
INSERT INTO server_list_history (ts, server_key, kind, sample_at, entries)
SELECT sample_at, server_key, kind, sample_at, entries FROM frozen WHERE kind <> 'processes' ON CONFLICT DO NOTHING`;

const byCpu = (a: ProcessPart, b: ProcessPart): number =>
  (b.cpu_percent ?? -1) - (a.cpu_percent ?? -1) || b.memory_bytes - a.memory_bytes || a.pid - b.pid;

export const topListSnapshots = {
  /** Keeps what runs on a server now: an alert opened, and the next quarter of an hour is too late. */
  take: async (client: PoolClient, serverKey: number): Promise<void> => {
    await client.query(FREEZE, [serverKey]);
  },
};

/** A list of a quarter of an hour carries its start; one that an alert kept carries its own time. */
export const kindOfQuarter = ({ slot }: QuarterList): ProcessSnapshot['list'] =>
  slot % STEP_MS === 0 ? 'quarter_hour' : 'alert';

/** Returns the lists of every quarter of an hour and of alerts in the range, oldest first. */
async function quartersIn(pool: Pool, key: number, range: { from: number; to: number }): Promise<QuarterList[]> {
  return quartersOf(await readQuarters(pool, [key], range), key)
    .filter(({ at }) => at >= range.from && at <= range.to)
    .toSorted((a, b) => a.at - b.at || b.slot - a.slot);
}

const snapshotOf = ({ at, processes }: ProcessList, list: ProcessSnapshot['list']): ProcessSnapshot => {
  const distinct = new Map(processes.map((entry) => [entry.pid, entry]));
  return { sampleAt: at, list, processes: [...distinct.values()].toSorted(byCpu) };
};

export const createProcessSnapshotStore = ({ pool }: Database): ProcessSnapshots => ({
  newest: async ({ server }, range) => {
    const { rows } = await pool.query<StoredProcesses>(NEWEST, [server.key, range.from, range.to]);
    const [newest] = rows.map(namedProcesses);
    const quarter = (await quartersIn(pool, server.key, range)).at(-1);
    // The newest list is whole; one of the same time in history is its top.
    if (newest !== undefined && newest.at >= (quarter?.at ?? 0)) return snapshotOf(newest, 'newest');
    return quarter === undefined ? null : snapshotOf(quarter, kindOfQuarter(quarter));
  },
  next: async ({ server }, { from, to }) => {
    const { rows } = await pool.query<{ at: number }>(NEWEST_AT, [server.key, from, to]);
    const quarters = await quartersIn(pool, server.key, { from, to });
    const after = [...quarters, ...rows].map(({ at }) => at).filter((at) => at > from);
    return after.length === 0 ? null : Math.min(...after);
  },
  lists: async ({ server }, range) =>
    (await quartersIn(pool, server.key, range)).map(({ at, processes }) => ({ at, processes })),
});
