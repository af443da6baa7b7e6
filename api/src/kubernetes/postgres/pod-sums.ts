// SQL sums the pods of each cluster from their covering index.
import type { Pool } from 'pg';
import type { ClusterVersion } from './cluster-versions.ts';
import { podInScope } from './scope.ts';

export interface PodSums {
  pods: number;
  broken: number;
  cpuRequest: number | null;
  memoryRequest: number | null;
}
/** `version`: the transaction that wrote the row of the cluster last; every report of its collector writes it. */
type Version = Pick<ClusterVersion, 'key' | 'version'>;
type PodSumsRow = PodSums & { key: number };

/** $1 clusters  $2 scope. Columns of kube_pod_listing_idx only: the bulky object is not read. */
const SUM = `SELECT p.cluster_key AS key, count(*)::int AS pods, count(*) FILTER (WHERE p.severity <= 1)::int AS broken,
    sum(p.cpu_request) FILTER (WHERE p.node_name IS NOT NULL AND p.phase NOT IN ('Succeeded', 'Failed')) AS "cpuRequest",
    sum(p.memory_request) FILTER (WHERE p.node_name IS NOT NULL AND p.phase NOT IN ('Succeeded', 'Failed'))
      AS "memoryRequest"
  FROM kube_pod p WHERE p.cluster_key = ANY($1::int[]) AND p.gone_at IS NULL AND ${podInScope('p', '$2')} GROUP BY 1`;
const NONE: PodSums = { pods: 0, broken: 0, cpuRequest: null, memoryRequest: null };
/** A cluster takes about 200 bytes. */
const MOST_CLUSTERS = 10_000;

/**
 * Sums over the pods of whole clusters are kept while nothing of the cluster is written: its pods change with its reports
 * only, once a minute, and viewers request the sums every few seconds. Those of a part of a cluster are summed each time.
 */
export class KeptPodSums {
  readonly #pool: Pool;
  /** By cluster key, the least recently summed first. */
  readonly #kept = new Map<number, { version: string; sums: PodSums }>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async read(clusters: readonly Version[], scope: string | null): Promise<Map<number, PodSums>> {
    if (scope !== null) return this.#sum(clusters, scope);
    const changed = clusters.filter(({ key, version }) => this.#kept.get(key)?.version !== version);
    const summed = changed.length === 0 ? new Map<number, PodSums>() : await this.#sum(changed, null);
    for (const { key, version } of changed) {
      this.#kept.delete(key);
      this.#kept.set(key, { version, sums: summed.get(key) ?? NONE });
    }
    const sums = new Map(clusters.map(({ key }) => [key, summed.get(key) ?? this.#kept.get(key)?.sums ?? NONE]));
    this.#forgetOldest();
    return sums;
  }

  async #sum(clusters: readonly Version[], scope: string | null): Promise<Map<number, PodSums>> {
    const { rows } = await this.#pool.query<PodSumsRow>(SUM, [clusters.map(({ key }) => key), scope]);
    return new Map(rows.map(({ key, ...sums }) => [key, sums]));
  }

  #forgetOldest(): void {
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= MOST_CLUSTERS) return;
      this.#kept.delete(key);
    }
  }
}
