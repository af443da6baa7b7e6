// SQL writes usage: one statement expands the pods of a node from JSON.
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type { UsageItem } from '@plimsoll/contract/wire/cluster-report';
import { USAGE_FRESH_INTERVALS } from '@plimsoll/contract/rules/kubernetes-limits';
import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import type { PoolClient } from 'pg';
import { SOURCE_RANKS } from './clusters.ts';

export const FRESH_MS = USAGE_FRESH_INTERVALS * REPORT_INTERVAL_SECONDS * 1000;
const FRESH = `interval '${FRESH_MS} milliseconds'`;

/** A better source wins; a worse one only where the better has fallen silent. Never an older figure over a newer. */
const wins = (table: string): string =>
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
  await client.query(UPSERT_NODES, [source, JSON.stringify(samples)]);
  await client.query(UPSERT_PODS, [source, JSON.stringify(podRows)]);
  if (kept.length > 0) await client.query(INSERT_SAMPLES, [source, JSON.stringify(kept)]);
}

/** Static pods carry another uid in the kubelet than in the API server, so the name decides where the uid does not. */
const POD_KEYS = `SELECT DISTINCT ON (w.i) (w.i - 1)::int AS i, p.key
  FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS w(uid, namespace, name, i)
  JOIN kube_pod p ON p.cluster_key = $1 AND p.namespace = w.namespace AND p.name = w.name
    AND (p.uid = w.uid OR p.gone_at IS NULL)
  ORDER BY w.i, (p.uid = w.uid) DESC`;
const UPSERT_AGENT = `INSERT INTO kube_node_agent AS a (node_key, sample_at, mode, kubelet, tls_verified, figures)
  VALUES ($1, to_timestamp($2), $3, $4, $5, $6)
  ON CONFLICT (node_key) DO UPDATE SET sample_at = excluded.sample_at, mode = excluded.mode, kubelet = excluded.kubelet,
    tls_verified = excluded.tls_verified, figures = excluded.figures
  WHERE a.sample_at < excluded.sample_at`;
const UPSERT_VOLUMES = `INSERT INTO kube_volume_usage AS u (cluster_key, namespace, claim, measured_at, used_bytes, capacity_bytes)
  SELECT DISTINCT ON (namespace, claim) $1, namespace, claim, to_timestamp(measured_at), used_bytes, capacity_bytes
  FROM jsonb_to_recordset($2::jsonb)
    AS x(namespace text, claim text, measured_at float8, used_bytes float8, capacity_bytes float8)
  ORDER BY namespace, claim, measured_at DESC
  ON CONFLICT (cluster_key, namespace, claim) DO UPDATE SET measured_at = excluded.measured_at,
    used_bytes = excluded.used_bytes, capacity_bytes = excluded.capacity_bytes
  WHERE u.measured_at < excluded.measured_at`;

/** The kubelet part of one report; `at` is its sample time in epoch seconds. */
export interface MeasuredPart {
  at: number;
  part: NodePart;
}

/**
 * Stores the kubelet parts of one node's agent. Each table gets one statement for all of them, in the order of its keys,
 * so that this and the report of the cluster's collector wait for each other in one direction only.
 */
export async function writeNodeParts(
  client: PoolClient,
  node: { key: number; cluster_key: number },
  parts: readonly MeasuredPart[],
): Promise<void> {
  const newest = parts.toSorted((a, b) => b.at - a.at)[0];
  if (!newest) return;
  const { kubelet, mode, kubelet_tls_verified: verified, node: figures } = newest.part;
  await client.query(UPSERT_AGENT, [node.key, newest.at, mode, kubelet, verified, figures]);
  const volumes = parts.flatMap(({ at, part }) => part.volumes.map((volume) => ({ ...volume, measured_at: at })));
  if (volumes.length > 0) await client.query(UPSERT_VOLUMES, [node.cluster_key, JSON.stringify(volumes)]);
  const samples: SampleRow[] = [];
  for (const one of parts) if (one.part.kubelet.state === 'ok') samples.push(await sampleOf(client, node, one));
  if (samples.length > 0) await writeSamples(client, SOURCE_RANKS.kubelet, samples, samples);
}

async function sampleOf(
  client: PoolClient,
  node: { key: number; cluster_key: number },
  { at, part: { pods, node: figures } }: MeasuredPart,
): Promise<SampleRow> {
  const columns = [pods.map((p) => p.uid), pods.map((p) => p.namespace), pods.map((p) => p.name)];
  const { rows } = await client.query<{ i: number; key: number }>(POD_KEYS, [node.cluster_key, ...columns]);
  return {
    node_key: node.key,
    measured_at: at,
    cpu_cores: figures?.cpu_cores ?? null,
    memory_bytes: figures?.memory_working_set_bytes ?? null,
    pods: rows.map(({ key }) => key),
    cpu: rows.map(({ i }) => pods[i]?.cpu_cores ?? null),
    memory: rows.map(({ i }) => pods[i]?.memory_working_set_bytes ?? null),
  };
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
