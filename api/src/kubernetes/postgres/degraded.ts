// SQL counts and ranks what degrades a cluster in one statement over two partial indexes.
import { DEGRADED_KINDS, type DegradedKind } from '@plimsoll/contract/rules/kubernetes-limits';
import { DEGRADED_REASONS, MISSING_REPLICAS_MS, type DegradedPart } from '../degraded.ts';
import type { ClusterFilter } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { clusterKeys } from './clusters.ts';
import { objectInScope, podInScope, scopeParameter } from './scope.ts';

const MOST_EXAMPLES = 5;
const listed = (reasons: readonly string[]): string => reasons.map((reason) => `'${reason}'`).join(', ');
const KIND = Object.entries(DEGRADED_REASONS)
  .map(([kind, reasons]) => `WHEN p.reason IN (${listed(reasons)}) THEN '${kind}'`)
  .join(' ');

/** $1 clusters  $2 scope  $3 now, ms */
const DEGRADED = `SELECT kind, total, cluster_key, namespace, name FROM (
    SELECT kind, cluster_key, namespace, name, count(*) OVER (PARTITION BY kind)::int AS total,
      row_number() OVER (PARTITION BY kind ORDER BY since, namespace, name, cluster_key) AS place
    FROM (
      SELECT CASE ${KIND} END AS kind, p.cluster_key, p.namespace, p.name, p.created_at AS since
      FROM kube_pod p WHERE p.cluster_key = ANY($1::int[]) AND p.gone_at IS NULL
        AND p.reason IN (${listed(Object.values(DEGRADED_REASONS).flat())})
        AND p.phase NOT IN ('Succeeded', 'Failed') AND ${podInScope('p', '$2')}
      UNION ALL
      SELECT 'replicas_missing', w.cluster_key, w.namespace, w.name, w.short_since
      FROM kube_workload w WHERE w.cluster_key = ANY($1::int[])
        AND w.short_since <= to_timestamp(($3::float8 - ${MISSING_REPLICAS_MS}) / 1000.0) AND ${objectInScope('w', '$2')}
    ) found) ranked
  WHERE place <= ${MOST_EXAMPLES} ORDER BY kind, place`;

interface DegradedRow {
  kind: DegradedKind;
  total: number;
  cluster_key: number;
  namespace: string;
  name: string;
}

export async function listDegraded(database: Database, filter: ClusterFilter, now: number): Promise<DegradedPart[]> {
  const clusters = await clusterKeys(database, filter);
  const ids = new Map(clusters.map(({ key, id }) => [key, id]));
  const { rows } = await database.pool.query<DegradedRow>(DEGRADED, [[...ids.keys()], scopeParameter(filter), now]);
  return DEGRADED_KINDS.flatMap((kind) => {
    const those = rows.filter((row) => row.kind === kind);
    const [first] = those;
    if (first === undefined) return [];
    const examples = those.map(({ cluster_key: key, namespace, name }) => ({
      clusterId: ids.get(key) ?? '',
      namespace,
      name,
    }));
    return [{ kind, count: first.total, examples }];
  });
}
