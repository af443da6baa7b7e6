// SQL reads the nearest stored list of a partitioned table.
import { PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import type { PoolClient } from 'pg';
import type { ProcessList } from '../process-block.ts';
import type { ProcessSnapshots } from '../store.ts';
import type { ProcessSnapshot } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds, timestamp } from '../../database/time.ts';

/** A list of a quarter of an hour carries its start; one that an alert kept carries its own time. */
const KIND_OF_HISTORY = `CASE WHEN date_bin('${PROCESS_HISTORY.stepSeconds} seconds', ts, to_timestamp(0)) = ts
  THEN 'quarter_hour' ELSE 'alert' END`;

/**
 * $1 server key  $2 from, ms  $3 to, ms, included. A row of history is up to a step older than the time it carries; the
 * margin lets partitions be skipped.
 */
const NEWEST = `SELECT ${milliseconds('sample_at')} AS "sampleAt", list, entries FROM (
  SELECT sample_at, entries, 'newest' AS list FROM server_list WHERE server_key = $1 AND kind = 'processes'
  UNION ALL
  SELECT sample_at, entries, ${KIND_OF_HISTORY} AS list FROM server_list_history
  WHERE server_key = $1 AND kind = 'processes' AND ts <= ${timestamp('$3')}
    AND ts >= ${timestamp('$2')} - interval '${PROCESS_HISTORY.stepSeconds} seconds'
) AS list WHERE sample_at BETWEEN ${timestamp('$2')} AND ${timestamp('$3')} ORDER BY sample_at DESC LIMIT 1`;

/**
 * $1 server key. The top of the newest lists by what they are ranked by, as the history of every quarter of an hour.
 */
const FREEZE = `INSERT INTO server_list_history (ts, server_key, kind, sample_at, entries)
SELECT sample_at, server_key, kind, sample_at, top.entries FROM server_list l CROSS JOIN LATERAL (
  SELECT json_agg(value ORDER BY rank DESC NULLS LAST, place) AS entries FROM (
    SELECT e.value, e.place, l.first_rank[e.place] AS rank FROM json_array_elements(l.entries) WITH ORDINALITY AS e(value, place)
    ORDER BY rank DESC NULLS LAST, place LIMIT ${PROCESS_HISTORY.entries}
  ) AS best
) AS top WHERE server_key = $1 AND top.entries IS NOT NULL
ON CONFLICT DO NOTHING`;

/** $1 server key  $2 after, ms  $3 to, ms, included */
const NEXT = `SELECT ${milliseconds('min(sample_at)')} AS at FROM (
  SELECT sample_at FROM server_list WHERE server_key = $1 AND kind = 'processes'
  UNION ALL
  SELECT sample_at FROM server_list_history WHERE server_key = $1 AND kind = 'processes' AND ts <= ${timestamp('$3')}
    AND ts >= ${timestamp('$2')} - interval '${PROCESS_HISTORY.stepSeconds} seconds'
) AS list WHERE sample_at > ${timestamp('$2')} AND sample_at <= ${timestamp('$3')}`;
const LISTS = `SELECT ${milliseconds('sample_at')} AS at, entries AS processes FROM server_list_history
  WHERE server_key = $1 AND kind = 'processes' AND sample_at BETWEEN ${timestamp('$2')} AND ${timestamp('$3')}
    AND ts <= ${timestamp('$3')} AND ts >= ${timestamp('$2')} - interval '${PROCESS_HISTORY.stepSeconds} seconds'
  ORDER BY sample_at`;

const byCpu = (a: ProcessPart, b: ProcessPart): number =>
  (b.cpu_percent ?? -1) - (a.cpu_percent ?? -1) || b.memory_bytes - a.memory_bytes || a.pid - b.pid;

/** Keeps what runs on a server now: an alert opened, and the next quarter of an hour is too late to ask. */
export const freezeLists = (client: PoolClient, serverKey: number): Promise<unknown> =>
  client.query(FREEZE, [serverKey]);

export const createProcessSnapshotStore = ({ pool }: Database): ProcessSnapshots => ({
  newest: async ({ server }, { from, to }) => {
    const { rows } = await pool.query<Omit<ProcessSnapshot, 'processes'> & { entries: ProcessPart[] }>(NEWEST, [
      server.key,
      from,
      to,
    ]);
    const [found] = rows;
    if (found === undefined) return null;
    const distinct = new Map(found.entries.map((entry) => [entry.pid, entry]));
    return { sampleAt: found.sampleAt, list: found.list, processes: [...distinct.values()].toSorted(byCpu) };
  },
  next: async ({ server }, { from, to }) =>
    (await pool.query<{ at: number | null }>(NEXT, [server.key, from, to])).rows[0]?.at ?? null,
  lists: async ({ server }, { from, to }) => (await pool.query<ProcessList>(LISTS, [server.key, from, to])).rows,
});
