// SQL reads the ledger: one statement joins the place of each entry, on the index of the time.
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/database.ts';
import { milliseconds, SHOWN_NAME, timestamp } from '../../database/time.ts';
import type { ChangeLedger } from '../store.ts';
import type { ChangeFilter, ChangeRecord } from '../types.ts';

/** Entries that are counted at most. */
const MOST_COUNTED = 1000;

/**
 * $1 organisation  $2 server id  $3 cluster uid  $4 from, ms  $5 to, ms  $6 source  $7 kind  $8 namespace  $9 name
 * $10 search  $11 server keys  $12 cluster keys, each may be null. A cluster of the uid is the owner's own.
 */
const MATCHING = `FROM change ch LEFT JOIN server s ON s.key = ch.server_key LEFT JOIN cluster c ON c.key = ch.cluster_key
  WHERE COALESCE(s.organisation_id, c.organisation_id, ch.organisation_id) = $1
    AND ($2::uuid IS NULL OR ch.server_key = (SELECT key FROM server WHERE id = $2))
    AND ($3::text IS NULL OR ch.cluster_key = (SELECT key FROM cluster WHERE organisation_id = $1 AND uid = $3))
    AND ($4::float8 IS NULL OR ch.at >= ${timestamp('$4')}) AND ($5::float8 IS NULL OR ch.at < ${timestamp('$5')})
    AND ($6::text IS NULL OR ch.source = $6) AND ($7::text IS NULL OR ch.kind = $7)
    AND ($8::text IS NULL OR ch.namespace = $8) AND ($9::text IS NULL OR ch.name = $9)
    AND ($10::text IS NULL OR position($10 IN lower(ch.title || ' ' || ch.name)) > 0)
    AND ($11::int[] IS NULL OR ch.server_key = ANY($11) OR ch.cluster_key = ANY($12))`;
const LIST = `SELECT ch.id::text AS id, ${milliseconds('ch.at')} AS at, ch.source, ch.action, ch.kind, ch.namespace, ch.name,
    ch.title, ch.changed_by AS "changedBy", ch.link, c.uid AS "clusterId", c.name AS "clusterName", s.id AS "serverId",
    CASE WHEN s.key IS NULL THEN NULL ELSE ${SHOWN_NAME} END AS hostname, ch.fields
  ${MATCHING} ORDER BY ch.at DESC, ch.id DESC LIMIT $13 OFFSET $14`;
const COUNT = `SELECT count(*)::int AS total FROM (SELECT ${MATCHING} LIMIT ${String(MOST_COUNTED + 1)}) f`;
const ADD = `INSERT INTO change (at, seen_at, source, action, organisation_id, cluster_key, server_key, kind, namespace, name, title,
    fields, changed_by, deploy_key, link)
  SELECT ${timestamp('$1')}, ${timestamp('$2')}, 'deploy', 'deployed', $3, place.key, $5, $6, $7, $8, $9, $10, $11, $12, $13
  FROM (SELECT (SELECT key FROM cluster WHERE organisation_id = $3 AND uid = $4) AS key) place
  WHERE $4::text IS NULL OR place.key IS NOT NULL
  ON CONFLICT (organisation_id, deploy_key) DO NOTHING RETURNING id::text AS id`;
const FIND = 'SELECT id::text AS id FROM change WHERE organisation_id = $1 AND deploy_key = $2';

const valuesOf = (organisationId: string, filter: ChangeFilter): unknown[] => [
  organisationId,
  ...[filter.serverId, filter.clusterId, filter.from, filter.to, filter.source, filter.kind].map((one) => one ?? null),
  ...[filter.namespace, filter.name, filter.search?.toLowerCase()].map((one) => one ?? null),
  filter.scope?.servers ?? null,
  filter.scope?.clusters ?? null,
];

export const createChangeLedger = ({ pool }: Database): ChangeLedger => ({
  list: async ({ organisationId }, filter, { limit, offset }) => {
    if (filter.serverId !== undefined && !isUuid(filter.serverId)) return { changes: [], total: 0, isMore: false };
    const values = valuesOf(organisationId, filter);
    const [{ rows }, { rows: counted }] = await Promise.all([
      pool.query<ChangeRecord>(LIST, [...values, limit, offset]),
      pool.query<{ total: number }>(COUNT, values),
    ]);
    const total = counted[0]?.total ?? 0;
    return { changes: rows, total: Math.min(total, MOST_COUNTED), isMore: total > MOST_COUNTED };
  },
  addMark: async ({ organisationId }, mark, now) => {
    const { at, clusterId, serverKey, kind, namespace, name, title, fields, changedBy, key, link } = mark;
    const place = [clusterId, serverKey, kind ?? 'deploy', namespace, name ?? title];
    const { rows } = await pool.query<{ id: string }>(ADD, [
      at,
      now,
      organisationId,
      ...place,
      title,
      JSON.stringify(fields),
      changedBy,
      key,
      link,
    ]);
    if (rows[0] !== undefined) return { id: rows[0].id, isNew: true };
    if (key === null) return null;
    const known = await pool.query<{ id: string }>(FIND, [organisationId, key]);
    return known.rows[0] === undefined ? null : { id: known.rows[0].id, isNew: false };
  },
});
