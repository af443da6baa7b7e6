// SQL inserts the entries of one report at once, in the transaction of the report.
import { CHANGE_LIMITS } from '@plimsoll/contract/rules/changes';
import type { PoolClient } from 'pg';
import { timestamp } from '../../database/time.ts';
import type { ChangeDraft } from '../types.ts';

const INSERT = `INSERT INTO change (at, seen_at, source, action, cluster_key, server_key, kind, namespace, name, title, fields,
    changed_by, organisation_id)
  SELECT ${timestamp('at')}, ${timestamp('$2')}, source, action, cluster_key, server_key, kind, namespace, name, title,
    fields, changed_by, COALESCE((SELECT organisation_id FROM cluster WHERE key = cluster_key),
      (SELECT organisation_id FROM server WHERE key = server_key))
  FROM jsonb_to_recordset($1::jsonb) AS x(at float8, source text, action text, cluster_key int, server_key int, kind text,
    namespace text, name text, title text, fields jsonb, changed_by text)`;

/** Stores entries. A field list beyond the limit is cut; the title counts all fields. */
export async function insertChanges(
  client: Pick<PoolClient, 'query'>,
  drafts: readonly ChangeDraft[],
  now: number,
): Promise<void> {
  if (drafts.length === 0) return;
  const rows = drafts.map(({ clusterKey, serverKey, changedBy, fields, ...rest }) => ({
    ...rest,
    cluster_key: clusterKey,
    server_key: serverKey,
    changed_by: changedBy,
    fields: fields.slice(0, CHANGE_LIMITS.fields),
  }));
  await client.query(INSERT, [JSON.stringify(rows), now]);
}
