// SQL reads all pods of a cluster as JSON texts of a few thousand each, which a thread parses: as rows they would stop the API.
import { inTransaction, type Database } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import { notFound } from '../../errors.ts';
import type { ClusterFilter } from '../../kubernetes/types.ts';
import type { CapacityFindings } from '../findings.ts';
import type { CapacityPlans } from '../store.ts';
import type { PartTexts, PlanDraft } from '../stored-plan.ts';
import type { ContainerDay, Plan } from '../types.ts';
import { foldReadings } from './fold-readings.ts';
import { adviceOf, type StoredAdvice } from './settings.ts';
import { AUTOSCALERS, OOMS, SPECS, USAGE, WORKLOAD_USAGE } from './usage-sql.ts';

const ROWS = 2000;

/** $1 before, ms  $2 seen since, ms */
const DUE = `SELECT c.key FROM cluster c LEFT JOIN capacity_plan p ON p.cluster_key = c.key
  WHERE c.is_listed AND c.last_seen_at > ${at('$2')} AND (p.computed_at IS NULL OR p.computed_at < ${at('$1')})
  ORDER BY p.computed_at NULLS FIRST`;
const CLUSTER = `SELECT c.reports_placements AS "reportsPlacements", c.reads_volumes AS "readsVolumes",
    'HorizontalPodAutoscaler' = ANY (c.described_kinds) AS "describesAutoscalers", s.cpu_percentile AS "cpuPercentile",
    s.memory_surplus AS "memorySurplusPercent", s.days, s.cpu_limit AS "cpuLimit"
  FROM cluster c LEFT JOIN capacity_setting s ON s.organisation_id = c.organisation_id WHERE c.key = $1`;

/** A usage older than five minutes says nothing of now. */
const FRESH = "now() - interval '5 minutes'";
/** $1 cluster  $2 the key after which the rows begin */
const NODES = `SELECT n.key, jsonb_build_object('name', n.name, 'labels', n.object->'labels', 'taints', n.object->'taints',
    'unschedulable', n.object->'unschedulable', 'ready', n.object->'ready', 'allocatable', n.object->'allocatable',
    'usedCpu', u.cpu_cores, 'usedMemory', u.memory_bytes, 'usedDisk', (a.figures->>'filesystem_used_bytes')::float8) AS o
  FROM kube_node n LEFT JOIN kube_node_usage u ON u.node_key = n.key AND u.measured_at > ${FRESH}
    LEFT JOIN kube_node_agent a ON a.node_key = n.key AND a.sample_at > ${FRESH}
  WHERE n.cluster_key = $1 AND n.gone_at IS NULL AND n.key > $2 ORDER BY n.key LIMIT ${ROWS}`;
const PODS = `SELECT p.key, jsonb_build_object('namespace', p.namespace, 'name', p.name, 'node', p.node_name,
    'kind', p.owner_kind, 'owner', p.owner_name, 'labels', p.object->'labels', 'cpu', p.object->'requests'->'cpu_cores',
    'memory', p.object->'requests'->'memory_bytes', 'usedCpu', u.cpu_cores, 'usedMemory', u.memory_bytes, 'placement', p.placement, 'claims', p.object->'claims',
    'createdAt', p.object->'created_at', 'deleting', p.object->'deleting', 'unknown', p.object->'unknown_fields') AS o
  FROM kube_pod p LEFT JOIN kube_pod_usage u ON u.pod_key = p.key AND u.measured_at > ${FRESH}
  WHERE p.cluster_key = $1 AND p.gone_at IS NULL AND p.phase NOT IN ('Succeeded', 'Failed') AND p.key > $2
  ORDER BY p.key LIMIT ${ROWS}`;
const PLACEMENTS = `SELECT object AS o FROM kube_placement WHERE cluster_key = $1`;
const VOLUMES = `SELECT jsonb_build_object('namespace', namespace, 'name', name, 'phase', object->'phase') ||
    CASE WHEN object ? 'node_affinity' THEN jsonb_build_object('nodes', object->'node_affinity') ELSE '{}' END AS o
  FROM kube_volume WHERE cluster_key = $1`;
const inOneText = (select: string): string => `SELECT COALESCE(json_agg(o), '[]')::text AS text FROM (${select}) AS r`;
const inTexts = (select: string): string =>
  `SELECT COALESCE(json_agg(o), '[]')::text AS text, max(key) AS last, count(*)::int AS rows FROM (${select}) AS r`;

/** $1 cluster  $2 now, ms */
const DAYS = `SELECT jsonb_build_object('day', d.day - date '1970-01-01', 'pool', d.pool, 'cpuAllocatable', d.cpu_allocatable,
    'cpuRequested', d.cpu_requested, 'memoryAllocatable', d.memory_allocatable, 'memoryRequested', d.memory_requested) AS o
  FROM capacity_day d WHERE d.cluster_key = $1 AND d.day > (${at('$2')} AT TIME ZONE 'UTC')::date - 60`;
const mean = (column: string): string => `${column} = (d.${column} * d.samples + excluded.${column}) / (d.samples + 1)`;
const ADD_DAY = `INSERT INTO capacity_day AS d (cluster_key, pool, day, samples, nodes, cpu_allocatable, cpu_requested, cpu_used,
    memory_allocatable, memory_requested, memory_used)
  SELECT key, $10, (${at('$2')} AT TIME ZONE 'UTC')::date, 1, $3, $4, $5, $6, $7, $8, $9 FROM cluster WHERE key = $1
  ON CONFLICT (cluster_key, pool, day) DO UPDATE SET samples = d.samples + 1, nodes = excluded.nodes,
    ${['cpu_allocatable', 'cpu_requested', 'cpu_used', 'memory_allocatable', 'memory_requested', 'memory_used'].map(mean).join(', ')}`;

const SAVE = `INSERT INTO capacity_plan (cluster_key, computed_at, findings, plan)
  SELECT key, ${at('$2')}, $3, $4 FROM cluster WHERE key = $1
  ON CONFLICT (cluster_key) DO UPDATE SET computed_at = excluded.computed_at, findings = excluded.findings, plan = excluded.plan`;

/** $1 organisation  $2 uid or null  $3 node keys of a scope or null  $4 cluster keys of a scope or null */
const WANTED = `c.organisation_id = $1 AND ($2::text IS NULL OR c.uid = $2)
  AND ($3::int[] IS NULL OR c.key = ANY($4::int[])
    OR EXISTS (SELECT FROM kube_node n WHERE n.cluster_key = c.key AND n.gone_at IS NULL AND n.key = ANY($3)))`;
const HEAD = `c.uid AS "clusterId", c.name AS "clusterName", ${ms('c.last_seen_at')} AS "lastSeenAt",
  ${ms('p.computed_at')} AS "computedAt"`;
const LIST = `SELECT ${HEAD}, p.plan FROM cluster c LEFT JOIN capacity_plan p ON p.cluster_key = c.key
  WHERE ${WANTED} ORDER BY COALESCE(c.name, c.uid), c.key`;
const FINDINGS = `SELECT ${HEAD}, p.findings,
    (SELECT count(*)::int FROM kube_node n WHERE n.cluster_key = c.key AND n.gone_at IS NULL) AS nodes
  FROM cluster c LEFT JOIN capacity_plan p ON p.cluster_key = c.key
  WHERE ${WANTED} ORDER BY COALESCE(c.name, c.uid), c.key`;

interface ClusterRow extends StoredAdvice, Pick<PartTexts, 'reportsPlacements' | 'readsVolumes'> {
  describesAutoscalers: boolean;
}
interface PlanRow {
  clusterId: string;
  clusterName: string | null;
  lastSeenAt: number;
  computedAt: number | null;
  plan: Plan | null;
}
interface FindingsRow extends Omit<PlanRow, 'plan'> {
  nodes: number;
  findings: CapacityFindings | null;
}

const wanted = ({ owner, clusterId, within }: ClusterFilter): unknown[] => [
  owner.organisationId,
  clusterId ?? null,
  within?.nodes ?? null,
  within?.clusters ?? null,
];

const dayValues = ({ nodes, resources }: Pick<PlanDraft, 'nodes' | 'resources'>): unknown[] => {
  const of = (resource: 'cpu' | 'memory') => resources.find((one) => one.resource === resource);
  const [cpu, memory] = [of('cpu'), of('memory')];
  return [
    nodes,
    cpu?.allocatable ?? null,
    cpu?.requested ?? null,
    cpu?.used ?? null,
    memory?.allocatable ?? null,
    memory?.requested ?? null,
    memory?.used ?? null,
  ];
};

export const createCapacityPlans = (database: Database): CapacityPlans => {
  const { pool } = database;
  const readTexts = async (select: string, clusterKey: number): Promise<string[]> => {
    const texts: string[] = [];
    let last = 0;
    for (;;) {
      const { rows } = await pool.query<{ text: string; last: number | null; rows: number }>(inTexts(select), [
        clusterKey,
        last,
      ]);
      const [row] = rows;
      if (row === undefined || row.last === null) return texts;
      texts.push(row.text);
      if (row.rows < ROWS) return texts;
      last = row.last;
    }
  };
  const readText = async (select: string, ...values: number[]): Promise<string[]> => {
    const { rows } = await pool.query<{ text: string }>(inOneText(select), values);
    return rows.map(({ text }) => text);
  };
  const listed = async <Row extends PlanRow | FindingsRow>(text: string, filter: ClusterFilter): Promise<Row[]> => {
    const { rows } = await pool.query<Row>(text, wanted(filter));
    if (filter.clusterId !== undefined && filter.within === undefined && rows.length === 0) throw notFound('Cluster');
    return rows;
  };
  return {
    listDue: async (before, seenSince) => {
      const { rows } = await pool.query<{ key: number }>(DUE, [before, seenSince]);
      return rows.map(({ key }) => key);
    },
    readParts: async (clusterKey, now) => {
      const { rows } = await pool.query<ClusterRow>(CLUSTER, [clusterKey]);
      const [cluster] = rows;
      if (cluster === undefined) return null;
      const { reportsPlacements, readsVolumes, describesAutoscalers, ...stored } = cluster;
      const advice = adviceOf(stored);
      return {
        reportsPlacements,
        readsVolumes,
        advice,
        autoscalers: describesAutoscalers ? await readText(AUTOSCALERS, clusterKey) : null,
        nodes: await readTexts(NODES, clusterKey),
        pods: await readTexts(PODS, clusterKey),
        placements: await readText(PLACEMENTS, clusterKey),
        volumes: await readText(VOLUMES, clusterKey),
        usage: await readText(USAGE, clusterKey, now, advice.days),
        specs: await readText(SPECS, clusterKey),
        ooms: await readText(OOMS, clusterKey, now, advice.days),
        days: await readText(DAYS, clusterKey, now),
      };
    },
    save: async (clusterKey, plan) => {
      const { findings, text } = plan;
      await inTransaction(pool, async (client) => {
        await client.query(SAVE, [clusterKey, findings.at, JSON.stringify(findings), text]);
        if (plan.resources.length > 0)
          for (const part of [{ ...plan, pool: '' }, ...plan.pools])
            await client.query(ADD_DAY, [clusterKey, findings.at, ...dayValues(part), part.pool]);
      });
    },
    readUsage: async ({ owner, clusterId, namespace, kind, name }, now, days) => {
      const values = [owner.organisationId, clusterId, now, days, namespace, kind, name];
      return (await pool.query<ContainerDay>(WORKLOAD_USAGE, values)).rows;
    },
    foldReadings: (now) => foldReadings(database, now),
    list: (filter) => listed<PlanRow>(LIST, filter),
    listFindings: (filter) => listed<FindingsRow>(FINDINGS, filter),
  };
};
