// SQL writes the sets: one statement per kind inserts, updates and compares up to 2,000 rows, all in one transaction.
import { CUSTOM_KINDS, type CustomKind } from '@plimsoll/contract/rules/custom-resources';
import type { PoolClient } from 'pg';
import { columnsOf } from '../alerts/rules/rule-columns.ts';
import { inTransaction } from '../database/database.ts';
import type { Database } from '../database/database.ts';
import { timestamp as at } from '../database/time.ts';
import type { ManagedObjects, ObjectSet } from './store.ts';
import type { Applied, ObjectKey, StoredChannel, WantedObjects } from './types.ts';
import { keyOf } from './types.ts';

/** Makes the messages due that a silence held; the adapter of notify brings it. */
export type WakeHeld = (client: PoolClient, accountId: string, now: number) => Promise<unknown>;

/** $1 cluster  $2 term  $3 seq  $4 now, ms. A leader that is silent for a minute may be replaced by one of a lower term, as in reports. */
const TAKE_TURN = `UPDATE cluster SET object_term = $2, object_seq = $3
  WHERE key = $1 AND (term <= $2 OR last_seen_at < ${at('$4')} - interval '60 seconds')
    AND ((object_term, object_seq) < ($2::bigint, $3::bigint) OR last_seen_at < ${at('$4')} - interval '60 seconds')`;

const TABLES: Record<CustomKind, string> = {
  AlertRule: 'alert_rule',
  NotificationChannel: 'notify_channel',
  Silence: 'alert_silence',
};

interface NamedRow {
  namespace: string;
  name: string;
}
interface WrittenRow extends NamedRow {
  is_new: boolean;
}
const RETURNING = (table: string): string =>
  `RETURNING ${table}.object_namespace AS namespace, ${table}.object_name AS name, (xmax = 0) AS is_new`;
const IS_OTHER = (table: string): string =>
  `${table}.object_hash IS DISTINCT FROM excluded.object_hash OR ${table}.account_id <> excluded.account_id`;
const CONFLICT = 'ON CONFLICT (object_cluster_key, object_namespace, object_name) DO UPDATE SET';

/**
 * $1 cluster  $2 account  $3 rows  $4 now, ms. A rule with another metric or other levels gets another id: its open
 * alerts belong to lines that no longer exist.
 */
const SAVE_RULES = `INSERT INTO alert_rule (account_id, metric, target, server_id, tag_key, tag_value, mount, cluster_id, namespace,
    workload_kind, workload, lines, for_seconds, keep_firing_for_seconds, hysteresis_points, enabled, created_at, updated_at,
    object_cluster_key, object_namespace, object_name, object_hash)
  SELECT $2::uuid, r.metric, r.target, r."serverId", r."tagKey", r."tagValue", r.mount, r."clusterId", r.namespace,
    r."workloadKind", r.workload, r.lines, r."forSeconds", r."keepFiringForSeconds", r."hysteresisPoints", r.enabled,
    ${at('$4')}, ${at('$4')}, $1, r."objectNamespace", r."objectName", decode(r.hash, 'hex')
  FROM jsonb_to_recordset($3::jsonb) AS r(metric text, target text, "serverId" uuid, "tagKey" text, "tagValue" text, mount text,
    "clusterId" text, namespace text, "workloadKind" text, workload text, lines jsonb, "forSeconds" integer,
    "keepFiringForSeconds" integer, "hysteresisPoints" real, enabled boolean, "objectNamespace" text, "objectName" text, hash text)
  ${CONFLICT} id = CASE WHEN alert_rule.metric = excluded.metric
        AND jsonb_path_query_array(alert_rule.lines, '$[*].level') = jsonb_path_query_array(excluded.lines, '$[*].level')
      THEN alert_rule.id ELSE gen_random_uuid() END,
    account_id = excluded.account_id, metric = excluded.metric, target = excluded.target, server_id = excluded.server_id,
    tag_key = excluded.tag_key, tag_value = excluded.tag_value, mount = excluded.mount, cluster_id = excluded.cluster_id,
    namespace = excluded.namespace, workload_kind = excluded.workload_kind, workload = excluded.workload,
    lines = excluded.lines, for_seconds = excluded.for_seconds, keep_firing_for_seconds = excluded.keep_firing_for_seconds,
    hysteresis_points = excluded.hysteresis_points, enabled = excluded.enabled, updated_at = excluded.updated_at,
    object_hash = excluded.object_hash
  WHERE ${IS_OTHER('alert_rule')} ${RETURNING('alert_rule')}`;

/** As above. */
const SAVE_SILENCES = `INSERT INTO alert_silence (account_id, server_id, tag_key, tag_value, metric, rule, subject, cluster_id,
    namespace, starts_at, ends_at, comment, created_at, updated_at, object_cluster_key, object_namespace, object_name, object_hash)
  SELECT $2::uuid, r."serverId", r."tagKey", r."tagValue", r.metric, r.rule, r.subject, r."clusterId", r.namespace,
    ${at('r."startsAt"')}, ${at('r."endsAt"')}, r.comment, ${at('$4')}, ${at('$4')}, $1, r."objectNamespace", r."objectName",
    decode(r.hash, 'hex')
  FROM jsonb_to_recordset($3::jsonb) AS r("serverId" uuid, "tagKey" text, "tagValue" text, metric text, rule text, subject text,
    "clusterId" text, namespace text, "startsAt" float8, "endsAt" float8, comment text, "objectNamespace" text,
    "objectName" text, hash text)
  ${CONFLICT} account_id = excluded.account_id, server_id = excluded.server_id, tag_key = excluded.tag_key,
    tag_value = excluded.tag_value, metric = excluded.metric, rule = excluded.rule, subject = excluded.subject,
    cluster_id = excluded.cluster_id, namespace = excluded.namespace, starts_at = excluded.starts_at,
    ends_at = excluded.ends_at, comment = excluded.comment, updated_at = excluded.updated_at,
    object_hash = excluded.object_hash
  WHERE ${IS_OTHER('alert_silence')} ${RETURNING('alert_silence')}`;

/** $1 cluster  $2 account  $3 id  $4 type  $5 name  $6 settings  $7 secrets  $8 their ends  $9 routing  $10 now, ms  $11–$13 object */
const SAVE_CHANNEL = `INSERT INTO notify_channel (id, account_id, type, name, settings, secrets, secret_ends, routing, created_at,
    updated_at, object_cluster_key, object_namespace, object_name, object_hash)
  VALUES ($3, $2, $4, $5, $6, $7, $8, $9, ${at('$10')}, ${at('$10')}, $1, $11, $12, $13)
  ${CONFLICT} id = excluded.id, account_id = excluded.account_id, type = excluded.type, name = excluded.name,
    settings = excluded.settings, secrets = excluded.secrets, secret_ends = excluded.secret_ends, routing = excluded.routing,
    updated_at = excluded.updated_at, object_hash = excluded.object_hash, send_after = NULL
  WHERE ${IS_OTHER('notify_channel')} ${RETURNING('notify_channel')}`;

/** $1 cluster  $2 namespace  $3 name  $4 id that stays */
const DELETE_OTHER_CHANNEL = `DELETE FROM notify_channel
  WHERE object_cluster_key = $1 AND object_namespace = $2 AND object_name = $3 AND id <> $4`;

/** $1 cluster  $2 namespaces  $3 names of the objects whose rows stay  $4 now, ms */
const IS_GONE = `object_cluster_key = $1
  AND NOT EXISTS (SELECT FROM unnest($2::text[], $3::text[]) AS k(namespace, name)
    WHERE k.namespace = object_namespace AND k.name = object_name)`;
const NAMED = 'RETURNING object_namespace AS namespace, object_name AS name';
const DELETE = (kind: CustomKind): string =>
  kind === 'Silence'
    ? `UPDATE alert_silence SET deleted_at = ${at('$4')}, object_cluster_key = NULL WHERE ${IS_GONE} ${NAMED}`
    : `DELETE FROM ${TABLES[kind]} WHERE ${IS_GONE} AND $4::float8 IS NOT NULL ${NAMED}`;

const CHANNELS = `SELECT id, type, secrets, object_namespace AS namespace, object_name AS name
  FROM notify_channel WHERE object_cluster_key = $1`;
type ChannelRow = Omit<StoredChannel, 'sealedSecrets'> & { secrets: Buffer };

async function write(
  client: PoolClient,
  set: ObjectSet,
  wanted: WantedObjects,
  now: number,
): Promise<Record<CustomKind, WrittenRow[]>> {
  const { clusterKey, accountId } = set;
  const placed = ({ namespace, name, hash }: { namespace: string; name: string; hash: Buffer }) => ({
    objectNamespace: namespace,
    objectName: name,
    hash: hash.toString('hex'),
  });
  const save = async (sql: string, rows: object[]): Promise<WrittenRow[]> =>
    rows.length === 0
      ? []
      : (await client.query<WrittenRow>(sql, [clusterKey, accountId, JSON.stringify(rows), now])).rows;
  const rules = await save(
    SAVE_RULES,
    wanted.rules.map((rule) => ({ ...columnsOf(rule.draft), ...placed(rule) })),
  );
  const silences = await save(
    SAVE_SILENCES,
    wanted.silences.map((one) => ({ ...one.draft, ...placed(one) })),
  );
  const channels: WrittenRow[] = [];
  for (const { entry, namespace, name, hash } of wanted.channels) {
    const { id, type, settings, sealedSecrets, secretEnds, routing } = entry;
    const json = [JSON.stringify(settings), sealedSecrets, JSON.stringify(secretEnds), JSON.stringify(routing)];
    const values = [clusterKey, accountId, id, type, entry.name, ...json, now, namespace, name, hash];
    // The type decided the settings: a channel of another type is another channel.
    await client.query(DELETE_OTHER_CHANNEL, [clusterKey, namespace, name, id]);
    channels.push(...(await client.query<WrittenRow>(SAVE_CHANNEL, values)).rows);
  }
  return { AlertRule: rules, Silence: silences, NotificationChannel: channels };
}

const wantedKeys = (wanted: WantedObjects): Record<CustomKind, NamedRow[]> => ({
  AlertRule: [...wanted.rules],
  Silence: [...wanted.silences],
  NotificationChannel: [...wanted.channels],
});
const rowOf = (key: ObjectKey): NamedRow => {
  const bar = key.indexOf('/');
  return { namespace: key.slice(0, bar), name: key.slice(bar + 1) };
};

/** Deletes what the set no longer names; only of the kinds that it covers. */
async function prune(
  client: PoolClient,
  set: ObjectSet,
  wanted: WantedObjects,
  now: number,
): Promise<Record<CustomKind, ObjectKey[]>> {
  const keys = wantedKeys(wanted);
  const deleted: Record<CustomKind, ObjectKey[]> = { AlertRule: [], NotificationChannel: [], Silence: [] };
  for (const kind of wanted.covers) {
    const stay = [...keys[kind], ...wanted.kept[kind].map(rowOf)];
    const values = [set.clusterKey, stay.map(({ namespace }) => namespace), stay.map(({ name }) => name), now];
    deleted[kind] = (await client.query<NamedRow>(DELETE(kind), values)).rows.map(keyOf);
  }
  return deleted;
}

async function stillStored(client: PoolClient, clusterKey: number, kind: CustomKind): Promise<Set<ObjectKey>> {
  const sql = `SELECT object_namespace AS namespace, object_name AS name FROM ${TABLES[kind]} WHERE object_cluster_key = $1`;
  return new Set((await client.query<NamedRow>(sql, [clusterKey])).rows.map(keyOf));
}

export const createManagedObjectStore = ({ pool }: Database, wakeHeld: WakeHeld): ManagedObjects => ({
  clusterUid: async (clusterKey) =>
    (await pool.query<{ uid: string }>('SELECT uid FROM cluster WHERE key = $1', [clusterKey])).rows[0]?.uid ?? null,
  channels: async (clusterKey) =>
    (await pool.query<ChannelRow>(CHANNELS, [clusterKey])).rows.map(({ secrets, ...row }) => ({
      ...row,
      sealedSecrets: secrets,
    })),
  apply: (set, wanted, now) =>
    inTransaction(pool, async (client) => {
      const turn = await client.query(TAKE_TURN, [set.clusterKey, set.term, set.seq, now]);
      if (turn.rowCount !== 1) return null;
      const deleted = await prune(client, set, wanted, now);
      const written = await write(client, set, wanted, now);
      const applied: Record<CustomKind, Applied> = {
        AlertRule: { created: [], changed: [], deleted: [], kept: [] },
        NotificationChannel: { created: [], changed: [], deleted: [], kept: [] },
        Silence: { created: [], changed: [], deleted: [], kept: [] },
      };
      for (const kind of CUSTOM_KINDS) {
        const { created, changed } = applied[kind];
        for (const row of written[kind]) (row.is_new ? created : changed).push(keyOf(row));
        applied[kind].deleted = deleted[kind];
        if (wanted.kept[kind].length === 0) continue;
        const stored = await stillStored(client, set.clusterKey, kind);
        applied[kind].kept = wanted.kept[kind].filter((key) => stored.has(key));
      }
      const silences = applied.Silence;
      if (silences.changed.length + silences.deleted.length > 0) await wakeHeld(client, set.accountId, now);
      return applied;
    }),
});
