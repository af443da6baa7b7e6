// SQL adds the outages of many checks up by day: a check that flaps has more of them than a page may read.
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import { checkDays, type CheckDay } from '../check-days.ts';
import type { PageChecks } from '../store.ts';
import type { PageCheck } from '../types.ts';

/** $1 organisation  $2 check ids */
const CHECKS = `SELECT d.id, d.key, d.server_id AS "serverId", ${ms('d.created_at')} AS "createdAt",
    CASE WHEN d.is_enabled THEN s.fold->>'status' ELSE 'unknown' END AS status
  FROM check_definition d JOIN check_state s ON s.check_key = d.key
  WHERE d.organisation_id = $1 AND d.id = ANY($2::uuid[])`;

/** $4 checks  $5 starts, ms  $6 ends, ms of planned maintenance */
const HOLES = `SELECT d.key, range_agg(tstzrange(GREATEST(${at('p."from"')}, d.created_at), ${at('p."to"')})) AS holes
  FROM unnest($4::uuid[], $5::float8[], $6::float8[]) AS p(id, "from", "to") JOIN check_definition d ON d.id = p.id
  WHERE d.key = ANY($1::integer[]) AND ${at('p."to"')} > GREATEST(${at('p."from"')}, d.created_at) GROUP BY d.key`;
const OUTAGES = `SELECT o.check_key AS key, o.kind, o.began_at, COALESCE(o.ended_at, 'infinity') AS ended_at FROM check_outage o
  JOIN check_definition d ON d.key = o.check_key
  WHERE o.check_key = ANY($1::integer[]) AND o.began_at < ${at('$3')} AND COALESCE(o.ended_at, 'infinity') > ${at('$2')}
    AND COALESCE(o.ended_at, 'infinity') > o.began_at`;
/** Outages without the planned time, and the planned time itself. */
const PIECES = `SELECT o.key, o.kind, lower(r) AS began_at, upper(r) AS ended_at FROM outages o LEFT JOIN holes h ON h.key = o.key
    CROSS JOIN LATERAL unnest(tstzmultirange(tstzrange(o.began_at, o.ended_at)) - COALESCE(h.holes, '{}')) AS r
  UNION ALL SELECT h.key, 'maintenance', lower(r), upper(r) FROM holes h CROSS JOIN LATERAL unnest(h.holes) AS r
    WHERE lower(r) < ${at('$3')} AND upper(r) > ${at('$2')}`;
const START = `date_bin('24 hours', GREATEST(o.began_at, d.created_at, ${at('$2')}), to_timestamp(0))`;
const END = `LEAST(o.ended_at, ${at('$3')})`;
/** Length of a piece within a day and the life of its check, ms. */
const LENGTH = `GREATEST(0, ${ms(
  `LEAST(${END}, day + interval '24 hours') - GREATEST(o.began_at, d.created_at, day)`,
)})`;
const sumOf = (kind: 'down' | 'unknown' | 'maintenance'): string =>
  `COALESCE(sum(${LENGTH}) FILTER (WHERE o.kind = '${kind}'), 0)`;
/** $1 check keys  $2 from, ms  $3 now, ms  $4–$6 planned maintenance */
const DAYS = `WITH holes AS (${HOLES}), outages AS (${OUTAGES}), pieces AS (${PIECES})
  SELECT o.key AS "checkKey", ${ms('day')} AS day, ${sumOf('down')} AS "downMs", ${sumOf('unknown')} AS "unknownMs",
    ${sumOf('maintenance')} AS "maintenanceMs"
  FROM pieces o JOIN check_definition d ON d.key = o.key
  CROSS JOIN LATERAL generate_series(${START}, ${END}, interval '24 hours') AS day
  GROUP BY o.key, day`;

interface CheckRow extends Pick<PageCheck, 'status' | 'serverId'> {
  id: string;
  key: number;
  createdAt: number;
}
type DayRow = CheckDay & { checkKey: number };

export const createPageChecks = ({ pool }: Database): PageChecks => ({
  of: async ({ organisationId }, checkIds, range, planned) => {
    if (checkIds.length === 0) return new Map();
    const { rows: checks } = await pool.query<CheckRow>(CHECKS, [organisationId, checkIds]);
    const keys = checks.map(({ key }) => key);
    const periods = [...planned].flatMap(([id, own]) => own.map((period) => ({ id, ...period })));
    const { rows: days } = await pool.query<DayRow>(DAYS, [
      keys,
      range.from,
      range.now,
      periods.map(({ id }) => id),
      periods.map(({ startsAt }) => startsAt),
      periods.map(({ endsAt }) => endsAt),
    ]);
    const daysOf = Map.groupBy(days, ({ checkKey }) => checkKey);
    return new Map(
      checks.map(({ id, key, status, serverId, createdAt }) => [
        id,
        { status, serverId, days: checkDays(createdAt, daysOf.get(key) ?? [], range) },
      ]),
    );
  },
});
