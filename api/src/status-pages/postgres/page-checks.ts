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

const START = `date_bin('24 hours', GREATEST(o.began_at, d.created_at, ${at('$2')}), to_timestamp(0))`;
const END = `LEAST(COALESCE(o.ended_at, 'infinity'), ${at('$3')})`;
/** Length of an outage within a day and the life of its check, ms. */
const LENGTH = `GREATEST(0, ${ms(
  `LEAST(${END}, day + interval '24 hours') - GREATEST(o.began_at, d.created_at, day)`,
)})`;
/** $1 check keys  $2 from, ms  $3 now, ms */
const DAYS = `SELECT o.check_key AS "checkKey", ${ms('day')} AS day,
    COALESCE(sum(${LENGTH}) FILTER (WHERE o.kind = 'down'), 0) AS "downMs",
    COALESCE(sum(${LENGTH}) FILTER (WHERE o.kind = 'unknown'), 0) AS "unknownMs"
  FROM check_outage o JOIN check_definition d ON d.key = o.check_key
  CROSS JOIN LATERAL generate_series(${START}, ${END}, interval '24 hours') AS day
  WHERE o.check_key = ANY($1::integer[]) AND o.began_at < ${at('$3')} AND COALESCE(o.ended_at, 'infinity') > ${at('$2')}
  GROUP BY o.check_key, day`;

interface CheckRow extends Pick<PageCheck, 'status' | 'serverId'> {
  id: string;
  key: number;
  createdAt: number;
}
type DayRow = CheckDay & { checkKey: number };

export const createPageChecks = ({ pool }: Database): PageChecks => ({
  of: async ({ organisationId }, checkIds, range) => {
    if (checkIds.length === 0) return new Map();
    const { rows: checks } = await pool.query<CheckRow>(CHECKS, [organisationId, checkIds]);
    const keys = checks.map(({ key }) => key);
    const { rows: days } = await pool.query<DayRow>(DAYS, [keys, range.from, range.now]);
    const daysOf = Map.groupBy(days, ({ checkKey }) => checkKey);
    return new Map(
      checks.map(({ id, key, status, serverId, createdAt }) => [
        id,
        { status, serverId, days: checkDays(createdAt, daysOf.get(key) ?? [], range) },
      ]),
    );
  },
});
