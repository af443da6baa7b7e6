// SQL groups the pods of each cluster in one pass over their covering index and their usage.
import { POD_AGE_BUCKETS, type PodPhase } from '@plimsoll/contract/rules/kubernetes-limits';
import type { Pool } from 'pg';
import type { ClusterFilter } from '../types.ts';
import type { ClusterVersion } from './cluster-versions.ts';
import { nameMatches, namePattern, podInScope, scopeParameter } from './scope.ts';
import { FRESH_MS } from './usage.ts';

/** Pods of one cluster, namespace, owner, phase and age bucket, with the sums that screens show of them. */
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
  /** Creation of the oldest pod (ms). */
  oldestAt: number;
  /** The oldest usage in the sums (ms); null: none is. */
  measuredAt: number | null;
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
const GROUPS = `SELECT p.cluster_key AS "clusterKey", p.namespace, p.owner_kind AS "ownerKind", p.owner_name AS "ownerName", p.phase,
    CASE ${YOUNGER} ELSE ${POD_AGE_BUCKETS.length} END AS bucket, count(*)::int AS pods,
    sum(u.cpu_cores::float8) AS "cpuCores", sum(u.memory_bytes) AS "memoryBytes",
    sum(p.cpu_request) AS "cpuRequest", sum(p.memory_request) AS "memoryRequest",
    sum(p.cpu_limit) AS "cpuLimit", sum(p.memory_limit) AS "memoryLimit",
    (count(*) - count(p.cpu_limit))::int AS "withoutCpuLimit", (count(*) - count(p.memory_limit))::int AS "withoutMemoryLimit",
    ${ms('min(p.created_at)')} AS "oldestAt", ${ms('min(u.measured_at)')} AS "measuredAt"
  FROM kube_pod p
  LEFT JOIN kube_pod_usage u ON u.pod_key = p.key AND u.measured_at > to_timestamp(($3::float8 - ${FRESH_MS}) / 1000.0)
  WHERE ${GROUP_FILTER} GROUP BY 1, 2, 3, 4, 5, 6`;

export const groupValues = (keys: readonly number[], filter: PodGroupFilter, now: number): unknown[] => [
  keys,
  scopeParameter(filter),
  now,
  filter.namespace ?? null,
  filter.ownerKind ?? null,
  filter.ownerName ?? null,
  namePattern(filter.search),
];

interface Kept {
  version: string;
  /** The groups are true from this time on (ms), */
  from: number;
  /** and until a pod passes into the next age bucket or its usage becomes stale (ms). */
  until: number;
  groups: Promise<readonly GroupRow[]>;
  /** 0 until they are read. */
  size: number;
}

const NONE: Kept['groups'] = Promise.resolve([]);
/** A group takes about 300 bytes. */
const MOST_GROUPS = 50_000;

/** Returns when the first group changes by the mere passing of time (ms). */
function changesAt(rows: readonly GroupRow[]): number {
  let first = Infinity;
  for (const { bucket, oldestAt, measuredAt } of rows) {
    const older = oldestAt + (POD_AGE_BUCKETS[bucket] ?? Infinity) * 1000;
    first = Math.min(first, older, measuredAt === null ? Infinity : measuredAt + FRESH_MS);
  }
  return Math.floor(first);
}

/**
 * Groups of the pods of whole clusters are kept while nothing of the cluster is written: its pods change with its reports
 * only, once a minute, and viewers request the sums every few seconds. Those of a part of a cluster are read each time.
 */
export class KeptPodGroups {
  readonly #pool: Pool;
  readonly #mostGroups: number;
  /** By cluster key, the least recently summed first. */
  readonly #kept = new Map<number, Kept>();
  #size = 0;

  constructor(pool: Pool, mostGroups = MOST_GROUPS) {
    this.#pool = pool;
    this.#mostGroups = mostGroups;
  }

  async read(clusters: readonly ClusterVersion[], filter: PodGroupFilter, now: number): Promise<PodGroup[]> {
    const { within, search, ownerName, namespace, ownerKind } = filter;
    // An index leads to the pods of one owner.
    if (within !== undefined || search !== undefined || ownerName !== undefined)
      return this.#query(clusters, filter, now);
    const wanted = clusters.filter(({ key, version }) => !isTrue(this.#kept.get(key), version, now));
    if (wanted.length > 0) this.#keep(wanted, now);
    const found = await Promise.all(clusters.map(({ key }) => this.#kept.get(key)?.groups ?? NONE));
    this.#forgetOldest();
    return found.flat().filter((group) => isOf(group, namespace, ownerKind));
  }

  async #query(clusters: readonly ClusterVersion[], filter: PodGroupFilter, now: number): Promise<GroupRow[]> {
    const keys = clusters.map(({ key }) => key);
    return (await this.#pool.query<GroupRow>(GROUPS, groupValues(keys, filter, now))).rows;
  }

  /** Everyone who asks meanwhile waits for the same statement. */
  #keep(clusters: readonly ClusterVersion[], now: number): void {
    const read = this.#query(clusters, {}, now).then((rows) => Map.groupBy(rows, ({ clusterKey }) => clusterKey));
    for (const { key, version } of clusters) {
      this.#drop(key);
      const groups = read.then((byCluster) => byCluster.get(key) ?? []);
      const kept: Kept = { version, from: now, until: Infinity, groups, size: 0 };
      this.#kept.set(key, kept);
      void this.#measure(key, kept);
    }
  }

  async #measure(key: number, kept: Kept): Promise<void> {
    try {
      const rows = await kept.groups;
      kept.until = changesAt(rows);
      if (this.#kept.get(key) !== kept) return;
      kept.size = rows.length;
      this.#size += rows.length;
    } catch {
      // The callers that wait receive the error.
      if (this.#kept.get(key) === kept) this.#drop(key);
    }
  }

  #drop(key: number): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }

  #forgetOldest(): void {
    for (const key of this.#kept.keys()) {
      if (this.#size <= this.#mostGroups) return;
      this.#drop(key);
    }
  }
}

const isTrue = (kept: Kept | undefined, version: string, now: number): boolean =>
  kept !== undefined && kept.version === version && kept.from <= now && now < kept.until;

const isOf = (group: PodGroup, namespace: string | undefined, ownerKind: string | undefined): boolean =>
  (namespace === undefined || group.namespace === namespace) &&
  (ownerKind === undefined || (ownerKind === 'none' ? group.ownerKind === null : group.ownerKind === ownerKind));
