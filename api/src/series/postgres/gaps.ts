// SQL reads the ledger: gaps are found by window functions, which Prisma does not have.
import type { Clock } from '../../clock.ts';
import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import { explainGap } from '../gaps.ts';
import type { GapFacts, LedgerEntry } from '../gaps.ts';
import type { Gaps } from '../store.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, timestamp } from '../../database/time.ts';

/**
 * Neighbours in sample time that are too far apart, over every stream of the server; the last report has no "after".
 * Found by the key of the samples. The ledger is read only where there is a hole: it is in order of seq, so a range of
 * time would read all of a stream.
 * $1 server key  $2 from, ms  $3 to, ms  $4 now, ms  $5 longest distance, ms
 */
const HOLES = `
WITH sample AS (
  (SELECT ts FROM host_sample WHERE server_key = $1 AND ts < ${timestamp('$2')} ORDER BY ts DESC LIMIT 1)
  UNION ALL
  SELECT ts FROM host_sample WHERE server_key = $1 AND ts >= ${timestamp('$2')} AND ts < ${timestamp('$3')}
  UNION ALL
  (SELECT ts FROM host_sample WHERE server_key = $1 AND ts >= ${timestamp('$3')} ORDER BY ts LIMIT 1)
), hole AS MATERIALIZED (
  SELECT ts, next FROM (SELECT ts, lead(ts) OVER (ORDER BY ts) AS next FROM sample) pair
  WHERE ts < ${timestamp('$3')} AND COALESCE(next, ${timestamp('$4')}) > ${timestamp('$2')}
    AND COALESCE(next, ${timestamp('$4')}) - ts > make_interval(secs => $5::double precision / 1000)
), entry AS MATERIALIZED (
  SELECT DISTINCT ON (l.sample_at) l.sample_at, ${ms('l.sample_at')} AS at, l.up_seconds AS up, l.boot,
    l.stream_key AS stream, l.seq::double precision AS seq
  FROM report_ledger l WHERE EXISTS (SELECT FROM hole)
    AND l.stream_key IN (SELECT key FROM report_stream WHERE server_key = $1)
    AND l.sample_at IN (SELECT ts FROM hole UNION ALL SELECT next FROM hole)
  ORDER BY l.sample_at, l.received_at
)
SELECT before.at, before.up, before.boot, before.stream, before.seq, after.at AS next_at, after.up AS next_up,
  after.boot AS next_boot, after.stream AS next_stream, after.seq AS next_seq
FROM hole JOIN entry before ON before.sample_at = hole.ts LEFT JOIN entry after ON after.sample_at = hole.next
WHERE (hole.next IS NULL) = (after.at IS NULL)
ORDER BY hole.ts`;
const SIGN_OFFS = `SELECT ${ms('at')} AS at, reason FROM agent_sign_off WHERE server_key = $1 ORDER BY at`;
const RESUMED = `SELECT ${ms('at')} AS at FROM activity_event WHERE server_key = $1 AND at >= ${timestamp('$2')}
  AND event_type = 'system_resume'`;
/** The sample of a report and its events have one time, up to the rounding of both. */
const SAME_REPORT_MS = 1000;
const DROPPED = `SELECT stream_key AS stream, seq_from::double precision AS "from", seq_to::double precision AS "to", why
  FROM dropped_report WHERE stream_key IN (SELECT key FROM report_stream WHERE server_key = $1)`;
/** Between two runs of this API, whichever replica; runs overlap where there are several. */
const OUTAGES = `
SELECT ${ms('until')} AS "from", ${ms('started_at')} AS "to" FROM (
  SELECT started_at, max(seen_at) OVER (ORDER BY started_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until
  FROM api_uptime
) run WHERE until < started_at`;

interface HoleRow {
  at: number;
  up: number;
  boot: number;
  stream: number;
  seq: number;
  next_at: number | null;
  next_up: number;
  next_boot: number;
  next_stream: number;
  next_seq: number;
}
const beforeOf = (row: HoleRow): LedgerEntry => ({
  at: row.at,
  upSeconds: row.up,
  boot: row.boot,
  stream: row.stream,
  seq: row.seq,
});
const afterOf = (row: HoleRow): LedgerEntry | null =>
  row.next_at === null
    ? null
    : { at: row.next_at, upSeconds: row.next_up, boot: row.next_boot, stream: row.next_stream, seq: row.next_seq };

type DroppedRow = GapFacts['dropped'][number] & { stream: number };

export const createGapStore = ({ pool }: Database, clock: Clock): Gaps => ({
  list: async ({ server }, { from, to }) => {
    const now = clock.now();
    const longestMs = GAP_INTERVALS * server.reportIntervalSeconds * 1000;
    const { rows: holes } = await pool.query<HoleRow>(HOLES, [server.key, from, to, now, longestMs]);
    if (holes.length === 0) return [];
    const earliest = Math.min(...holes.map((hole) => beforeOf(hole).at));
    const [signOffs, resumed, dropped, outages] = await Promise.all([
      pool.query<GapFacts['signOffs'][number]>(SIGN_OFFS, [server.key]),
      pool.query<{ at: number }>(RESUMED, [server.key, earliest]),
      pool.query<DroppedRow>(DROPPED, [server.key]),
      pool.query<GapFacts['outages'][number]>(OUTAGES),
    ]);
    const explained = holes.flatMap((hole) => {
      const before = beforeOf(hole);
      const after = afterOf(hole);
      const end = after?.at ?? now;
      return explainGap(
        {
          before,
          after,
          signOffs: signOffs.rows.filter(({ at }) => at >= before.at && at <= end),
          resumedAt: resumed.rows.map(({ at }) => at).filter((at) => at > before.at && at <= end + SAME_REPORT_MS),
          dropped: dropped.rows.filter((range) => range.stream === before.stream),
          outages: outages.rows,
          intervalSeconds: server.reportIntervalSeconds,
        },
        now,
      );
    });
    return explained
      .map((gap) => ({ ...gap, serverId: server.id, from: Math.max(gap.from, from), to: Math.min(gap.to, to) }))
      .filter((gap) => gap.from < gap.to);
  },
});
