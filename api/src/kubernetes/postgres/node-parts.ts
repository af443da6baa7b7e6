// SQL writes the kubelet parts of a node's agent in one statement: each report of a node pays for its round trips.
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type { QueryConfig } from 'pg';
import { SOURCE_RANKS } from './clusters.ts';
import { wins } from './usage.ts';

/** The kubelet part of one report; `at` is its sample time in epoch seconds. */
export interface MeasuredPart {
  at: number;
  part: NodePart;
}

const SOURCE = String(SOURCE_RANKS.kubelet);

/** Static pods carry another uid in the kubelet than in the API server, so the name decides where the uid does not. */
const POD_KEY = `SELECT p.key FROM kube_pod p
  WHERE p.cluster_key = node.cluster_key AND p.namespace = w.namespace AND p.name = w.name
    AND (p.uid = w.uid OR p.gone_at IS NULL)
  ORDER BY (p.uid = w.uid) DESC LIMIT 1`;

/** The column of the newer of two parts. */
const newer = (column: string): string =>
  `${column} = CASE WHEN a.sample_at < excluded.sample_at THEN excluded.${column} ELSE a.${column} END`;

/**
 * $1 server  $2 parts. Usage of the node is written before that of its pods, and each in the order of its keys: this and
 * the report of the cluster's collector wait for each other in one direction only. A part of a WITH runs first where
 * another reads its count. The row of the agent is written by an older part too: kept sums of the cluster are made anew
 * once it was (cluster-versions.ts).
 */
const WRITE = `WITH node AS MATERIALIZED (SELECT key, cluster_key FROM kube_node WHERE server_id = $1),
  part AS MATERIALIZED (
    SELECT x.*, to_timestamp(at) AS moment, row_number() OVER () AS n FROM json_to_recordset($2::json) AS x(at float8,
      mode text, kubelet jsonb, verified boolean, figures jsonb, cpu_cores float8, memory_bytes float8,
      uids text[], namespaces text[], names text[], cpu float8[], memory float8[], volumes json,
      container_pods int[], containers text[], container_cpu float8[], container_memory float8[])),
  pod AS MATERIALIZED (
    SELECT n, moment, w.i, found.key, w.cpu_cores, w.memory_bytes
    FROM node CROSS JOIN part
      CROSS JOIN unnest(uids, namespaces, names, cpu, memory) WITH ORDINALITY AS w(uid, namespace, name, cpu_cores, memory_bytes, i)
      CROSS JOIN LATERAL (${POD_KEY}) AS found
    WHERE kubelet->>'state' = 'ok'),
  reading AS (INSERT INTO capacity_reading (node_key, ts, pods, containers, cpu_cores, memory_bytes)
    SELECT node.key, part.moment, array_agg(pod.key ORDER BY c.i), array_agg(c.name ORDER BY c.i),
      array_agg(c.cpu_cores ORDER BY c.i), array_agg(c.memory_bytes ORDER BY c.i)
    FROM node CROSS JOIN part
      CROSS JOIN unnest(container_pods, containers, container_cpu, container_memory) WITH ORDINALITY
        AS c(pod, name, cpu_cores, memory_bytes, i)
      JOIN pod ON pod.n = part.n AND pod.i = c.pod
    GROUP BY node.key, part.moment ON CONFLICT DO NOTHING),
  agent AS (INSERT INTO kube_node_agent AS a (node_key, sample_at, mode, kubelet, tls_verified, figures)
    SELECT key, moment, mode, kubelet, verified, figures FROM node CROSS JOIN part ORDER BY at DESC LIMIT 1
    ON CONFLICT (node_key) DO UPDATE SET ${['sample_at', 'mode', 'kubelet', 'tls_verified', 'figures'].map(newer).join(', ')}),
  volume AS (
    INSERT INTO kube_volume_usage AS u (cluster_key, namespace, claim, measured_at, used_bytes, capacity_bytes)
    SELECT DISTINCT ON (v.namespace, v.claim) cluster_key, v.namespace, v.claim, moment, v.used_bytes, v.capacity_bytes
    FROM node CROSS JOIN part CROSS JOIN json_to_recordset(volumes)
      AS v(namespace text, claim text, used_bytes float8, capacity_bytes float8)
    ORDER BY v.namespace, v.claim, at DESC
    ON CONFLICT (cluster_key, namespace, claim) DO UPDATE SET measured_at = excluded.measured_at,
      used_bytes = excluded.used_bytes, capacity_bytes = excluded.capacity_bytes
    WHERE u.measured_at < excluded.measured_at),
  node_usage AS (INSERT INTO kube_node_usage AS u (node_key, source, measured_at, cpu_cores, memory_bytes)
    SELECT key, ${SOURCE}, moment, cpu_cores, memory_bytes FROM node CROSS JOIN part
    WHERE kubelet->>'state' = 'ok' ORDER BY at DESC LIMIT 1
    ON CONFLICT (node_key) DO UPDATE SET source = excluded.source, measured_at = excluded.measured_at,
      cpu_cores = excluded.cpu_cores, memory_bytes = excluded.memory_bytes ${wins('u')} RETURNING 1),
  pod_usage AS (INSERT INTO kube_pod_usage AS u (pod_key, source, measured_at, cpu_cores, memory_bytes)
    SELECT DISTINCT ON (key) key, ${SOURCE}, moment, cpu_cores, memory_bytes FROM pod
    WHERE (SELECT count(*) FROM node_usage) >= 0 ORDER BY key, moment DESC
    ON CONFLICT (pod_key) DO UPDATE SET source = excluded.source, measured_at = excluded.measured_at,
      cpu_cores = excluded.cpu_cores, memory_bytes = excluded.memory_bytes ${wins('u')} RETURNING 1)
  INSERT INTO kube_sample (ts, node_key, source, cpu_cores, memory_bytes, pods, cpu, memory)
  SELECT moment, key, ${SOURCE}, part.cpu_cores, part.memory_bytes, known.pods, known.cpu, known.memory
  FROM node CROSS JOIN part CROSS JOIN LATERAL (
    SELECT COALESCE(array_agg(pod.key ORDER BY i), '{}') AS pods, COALESCE(array_agg(pod.cpu_cores ORDER BY i), '{}') AS cpu,
      COALESCE(array_agg(pod.memory_bytes ORDER BY i), '{}') AS memory FROM pod WHERE pod.n = part.n) AS known
  WHERE kubelet->>'state' = 'ok' AND (SELECT count(*) FROM pod_usage) >= 0 ORDER BY part.n
  ON CONFLICT DO NOTHING`;

/** `container_pods`: the place of the pod in the part, from 1. */
const containersOf = ({ pods }: NodePart) => {
  const all = pods.flatMap(({ containers }, index) => (containers ?? []).map((one) => ({ ...one, pod: index + 1 })));
  return {
    container_pods: all.map(({ pod }) => pod),
    containers: all.map(({ name }) => name),
    container_cpu: all.map(({ cpu_cores: cores }) => cores),
    container_memory: all.map(({ memory_working_set_bytes: bytes }) => bytes),
  };
};

const rowOf = ({ at, part }: MeasuredPart) => ({
  at,
  mode: part.mode,
  kubelet: part.kubelet,
  verified: part.kubelet_tls_verified,
  figures: part.node,
  cpu_cores: part.node?.cpu_cores ?? null,
  memory_bytes: part.node?.memory_working_set_bytes ?? null,
  uids: part.pods.map(({ uid }) => uid),
  namespaces: part.pods.map(({ namespace }) => namespace),
  names: part.pods.map(({ name }) => name),
  cpu: part.pods.map((pod) => pod.cpu_cores),
  memory: part.pods.map((pod) => pod.memory_working_set_bytes),
  ...containersOf(part),
  volumes: part.volumes.map((volume) => ({
    namespace: volume.namespace,
    claim: volume.claim,
    used_bytes: volume.used_bytes,
    capacity_bytes: volume.capacity_bytes,
  })),
});

/** Returns the statement that stores the kubelet parts of a server's reports. A server that is no node is left alone. */
export const nodePartsStatement = (serverId: string, parts: readonly MeasuredPart[]): QueryConfig => ({
  name: 'node parts',
  text: WRITE,
  values: [serverId, JSON.stringify(parts.map(rowOf))],
});
