// SQL writes the rules of custom resources: one statement inserts, updates and compares up to 2,000 rows.
import type { Pool } from 'pg';
import { timestamp as at } from '../../database/time.ts';
import {
  goneValues,
  IS_GONE,
  NAMES,
  ON_SAME_OBJECT,
  placed,
  RETURNING_NAME,
  WHERE_OTHER,
  type ObjectName,
} from '../../kubernetes/object-rows.ts';
import { columnsOf } from '../rules/rule-columns.ts';
import type { AlertRules } from '../store.ts';

/**
 * $1 cluster  $2 account  $3 rows  $4 now, ms. A rule with another metric or other levels gets another id: its open
 * alerts belong to lines that no longer exist.
 */
const SAVE = `INSERT INTO alert_rule (organisation_id, metric, target, server_id, tag_key, tag_value, mount, cluster_id, namespace,
    workload_kind, workload, lines, for_seconds, keep_firing_for_seconds, hysteresis_points, enabled, created_at, updated_at,
    object_cluster_key, object_namespace, object_name, object_hash)
  SELECT $2::uuid, r.metric, r.target, r."serverId", r."tagKey", r."tagValue", r.mount, r."clusterId", r.namespace,
    r."workloadKind", r.workload, r.lines, r."forSeconds", r."keepFiringForSeconds", r."hysteresisPoints", r.enabled,
    ${at('$4')}, ${at('$4')}, $1, r."objectNamespace", r."objectName", decode(r.hash, 'hex')
  FROM jsonb_to_recordset($3::jsonb) AS r(metric text, target text, "serverId" uuid, "tagKey" text, "tagValue" text, mount text,
    "clusterId" text, namespace text, "workloadKind" text, workload text, lines jsonb, "forSeconds" integer,
    "keepFiringForSeconds" integer, "hysteresisPoints" real, enabled boolean, "objectNamespace" text, "objectName" text, hash text)
  ${ON_SAME_OBJECT} id = CASE WHEN alert_rule.metric = excluded.metric
        AND jsonb_path_query_array(alert_rule.lines, '$[*].level') = jsonb_path_query_array(excluded.lines, '$[*].level')
      THEN alert_rule.id ELSE gen_random_uuid() END,
    organisation_id = excluded.organisation_id, metric = excluded.metric, target = excluded.target, server_id = excluded.server_id,
    tag_key = excluded.tag_key, tag_value = excluded.tag_value, mount = excluded.mount, cluster_id = excluded.cluster_id,
    namespace = excluded.namespace, workload_kind = excluded.workload_kind, workload = excluded.workload,
    lines = excluded.lines, for_seconds = excluded.for_seconds, keep_firing_for_seconds = excluded.keep_firing_for_seconds,
    hysteresis_points = excluded.hysteresis_points, enabled = excluded.enabled, updated_at = excluded.updated_at,
    object_hash = excluded.object_hash
  ${WHERE_OTHER('alert_rule')}`;
const DELETE = `DELETE FROM alert_rule WHERE ${IS_GONE} ${RETURNING_NAME}`;

export const createObjectRules = (pool: Pool): AlertRules['ofObjects'] => ({
  save: async ({ clusterKey, organisationId }, drafts, now) => {
    if (drafts.length === 0) return [];
    const rows = drafts.map((one) => ({ ...columnsOf(one.draft), ...placed(one) }));
    const values = [clusterKey, organisationId, JSON.stringify(rows), now];
    return (await pool.query<ObjectName & { isNew: boolean }>(SAVE, values)).rows;
  },
  deleteOthers: async (cluster, stay) => (await pool.query<ObjectName>(DELETE, goneValues(cluster, stay))).rows,
  names: async (clusterKey) => (await pool.query<ObjectName>(NAMES('alert_rule'), [clusterKey])).rows,
});
