// SQL freezes what a cluster reports of an object: one statement reads it in the transaction that opens the alert.
import { BLACK_BOX_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import type { PoolClient } from 'pg';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import { fitBlackBox, type BlackBox } from '../acting/black-box.ts';
import type { ClusterAlertChange } from '../types.ts';
import { newestList } from './black-box.ts';

/** Subject of an alert; it decides which pods and events belong to it. */
type About = 'node' | 'workload' | 'volume' | 'cluster';

/** $3 namespace  $4 kind of the workload  $5 name */
const POD_OF: Record<About, string> = {
  node: 'p.node_name = $5',
  workload: `p.namespace = $3 AND ((p.owner_kind = $4 AND p.owner_name = $5)
      OR ($4 = 'Pod' AND (p.owner_name IS NULL OR p.owner_kind = 'Node') AND p.name = $5))`,
  volume: `p.namespace = $3 AND p.object->'claims' ? $5`,
  cluster: 'false',
};
/** Names of pods and jobs begin with that of their workload. */
const EVENT_OF: Record<About, string> = {
  node: `e.kind = 'Node' AND e.name = $5`,
  workload: `e.namespace = $3 AND (e.name = $5 OR starts_with(e.name, $5 || '-'))`,
  volume: `e.namespace = $3 AND (e.name = $5 OR e.name IN (SELECT p.name FROM kube_pod p
      WHERE p.cluster_key = $1 AND p.gone_at IS NULL AND ${POD_OF.volume}))`,
  cluster: 'true',
};

const events = (about: About): string => `COALESCE((SELECT json_agg(json_build_object('at', ${ms('v.last_at')},
      'reason', v.reason, 'message', v.message, 'kind', v.kind, 'namespace', v.namespace, 'name', v.name, 'count', v.count)
      ORDER BY v.last_at DESC, v.uid)
    FROM (SELECT * FROM kube_event e WHERE e.cluster_key = $1 AND e.type = 'Warning' AND e.last_at <= ${at('$2')}
      AND ${EVENT_OF[about]} ORDER BY e.last_at DESC, e.uid LIMIT ${BLACK_BOX_LIMITS.events}) AS v), '[]'::json)`;

/** Pods that are not well come first, then the greediest. */
const pods = (
  about: About,
): string => `(SELECT json_build_object('sampledAt', ${ms('c.last_seen_at')}, 'total', count(q.uid),
    'entries', COALESCE(json_agg(json_build_object('namespace', q.namespace, 'name', q.name, 'phase', q.phase,
      'reason', q.reason, 'restartCount', q.restart_count, 'cpuCores', q.cpu_cores, 'memoryBytes', q.memory_bytes,
      'nodeName', q.node_name) ORDER BY q.place) FILTER (WHERE q.place <= ${BLACK_BOX_LIMITS.pods}), '[]'::json))
  FROM cluster c LEFT JOIN LATERAL (SELECT p.uid, p.namespace, p.name, p.phase, p.reason, p.restart_count, p.node_name,
      u.cpu_cores, u.memory_bytes, row_number() OVER (ORDER BY p.reason IS NULL, p.phase IN ('Running', 'Succeeded'),
        u.memory_bytes DESC NULLS LAST, p.namespace, p.name) AS place
    FROM kube_pod p LEFT JOIN kube_pod_usage u ON u.pod_key = p.key
    WHERE p.cluster_key = $1 AND p.gone_at IS NULL AND ${POD_OF[about]}) AS q ON true
  WHERE c.key = $1 GROUP BY c.key)`;

/** The last end of each container of the pods, with the last lines that it left. */
const terminations = (
  about: About,
): string => `COALESCE((SELECT json_agg(json_build_object('at', x.at, 'namespace', x.namespace,
      'podName', x.name, 'container', x.container, 'reason', x.ended->>'reason', 'exitCode', (x.ended->>'exit_code')::int,
      'message', x.ended->>'message') ORDER BY x.at DESC NULLS LAST, x.name, x.container)
    FROM (SELECT p.namespace, p.name, o->>'name' AS container, ended, (ended->>'finished_at')::float8 * 1000 AS at
      FROM kube_pod p, jsonb_array_elements(p.object->'containers') AS o,
        LATERAL (SELECT COALESCE(NULLIF(o->'exit', 'null'), NULLIF(o->'last_termination', 'null')) AS ended) AS l
      WHERE p.cluster_key = $1 AND p.gone_at IS NULL AND ${POD_OF[about]} AND ended IS NOT NULL
      ORDER BY at DESC NULLS LAST LIMIT ${BLACK_BOX_LIMITS.terminations}) AS x), '[]'::json)`;

/** $6 names of the nodes that the alert is about, or that its pods run on */
const NODES = `COALESCE((SELECT json_agg(json_build_object('name', n.name, 'isReady', (n.object->>'ready')::boolean,
      'measuredAt', ${ms('u.measured_at')}, 'cpuCores', u.cpu_cores, 'memoryBytes', u.memory_bytes,
      'cpuCapacityCores', (n.object->'allocatable'->>'cpu_cores')::float8,
      'memoryCapacityBytes', (n.object->'allocatable'->>'memory_bytes')::float8) ORDER BY n.name)
    FROM (SELECT * FROM kube_node WHERE cluster_key = $1 AND gone_at IS NULL AND name = ANY($6::text[])
      ORDER BY name LIMIT ${BLACK_BOX_LIMITS.nodes}) AS n LEFT JOIN kube_node_usage u ON u.node_key = n.key), '[]'::json)`;

/** Processes of the first node whose agent reports them. */
const PROCESSES = `(SELECT processes FROM (SELECT n.name, ${newestList('s.key', 'processes', BLACK_BOX_LIMITS.processes)} AS processes
    FROM kube_node n JOIN server s ON s.id = n.server_id
    WHERE n.cluster_key = $1 AND n.gone_at IS NULL AND n.name = ANY($6::text[])) AS found
  WHERE processes IS NOT NULL ORDER BY name LIMIT 1)`;

const read = (about: About): string => `SELECT ${PROCESSES} AS processes, ${pods(about)} AS pods, json_build_object(
    'events', ${events(about)}, 'nodes', ${NODES}, 'terminations', ${terminations(about)}) AS cluster
  WHERE ($3::text, $4::text, $5::text) IS NOT NULL OR true`;

const KEEP = `INSERT INTO alert_black_box (alert_id, taken_at, body)
  SELECT a.id, ${at('$4')}, $5::jsonb FROM alert a
  WHERE a.cluster_key = $1 AND a.rule = $2 AND a.subject = $3 AND a.resolved_at IS NULL
  ON CONFLICT DO NOTHING`;

/** A failure of a whole cluster opens hundreds of alerts at once; the first ones show it. */
const MOST_BOXES = 50;

const aboutOf = ({ metric, place }: ClusterAlertChange): About => {
  const subject = Object.entries(ALERT_METRICS).find(([name]) => name === metric)?.[1].subject;
  if (place.name === null) return 'cluster';
  return subject === 'node' || subject === 'volume' || subject === 'workload' ? subject : 'cluster';
};

async function keepOne(client: PoolClient, clusterKey: number, change: ClusterAlertChange): Promise<void> {
  const { place, rule, subject, at: openedAt } = change;
  const about = aboutOf(change);
  const { rows } = await client.query<Pick<BlackBox, 'processes' | 'pods' | 'cluster'>>(read(about), [
    clusterKey,
    openedAt,
    place.namespace,
    place.workloadKind,
    place.name,
    place.nodes,
  ]);
  const [found] = rows;
  if (found === undefined) return;
  const box: BlackBox = { connections: null, sockets: null, events: [], ...found };
  await client.query(KEEP, [clusterKey, rule, subject, openedAt, JSON.stringify(fitBlackBox(box))]);
}

/** Freezes what is known of the objects of alerts that opened, in the transaction that saves them. */
export async function keepClusterBlackBoxes(
  client: PoolClient,
  clusterKey: number,
  changes: readonly ClusterAlertChange[],
): Promise<void> {
  const opened = changes.filter(({ kind }) => kind === 'opened').slice(0, MOST_BOXES);
  if (opened.length === 0) return;
  await client.query('SAVEPOINT black_box');
  try {
    for (const change of opened) await keepOne(client, clusterKey, change);
    await client.query('RELEASE SAVEPOINT black_box');
  } catch {
    // Fails too if the connection is lost, and the transaction with it.
    await client.query('ROLLBACK TO SAVEPOINT black_box');
  }
}
