// SQL follows a target through described Services and Ingresses to the workloads that a selector matches.
import type { Pool } from 'pg';
import type { Database } from '../../database/database.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import { backendsOf, type Entrance, entranceOf } from '../rules/door.ts';
import type { CheckWorkloads, ServedWorkload } from '../store.ts';

/**
 * $1 organisation  $2 checks  $3 hosts  $4 ports. A Service is entered by its name in the cluster, or by its port on a node
 * of a reporting cluster; an Ingress by a host of its rules, or by a wildcard for one label.
 */
const DOORS = `SELECT t.id AS "checkId", c.key AS "clusterKey", d.kind, d.namespace, d.name,
    CASE d.kind WHEN 'Ingress' THEN d.fields END AS rules
  FROM unnest($2::text[], $3::text[], $4::int[]) AS t(id, host, port)
  CROSS JOIN cluster c JOIN described_object d ON d.cluster_key = c.key AND d.kind IN ('Service', 'Ingress')
  WHERE c.organisation_id = $1 AND CASE d.kind
    WHEN 'Service' THEN t.host = concat_ws('.', d.name, d.namespace)
      OR starts_with(t.host || '.', concat_ws('.', d.name, d.namespace, 'svc.'))
      OR (d.fields->>'ports' ~ concat('node port ', t.port, '(,|$)') AND EXISTS (SELECT FROM kube_node n
        WHERE n.cluster_key = c.key AND n.gone_at IS NULL AND t.host IN (lower(n.name), lower(n.object->>'internal_ip'))))
    ELSE EXISTS (SELECT FROM jsonb_object_keys(d.fields) AS k(field) WHERE split_part(lower(k.field), '/', 1)
      IN (concat('rules.', t.host), concat('rules.*.', substr(t.host, strpos(t.host, '.') + 1)))) END`;
interface DoorRow {
  checkId: string;
  clusterKey: number;
  kind: 'Service' | 'Ingress';
  namespace: string;
  name: string;
  rules: Record<string, string> | null;
}

/** $1 checks  $2 clusters  $3 namespaces  $4 Services. A Service without a selector serves no workload that is known. */
const WORKLOADS = `SELECT DISTINCT t.id AS "checkId", c.key AS "clusterKey", c.uid AS "clusterId", w.namespace, w.kind, w.name
  FROM unnest($1::text[], $2::int[], $3::text[], $4::text[]) AS t(id, cluster_key, namespace, service)
  JOIN cluster c ON c.key = t.cluster_key
  JOIN described_object s ON s.cluster_key = c.key AND s.kind = 'Service' AND s.namespace = t.namespace AND s.name = t.service
  JOIN described_object w ON w.cluster_key = c.key AND w.namespace = t.namespace
    AND w.kind IN ('Deployment', 'StatefulSet', 'DaemonSet')
  WHERE EXISTS (SELECT FROM jsonb_object_keys(s.fields) AS k(field) WHERE starts_with(k.field, 'selector.'))
    AND NOT EXISTS (SELECT FROM jsonb_each_text(s.fields) AS f(field, value) WHERE starts_with(f.field, 'selector.')
      AND w.fields->>('template.labels.' || substr(f.field, 10)) IS DISTINCT FROM f.value)
  ORDER BY w.namespace, w.kind, w.name`;

type Service = Pick<DoorRow, 'checkId' | 'clusterKey' | 'namespace'> & { service: string };

const servicesOf = (doors: readonly DoorRow[], entrances: ReadonlyMap<string, Entrance>): Service[] =>
  doors.flatMap(({ checkId, clusterKey, namespace, name, rules }) => {
    const entrance = entrances.get(checkId);
    const services = rules === null ? [name] : entrance === undefined ? [] : backendsOf(rules, entrance);
    return services.map((service) => ({ checkId, clusterKey, namespace, service }));
  });

async function workloadsOf(
  pool: Pool,
  organisationId: OrganisationId,
  checks: Parameters<CheckWorkloads['of']>[1],
): Promise<Map<string, ServedWorkload[]>> {
  const entrances = new Map(
    checks.flatMap(({ id, probe }) => {
      const entrance = probe === null ? null : entranceOf(probe);
      return entrance === null ? [] : [[id, entrance] as const];
    }),
  );
  if (entrances.size === 0) return new Map();
  const of = [...entrances.values()];
  const values = [organisationId, [...entrances.keys()], of.map(({ host }) => host), of.map(({ port }) => port)];
  const { rows: doors } = await pool.query<DoorRow>(DOORS, values);
  const services = servicesOf(doors, entrances);
  if (services.length === 0) return new Map();
  const { rows } = await pool.query<ServedWorkload & { checkId: string }>(WORKLOADS, [
    services.map(({ checkId }) => checkId),
    services.map(({ clusterKey }) => clusterKey),
    services.map(({ namespace }) => namespace),
    services.map(({ service }) => service),
  ]);
  const found = [...Map.groupBy(rows, ({ checkId }) => checkId)];
  // A name that two clusters have says nothing about which of them is meant.
  return new Map(found.filter(([, all]) => all.every(({ clusterKey }) => clusterKey === all[0]?.clusterKey)));
}

export const createCheckWorkloads = ({ pool }: Database): CheckWorkloads => ({
  of: (organisationId, checks) => workloadsOf(pool, organisationId, checks),
});
