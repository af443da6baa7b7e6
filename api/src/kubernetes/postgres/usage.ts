// SQL writes usage: one statement expands the pods of many nodes from JSON.
import type { UsageItem } from '@plimsoll/contract/wire/cluster-report';
import { USAGE_FRESH_INTERVALS } from '@plimsoll/contract/rules/kubernetes-limits';
import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import type { PoolClient } from 'pg';
import { SOURCE_RANKS } from './clusters.ts';

export const FRESH_MS = USAGE_FRESH_INTERVALS * REPORT_INTERVAL_SECONDS * 1000;
const FRESH = `interval '${FRESH_MS} milliseconds'`;

/** A better source wins; a worse one only where the better has fallen silent. Never an older figure over a newer. */
export const wins = (table: string): string =>
  `WHERE (excluded.source <= ${table}.source AND excluded.measured_at > ${table}.measured_at)
      OR ${table}.measured_at < excluded.measured_at - ${FRESH}`;

const UPSERT_PODS = `INSERT INTO kube_pod_usage AS u (pod_key, source, measured_at, cpu_cores, memory_bytes)
  SELECT DISTINCT ON (pod_key) pod_key, $1, to_timestamp(measured_at), cpu_cores, memory_bytes
  FROM jsonb_to_recordset($2::jsonb) AS x(pod_key int, measured_at float8, cpu_cores real, memory_bytes float8)
  ORDER BY pod_key, measured_at DESC
  ON CONFLICT (pod_key) DO UPDATE SET source = excluded.source, measured_at = excluded.measured_at,
    cpu_cores = excluded.cpu_cores, memory_bytes = excluded.memory_bytes ${wins('u')}`;
const UPSERT_NODES = `INSERT INTO kube_node_usage AS u (node_key, source, measured_at, cpu_cores, memory_bytes)
  SELECT DISTINCT ON (node_key) node_key, $1, to_timestamp(measured_at), cpu_cores, memory_bytes
  FROM jsonb_to_recordset($2::jsonb) AS x(node_key int, measured_at float8, cpu_cores real, memory_bytes float8)
  ORDER BY node_key, measured_at DESC
  ON CONFLICT (node_key) DO UPDATE SET source = excluded.source, measured_at = excluded.measured_at,
    cpu_cores = excluded.cpu_cores, memory_bytes = excluded.memory_bytes ${wins('u')}`;
const INSERT_SAMPLES = `INSERT INTO kube_sample (ts, node_key, source, cpu_cores, memory_bytes, pods, cpu, memory)
  SELECT to_timestamp(measured_at), node_key, $1, cpu_cores, memory_bytes, pods, cpu, memory
  FROM jsonb_to_recordset($2::jsonb) AS x(node_key int, measured_at float8, cpu_cores real, memory_bytes real, pods int[],
    cpu real[], memory real[])
  ON CONFLICT DO NOTHING`;

interface SampleRow {
  node_key: number;
  /** Epoch seconds. */
  measured_at: number;
  cpu_cores: number | null;
  memory_bytes: number | null;
  pods: number[];
  cpu: (number | null)[];
  memory: (number | null)[];
}

async function writeSamples(
  client: PoolClient,
  source: number,
  samples: SampleRow[],
  kept: SampleRow[],
): Promise<void> {
  const podRows = samples.flatMap(({ measured_at, pods, cpu, memory }) =>
    pods.map((pod_key, i) => ({ pod_key, measured_at, cpu_cores: cpu[i] ?? null, memory_bytes: memory[i] ?? null })),
  );
  // A source may state the pods of a node and nothing of the node itself: another source has its figures.
  const ofNodes = samples.filter(({ cpu_cores: cpu, memory_bytes: memory }) => cpu !== null || memory !== null);
  await client.query(UPSERT_NODES, [source, JSON.stringify(ofNodes)]);
  await client.query(UPSERT_PODS, [source, JSON.stringify(podRows)]);
  if (kept.length > 0) await client.query(INSERT_SAMPLES, [source, JSON.stringify(kept)]);
}

const NODE_KEYS = `SELECT n.key, n.name,
    COALESCE(a.sample_at > to_timestamp($3) - ${FRESH} AND a.kubelet->>'state' = 'ok', false) AS has_agent
  FROM kube_node n LEFT JOIN kube_node_agent a ON a.node_key = n.key
  WHERE n.cluster_key = $1 AND n.name = ANY($2) AND n.gone_at IS NULL`;
const KEYS_BY_UID = 'SELECT key, uid FROM kube_pod WHERE cluster_key = $1 AND uid = ANY($2)';

type LowerRung = NonNullable<UsageItem['source']>;

/** Stores usage of lower-ranked sources; history only for nodes without agent. `now` in epoch seconds. */
export async function writeUsage(
  client: PoolClient,
  clusterKey: number,
  items: UsageItem[],
  now: number,
): Promise<void> {
  if (items.length === 0) return;
  const names = items.map(({ node_name: name }) => name);
  const nodes = await client.query<{ key: number; name: string; has_agent: boolean }>(NODE_KEYS, [
    clusterKey,
    names,
    now,
  ]);
  const uids = items.flatMap(({ pods }) => pods.map(({ uid }) => uid));
  const pods = await client.query<{ key: number; uid: string }>(KEYS_BY_UID, [clusterKey, uids]);
  const podKeys = new Map(pods.rows.map(({ key, uid }) => [uid, key]));
  const nodeKeys = new Map(nodes.rows.map((row) => [row.name, row]));
  const samples: Record<LowerRung, (SampleRow & { hasAgent: boolean })[]> = { 'metrics-server': [], prometheus: [] };
  for (const item of items) {
    const node = nodeKeys.get(item.node_name);
    if (!node) continue;
    const known = item.pods.flatMap((pod) => {
      const key = podKeys.get(pod.uid);
      return key === undefined ? [] : [{ ...pod, key }];
    });
    samples[item.source ?? 'metrics-server'].push({
      hasAgent: node.has_agent,
      node_key: node.key,
      measured_at: item.measured_at,
      cpu_cores: item.cpu_cores,
      memory_bytes: item.memory_working_set_bytes,
      pods: known.map(({ key }) => key),
      cpu: known.map((pod) => pod.cpu_cores),
      memory: known.map((pod) => pod.memory_working_set_bytes),
    });
  }
  for (const source of ['metrics-server', 'prometheus'] as const) {
    const withoutAgent = samples[source].filter(({ hasAgent }) => !hasAgent);
    if (samples[source].length > 0) await writeSamples(client, SOURCE_RANKS[source], samples[source], withoutAgent);
  }
}
