// SQL reads the ledger: an index gives the page in order, and the places of its entries are joined afterwards.
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/database.ts';
import { milliseconds, SHOWN_NAME, timestamp } from '../../database/time.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import type { ChangeLedger } from '../store.ts';
import type { ChangeFilter, ChangeRecord, DescribedRecord } from '../types.ts';

/** Entries that are counted at most. */
const MOST_COUNTED = 1000;
/** Entries of the range that a search looks at, the newest ones: no index helps with a part of a word. */
const MOST_SEARCHED = 10_000;
/** Servers and clusters of a scope whose entries are read one by one. Of more of them, an entry of theirs is soon found. */
const FEW_PLACES = 40;

/**
 * $1 organisation  $2 server key  $3 cluster key  $4 from, ms  $5 to, ms  $6 source  $7 kind  $8 namespace  $9 name; each
 * but the first may be null.
 */
const MATCHING = `organisation_id = $1
    AND ($2::int IS NULL OR server_key = $2) AND ($3::int IS NULL OR cluster_key = $3)
    AND ($4::float8 IS NULL OR at >= ${timestamp('$4')}) AND ($5::float8 IS NULL OR at < ${timestamp('$5')})
    AND ($6::text IS NULL OR source = $6) AND ($7::text IS NULL OR kind = $7)
    AND ($8::text IS NULL OR namespace = $8) AND ($9::text IS NULL OR name = $9)`;
const NEWEST = 'ORDER BY at DESC, id DESC';
/** $11 server keys, $12 cluster keys; null: no scope. */
const IN_SCOPE = '($11::int[] IS NULL OR server_key = ANY($11) OR cluster_key = ANY($12))';
/** $10 search, null: none. */
const FOUND = `SELECT * FROM (SELECT * FROM change WHERE ${MATCHING} AND ${IN_SCOPE} ${NEWEST} LIMIT ${String(MOST_SEARCHED)}) newest
  WHERE position($10 IN lower(title || ' ' || name)) > 0`;
const ALL = `SELECT * FROM change WHERE ${MATCHING} AND ${IN_SCOPE} AND $10::text IS NULL`;
const ofPlace = (column: string, keys: string, most: string): string => `SELECT place.* FROM unnest(${keys}) AS of(key)
  CROSS JOIN LATERAL (SELECT * FROM change WHERE ${column} = of.key AND ${MATCHING} AND $10::text IS NULL ${NEWEST} LIMIT ${most}) place`;
const few = (most: string): string =>
  `SELECT * FROM (${ofPlace('server_key', '$11::int[]', most)} UNION ALL ${ofPlace('cluster_key', '$12::int[]', most)}) places`;

/** $13 limit  $14 offset */
const listOf = (
  rows: string,
): string => `SELECT ch.id::text AS id, ${milliseconds('ch.at')} AS at, ch.source, ch.action, ch.kind,
    ch.namespace, ch.name, ch.title, ch.changed_by AS "changedBy", ch.link, c.uid AS "clusterId", c.name AS "clusterName",
    s.id AS "serverId", CASE WHEN s.key IS NULL THEN NULL ELSE ${SHOWN_NAME} END AS hostname, ch.fields
  FROM (${rows} ${NEWEST} LIMIT $13::int OFFSET $14::int) ch
    LEFT JOIN server s ON s.key = ch.server_key LEFT JOIN cluster c ON c.key = ch.cluster_key
  ORDER BY ch.at DESC, ch.id DESC`;
const countOf = (rows: string): string =>
  `SELECT count(*)::int AS total FROM (${rows} LIMIT ${String(MOST_COUNTED + 1)}) f`;

const PLACES = `SELECT (SELECT key FROM server WHERE id = $1::uuid) AS "serverKey",
    (SELECT key FROM cluster WHERE organisation_id = $3 AND uid = $2) AS "clusterKey"`;
const ADD = `INSERT INTO change (at, seen_at, source, action, organisation_id, cluster_key, server_key, kind, namespace, name, title,
    fields, changed_by, deploy_key, link)
  SELECT ${timestamp('$1')}, ${timestamp('$2')}, 'deploy', 'deployed', $3, place.key, $5, $6, $7, $8, $9, $10, $11, $12, $13
  FROM (SELECT (SELECT key FROM cluster WHERE organisation_id = $3 AND uid = $4) AS key) place
  WHERE $4::text IS NULL OR place.key IS NOT NULL
  ON CONFLICT (organisation_id, deploy_key) DO NOTHING RETURNING id::text AS id`;
const FIND = 'SELECT id::text AS id FROM change WHERE organisation_id = $1 AND deploy_key = $2';

/** $1 organisation  $2 uid of the cluster  $3 namespaces  $4 kinds, null: all  $5 limit */
const STATES = `SELECT d.kind, d.namespace, d.name, d.fields,
    ARRAY(SELECT name FROM jsonb_object_keys(d.digests) AS name ORDER BY name) AS hidden
  FROM described_object d JOIN cluster c ON c.key = d.cluster_key
  WHERE c.organisation_id = $1 AND c.uid = $2 AND ($3::text[] IS NULL OR d.namespace IS NULL OR d.namespace = ANY($3)) AND ($4::text[] IS NULL OR d.kind = ANY($4))
  ORDER BY d.kind, d.namespace, d.name, d.uid LIMIT $5`;

interface Place {
  serverKey: number | null;
  clusterKey: number | null;
}

const valuesOf = (organisationId: OrganisationId, place: Place, filter: ChangeFilter): unknown[] => [
  organisationId,
  place.serverKey,
  place.clusterKey,
  ...[filter.from, filter.to, filter.source, filter.kind, filter.namespace, filter.name].map((one) => one ?? null),
  filter.search?.toLowerCase() ?? null,
  filter.scope?.servers ?? null,
  filter.scope?.clusters ?? null,
];

/** The rows of a page, before they are ordered and cut. */
function rowsOf({ search, scope }: ChangeFilter, most: string): string {
  if (search !== undefined) return FOUND;
  const places = scope === undefined ? Infinity : scope.servers.length + scope.clusters.length;
  return places <= FEW_PLACES ? few(most) : ALL;
}

/** Null: a place of the filter does not exist, so nothing happened there. */
async function findPlace(
  { pool }: Pick<Database, 'pool'>,
  organisationId: OrganisationId,
  filter: ChangeFilter,
): Promise<Place | null> {
  const serverId = filter.serverId ?? null;
  const clusterId = filter.clusterId ?? null;
  if (serverId === null && clusterId === null) return { serverKey: null, clusterKey: null };
  if (serverId !== null && !isUuid(serverId)) return null;
  const { rows } = await pool.query<Place>(PLACES, [serverId, clusterId, organisationId]);
  const [place] = rows;
  if (!place || (serverId !== null && place.serverKey === null)) return null;
  return clusterId !== null && place.clusterKey === null ? null : place;
}

export const createChangeLedger = (database: Database): ChangeLedger => ({
  list: async ({ organisationId }, filter, { limit, offset }) => {
    const { pool } = database;
    const place = await findPlace(database, organisationId, filter);
    if (place === null) return { changes: [], total: 0, isMore: false };
    const values = valuesOf(organisationId, place, filter);
    const [{ rows }, { rows: counted }] = await Promise.all([
      pool.query<ChangeRecord>(listOf(rowsOf(filter, '$13::int + $14::int')), [...values, limit, offset]),
      pool.query<{ total: number }>(countOf(rowsOf(filter, String(MOST_COUNTED + 1))), values),
    ]);
    const total = counted[0]?.total ?? 0;
    return { changes: rows, total: Math.min(total, MOST_COUNTED), isMore: total > MOST_COUNTED };
  },
  listStates: async ({ organisationId }, { clusterId, namespaces, kinds, limit }) => {
    const { rows } = await database.pool.query<DescribedRecord>(STATES, [
      organisationId,
      clusterId,
      namespaces,
      kinds,
      limit,
    ]);
    return rows;
  },
  addMark: async ({ organisationId }, mark, now) => {
    const { pool } = database;
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
