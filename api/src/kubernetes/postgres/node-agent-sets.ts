// SQL finds the DaemonSet of the node agents and the newest refusal of its pods in one statement.
import type { NodeAgentSet } from '../node-records.ts';
import type { ClusterFilter } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { clusterKeys } from './clusters.ts';

/** Ends of the name that the chart gives it. */
const NAME_ENDS = '%-node-agent';
const MOST = 100;
const SETS = `SELECT c.uid, w.namespace, w.name, (w.object->>'desired')::int AS desired, (w.object->>'ready')::int AS ready,
    (w.object->>'created_at')::float8 AS created_at,
    (SELECT e.message FROM kube_event e WHERE e.cluster_key = w.cluster_key AND e.namespace = w.namespace
       AND e.kind = 'DaemonSet' AND e.name = w.name AND e.reason = 'FailedCreate' ORDER BY e.last_at DESC LIMIT 1) AS refusal
  FROM kube_workload w JOIN cluster c ON c.key = w.cluster_key
  WHERE w.cluster_key = ANY($1::int[]) AND w.kind = 'DaemonSet' AND w.name LIKE '${NAME_ENDS}'
  ORDER BY c.name, c.key, w.namespace, w.name LIMIT ${MOST}`;

interface SetRow {
  uid: string;
  namespace: string;
  name: string;
  desired: number | null;
  ready: number | null;
  created_at: number;
  refusal: string | null;
}

export async function listNodeAgentSets(database: Database, filter: ClusterFilter): Promise<NodeAgentSet[]> {
  const keys = (await clusterKeys(database, filter)).map(({ key }) => key);
  const { rows } = await database.pool.query<SetRow>({ name: 'node_agent_sets', text: SETS, values: [keys] });
  return rows.map(({ uid, created_at: createdAt, ...row }) => ({
    ...row,
    clusterId: uid,
    createdAt: createdAt * 1000,
  }));
}
