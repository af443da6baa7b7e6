// SQL groups the pods of each cluster in one pass over their covering index and their usage.
import { POD_AGE_BUCKETS, type PodPhase } from '@plimsoll/contract/rules/kubernetes-limits';
import type { Pool } from 'pg';
import type { ClusterFilter } from '../types.ts';
import { KeptGroups } from './kept-groups.ts';
import type { ClusterVersion } from './cluster-versions.ts';
import { nameMatches, namePattern, podInScope, scopeParameter } from './scope.ts';
import { FRESH_MS } from './usage.ts';

/**
 * Pods of one cluster, namespace, owner, phase and age bucket, with what they request. Their usage is in a group of its own,
 * without pods: it changes with each report of a node.
 */
export interface PodGroup {
  clusterKey: number;
  namespace: string;
  ownerKind: string | null;
  ownerName: string | null;
  phase: PodPhase;
  /** Index into POD_AGE_BUCKETS; its length stands for older pods. */
  bucket: number;
  pods: number;
  cpuCores: number | null;
  memoryBytes: number | null;
  cpuRequest: number | null;
  memoryRequest: number | null;
  cpuLimit: number | null;
  memoryLimit: number | null;
  withoutCpuLimit: number;
  withoutMemoryLimit: number;
}
/** Adds two sums; null only where nothing is known. */
export const plus = (a: number | null, b: number | null): number | null => (a === null ? b : a + (b ?? 0));

interface GroupRow extends PodGroup {
  /** Creation of the oldest pod, or the oldest usage in the sums (ms). */
  oldestAt: number;
}

export type PodGroupFilter = Pick<ClusterFilter, 'within'> & {
  namespace?: string | undefined;
  /** "none": pods without an owner. */
  ownerKind?: string | undefined;
  ownerName?: string | undefined;
  /** Part of the name of a pod or its owner, whatever the case. */
  search?: string | undefined;
};

/** Compared with constants: an age computed for each pod takes longer than all else that is counted of it. */
const YOUNGER = POD_AGE_BUCKETS.map(
  (seconds, bucket) => `WHEN p.created_at > to_timestamp($3::float8 / 1000.0 - ${seconds}) THEN ${bucket}`,
).join(' ');
const ms = (column: string): string => `date_part('epoch', ${column}) * 1000`;

/** $1 clusters  $2 scope  $4 namespace  $5 kind of owner  $6 name of owner  $7 search. For pods `p`. */
export const GROUP_FILTER = `p.cluster_key = ANY($1::int[]) AND p.gone_at IS NULL AND ${podInScope('p', '$2')}
  AND ($4::text IS NULL OR p.namespace = $4)
  AND ($5::text IS NULL OR CASE WHEN $5 = 'none' THEN p.owner_kind IS NULL ELSE p.owner_kind = $5 END)
  AND ($6::text IS NULL OR p.owner_name = $6)
  AND ($7::text IS NULL OR ${nameMatches('p.name', '$7')} OR ${nameMatches('p.owner_name', '$7')})`;
const NAMES = `p.cluster_key AS "clusterKey", p.namespace, p.owner_kind AS "ownerKind", p.owner_name AS "ownerName"`;
const FRESH_USAGE = `kube_pod_usage u ON u.pod_key = p.key AND u.measured_at > to_timestamp(($3::float8 - ${FRESH_MS}) / 1000.0)`;
/** Of kube_pod, columns of kube_pod_listing_idx only: the bulky object is not read. */
const countsWith = (
  cpuCores: string,
  memoryBytes: string,
  join = '',
): string => `SELECT ${NAMES}, p.phase, CASE ${YOUNGER} ELSE ${POD_AGE_BUCKETS.length} END AS bucket, count(*)::int AS pods,
    ${cpuCores} AS "cpuCores", ${memoryBytes} AS "memoryBytes",
    sum(p.cpu_request) AS "cpuRequest", sum(p.memory_request) AS "memoryRequest",
    sum(p.cpu_limit) AS "cpuLimit", sum(p.memory_limit) AS "memoryLimit",
    (count(*) - count(p.cpu_limit))::int AS "withoutCpuLimit", (count(*) - count(p.memory_limit))::int AS "withoutMemoryLimit",
    ${ms('min(p.created_at)')} AS "oldestAt"
  FROM kube_pod p ${join} WHERE ${GROUP_FILTER} GROUP BY 1, 2, 3, 4, 5, 6`;
const CPU = 'sum(u.cpu_cores::float8)';
const MEMORY = 'sum(u.memory_bytes)';
const COUNTS = countsWith('NULL::float8', 'NULL::float8');
const BOTH = countsWith(CPU, MEMORY, `LEFT JOIN ${FRESH_USAGE}`);
const USAGE = `SELECT ${NAMES}, 'Running' AS phase, 0 AS bucket, 0 AS pods,
    ${CPU} AS "cpuCores", ${MEMORY} AS "memoryBytes",
    NULL::float8 AS "cpuRequest", NULL::float8 AS "memoryRequest", NULL::float8 AS "cpuLimit", NULL::float8 AS "memoryLimit",
    0 AS "withoutCpuLimit", 0 AS "withoutMemoryLimit", ${ms('min(u.measured_at)')} AS "oldestAt"
  FROM kube_pod p JOIN ${FRESH_USAGE}
  WHERE ${GROUP_FILTER} GROUP BY 1, 2, 3, 4`;

export const groupValues = (keys: readonly number[], filter: PodGroupFilter, now: number): unknown[] => [
  keys,
  scopeParameter(filter),
  now,
  filter.namespace ?? null,
  filter.ownerKind ?? null,
  filter.ownerName ?? null,
  namePattern(filter.search),
];

type WholeFilter = Pick<PodGroupFilter, 'namespace' | 'ownerKind'>;

/** A group takes about 300 bytes; these are of counts, and as many of usage. */
const MOST_GROUPS = 50_000;

/** Groups of whole clusters are kept; those of a part of a cluster are read each time. */
export class KeptPodGroups {
  readonly #pool: Pool;
  readonly #counts: KeptGroups<GroupRow>;
  readonly #usage: KeptGroups<GroupRow>;

  constructor(pool: Pool, mostGroups = MOST_GROUPS) {
    this.#pool = pool;
    this.#counts = new KeptGroups(
      (keys, now) => readGroups(pool, COUNTS, keys, {}, now),
      ({ bucket, oldestAt }) => oldestAt + (POD_AGE_BUCKETS[bucket] ?? Infinity) * 1000,
      mostGroups,
    );
    this.#usage = new KeptGroups(
      (keys, now) => readGroups(pool, USAGE, keys, {}, now),
      ({ oldestAt }) => oldestAt + FRESH_MS,
      mostGroups,
    );
  }

  /** Without the usage where `countsOnly`. */
  async read(
    clusters: readonly ClusterVersion[],
    filter: PodGroupFilter,
    now: number,
    { countsOnly = false } = {},
  ): Promise<PodGroup[]> {
    if (isPart(filter)) return readGroups(this.#pool, countsOnly ? COUNTS : BOTH, keysOf(clusters), filter, now);
    const versions = clusters.map(({ key, usageVersion }) => ({ key, version: usageVersion }));
    const [counts, usage] = await Promise.all([
      this.#counts.read(clusters, now),
      countsOnly ? [] : this.#usage.read(versions, now),
    ]);
    return [...counts, ...usage].filter((group) => isOf(group, filter));
  }
}

const keysOf = (clusters: readonly ClusterVersion[]): number[] => clusters.map(({ key }) => key);
/** An index leads to the pods of one owner. */
const isPart = ({ within, search, ownerName }: PodGroupFilter): boolean =>
  within !== undefined || search !== undefined || ownerName !== undefined;
const isOf = (group: PodGroup, { namespace, ownerKind }: WholeFilter): boolean =>
  (namespace === undefined || group.namespace === namespace) &&
  (ownerKind === undefined || (ownerKind === 'none' ? group.ownerKind === null : group.ownerKind === ownerKind));

async function readGroups(
  pool: Pool,
  text: string,
  keys: readonly number[],
  filter: PodGroupFilter,
  now: number,
): Promise<GroupRow[]> {
  return (await pool.query<GroupRow>(text, groupValues(keys, filter, now))).rows;
}
