// SQL collects the usage, the requests and the OOM kills of all containers of a cluster in one statement each.
import { timestamp as at } from '../../database/time.ts';

/** $1 cluster  $2 now, ms  $3 days */
export const USAGE = `SELECT jsonb_build_object('namespace', d.namespace, 'kind', d.kind, 'workload', d.workload,
    'container', d.container, 'day', d.day, 'cpu', encode(d.cpu, 'base64'), 'memory', encode(d.memory, 'base64')) AS o
  FROM capacity_container_day d
  WHERE d.cluster_key = $1 AND d.day > (${at('$2')} AT TIME ZONE 'UTC')::date - $3::int`;

/** $1 organisation  $2 uid of the cluster  $3 now, ms  $4 days  $5 namespace  $6 kind  $7 workload */
export const WORKLOAD_USAGE = `SELECT d.namespace, d.kind, d.workload, d.container, d.day::text AS day,
    encode(d.cpu, 'base64') AS cpu, encode(d.memory, 'base64') AS memory
  FROM capacity_container_day d JOIN cluster c ON c.key = d.cluster_key AND c.organisation_id = $1 AND c.uid = $2
  WHERE d.day > (${at('$3')} AT TIME ZONE 'UTC')::date - $4::int AND d.namespace = $5 AND d.kind = $6 AND d.workload = $7
  ORDER BY d.container, d.day`;

/** $1 cluster. Of each workload the newest pod: a rollout changes requests. */
export const SPECS = `SELECT jsonb_build_object('namespace', w.namespace, 'kind', w.owner_kind, 'workload', w.owner_name,
    'container', c->>'name', 'pods', w.pods, 'cpuRequest', c->'requests'->'cpu_cores', 'cpuLimit', c->'limits'->'cpu_cores',
    'memoryRequest', c->'requests'->'memory_bytes', 'memoryLimit', c->'limits'->'memory_bytes') AS o
  FROM (SELECT DISTINCT ON (p.namespace, p.owner_kind, p.owner_name) p.namespace, p.owner_kind, p.owner_name, p.object,
      count(*) OVER (PARTITION BY p.namespace, p.owner_kind, p.owner_name)::int AS pods
    FROM kube_pod p
    WHERE p.cluster_key = $1 AND p.gone_at IS NULL AND p.owner_kind IS NOT NULL AND p.phase = 'Running'
    ORDER BY p.namespace, p.owner_kind, p.owner_name, p.created_at DESC) w
  CROSS JOIN LATERAL jsonb_array_elements(w.object->'containers') AS c WHERE NOT (c->>'init')::boolean`;

/** $1 cluster  $2 now, ms  $3 days */
export const OOMS = `SELECT jsonb_build_object('namespace', e.namespace, 'kind', e.owner_kind, 'workload', e.owner_name,
    'container', e.container, 'kills', count(*)::int, 'limit', max(e.memory_limit_bytes)) AS o
  FROM kube_container_end e
  WHERE e.cluster_key = $1 AND e.reason = 'OOMKilled' AND e.owner_kind IS NOT NULL
    AND e.at > ${at('$2')} - make_interval(days => $3::int)
  GROUP BY e.namespace, e.owner_kind, e.owner_name, e.container`;

/** $1 cluster. Null fields: the object does not set them. */
export const AUTOSCALERS = `SELECT jsonb_build_object('namespace', d.namespace, 'name', d.name, 'target', d.fields->>'target',
    'metrics', d.fields->>'metrics') AS o
  FROM described_object d WHERE d.cluster_key = $1 AND d.kind = 'HorizontalPodAutoscaler' AND d.namespace IS NOT NULL`;
