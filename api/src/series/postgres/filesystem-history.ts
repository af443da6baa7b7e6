// SQL shapes the filesystems of all servers in one statement and reads a partitioned table.
import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { TREND_HISTORY_DAYS, TREND_STEP_SECONDS } from '@plimsoll/contract/rules/host-metrics/disk-forecast';
import type { Database } from '../../database/database.ts';
import { milliseconds, timestamp } from '../../database/time.ts';
import type { FilesystemHistory } from '../store.ts';
import type { FilesystemPoint } from '../types.ts';

/** One filesystem can be mounted over another at the same place: the larger one counts. */
const FILESYSTEMS = (
  parts: string,
): string => `SELECT mount, max(used_bytes) AS used, max(used_bytes + available_bytes) AS capacity
  FROM json_to_recordset(${parts}.filesystems) AS f(mount text, used_bytes double precision, available_bytes double precision)
  WHERE used_bytes + available_bytes > 0 GROUP BY mount`;

/** $1 now, ms. Reports that came late count by their own time: only one of this half hour makes a point. */
const RECORD = `INSERT INTO filesystem_history (ts, server_key, mounts, used_bytes)
SELECT slot.at, p.server_key, f.mounts, f.used
FROM (SELECT date_bin('${TREND_STEP_SECONDS} seconds', ${timestamp('$1')}, to_timestamp(0)) AS at) slot
JOIN server_parts p ON p.sample_at >= slot.at AND p.sample_at <= ${timestamp('$1')} + interval '5 minutes'
  AND json_typeof(p.filesystems) = 'array'
CROSS JOIN LATERAL (
  SELECT array_agg(mount ORDER BY mount) AS mounts, array_agg(used::real ORDER BY mount) AS used FROM (${FILESYSTEMS('p')}) each
) f
WHERE f.mounts IS NOT NULL
ON CONFLICT DO NOTHING RETURNING server_key AS key`;

interface HistoryRow {
  serverKey: number;
  capacities: Record<string, number>;
  rows: { at: number; mounts: string[]; used: number[] }[];
}
/** $1 server keys  $2 from, ms  $3 now, ms. One row a server: JSON is what the driver reads fastest. */
const READ = `SELECT p.server_key AS "serverKey",
  (SELECT json_object_agg(mount, capacity) FROM (${FILESYSTEMS('p')}) each) AS capacities,
  (SELECT json_agg(json_build_object('at', ${milliseconds('h.ts')}, 'mounts', h.mounts, 'used', h.used_bytes) ORDER BY h.ts)
   FROM filesystem_history h WHERE h.server_key = p.server_key AND h.ts > ${timestamp('$2')} AND h.ts <= ${timestamp('$3')}) AS rows
FROM server_parts p WHERE p.server_key = ANY($1) AND json_typeof(p.filesystems) = 'array'`;

/** The server can be gone by now. */
const SAVE = `INSERT INTO filesystem_trend (server_key, computed_at, trends)
SELECT key, ${timestamp('$2')}, $3::json FROM server WHERE key = $1
ON CONFLICT (server_key) DO UPDATE SET computed_at = excluded.computed_at, trends = excluded.trends`;

/** Returns the points of one mount, which other rows may lack. */
const pointsOf = (rows: HistoryRow['rows'], mount: string): FilesystemPoint[] =>
  rows.flatMap(({ at, mounts, used }) => {
    const usedBytes = used[mounts.indexOf(mount)];
    return usedBytes === undefined ? [] : [{ at, usedBytes }];
  });

export const createFilesystemHistory = ({ pool }: Database): FilesystemHistory => ({
  record: async (now) => {
    const { rows } = await pool.query<{ key: number }>(RECORD, [now]);
    return rows.map(({ key }) => key);
  },
  read: async (serverKeys, now) => {
    const { rows } = await pool.query<HistoryRow>(READ, [serverKeys, now - TREND_HISTORY_DAYS * DAY_MS, now]);
    return rows.map(({ serverKey, capacities, rows: history }) => ({
      serverKey,
      filesystems: Object.entries(capacities ?? {}).map(([mount, capacityBytes]) => ({
        mount,
        capacityBytes,
        points: pointsOf(history ?? [], mount),
      })),
    }));
  },
  saveTrends: async (serverKey, trends, now) => {
    await pool.query(SAVE, [serverKey, now, JSON.stringify(trends)]);
  },
});
