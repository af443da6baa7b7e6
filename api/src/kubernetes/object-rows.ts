import type { OrganisationId } from '../tenancy/ids.ts';

/** Place and name of a custom resource in its cluster. */
export interface ObjectName {
  namespace: string;
  name: string;
}
/** The row that a custom resource makes. `hash`: of the whole draft; a row with an equal hash is not written. */
export type ObjectDraft<Row> = ObjectName & { hash: Buffer } & Row;

/** The cluster whose objects are stored, and its owner. */
export interface ObjectCluster {
  clusterKey: number;
  organisationId: OrganisationId;
}

/** The rows of one table that custom resources made. The nouns of the tables write them, within the verb's transaction. */
export interface ObjectRows<Row> {
  /** Creates and changes rows. Returns those that it wrote. */
  save(
    cluster: ObjectCluster,
    drafts: readonly ObjectDraft<Row>[],
    now: number,
  ): Promise<(ObjectName & { isNew: boolean })[]>;
  /** Deletes the rows of the cluster except those of `stay`. Returns the names of those that it deleted. */
  deleteOthers(cluster: ObjectCluster, stay: readonly ObjectName[], now: number): Promise<ObjectName[]>;
  names(clusterKey: number): Promise<ObjectName[]>;
}

type Table = 'alert_rule' | 'alert_silence' | 'notify_channel';

/** SQL that the tables share. Parameters: $1 cluster  $2 owner, or namespaces  $3 rows, or names  $4 now, ms. */
export const ON_SAME_OBJECT = 'ON CONFLICT (object_cluster_key, object_namespace, object_name) DO UPDATE SET';
/** Writes and returns only rows that differ. */
export const WHERE_OTHER = (table: Table): string => `WHERE ${table}.object_hash IS DISTINCT FROM excluded.object_hash
    OR ${table}.organisation_id <> excluded.organisation_id
  RETURNING ${table}.object_namespace AS namespace, ${table}.object_name AS name, (xmax = 0) AS "isNew"`;
/** $2 namespaces and $3 names of the objects whose rows stay */
export const IS_GONE = `object_cluster_key = $1
  AND NOT EXISTS (SELECT FROM unnest($2::text[], $3::text[]) AS k(namespace, name)
    WHERE k.namespace = object_namespace AND k.name = object_name)`;
export const RETURNING_NAME = 'RETURNING object_namespace AS namespace, object_name AS name';
export const NAMES = (table: Table): string =>
  `SELECT object_namespace AS namespace, object_name AS name FROM ${table} WHERE object_cluster_key = $1`;

/** Returns the parameters of `IS_GONE`. */
export const goneValues = ({ clusterKey }: ObjectCluster, stay: readonly ObjectName[]): unknown[] => [
  clusterKey,
  stay.map(({ namespace }) => namespace),
  stay.map(({ name }) => name),
];

/** Returns the columns of a row that its object gives, for `jsonb_to_recordset`. */
export const placed = ({ namespace, name, hash }: ObjectDraft<unknown>) => ({
  objectNamespace: namespace,
  objectName: name,
  hash: hash.toString('hex'),
});
