import type { PlacementObject } from '@plimsoll/contract/wire/cluster-placement';
import type { Pool } from 'pg';
import { addValue, encodeHistogram, LEAST, type Histogram } from '../../../../api/src/capacity/histogram.ts';
import type { OrganisationId } from '../../../../api/src/tenancy/ids.ts';
import { nodeObject, podObject } from '../../../../api/src/testing/kubernetes.ts';

/** A generated cluster. */
export interface Size {
  uid: string;
  nodes: number;
  pods: number;
}

const PODS_A_WORKLOAD = 50;
/** As many days as the advice reads. */
const DAYS = 14;
const GB = 2 ** 30;
const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';

const NODE = nodeObject('node', {
  allocatable: { cpu_cores: 16, memory_bytes: 64 * GB, ephemeral_bytes: 200 * GB, pods: 110 },
});
const POD = podObject('pod');

/** Constraints of a workload, of a kind that follows from its number; null: every fifth has none. */
function placementOf(workload: number): PlacementObject | null {
  const head = { hash: String(workload).padStart(12, '0') };
  const selector = `app in (w-${String(workload)})`;
  switch (workload % 5) {
    case 0:
      return null;
    case 1:
      return { ...head, node_selector: { [ZONE]: `zone-${String(workload % 3)}` } };
    case 2:
      return { ...head, pod_anti_affinity: [{ topology_key: HOSTNAME, selector }] };
    case 3:
      return { ...head, spread: [{ topology_key: ZONE, max_skew: 2, selector }] };
    default:
      return { ...head, node_affinity: [{ labels: `${ZONE} in (zone-0,zone-1)` }], tolerations: [{ exists: true }] };
  }
}

function usageOfADay(): { cpu: Buffer; memory: Buffer } {
  const [cpu, memory]: [Histogram, Histogram] = [new Map(), new Map()];
  for (let minute = 0; minute < 1440; minute += 1) {
    addValue(cpu, 0.1 + 0.05 * Math.sin(minute / 200), LEAST.cpuCores);
    addValue(memory, 2 ** 27 * (1 + minute / 2880), LEAST.memoryBytes);
  }
  return { cpu: Buffer.from(encodeHistogram(cpu)), memory: Buffer.from(encodeHistogram(memory)) };
}

/** $1 cluster  $2 count  $3 object */
const NODES = `INSERT INTO kube_node (cluster_key, uid, name, server_id, first_seen_at, object)
  SELECT $1, 'node-' || n, 'node-' || n, gen_random_uuid(), now() - interval '7 days', $3::jsonb || jsonb_build_object(
    'uid', 'node-' || n, 'name', 'node-' || n,
    'labels', jsonb_build_object('${HOSTNAME}', 'node-' || n, '${ZONE}', 'zone-' || n % 3))
  FROM generate_series(0, $2::int - 1) n`;
/** $1 cluster  $2 count  $3 object  $4 nodes  $5 workloads  $6 workloads that have constraints */
const PODS = `INSERT INTO kube_pod (cluster_key, uid, namespace, name, node_name, phase, owner_kind, owner_name, restart_count,
    created_at, placement, object)
  SELECT $1, 'pod-' || n, 'shop-' || w % 40, 'w-' || w || '-' || n, 'node-' || n % $4::int, 'Running', 'Deployment', 'w-' || w, 0,
    now() - make_interval(mins => n), CASE WHEN w = ANY ($6::int[]) THEN lpad(w::text, 12, '0') END,
    $3::jsonb || jsonb_build_object('uid', 'pod-' || n, 'name', 'w-' || w || '-' || n, 'namespace', 'shop-' || w % 40,
      'node_name', 'node-' || n % $4::int, 'labels', jsonb_build_object('app', 'w-' || w),
      'requests', jsonb_build_object('cpu_cores', 0.1 * (1 + w % 5), 'memory_bytes', 134217728.0 * (1 + w % 7)))
  FROM generate_series(0, $2::int - 1) n, LATERAL (SELECT n % $5::int AS w) workload`;
const POD_USAGE = `INSERT INTO kube_pod_usage SELECT key, 1, now(), (key % 400) / 1000.0, (key % 200) * 1e6
  FROM kube_pod WHERE cluster_key = $1`;
const NODE_USAGE = `INSERT INTO kube_node_usage SELECT key, 1, now(), 4, 16e9 FROM kube_node WHERE cluster_key = $1`;
/** $1 cluster  $2 workloads  $3 days  $4 CPU  $5 memory */
const USAGE_DAYS = `INSERT INTO capacity_container_day
  SELECT $1, 'shop-' || w % 40, 'Deployment', 'w-' || w, 'app', current_date - d, $4, $5
  FROM generate_series(0, $2::int - 1) w, generate_series(1, $3::int) d`;

/** Inserts the cluster with its pods, their constraints and two weeks of usage. Returns its key. */
export async function seedCluster(pool: Pool, organisationId: OrganisationId, size: Size): Promise<number> {
  const { uid, nodes, pods } = size;
  const workloads = Math.ceil(pods / PODS_A_WORKLOAD);
  const { rows } = await pool.query<{ key: number }>(
    `INSERT INTO cluster (organisation_id, uid, name, version, first_seen_at, last_seen_at, is_listed, readers,
       reports_placements, reads_volumes)
     VALUES ($1, $2, $2, 'v1.34.4', now() - interval '7 days', now(), true, '[]', true, true) RETURNING key`,
    [organisationId, uid],
  );
  const key = rows[0]?.key;
  if (key === undefined) throw new Error('the cluster was not inserted');
  const placements = Array.from({ length: workloads }, (_, workload) => ({ workload, object: placementOf(workload) }));
  const constrained = placements.flatMap(({ workload, object }) => (object === null ? [] : [workload]));
  const usage = usageOfADay();
  await pool.query(NODES, [key, nodes, JSON.stringify(NODE)]);
  await pool.query(PODS, [key, pods, JSON.stringify(POD), nodes, workloads, constrained]);
  await pool.query(POD_USAGE, [key]);
  await pool.query(NODE_USAGE, [key]);
  await pool.query(
    `INSERT INTO kube_placement (cluster_key, hash, object)
     SELECT $1, o->>'hash', o FROM jsonb_array_elements($2::jsonb) o WHERE jsonb_typeof(o) = 'object'`,
    [key, JSON.stringify(placements.map(({ object }) => object))],
  );
  await pool.query(USAGE_DAYS, [key, workloads, DAYS, usage.cpu, usage.memory]);
  return key;
}
