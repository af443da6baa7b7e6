import type { Pool } from 'pg';
import { endOf, nodeObject, nodePart, podObject } from '../../../../api/src/testing/kubernetes.ts';
import type { OrganisationId } from '../../../../api/src/tenancy/ids.ts';

/** 5,000 pods on 500 nodes. */
export const PODS_A_NODE = 10;
/** Every so many pods one container has restarted in the last day. */
const PODS_A_RESTART = 10;
const EVENTS = 2000;
const SAMPLE_HOURS = 3;

const CLUSTER = 'bench';
const resources = { cpu_cores: 0.25, memory_bytes: 2 ** 27 };
const POD = podObject('pod', { requests: resources, limits: { cpu_cores: 0.5, memory_bytes: 2 ** 28 } });
const { kubelet } = nodePart([]);

/** Each server of the account becomes a node of one cluster, with a node agent. */
const NODES: [string, unknown[]][] = [
  ['UPDATE server SET is_kubernetes_node = true', []],
  [
    `INSERT INTO kube_node (cluster_key, uid, name, server_id, enrolled_at, first_seen_at, object)
     SELECT c.key, 'uid-' || s.hostname, s.hostname, s.id, now(), now() - interval '7 days',
       $1::jsonb || jsonb_build_object('uid', 'uid-' || s.hostname, 'name', s.hostname) FROM cluster c, server s ORDER BY s.key`,
    [JSON.stringify(nodeObject('node'))],
  ],
  [
    `INSERT INTO kube_node_agent SELECT key, now(), 'proc', $1::jsonb, true, NULL FROM kube_node`,
    [JSON.stringify(kubelet)],
  ],
];

const podsOf = (podsANode: number): [string, unknown[]][] => [
  [
    `INSERT INTO kube_pod (cluster_key, uid, namespace, name, node_name, phase, owner_kind, owner_name, restart_count, created_at, object)
     SELECT n.cluster_key, 'uid-' || p.name, p.namespace, p.name, n.name, 'Running', 'Deployment', 'web', 0, now() - make_interval(hours => i),
       $1::jsonb || jsonb_build_object('uid', 'uid-' || p.name, 'name', p.name, 'namespace', p.namespace, 'node_name', n.name)
     FROM kube_node n, generate_series(1, $2::int) i, LATERAL (SELECT 'web-' || n.key || '-' || i AS name, 'ns-' || i AS namespace) p`,
    [JSON.stringify(POD), podsANode],
  ],
  ['INSERT INTO kube_pod_usage SELECT key, 1, now(), (key % 400) / 1000.0, (key % 200) * 1e6 FROM kube_pod', []],
  [
    `INSERT INTO kube_container_end (cluster_key, pod_uid, container, run, restarted, at, reason, exit_code, namespace, pod_name, node_name, owner_kind, owner_name)
     SELECT cluster_key, uid, $1, 0, true, now() - make_interval(mins => key % 1400), $2, 137, namespace, name, node_name, owner_kind, owner_name
     FROM kube_pod WHERE key % $3::int = 0`,
    [endOf(POD, 0).container, endOf(POD, 0).reason, PODS_A_RESTART],
  ],
  [
    `INSERT INTO kube_event SELECT c.key, 'event-' || n, 'Warning', 'BackOff', 'Back-off restarting failed container', 'ns-1', 'Pod', 'web-1-1', 'kubelet', 3,
       now() - make_interval(mins => n), now() - make_interval(mins => n) FROM cluster c, generate_series(1, $1::int) n`,
    [EVENTS],
  ],
  [
    `INSERT INTO kube_sample SELECT ts, node_key, 1, 1.5, 4e9, pods, cpu, memory
     FROM (SELECT n.key AS node_key, array_agg(p.key) AS pods, array_agg(0.1::real) AS cpu, array_agg(1e8::real) AS memory
       FROM kube_node n JOIN kube_pod p ON p.cluster_key = n.cluster_key AND p.node_name = n.name GROUP BY n.key) per_node,
     generate_series(now() - make_interval(hours => $1::int), now(), interval '1 minute') ts`,
    [SAMPLE_HOURS],
  ],
];

/** Inserts one cluster with a node for each server there is. */
export async function seedKubernetes(pool: Pool, organisationId: OrganisationId, podsANode: number): Promise<void> {
  await pool.query(
    `INSERT INTO cluster (organisation_id, uid, name, version, first_seen_at, last_seen_at, is_listed, readers)
     VALUES ($1, $2, 'bench', 'v1.34.4', now() - interval '7 days', now(), true, $3::jsonb)`,
    [organisationId, CLUSTER, JSON.stringify([{ ...kubelet, name: 'pods' }])],
  );
  for (const [text, values] of [...NODES, ...podsOf(podsANode)]) await pool.query(text, values);
}

const API = '/api/kubernetes';
export const kubernetesPaths = (serverId: string): string[] => [
  `${API}/clusters`,
  `${API}/cluster/overview`,
  `${API}/permissions`,
  `${API}/events?limit=50`,
  `${API}/owners`,
  `${API}/nodes`,
  `${API}/nodes?limit=1000`,
  `${API}/nodes/recent`,
  `${API}/nodes/${serverId}`,
  `${API}/nodes/${serverId}/pods`,
  `${API}/nodes/${serverId}/metrics/history?hours=1`,
  `${API}/pods`,
  `${API}/pods?limit=50`,
  `${API}/pods?search=web-7&limit=50`,
  `${API}/pods/ns-1/web-1-1`,
  `${API}/pods/ns-1/web-1-1/metrics/history?hours=1`,
];
