// SQL writes the jobs of a report at once.
import type { JobObject } from '@plimsoll/contract/wire/cluster-objects';
import type { PoolClient } from 'pg';

const UPSERT = `INSERT INTO kube_job (cluster_key, uid, namespace, name, owner_kind, owner_name, failed_at, reason, message)
  SELECT DISTINCT ON (uid) $1, uid, namespace, name, owner_kind, owner_name, to_timestamp(failed_at), reason, message
  FROM jsonb_to_recordset($2::jsonb) AS x(uid text, namespace text, name text, owner_kind text, owner_name text,
    failed_at float8, reason text, message text) ORDER BY uid, failed_at DESC
  ON CONFLICT (cluster_key, uid) DO UPDATE SET owner_kind = excluded.owner_kind, owner_name = excluded.owner_name,
    failed_at = excluded.failed_at, reason = excluded.reason, message = excluded.message`;

/** Stores the jobs whose condition `Failed` is true. `now`: epoch seconds, for a condition without a time. */
export async function writeFailedJobs(
  client: PoolClient,
  clusterKey: number,
  jobs: readonly JobObject[],
  now: number,
): Promise<void> {
  const failed = jobs.flatMap(({ uid, namespace, name, owner, conditions }) => {
    const condition = conditions.find(({ type, status }) => type === 'Failed' && status === 'True');
    if (condition === undefined) return [];
    const { reason, message, since } = condition;
    const ownedBy = { owner_kind: owner?.kind ?? null, owner_name: owner?.name ?? null };
    return [{ uid, namespace, name, ...ownedBy, failed_at: Math.min(since ?? now, now), reason, message }];
  });
  if (failed.length > 0) await client.query(UPSERT, [clusterKey, JSON.stringify(failed)]);
}
