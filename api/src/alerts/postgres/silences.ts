// SQL writes silences: the end of one wakes the messages it held in the same transaction, and lists join the names.
import type { Pool, PoolClient } from 'pg';
import { inTransaction, isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, SHOWN_NAME, timestamp as at } from '../../database/time.ts';
import { ActiveSilences, type AlertFacts, type Silence, type SilenceDraft } from '../silence-match.ts';
import type { ActingState } from '../acting/acting.ts';
import type { AlertActing, AlertOutbox, Silences } from '../store.ts';
import type { OrganisationId, PersonId } from '../../tenancy/ids.ts';
import { createObjectSilences } from './object-silences.ts';

/** Servers of a maintenance, with the nodes of its clusters. */
const COVERED_SERVERS = `ARRAY(SELECT unnest(q.server_ids) UNION SELECT n.server_id FROM cluster c JOIN kube_node n ON n.cluster_key = c.key
  WHERE c.organisation_id = q.organisation_id AND c.uid = ANY(q.cluster_ids) AND n.server_id IS NOT NULL)`;
/** Checks of a maintenance, with those that belong to its servers and nodes. */
const COVERED_CHECKS = `ARRAY(SELECT unnest(q.check_ids) UNION SELECT d.id FROM check_definition d
  WHERE d.organisation_id = q.organisation_id AND d.server_id = ANY(${COVERED_SERVERS}))`;
export const SILENCE_COLUMNS = `q.id, q.server_id AS "serverId", q.tag_key AS "tagKey", q.tag_value AS "tagValue", q.metric, q.rule,
    q.subject, q.cluster_id AS "clusterId", q.namespace, ${ms('q.starts_at')} AS "startsAt", ${ms('q.ends_at')} AS "endsAt",
    q.comment, ${ms('q.created_at')} AS "createdAt", ${ms('q.updated_at')} AS "updatedAt",
    (SELECT k.name FROM account k WHERE k.id = q.created_by) AS "createdBy",
    (SELECT ${SHOWN_NAME} FROM server s WHERE s.id = q.server_id) AS hostname,
    (SELECT json_build_object('clusterId', o.uid, 'clusterName', o.name, 'namespace', q.object_namespace, 'name', q.object_name)
      FROM cluster o WHERE o.key = q.object_cluster_key) AS object,
    CASE WHEN q.maintenance_id IS NOT NULL THEN json_build_object('maintenanceId', q.maintenance_id,
      'serverIds', ${COVERED_SERVERS}, 'checkIds', ${COVERED_CHECKS}, 'clusterIds', q.cluster_ids) END AS covered`;

/** $1 account  $2 now, ms  $3 status or null */
const STATUS = `CASE WHEN q.ends_at <= ${at('$2')} THEN 'expired' WHEN q.starts_at > ${at('$2')} THEN 'pending' ELSE 'active' END`;
/** Periods of maintenance are planned and ended by their maintenance only. */
const OF_USERS = 'q.maintenance_id IS NULL';
const MATCHING = `FROM alert_silence q
  WHERE q.organisation_id = $1 AND ${OF_USERS} AND q.deleted_at IS NULL AND ($3::text IS NULL OR ${STATUS} = $3)`;
const LIST = `SELECT ${SILENCE_COLUMNS} ${MATCHING}
  ORDER BY array_position(ARRAY['active', 'pending', 'expired'], ${STATUS}),
    CASE WHEN ${STATUS} = 'expired' THEN -extract(epoch FROM q.ends_at) ELSE extract(epoch FROM q.ends_at) END, q.id
  LIMIT $4 OFFSET $5`;
const COUNT = `SELECT count(*)::integer AS total ${MATCHING}`;
const OPEN_COUNT = `SELECT count(*)::integer AS total FROM alert_silence q
  WHERE q.organisation_id = $1 AND q.deleted_at IS NULL AND ${OF_USERS} AND q.object_cluster_key IS NULL AND q.ends_at > ${at('$2')}`;
/** $1 accounts  $2 now, ms */
const ACTIVE = `SELECT q.organisation_id AS "organisationId", ${SILENCE_COLUMNS} FROM alert_silence q
  WHERE q.organisation_id = ANY($1) AND q.deleted_at IS NULL AND q.ends_at > ${at('$2')} AND q.starts_at <= ${at('$2')}`;
/** $1 account  $2 now, ms  $3 until, ms. With the periods of maintenance. */
const PLANNED = `SELECT ${SILENCE_COLUMNS} FROM alert_silence q
  WHERE q.organisation_id = $1 AND q.deleted_at IS NULL AND q.ends_at > ${at('$2')} AND q.starts_at <= ${at('$3')}
  ORDER BY q.starts_at, q.id LIMIT 5000`;
const GET = `SELECT ${SILENCE_COLUMNS} FROM alert_silence q
  WHERE q.organisation_id = $1 AND q.id = $2 AND ${OF_USERS} AND q.deleted_at IS NULL`;

/** $1 account  $2–$9 matcher  $10 start, ms  $11 end, ms  $12 comment  $13 by  $14 now, ms */
const INSERT = `INSERT INTO alert_silence AS q (organisation_id, server_id, tag_key, tag_value, metric, rule, subject, cluster_id,
    namespace, starts_at, ends_at, comment, created_by, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${at('$10')}, ${at('$11')}, $12, $13, ${at('$14')}, ${at('$14')})
  RETURNING ${SILENCE_COLUMNS}`;
/** As above; $13 id */
const UPDATE = `UPDATE alert_silence q SET server_id = $2, tag_key = $3, tag_value = $4, metric = $5, rule = $6,
    subject = $7, cluster_id = $8, namespace = $9, starts_at = ${at('$10')}, ends_at = ${at('$11')}, comment = $12,
    updated_at = ${at('$14')}
  WHERE q.organisation_id = $1 AND q.id = $13 AND q.maintenance_id IS NULL AND q.deleted_at IS NULL AND q.object_cluster_key IS NULL
  RETURNING ${SILENCE_COLUMNS}`;
/** $1 account  $2 ids  $3 by  $4 now, ms */
const DELETE = `UPDATE alert_silence SET deleted_at = ${at('$4')}, deleted_by = $3
  WHERE organisation_id = $1 AND id = ANY($2::uuid[]) AND maintenance_id IS NULL AND deleted_at IS NULL AND object_cluster_key IS NULL
  RETURNING id`;

const matcherOf = (draft: SilenceDraft): unknown[] => [
  draft.serverId,
  draft.tagKey,
  draft.tagValue,
  draft.metric,
  draft.rule,
  draft.subject,
  draft.clusterId,
  draft.namespace,
  draft.startsAt,
  draft.endsAt,
  draft.comment,
];

export async function insertSilence(
  client: Pick<PoolClient, 'query'>,
  organisationId: OrganisationId,
  draft: SilenceDraft,
  by: { personId: PersonId; now: number },
): Promise<Silence> {
  const { rows } = await client.query<Silence>(INSERT, [organisationId, ...matcherOf(draft), by.personId, by.now]);
  const [created] = rows;
  if (created === undefined) throw new Error('the silence was not inserted');
  return created;
}

/** Returns the ids of those that were there. Wake the messages they held afterwards. */
export async function deleteSilences(
  client: PoolClient,
  organisationId: OrganisationId,
  ids: readonly string[],
  by: { personId: PersonId; now: number },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(DELETE, [organisationId, ids, by.personId, by.now]);
  return rows.map(({ id }) => id);
}

const listActive = async (
  pool: Pool,
  organisationIds: readonly string[],
  now: number,
): Promise<(Silence & { organisationId: OrganisationId })[]> =>
  (await pool.query<Silence & { organisationId: OrganisationId }>(ACTIVE, [organisationIds, now])).rows;

export const createSilenceStore = ({ pool }: Database, outbox: AlertOutbox): Silences => ({
  ofObjects: createObjectSilences(pool, outbox),
  list: async ({ organisationId }, { status = null }, { limit, offset }, now) => {
    const matching = [organisationId, now, status];
    const [{ rows }, { rows: counted }] = await Promise.all([
      pool.query<Silence>(LIST, [...matching, limit, offset]),
      pool.query<{ total: number }>(COUNT, matching),
    ]);
    return { silences: rows, total: counted[0]?.total ?? 0 };
  },
  active: ({ organisationId }, now) => listActive(pool, [organisationId], now),
  planned: async ({ organisationId }, { now, until }) =>
    (await pool.query<Silence>(PLANNED, [organisationId, now, until])).rows,
  count: async ({ organisationId }, now) =>
    (await pool.query<{ total: number }>(OPEN_COUNT, [organisationId, now])).rows[0]?.total ?? 0,
  get: async ({ organisationId }, id) =>
    isUuid(id) ? ((await pool.query<Silence>(GET, [organisationId, id])).rows[0] ?? null) : null,
  create: ({ organisationId }, draft, { personId, now }) =>
    insertSilence(pool, organisationId, draft, { personId, now }),
  update: ({ organisationId }, id, draft, now) =>
    inTransaction(pool, async (client) => {
      if (!isUuid(id)) return null;
      const { rows } = await client.query<Silence>(UPDATE, [organisationId, ...matcherOf(draft), id, now]);
      if (rows.length > 0) await outbox.wakeHeld(client, organisationId, now);
      return rows[0] ?? null;
    }),
  delete: ({ organisationId }, id, { personId, now }) =>
    inTransaction(pool, async (client) => {
      if (!isUuid(id)) return false;
      const deleted = await deleteSilences(client, organisationId, [id], { personId, now });
      if (deleted.length > 0) await outbox.wakeHeld(client, organisationId, now);
      return deleted.length > 0;
    }),
});

/** SQL of the cluster that server `s` is a node of. */
export const CLUSTER_OF_SERVER = `(SELECT c.uid FROM kube_node n JOIN cluster c ON c.key = n.cluster_key
  WHERE n.server_id = s.id AND c.organisation_id = s.organisation_id)`;

/** $1 alert ids. An alert is about a server, a cluster or the whole account. */
const FACTS = `SELECT a.id, COALESCE(s.organisation_id, cl.organisation_id, a.organisation_id) AS "organisationId",
    ${ms('a.acknowledged_at')} AS "acknowledgedAt", s.id AS "serverId", COALESCE(s.tags, '{}') AS tags, a.metric, a.rule,
    a.subject, CASE WHEN a.cluster_key IS NULL THEN ${CLUSTER_OF_SERVER} ELSE cl.uid END AS "clusterId", a.namespace
  FROM alert a LEFT JOIN server s ON s.key = a.server_key LEFT JOIN cluster cl ON cl.key = a.cluster_key
  WHERE a.id = ANY($1::uuid[])`;
interface FactsRow extends AlertFacts {
  id: string;
  organisationId: OrganisationId | null;
  acknowledgedAt: number | null;
}

export const createAlertActing = ({ pool }: Database): AlertActing => ({
  ofAlerts: async (alertIds, now) => {
    if (alertIds.length === 0) return new Map();
    const { rows } = await pool.query<FactsRow>(FACTS, [alertIds]);
    const accounts = [
      ...new Set(rows.flatMap(({ organisationId }) => (organisationId === null ? [] : [organisationId]))),
    ];
    const silences = Map.groupBy(await listActive(pool, accounts, now), ({ organisationId }) => organisationId);
    const active = new Map(accounts.map((id) => [id, new ActiveSilences(silences.get(id) ?? [], now)]));
    return new Map(
      rows.map(({ id, organisationId, acknowledgedAt, ...facts }): [string, ActingState] => [
        id,
        {
          acknowledgedAt,
          silence: (organisationId === null ? undefined : active.get(organisationId))?.of(facts) ?? null,
        },
      ]),
    );
  },
});
