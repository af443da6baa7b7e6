// SQL reads what is not well in a cluster: of 150,000 pods an index holds those few, and states are saved with a version.
import { WELL_WHILE_TRUE } from '@plimsoll/contract/rules/node-conditions';
import { OFFLINE_AFTER_INTERVALS, REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import { HELD_REASON, USAGE_FRESH_INTERVALS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { Pool, PoolClient } from 'pg';
import type { Database } from '../../database/database.ts';
import { inTransaction, isUniqueViolation } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import { FINDINGS_FRESH_MS, type CapacityFindings } from '../../capacity/findings.ts';
import { RIVAL_FRESH_MS } from '../../kubernetes/rival.ts';
import type { AlertOutbox, ClusterAlertStates } from '../store.ts';
import { settleClusterChanges } from './settle-incidents.ts';
import { keepClusterBlackBoxes } from './cluster-black-box.ts';
import { noteLevelChange } from './level-events.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { AlertTracks, ClusterAlertChange, OpenClusterAlert } from '../types.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

const HOUR_MS = 3_600_000;
/** Failures of a container count as a crash loop within this time: the longest wait of the kubelet, three times. */
const LOOP_MS = 900_000;
/** Reasons of the kubelet for a container whose image it cannot use. */
const IMAGE_REASONS = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
];
const FRESH_MS = USAGE_FRESH_INTERVALS * REPORT_INTERVAL_SECONDS * 1000;

const STATE = `SELECT c.organisation_id AS "organisationId", c.uid AS "clusterId", c.is_listed AS "isListed", t.tracks,
    t.version::float8 AS version, ${ms('t.evaluated_at')} AS "evaluatedAt"
  FROM cluster c LEFT JOIN alert_cluster_track t ON t.cluster_key = c.key WHERE c.key = $1`;
const OPEN_ALERTS = `SELECT rule, metric, subject, level, title, message, value, threshold, namespace,
    workload_kind AS "workloadKind", object_name AS name, nodes
  FROM alert WHERE cluster_key = $1 AND resolved_at IS NULL`;

/** As isBadCondition of the contract. */
const IS_BAD = `c->>'type' <> 'Ready' AND c->>'status' = CASE WHEN c->>'type' ~ '${WELL_WHILE_TRUE}' THEN 'False' ELSE 'True' END`;
const NODES = `SELECT n.name, (n.object->>'ready')::boolean AS ready, (n.object->>'unschedulable')::boolean AS "isCordoned",
    ARRAY(SELECT c->>'type' FROM jsonb_array_elements(n.object->'conditions') AS c
      WHERE ${IS_BAD}) AS problems,
    (SELECT COALESCE(c->>'message', c->>'reason') FROM jsonb_array_elements(n.object->'conditions') AS c
      WHERE c->>'type' = 'Ready' LIMIT 1) AS reason
  FROM kube_node n WHERE n.cluster_key = $1 AND n.gone_at IS NULL`;

const waits = (...reasons: string[]): string =>
  `jsonb_path_exists(p.object, '$.containers[*] ? (@.status == "waiting" && (${reasons.map((reason) => `@.reason == "${reason}"`).join(' || ')}))')`;
const LAST_END = `(SELECT jsonb_build_object('reason', e->>'reason', 'exitCode', e->'exit_code', 'message', e->>'message',
      'memoryLimitBytes', c->'limits'->'memory_bytes')
    FROM jsonb_array_elements(p.object->'containers') AS c CROSS JOIN LATERAL (SELECT c->'last_termination' AS e) AS ended
    WHERE c->>'status' = 'waiting' AND jsonb_typeof(e) = 'object'
    ORDER BY (e->>'finished_at')::float8 DESC NULLS LAST LIMIT 1)`;
const PODS = `SELECT p.uid, p.namespace, p.owner_kind AS "ownerKind", p.owner_name AS "ownerName", p.name AS "podName",
    p.node_name AS "nodeName", p.reason, $2::float8 - ${ms('p.created_at')} AS "ageMs",
    p.phase = 'Pending' AND p.reason IS DISTINCT FROM '${HELD_REASON}' AS "isPending",
    ${waits('CrashLoopBackOff')} AS "isLooping",
    ${waits(...IMAGE_REASONS)} AS "isPulling", ${LAST_END} AS "lastEnd"
  FROM kube_pod p
  WHERE p.cluster_key = $1 AND p.gone_at IS NULL AND (p.phase = 'Pending' OR p.reason IS NOT NULL)
    AND NOT (p.object->>'deleting')::boolean AND p.phase NOT IN ('Succeeded', 'Failed')`;
const ENDS = `SELECT e.pod_uid AS uid, e.namespace, e.owner_kind AS "ownerKind", e.owner_name AS "ownerName",
    e.pod_name AS "podName", max(e.node_name) AS "nodeName", count(*) FILTER (WHERE e.restarted)::int AS restarts,
    count(*) FILTER (WHERE e.reason = 'OOMKilled')::int AS "oomKills",
    min(e.memory_limit_bytes) FILTER (WHERE e.reason = 'OOMKilled')::float8 AS "oomLimitBytes",
    CASE WHEN EXISTS (SELECT FROM kube_pod p WHERE p.cluster_key = $1 AND p.uid = e.pod_uid AND p.gone_at IS NULL)
      THEN count(*) FILTER (WHERE e.restarted AND e.exit_code <> 0 AND e.at > ${at('$2')} - interval '${LOOP_MS} milliseconds')
      ELSE 0 END::int AS failures
  FROM kube_container_end e
  WHERE e.cluster_key = $1 AND e.at > ${at('$2')} - interval '${HOUR_MS} milliseconds'
  GROUP BY e.pod_uid, e.namespace, e.owner_kind, e.owner_name, e.pod_name`;
/** A filesystem keeps some space back for root, so its capacity is more than used and free together. */
const VOLUMES = `SELECT namespace, claim, used_bytes AS "usedBytes", capacity_bytes AS "capacityBytes" FROM kube_volume_usage
  WHERE cluster_key = $1 AND measured_at > ${at('$2')} - interval '${FRESH_MS} milliseconds'`;
/** Severities below 5 are those of pods that do not serve; the index of the listing holds what is read here of pods. */
const WORKLOADS = `SELECT w.namespace, w.kind, w.name, (w.object->>'desired')::int AS desired, (w.object->>'ready')::int AS ready,
    ARRAY(SELECT DISTINCT p.node_name FROM kube_pod p WHERE p.cluster_key = $1 AND p.gone_at IS NULL
      AND p.namespace = w.namespace AND p.owner_kind = w.kind AND p.owner_name = w.name AND p.severity < 5
      AND p.node_name IS NOT NULL ORDER BY 1) AS nodes
  FROM kube_workload w WHERE w.cluster_key = $1 AND w.kind <> 'CronJob' AND NOT (w.object->>'suspended')::boolean
    AND (w.object->>'ready')::int < (w.object->>'desired')::int`;

/** A rival that was refused in the last five minutes. */
const RIVAL = `SELECT c.api_addresses AS here, ARRAY(SELECT jsonb_array_elements_text(c.rival->'addresses')) AS addresses
  FROM cluster c WHERE c.key = $1 AND c.rival->>'refusedAt' IS NOT NULL
    AND (c.rival->>'lastAt')::float8 >= $2::float8 - ${RIVAL_FRESH_MS}`;

/** $2 now, ms */
const CAPACITY = `SELECT findings FROM capacity_plan
  WHERE cluster_key = $1 AND computed_at > ${at('$2')} - interval '${FINDINGS_FRESH_MS} milliseconds'`;

const JOB_SINCE = `${at('$2')} - interval '${HOUR_MS} milliseconds'`;
/** The collector sends failed jobs and may read them. */
const READS_JOBS = `EXISTS (SELECT FROM cluster c WHERE c.key = $1 AND c.reports_jobs
    AND c.readers @> '[{"name": "jobs", "state": "ok"}]')`;
/**
 * Jobs that failed within the last hour, by their own condition. An older collector reports the events of the Job
 * controller alone: there the name of a job that a CronJob made ends with the minute of its schedule.
 */
const FAILED_JOBS = `SELECT j.namespace, COALESCE(j.owner_kind, 'Job') AS "ownerKind", COALESCE(j.owner_name, j.name) AS "ownerName",
    j.name AS "podName", NULL::text AS "nodeName", j.reason
  FROM kube_job j WHERE j.cluster_key = $1 AND j.failed_at > ${JOB_SINCE}
  UNION ALL
  SELECT e.namespace, CASE WHEN w.name IS NULL THEN 'Job' ELSE 'CronJob' END AS "ownerKind",
    COALESCE(w.name, e.name) AS "ownerName", e.name AS "podName", NULL::text AS "nodeName", max(e.reason) AS reason
  FROM kube_event e LEFT JOIN kube_workload w ON w.cluster_key = e.cluster_key AND w.namespace = e.namespace
    AND w.kind = 'CronJob' AND w.name = regexp_replace(e.name, '-[0-9]+$', '')
  WHERE e.cluster_key = $1 AND e.last_at > ${JOB_SINCE} AND e.kind = 'Job' AND NOT ${READS_JOBS}
    AND NOT EXISTS (SELECT FROM kube_job j WHERE j.cluster_key = $1 AND j.namespace = e.namespace AND j.name = e.name)
    AND e.reason IN ('BackoffLimitExceeded', 'DeadlineExceeded', 'PodFailurePolicy', 'FailedIndexes', 'MaxFailedIndexesExceeded')
  GROUP BY e.namespace, w.name, e.name`;

async function objectsOf(pool: Pool, clusterKey: number, now: number): Promise<ClusterObjects> {
  const read = async <Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>({ name: `cluster ${name}`, text, values })).rows;
  const [nodes, pods, ends, volumes, workloads, failedJobs, rivals, plans] = await Promise.all([
    read<ClusterObjects['nodes'][number]>('nodes', NODES, [clusterKey]),
    read<ClusterObjects['pods'][number]>('unwell pods', PODS, [clusterKey, now]),
    read<ClusterObjects['ends'][number]>('ends', ENDS, [clusterKey, now]),
    read<ClusterObjects['volumes'][number]>('volumes', VOLUMES, [clusterKey, now]),
    read<ClusterObjects['workloads'][number]>('workloads', WORKLOADS, [clusterKey]),
    read<ClusterObjects['failedJobs'][number]>('failed jobs', FAILED_JOBS, [clusterKey, now]),
    read<NonNullable<ClusterObjects['rival']>>('rival', RIVAL, [clusterKey, now]),
    read<{ findings: CapacityFindings }>('capacity', CAPACITY, [clusterKey, now]),
  ]);
  const [rival = null] = rivals;
  return { nodes, pods, ends, volumes, workloads, failedJobs, rival, capacity: plans[0]?.findings ?? null };
}

const INSERT_TRACKS = `INSERT INTO alert_cluster_track (cluster_key, tracks, evaluated_at)
  SELECT $1, $3::jsonb, ${at('$4')} WHERE $2::float8 = 0 ON CONFLICT (cluster_key) DO NOTHING`;
const UPDATE_TRACKS = `UPDATE alert_cluster_track SET tracks = $3::jsonb, version = version + 1, evaluated_at = ${at('$4')}
  WHERE cluster_key = $1 AND version = $2`;
const OPEN = `INSERT INTO alert (cluster_key, rule, subject, metric, level, title, message, value, threshold, opened_at, updated_at,
    namespace, workload_kind, object_name, nodes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${at('$10')}, ${at('$10')}, $11, $12, $13, $14)
  ON CONFLICT (cluster_key, rule, subject) WHERE resolved_at IS NULL AND cluster_key IS NOT NULL DO NOTHING`;
const UPDATE = `${noteLevelChange('cluster_key')}
  UPDATE alert SET metric = $4, level = $5, title = $6, message = $7, value = $8, threshold = $9, updated_at = ${at('$10')},
    nodes = $11
  WHERE cluster_key = $1 AND rule = $2 AND subject = $3 AND resolved_at IS NULL`;
const RESOLVE = `UPDATE alert SET value = $4, message = $6, updated_at = ${at('$5')}, resolved_at = ${at('$5')}
  WHERE cluster_key = $1 AND rule = $2 AND subject = $3 AND resolved_at IS NULL`;

async function write(client: PoolClient, clusterKey: number, change: ClusterAlertChange): Promise<boolean> {
  const { kind, rule, subject, metric, level, title, message, value, threshold, at: time, place } = change;
  const run = async (text: string, values: unknown[]): Promise<boolean> =>
    (await client.query(text, [clusterKey, rule, subject, ...values])).rowCount === 1;
  if (kind === 'resolved') return run(RESOLVE, [value, time, message]);
  const values = [metric, level, title, message, value, threshold, time];
  if (kind === 'updated') return run(UPDATE, [...values, place.nodes]);
  return run(OPEN, [...values, place.namespace, place.workloadKind, place.name, place.nodes]);
}

/** Someone can still report for it: a cluster whose tokens were revoked was taken out on purpose. */
const SILENT = `SELECT c.key AS "clusterKey", c.uid AS "clusterId", c.organisation_id AS "organisationId", ${ms('c.last_seen_at')} AS "lastSeenAt"
  FROM cluster c
  WHERE c.last_seen_at < ${at('$1')} - interval '${OFFLINE_AFTER_INTERVALS * REPORT_INTERVAL_SECONDS} seconds'
    AND EXISTS (SELECT FROM cluster_token t WHERE t.cluster_key = c.key)
    AND NOT EXISTS (SELECT FROM alert a WHERE a.cluster_key = c.key AND a.metric = 'cluster_silent' AND a.resolved_at IS NULL)`;

interface StateRow {
  organisationId: OrganisationId | null;
  clusterId: string;
  isListed: boolean;
  tracks: AlertTracks | null;
  version: number | null;
  evaluatedAt: number | null;
}
type OpenRow = Omit<OpenClusterAlert, 'place'> & OpenClusterAlert['place'];
const openAlert = ({ namespace, workloadKind, name, nodes, ...alert }: OpenRow): OpenClusterAlert => ({
  ...alert,
  place: { namespace, workloadKind, name, nodes },
});

export const createClusterAlertStates = ({ pool }: Database, outbox: AlertOutbox): ClusterAlertStates => ({
  load: async (clusterKey, now) => {
    const [{ rows }, { rows: open }] = await Promise.all([
      pool.query<StateRow>({ name: 'cluster alert state', text: STATE, values: [clusterKey] }),
      pool.query<OpenRow>({ name: 'cluster open alerts', text: OPEN_ALERTS, values: [clusterKey] }),
    ]);
    const [row] = rows;
    if (row === undefined) return null;
    const { organisationId, clusterId, isListed, tracks, version, evaluatedAt } = row;
    const objects = isListed ? await objectsOf(pool, clusterKey, now) : null;
    return {
      organisationId,
      clusterId,
      tracks: tracks ?? {},
      version: version ?? 0,
      evaluatedAt,
      open: open.map(openAlert),
      objects,
    };
  },
  save: (clusterKey, { version, now }, tracks, changes) =>
    inTransaction(pool, async (client) => {
      const text = version === 0 ? INSERT_TRACKS : UPDATE_TRACKS;
      const { rowCount } = await client.query(text, [clusterKey, version, JSON.stringify(tracks), now]);
      if (rowCount !== 1) return false;
      for (const change of changes) await write(client, clusterKey, change);
      await settleClusterChanges(client, outbox, clusterKey, changes, now);
      await keepClusterBlackBoxes(client, clusterKey, changes);
      return true;
    }),
  open: (clusterKey, change) =>
    inTransaction(pool, async (client) => {
      const isWritten = await write(client, clusterKey, change);
      if (isWritten) {
        await settleClusterChanges(client, outbox, clusterKey, [change], change.at);
        await keepClusterBlackBoxes(client, clusterKey, [change]);
      }
      return isWritten;
    }).catch((error: unknown) => {
      if (isUniqueViolation(error)) return false;
      throw error;
    }),
  listSilent: async (now) =>
    (await pool.query<Awaited<ReturnType<ClusterAlertStates['listSilent']>>[number]>(SILENT, [now])).rows,
});
