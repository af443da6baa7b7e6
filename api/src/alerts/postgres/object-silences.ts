// SQL writes the silences of custom resources: one statement inserts, updates and compares up to 2,000 rows.
import type { Pool } from 'pg';
import { inTransaction } from '../../database/database.ts';
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
import type { AlertOutbox, Silences } from '../store.ts';

/** $1 cluster  $2 account  $3 rows  $4 now, ms */
const SAVE = `INSERT INTO alert_silence (organisation_id, server_id, tag_key, tag_value, metric, rule, subject, cluster_id,
    namespace, starts_at, ends_at, comment, created_at, updated_at, object_cluster_key, object_namespace, object_name, object_hash)
  SELECT $2::uuid, r."serverId", r."tagKey", r."tagValue", r.metric, r.rule, r.subject, r."clusterId", r.namespace,
    ${at('r."startsAt"')}, ${at('r."endsAt"')}, r.comment, ${at('$4')}, ${at('$4')}, $1, r."objectNamespace", r."objectName",
    decode(r.hash, 'hex')
  FROM jsonb_to_recordset($3::jsonb) AS r("serverId" uuid, "tagKey" text, "tagValue" text, metric text, rule text, subject text,
    "clusterId" text, namespace text, "startsAt" float8, "endsAt" float8, comment text, "objectNamespace" text,
    "objectName" text, hash text)
  ${ON_SAME_OBJECT} organisation_id = excluded.organisation_id, server_id = excluded.server_id, tag_key = excluded.tag_key,
    tag_value = excluded.tag_value, metric = excluded.metric, rule = excluded.rule, subject = excluded.subject,
    cluster_id = excluded.cluster_id, namespace = excluded.namespace, starts_at = excluded.starts_at,
    ends_at = excluded.ends_at, comment = excluded.comment, updated_at = excluded.updated_at,
    object_hash = excluded.object_hash
  ${WHERE_OTHER('alert_silence')}`;
/** The row stays for the history of its alerts, and its name is free. */
const DELETE = `UPDATE alert_silence SET deleted_at = ${at('$4')}, object_cluster_key = NULL WHERE ${IS_GONE} ${RETURNING_NAME}`;

export const createObjectSilences = (pool: Pool, outbox: AlertOutbox): Silences['ofObjects'] => ({
  save: ({ clusterKey, organisationId }, drafts, now) =>
    inTransaction(pool, async (client) => {
      if (drafts.length === 0) return [];
      const rows = drafts.map((one) => ({ ...one.draft, ...placed(one) }));
      const values = [clusterKey, organisationId, JSON.stringify(rows), now];
      const written = (await client.query<ObjectName & { isNew: boolean }>(SAVE, values)).rows;
      if (written.some(({ isNew }) => !isNew)) await outbox.wakeHeld(client, organisationId, now);
      return written;
    }),
  deleteOthers: (cluster, stay, now) =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<ObjectName>(DELETE, [...goneValues(cluster, stay), now]);
      if (rows.length > 0) await outbox.wakeHeld(client, cluster.organisationId, now);
      return rows;
    }),
  names: async (clusterKey) => (await pool.query<ObjectName>(NAMES('alert_silence'), [clusterKey])).rows,
});
