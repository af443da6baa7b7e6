// SQL writes history: one statement expands the figures of a window from JSON.
import type { HistoryPart } from '@plimsoll/contract/wire/cluster-report';
import { HISTORY_DAYS, HISTORY_STEP_SECONDS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { PoolClient } from 'pg';
import { SOURCE_RANKS } from './clusters.ts';

const DAY_SECONDS = 86_400;
const bucketOf = (seconds: number): number => Math.floor(seconds / HISTORY_STEP_SECONDS) * HISTORY_STEP_SECONDS;

/**
 * The time before the installation that was not told yet, in epoch seconds; null when all of it was. `toldFrom`: down to
 * where it was.
 */
export function historyWanted(firstSeenAt: Date, toldFrom: Date | null): { from: number; to: number } | null {
  const installed = firstSeenAt.getTime() / 1000;
  const from = bucketOf(installed - HISTORY_DAYS * DAY_SECONDS);
  const to = bucketOf((toldFrom ?? firstSeenAt).getTime() / 1000);
  return from < to ? { from, to } : null;
}

const NODE_KEYS = 'SELECT key, name FROM kube_node WHERE cluster_key = $1 AND name = ANY($2) AND gone_at IS NULL';
const POD_KEYS = 'SELECT key, uid FROM kube_pod WHERE cluster_key = $1 AND uid = ANY($2)';
/** Our own measurements stay. Prometheus gives the mean of five minutes only, so minimum and maximum are unknown. */
const INSERT = `INSERT INTO kube_rollup_5m (ts, node_key, samples, node_cpu_avg, node_memory_avg, pods, cpu_avg, cpu_min, cpu_max,
    memory_avg, memory_min, memory_max, source)
  SELECT to_timestamp(at), node_key, 1, cpu, memory, pods, pod_cpu, nothing, nothing, pod_memory, nothing, nothing,
    ${SOURCE_RANKS.prometheus}
  FROM jsonb_to_recordset($1::jsonb) AS x(at float8, node_key int, cpu real, memory real, pods int[], pod_cpu real[],
    pod_memory real[]), LATERAL (SELECT array_fill(NULL::real, ARRAY[cardinality(pods)]) AS nothing) n
  ON CONFLICT (node_key, ts) DO NOTHING`;
const TOLD = `UPDATE cluster SET history_from = LEAST(COALESCE(history_from, to_timestamp($2)), to_timestamp($2))
  WHERE key = $1`;

interface Row {
  at: number;
  node_key: number;
  cpu: number | null;
  memory: number | null;
  pods: number[];
  pod_cpu: (number | null)[];
  pod_memory: (number | null)[];
}

/** Five-minute means from before the installation; a repeated window changes nothing. */
export async function writeHistory(client: PoolClient, clusterKey: number, part: HistoryPart): Promise<void> {
  const names = part.nodes.map(({ node_name: name }) => name);
  const nodes = await client.query<{ key: number; name: string }>(NODE_KEYS, [clusterKey, names]);
  const uids = part.nodes.flatMap(({ pods }) => pods);
  const pods = await client.query<{ key: number; uid: string }>(POD_KEYS, [clusterKey, uids]);
  const nodeKeys = new Map(nodes.rows.map(({ key, name }) => [name, key]));
  const podKeys = new Map(pods.rows.map(({ key, uid }) => [uid, key]));
  const rows = part.nodes.flatMap((node) => {
    const key = nodeKeys.get(node.node_name);
    return key === undefined ? [] : rowsOf(node, key, podKeys, part);
  });
  if (rows.length > 0) await client.query(INSERT, [JSON.stringify(rows)]);
  if (part.complete) await client.query(TOLD, [clusterKey, part.from]);
}

/** Returns one row per bucket with data. */
function rowsOf(
  node: HistoryPart['nodes'][number],
  nodeKey: number,
  podKeys: ReadonlyMap<string, number>,
  { from, to }: Pick<HistoryPart, 'from' | 'to'>,
): Row[] {
  const buckets = (to - from) / HISTORY_STEP_SECONDS;
  return Array.from({ length: buckets }, (_, bucket): Row => {
    const row: Row = {
      at: from + bucket * HISTORY_STEP_SECONDS,
      node_key: nodeKey,
      cpu: node.cpu_cores[bucket] ?? null,
      memory: node.memory_bytes[bucket] ?? null,
      pods: [],
      pod_cpu: [],
      pod_memory: [],
    };
    for (const [index, uid] of node.pods.entries()) {
      const key = podKeys.get(uid);
      const cpu = node.pod_cpu_cores[index * buckets + bucket] ?? null;
      const memory = node.pod_memory_bytes[index * buckets + bucket] ?? null;
      if (key === undefined || (cpu === null && memory === null)) continue;
      row.pods.push(key);
      row.pod_cpu.push(cpu);
      row.pod_memory.push(memory);
    }
    return row;
  }).filter(({ cpu, memory, pods }) => cpu !== null || memory !== null || pods.length > 0);
}
