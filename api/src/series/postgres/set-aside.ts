// SQL, because it joins three tables of buckets into one list.
import { KUBERNETES_LEVEL } from '../../database/set-aside.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds, timestamp } from '../../database/time.ts';
import type { SetAside } from '../store.ts';
import type { BucketSetAside } from '../types.ts';

const ALL = `(
  SELECT s.organisation_id, a.level, s.id::text AS subject, a.ts, a.attempts, a.failed_at, a.retry_at, a.error
  FROM rollup_set_aside a LEFT JOIN server s ON s.key = a.subject_key WHERE a.level <> '${KUBERNETES_LEVEL}'
  UNION ALL
  SELECT c.organisation_id, a.level, n.name, a.ts, a.attempts, a.failed_at, a.retry_at, a.error
  FROM rollup_set_aside a LEFT JOIN kube_node n ON n.key = a.subject_key LEFT JOIN cluster c ON c.key = n.cluster_key
  WHERE a.level = '${KUBERNETES_LEVEL}'
  UNION ALL
  SELECT organisation_id, 'fleet-' || level, NULL, ts, attempts, failed_at, retry_at, error
  FROM fleet_rollup_due WHERE attempts > 0
) aside`;
const LIST = `SELECT organisation_id AS "organisationId", level, subject, ${milliseconds('ts')} AS at, attempts,
    ${milliseconds('failed_at')} AS "failedAt", ${milliseconds('retry_at')} AS "retryAt", error FROM ${ALL}`;
const MOST_LISTED = 100;
const ORDER = `ORDER BY ts DESC, level, subject LIMIT ${MOST_LISTED}`;

export const createSetAsideStore = ({ pool }: Database): SetAside => ({
  ofOwner: async ({ organisationId }) => {
    const { rows } = await pool.query<BucketSetAside>(`${LIST} WHERE organisation_id = $1 ${ORDER}`, [organisationId]);
    return rows;
  },
  since: async (time) => {
    const { rows } = await pool.query<BucketSetAside>(`${LIST} WHERE failed_at >= ${timestamp('$1')} ${ORDER}`, [time]);
    return rows;
  },
  count: async () => {
    const text = `SELECT level, count(*)::double precision AS buckets FROM ${ALL} GROUP BY level`;
    const { rows } = await pool.query<{ level: string; buckets: number }>(text);
    return new Map(rows.map(({ level, buckets }) => [level, buckets]));
  },
});
