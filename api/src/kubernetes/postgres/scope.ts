// SQL of a scope over objects of a cluster: a pod is in it by its node, an object on no node by its cluster.
import type { Owner } from '../../tenancy/owner.ts';
import type { Database } from '../../database/database.ts';
import type { NodeFacts } from '../node-records.ts';
import type { ClusterFilter } from '../types.ts';

/** The parameter of the statements below: keys of nodes and clusters as JSON; null is everything. */
export const scopeParameter = ({ within }: Pick<ClusterFilter, 'within'>): string | null =>
  within === undefined ? null : JSON.stringify(within);

const keysIn = (parameter: string, list: 'nodes' | 'clusters'): string =>
  `(SELECT value::integer FROM jsonb_array_elements_text(${parameter}::jsonb->'${list}'))`;
const placesIn = (parameter: string): string =>
  `(SELECT x.cluster_key, x.name FROM kube_node x WHERE x.key IN ${keysIn(parameter, 'nodes')})`;

export const nodeInScope = (node: string, parameter: string): string =>
  `(${parameter}::jsonb IS NULL OR ${node}.key IN ${keysIn(parameter, 'nodes')})`;

/** A cluster is in the scope by itself, or with a node that is. */
export const clusterInScope = (cluster: string, parameter: string): string =>
  `(${parameter}::jsonb IS NULL OR ${cluster}.key IN ${keysIn(parameter, 'clusters')}
    OR EXISTS (SELECT FROM kube_node x WHERE x.cluster_key = ${cluster}.key AND x.key IN ${keysIn(parameter, 'nodes')}))`;

/**
 * The name, perhaps null, contains the parameter, a text in small letters. Names in Kubernetes are ASCII, whose letters are
 * made small faster than those of a language.
 */
export const nameHolds = (name: string, parameter: string): string =>
  `COALESCE(position(${parameter} IN lower(${name} COLLATE "C")) > 0, false)`;

/** The pattern of names that contain the text, whatever the case; null: none was given. */
export const namePattern = (text: string | undefined): string | null =>
  text === undefined ? null : `%${text.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`;
/** Like nameHolds, for a pattern: of 100,000 pods this takes a third less time. Null for a name that is null. */
export const nameMatches = (name: string, pattern: string): string => `lower(${name} COLLATE "C") LIKE ${pattern}`;

/** For any row with cluster_key and node_name. */
export const podInScope = (pod: string, parameter: string): string =>
  `(${parameter}::jsonb IS NULL OR (${pod}.cluster_key, ${pod}.node_name) IN ${placesIn(parameter)}
    OR (${pod}.node_name IS NULL AND ${pod}.cluster_key IN ${keysIn(parameter, 'clusters')}))`;

/** An object on no node is in the scope with its cluster. */
export const objectInScope = (object: string, parameter: string): string =>
  `(${parameter}::jsonb IS NULL OR ${object}.cluster_key IN ${keysIn(parameter, 'clusters')})`;

/** An event of a node or a pod is in the scope with it, any other event with its cluster. */
export const eventInScope = (event: string, parameter: string): string =>
  `(${parameter}::jsonb IS NULL OR CASE ${event}.kind
    WHEN 'Node' THEN (${event}.cluster_key, ${event}.name) IN ${placesIn(parameter)}
    WHEN 'Pod' THEN EXISTS (SELECT FROM kube_pod p WHERE p.cluster_key = ${event}.cluster_key
      AND p.namespace = ${event}.namespace AND p.name = ${event}.name AND ${podInScope('p', parameter)})
    ELSE ${event}.cluster_key IN ${keysIn(parameter, 'clusters')} END)`;

const NODE_FACTS = `SELECT n.key, c.key AS "clusterKey", c.uid AS "clusterId", c.name AS "clusterName", n.server_id AS "serverId",
    COALESCE(n.object->'labels'->>'topology.kubernetes.io/region',
      n.object->'labels'->>'failure-domain.beta.kubernetes.io/region') AS region
  FROM cluster c LEFT JOIN kube_node n ON n.cluster_key = c.key AND n.gone_at IS NULL WHERE c.organisation_id = $1`;

export async function nodeFacts({ pool }: Database, owner: Owner): Promise<NodeFacts[]> {
  const { rows } = await pool.query<NodeFacts>({
    name: 'node_facts',
    text: NODE_FACTS,
    values: [owner.organisationId],
  });
  return rows;
}
