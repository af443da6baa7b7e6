// SQL sums pods by owner: grouping, ranking and paging happen in the database.
import type { OwnerGrouping, OwnerSort, PodPhase } from '@plimsoll/contract/rules/kubernetes-limits';
import { POD_PHASES } from '@plimsoll/contract/rules/kubernetes-limits';
import type { OwnerFilter, OwnerRecord } from '../pod-records.ts';
import type { Database } from '../../database/database.ts';
import { clusterKeys } from './clusters.ts';
import { ENDS_IN_WINDOW } from './pods.ts';
import { nameHolds, podInScope, scopeParameter } from './scope.ts';
import { FRESH_MS } from './usage.ts';

const SORTS: Record<OwnerSort, string> = {
  name: 'g.owner_name',
  namespace: 'g.namespace',
  pods: 'g.pods',
  cpu: 'g.cpu_cores',
  memory: 'g.memory_bytes',
  restarts_24h: 'g.restarts',
};
const PHASE_COUNTS = POD_PHASES.map(
  (phase) => `COALESCE(sum(b.pods) FILTER (WHERE b.phase = '${phase}'), 0)::int AS "${phase}"`,
).join(', ');
const AMOUNTS = ['cpu_request', 'memory_request', 'cpu_limit', 'memory_limit'] as const;
/** Sums over pods that are not finished: others hold nothing any more. */
const held = (column: string): string => `sum(b.${column}) FILTER (WHERE b.phase NOT IN ('Succeeded', 'Failed'))`;
const GROUPINGS: Record<OwnerGrouping, { columns: string; keys: string }> = {
  owner: { columns: 'p.owner_kind, p.owner_name', keys: ', p.owner_kind, p.owner_name' },
  namespace: { columns: 'NULL::text AS owner_kind, NULL::text AS owner_name', keys: '' },
};
/** By phase first, so that each pod is added up once and not once for each figure of its phase. */
const byPhase = ({ columns, keys }: (typeof GROUPINGS)[OwnerGrouping]): string =>
  `SELECT p.cluster_key, p.namespace, ${columns}, p.phase, count(*) AS pods,
    ${AMOUNTS.map((column) => `sum(p.${column}) AS ${column}`).join(', ')},
    count(*) - count(p.cpu_limit) AS without_cpu_limit, count(*) - count(p.memory_limit) AS without_memory_limit,
    sum(u.cpu_cores) AS cpu_cores, sum(u.memory_bytes) AS memory_bytes, sum(e.restarts) AS restarts
  FROM kube_pod p
  LEFT JOIN kube_pod_usage u ON u.pod_key = p.key AND u.measured_at > to_timestamp(($2::float8 - ${FRESH_MS}) / 1000.0)
  LEFT JOIN ends e ON e.cluster_key = p.cluster_key AND e.pod_uid = p.uid
  WHERE p.cluster_key = ANY($1::int[]) AND p.gone_at IS NULL
    AND ($3::text IS NULL OR p.namespace = $3)
    AND ($4::text IS NULL OR CASE WHEN $4 = 'none' THEN p.owner_kind IS NULL ELSE p.owner_kind = $4 END)
    AND ($5::text IS NULL OR ${nameHolds('p.owner_name', '$5')} OR ${nameHolds('p.name', '$5')})
    AND ${podInScope('p', '$6')} AND ($9::text IS NULL OR p.owner_name = $9)
  GROUP BY p.cluster_key, p.namespace${keys}, p.phase`;
const GROUPS = `SELECT b.cluster_key, b.namespace, b.owner_kind, b.owner_name, sum(b.pods)::int AS pods, ${PHASE_COUNTS},
    ${AMOUNTS.map((column) => `${held(column)} AS ${column}`).join(', ')},
    COALESCE(${held('without_cpu_limit')}, 0)::int AS without_cpu_limit,
    COALESCE(${held('without_memory_limit')}, 0)::int AS without_memory_limit,
    sum(b.cpu_cores)::float8 AS cpu_cores, sum(b.memory_bytes) AS memory_bytes, COALESCE(sum(b.restarts), 0)::float8 AS restarts
  FROM by_phase b GROUP BY 1, 2, 3, 4`;

interface OwnerRow extends Record<PodPhase, number> {
  cluster_key: number;
  namespace: string;
  owner_kind: string | null;
  owner_name: string | null;
  pods: number;
  cpu_cores: number | null;
  memory_bytes: number | null;
  restarts: number;
  cpu_request: number | null;
  memory_request: number | null;
  cpu_limit: number | null;
  memory_limit: number | null;
  without_cpu_limit: number;
  without_memory_limit: number;
  desired: number | null;
  ready: number | null;
  total: number;
}

export async function listOwners(
  database: Database,
  filter: OwnerFilter,
  now: number,
): Promise<{ owners: OwnerRecord[]; total: number }> {
  const clusters = await clusterKeys(database, filter);
  const direction = filter.order === 'desc' ? 'DESC' : 'ASC';
  // Down to all that groups are made by: where the order left two open, a page would repeat one and lose the other.
  const order = `${SORTS[filter.sort]} ${direction} NULLS LAST, g.namespace, g.owner_name NULLS LAST, g.cluster_key, g.owner_kind NULLS LAST`;
  const text = `WITH ends AS (${ENDS_IN_WINDOW}), by_phase AS (${byPhase(GROUPINGS[filter.by ?? 'owner'])}),
       groups AS (${GROUPS})
     SELECT g.*, (SELECT count(*)::int FROM groups) AS total, (w.object->>'desired')::int AS desired,
       (w.object->>'ready')::int AS ready
     FROM (SELECT NULL) one LEFT JOIN LATERAL (
       SELECT * FROM groups g ORDER BY ${order} LIMIT $7 OFFSET $8) g ON true
     LEFT JOIN kube_workload w ON w.cluster_key = g.cluster_key AND w.namespace = g.namespace AND w.kind = g.owner_kind
       AND w.name = g.owner_name
     ORDER BY ${order}`;
  const values = [
    clusters.map(({ key }) => key),
    now,
    filter.namespace ?? null,
    filter.ownerKind ?? null,
    filter.search?.toLowerCase() ?? null,
    scopeParameter(filter),
    filter.limit,
    filter.offset,
    filter.ownerName ?? null,
  ];
  const { rows } = await database.pool.query<OwnerRow>(text, values);
  // One row without a group carries the total when the page is past the end.
  const owners = rows
    .filter((row) => row.namespace !== null)
    .map((row): OwnerRecord => ({
      clusterId: clusters.find(({ key }) => key === row.cluster_key)?.id ?? '',
      namespace: row.namespace,
      kind: row.owner_kind,
      name: row.owner_name,
      pods: row.pods,
      phases: Object.fromEntries(POD_PHASES.map((phase) => [phase, row[phase]])) as Record<PodPhase, number>,
      cpuCores: row.cpu_cores,
      memoryBytes: row.memory_bytes,
      requests: { cpuCores: row.cpu_request, memoryBytes: row.memory_request },
      limits: { cpuCores: row.cpu_limit, memoryBytes: row.memory_limit },
      withoutCpuLimit: row.without_cpu_limit,
      withoutMemoryLimit: row.without_memory_limit,
      restarts: row.restarts,
      desired: row.desired,
      ready: row.ready,
    }));
  return { owners, total: rows[0]?.total ?? 0 };
}
