// SQL enqueues, claims and settles messages: claims skip locked rows, and each step is one statement or one transaction.
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-rule-limits';
import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import type { Pool, PoolClient } from 'pg';
import type { Owner } from '../accounts/owner.ts';
import type { AlertChange } from '../alerts/types.ts';
import { bytesOf } from '../database/bytes.ts';
import { inTransaction, isUuid } from '../database/database.ts';
import type { Database } from '../database/database.ts';
import { milliseconds as ms, SHOWN_NAME, timestamp as at } from '../database/time.ts';
import { GROUP_WAIT_MS, JUDGED_AFTER_INTERVALS, REPEATED_LEVELS } from './retry.ts';
import type { Notify } from './store.ts';
import type {
  ChannelEntry,
  ChannelRecord,
  ChannelState,
  Claim,
  DeliveryRecord,
  OutboxEntry,
  Settlement,
} from './types.ts';

const RANK = (level: string): string => `array_position(ARRAY['${ALERT_LEVELS.join("','")}'], ${level})`;

/** Null: the channel belongs to the account as a whole. */
const CLUSTER_KEY = 'COALESCE(c.cluster_key, c.object_cluster_key)';
/** A channel of a cluster gets the alerts of this cluster's servers only. */
const IS_IN_CLUSTER = `(${CLUSTER_KEY} IS NULL OR ${CLUSTER_KEY} = a.cluster_key OR EXISTS
  (SELECT FROM kube_node n WHERE n.server_id = s.id AND n.cluster_key = ${CLUSTER_KEY}))`;

/** $1 server  $2 rule  $3 subject  $4 level  $5 value  $6 threshold  $7 time of the change, ms */
const enqueueAs = (state: string, condition: string): string => `INSERT INTO notify_outbox
    (channel_id, alert_id, server_key, state, level, value, threshold, at, due_at)
  SELECT c.id, a.id, a.server_key, '${state}', $4, $5, $6, ${at('$7')}, ${at('$7')} + interval '${GROUP_WAIT_MS} milliseconds'
  FROM server s JOIN notify_channel c ON c.account_id = s.account_id
    JOIN alert a ON a.server_key = s.key AND a.rule = $2 AND a.subject = $3 AND a.resolved_at IS NULL
  WHERE s.key = $1 AND ${IS_IN_CLUSTER} AND ${condition}`;
const IS_WAITING = 'EXISTS (SELECT FROM notify_outbox o WHERE o.channel_id = c.id AND o.alert_id = a.id)';
const IS_DELIVERED = 'EXISTS (SELECT FROM notify_delivered d WHERE d.channel_id = c.id AND d.alert_id = a.id)';
const ENQUEUE: Record<AlertChange['kind'], string> = {
  opened: enqueueAs('firing', `NOT ${IS_WAITING} AND NOT ${IS_DELIVERED}`),
  // A smaller place in ALERT_LEVELS is graver.
  updated: enqueueAs('escalated', `${RANK('$4')} < ${RANK('a.level')}`),
  resolved: enqueueAs('resolved', `(${IS_WAITING} OR ${IS_DELIVERED})`),
};

/**
 * Puts a change of an alert into the outbox of each channel of the server's account, in the transaction that saves it.
 * Call it after an alert opens, and before an update or an end is written: it compares with the stored level.
 */
export const enqueueAlertChange = async (client: PoolClient, serverKey: number, change: AlertChange): Promise<void> => {
  const { kind, rule, subject, level, value, threshold, at: time } = change;
  await client.query(ENQUEUE[kind], [serverKey, rule, subject, level, value, threshold, time]);
};

/**
 * $1 alerts  $2 when they count as begun, ms. Channels that delivered a lower level get the rise. An alert that ends
 * before then, or while the message waits for others, is not sent.
 */
const ENQUEUE_OPEN = `INSERT INTO notify_outbox (channel_id, alert_id, server_key, state, level, value, threshold, at, due_at)
  SELECT c.id, a.id, a.server_key, CASE WHEN d.level IS NULL THEN 'firing' ELSE 'escalated' END, a.level, a.value,
    a.threshold, ${at('$2')}, ${at('$2')} + interval '${GROUP_WAIT_MS} milliseconds'
  FROM alert a LEFT JOIN server s ON s.key = a.server_key LEFT JOIN cluster k ON k.key = a.cluster_key
    JOIN notify_channel c ON c.account_id = COALESCE(s.account_id, k.account_id, a.account_id)
    LEFT JOIN notify_delivered d ON d.channel_id = c.id AND d.alert_id = a.id
  WHERE a.id = ANY($1::uuid[]) AND a.resolved_at IS NULL AND ${IS_IN_CLUSTER} AND NOT ${IS_WAITING}
    AND (d.level IS NULL OR ${RANK('a.level')} < ${RANK('d.level')})`;
/** $1 alert  $2 now, ms */
const ENQUEUE_END = `INSERT INTO notify_outbox (channel_id, alert_id, server_key, state, level, value, threshold, at, due_at)
  SELECT c.id, a.id, a.server_key, 'resolved', a.level, a.value, a.threshold, ${at('$2')},
    ${at('$2')} + interval '${GROUP_WAIT_MS} milliseconds'
  FROM alert a LEFT JOIN cluster k ON k.key = a.cluster_key
    JOIN notify_channel c ON c.account_id = COALESCE(k.account_id, a.account_id)
  WHERE a.id = $1 AND (${IS_WAITING} OR ${IS_DELIVERED})`;

/** Messages that changes of an incident cause, in the transaction that changes it. */
export const incidentOutbox = {
  enqueueOpen: (client: PoolClient, alertIds: readonly string[], now: number, waitMs: number): Promise<unknown> =>
    client.query(ENQUEUE_OPEN, [alertIds, now + waitMs]),
  enqueueEnd: (client: PoolClient, alertId: string, now: number): Promise<unknown> =>
    client.query(ENQUEUE_END, [alertId, now]),
};

const CHANNEL = `c.id, c.type, c.name, c.settings, c.secrets, c.secret_ends, c.routing,
  CASE WHEN ${CLUSTER_KEY} IS NOT NULL THEN 'cluster' WHEN c.environment_hash IS NOT NULL THEN 'environment' ELSE 'user' END
    AS managed_by,
  (SELECT json_build_object('clusterId', k.uid, 'clusterName', k.name, 'namespace', c.object_namespace, 'name', c.object_name)
    FROM cluster k WHERE k.key = c.object_cluster_key) AS object, ${ms('c.created_at')} AS created, ${ms('c.updated_at')} AS updated`;
interface ChannelRow {
  id: string;
  type: ChannelRecord['type'];
  name: string;
  settings: ChannelRecord['settings'];
  secrets: Buffer;
  secret_ends: ChannelRecord['secretEnds'];
  routing: ChannelRecord['routing'];
  managed_by: ChannelRecord['managedBy'];
  object: ChannelRecord['object'];
  created: number;
  updated: number;
}
interface ChannelStateRow extends ChannelRow {
  waiting: number;
  last_at: number | null;
  last_outcome: DeliveryRecord['outcome'] | null;
  last_detail: string | null;
}
const LIST = `SELECT ${CHANNEL}, (SELECT count(*) FROM notify_outbox o WHERE o.channel_id = c.id)::integer AS waiting,
    ${ms('l.at')} AS last_at, l.outcome AS last_outcome, l.detail AS last_detail
  FROM notify_channel c LEFT JOIN LATERAL
    (SELECT at, outcome, detail FROM notify_delivery WHERE channel_id = c.id ORDER BY id DESC LIMIT 1) AS l ON true
  WHERE c.account_id = $1 AND ($2::uuid IS NULL OR c.id = $2) ORDER BY c.created_at, c.id`;

const recordOf = (row: ChannelRow): ChannelRecord => ({
  id: row.id,
  type: row.type,
  name: row.name,
  settings: row.settings,
  sealedSecrets: row.secrets,
  secretEnds: row.secret_ends,
  routing: row.routing,
  managedBy: row.managed_by,
  object: row.object,
  createdAt: row.created,
  updatedAt: row.updated,
});
const stateOf = (row: ChannelStateRow): ChannelState => ({
  ...recordOf(row),
  waiting: row.waiting,
  lastDelivery:
    row.last_at === null || row.last_outcome === null
      ? null
      : { at: row.last_at, outcome: row.last_outcome, detail: row.last_detail ?? '' },
});

const UPDATE = `UPDATE notify_channel SET name = $3, settings = $4, secrets = $5, secret_ends = $6, routing = $7,
    updated_at = ${at('$8')}, send_after = NULL
  WHERE id = $1 AND account_id = $2 AND environment_hash IS NULL AND object_cluster_key IS NULL`;

/** Widens a type with unknown values, which Prisma's type of JSON refuses. */
const jsonOf = (value: object): object => value;

const channelsOn = ({ pool, prisma }: Database): Notify['channels'] => {
  const list = async ({ accountId }: Owner, id: string | null): Promise<ChannelState[]> =>
    (await pool.query<ChannelStateRow>(LIST, [accountId, id])).rows.map(stateOf);
  const create = async (
    accountId: string,
    entry: ChannelEntry,
    hash: Buffer | null,
    now: number,
    clusterKey: number | null = null,
  ): Promise<void> => {
    const { id, type, name, settings, sealedSecrets, secretEnds, routing } = entry;
    const time = new Date(now);
    const row = { id, accountId, type, name, createdAt: time, updatedAt: time };
    await prisma.notifyChannel.create({
      data: {
        ...row,
        settings: jsonOf(settings),
        secrets: bytesOf(sealedSecrets),
        secretEnds,
        routing: jsonOf(routing),
        environmentHash: hash && bytesOf(hash),
        clusterKey,
      },
      select: { id: true },
    });
  };
  const deleteManaged = async (): Promise<boolean> =>
    (await prisma.notifyChannel.deleteMany({ where: { environmentHash: { not: null }, clusterKey: null } })).count > 0;
  const replace = async (entry: ChannelEntry, hash: Buffer, now: number): Promise<boolean> => {
    // The row stays while the values change, with what waits in its outbox.
    const { count } = await prisma.notifyChannel.updateMany({
      where: { id: entry.id, environmentHash: { not: null } },
      data: {
        settings: jsonOf(entry.settings),
        secrets: bytesOf(entry.sealedSecrets),
        secretEnds: entry.secretEnds,
        environmentHash: bytesOf(hash),
        updatedAt: new Date(now),
      },
    });
    return count > 0;
  };
  return {
    list: (owner) => list(owner, null),
    get: async (owner, id) => (isUuid(id) ? ((await list(owner, id))[0] ?? null) : null),
    create: ({ accountId }, entry, now) => create(accountId, entry, null, now),
    update: async ({ accountId }, { id, name, settings, sealedSecrets, secretEnds, routing }, now) => {
      const parts = [
        name,
        JSON.stringify(settings),
        sealedSecrets,
        JSON.stringify(secretEnds),
        JSON.stringify(routing),
      ];
      return (await pool.query(UPDATE, [id, accountId, ...parts, now])).rowCount === 1;
    },
    delete: async ({ accountId }, id) => {
      if (!isUuid(id)) return false;
      const where = { id, accountId, environmentHash: null, objectClusterKey: null };
      return (await prisma.notifyChannel.deleteMany({ where })).count === 1;
    },
    managed: async () => {
      const row = await prisma.notifyChannel.findFirst({ where: { environmentHash: { not: null }, clusterKey: null } });
      if (row?.environmentHash == null) return null;
      const { id, type, accountId } = row;
      return { id, type: type as ChannelRecord['type'], accountId, hash: Buffer.from(row.environmentHash) };
    },
    saveManaged: async ({ accountId }, entry, hash, now) => {
      if (!(await replace(entry, hash, now))) await create(accountId, entry, hash, now);
    },
    ofCluster: async (clusterKey) => {
      const row = await prisma.notifyChannel.findUnique({ where: { clusterKey } });
      if (row?.environmentHash == null) return null;
      return { id: row.id, name: row.name, hash: Buffer.from(row.environmentHash) };
    },
    saveOfCluster: async ({ accountId }, clusterKey, entry, hash, now) => {
      if (!(await replace(entry, hash, now))) await create(accountId, entry, hash, now, clusterKey);
    },
    deleteOfCluster: async (clusterKey) => (await prisma.notifyChannel.deleteMany({ where: { clusterKey } })).count > 0,
    deleteManaged,
  };
};

/** $1 now, ms  $2 lease  $3 its end, ms. Replicas skip channels that another one is claiming. A lease is still there when
 * the process that held it ended. */
const LEASE = `UPDATE notify_channel c SET lease = $2, leased_until = ${at('$3')}
  FROM (SELECT d.id, d.lease FROM notify_channel d
    WHERE COALESCE(d.leased_until, '-infinity') <= ${at('$1')} AND COALESCE(d.send_after, '-infinity') <= ${at('$1')}
      AND EXISTS (SELECT FROM notify_outbox o WHERE o.channel_id = d.id AND o.due_at <= ${at('$1')})
    ORDER BY d.send_after NULLS FIRST, d.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS free
  WHERE c.id = free.id
  RETURNING c.id, c.type, c.settings, c.secrets, c.routing, c.account_id, free.lease IS NOT NULL AS was_left`;
/** $1 channel  $2 now, ms. It is not known which of the messages that were due the process has sent. */
const MARK_LEFT = `UPDATE notify_outbox SET may_have_arrived = true WHERE channel_id = $1 AND due_at <= ${at('$2')}`;
/** Subject of one message: the incident; alerts older than incidents are grouped by server. */
const GROUP = 'COALESCE(a.incident_id::text, o.server_key::text)';
/**
 * The server's report is overdue, and nobody has judged yet whether it is offline. That takes 3 intervals and a run of the
 * job; a server without an offline rule is never judged, so the wait ends.
 */
const IS_LATE = `a.metric NOT IN ('offline', 'ingest_outage') AND s.key IS NOT NULL AND (EXISTS (SELECT FROM alert x
      WHERE x.account_id = s.account_id AND x.metric = 'ingest_outage' AND x.resolved_at IS NULL)
    OR (SELECT max(r.last_received_at) FROM report_stream r WHERE r.server_key = s.key) BETWEEN
      ${at('$2')} - make_interval(secs => s.report_interval_seconds * ${JUDGED_AFTER_INTERVALS}::double precision)
      AND ${at('$2')} - make_interval(secs => s.report_interval_seconds))`;
/** $1 channel  $2 now, ms  $3 account. Rows that wait for more than the grouping stay where they are. */
const ENTRIES = `SELECT o.id::float8 AS id, o.alert_id, o.state, o.level, o.value, o.threshold, ${ms('o.at')} AS at, o.attempts,
    ${ms('o.first_tried_at')} AS first_tried, a.metric, a.subject, a.title, ${ms('a.opened_at')} AS opened,
    (SELECT w.for_seconds FROM alert_rule w WHERE w.id = CASE WHEN a.rule ~ '^[0-9a-f-]{36}$' THEN a.rule::uuid END) AS for_seconds,
    EXISTS (SELECT FROM notify_delivered d WHERE d.channel_id = $1 AND d.alert_id = a.id) AS is_delivered,
    o.may_have_arrived, a.is_folded, ${IS_LATE} AS is_late,
    (SELECT count(*)::integer FROM alert f WHERE f.incident_id = a.incident_id AND f.is_folded AND f.resolved_at IS NULL)
      AS folded,
    s.id AS server_id, CASE WHEN s.id IS NOT NULL THEN ${SHOWN_NAME} WHEN k.key IS NOT NULL THEN COALESCE(k.name, 'Kubernetes') END AS hostname,
    s.tags, COALESCE(s.account_id, k.account_id, a.account_id) IS NOT DISTINCT FROM $3::uuid AS is_owned
  FROM notify_outbox o JOIN alert a ON a.id = o.alert_id LEFT JOIN server s ON s.key = o.server_key
    LEFT JOIN cluster k ON k.key = a.cluster_key
  WHERE o.channel_id = $1 AND (SELECT min(m.due_at) FROM notify_outbox m WHERE m.channel_id = $1 AND m.alert_id = o.alert_id)
      <= ${at('$2')} + interval '${GROUP_WAIT_MS} milliseconds' AND ${GROUP} =
    (SELECT ${GROUP} FROM notify_outbox o JOIN alert a ON a.id = o.alert_id
      WHERE o.channel_id = $1 AND o.due_at <= ${at('$2')} ORDER BY o.due_at, o.id LIMIT 1)
  ORDER BY o.id`;
interface EntryRow {
  id: number;
  alert_id: string;
  state: OutboxEntry['state'];
  level: OutboxEntry['level'];
  value: number | null;
  threshold: number | null;
  at: number;
  attempts: number;
  first_tried: number | null;
  metric: string;
  subject: string;
  title: string;
  opened: number;
  /** Null: a default rule, or one that was deleted. */
  for_seconds: number | null;
  is_delivered: boolean;
  may_have_arrived: boolean;
  is_folded: boolean;
  is_late: boolean;
  folded: number;
  server_id: string | null;
  hostname: string | null;
  tags: Record<string, string> | null;
  is_owned: boolean;
}
const defaultForSeconds = (metric: string): number =>
  Object.entries(ALERT_METRICS).find(([name]) => name === metric)?.[1].forSeconds ?? 0;

const entryOf = (row: EntryRow): OutboxEntry => ({
  id: row.id,
  alertId: row.alert_id,
  state: row.state,
  level: row.level,
  value: row.value,
  threshold: row.threshold,
  at: row.at,
  attempts: row.attempts,
  firstTriedAt: row.first_tried,
  metric: row.metric,
  subject: row.subject,
  title: row.title,
  openedAt: row.opened,
  forMs: (row.for_seconds ?? defaultForSeconds(row.metric)) * 1000,
  isDelivered: row.is_delivered,
  mayHaveArrived: row.may_have_arrived,
  isFolded: row.is_folded,
  isLate: row.is_late,
});

type LeasedRow = Pick<ChannelRow, 'id' | 'type' | 'settings' | 'secrets' | 'routing'> & {
  account_id: string;
  was_left: boolean;
};

async function claim(pool: Pool, now: number, lease: { id: string; until: number }): Promise<Claim | null> {
  const { rows: leased } = await pool.query<LeasedRow>(LEASE, [now, lease.id, lease.until]);
  const channel = leased[0];
  if (channel === undefined) return null;
  if (channel.was_left) await pool.query(MARK_LEFT, [channel.id, now]);
  const { rows } = await pool.query<EntryRow>(ENTRIES, [channel.id, now, channel.account_id]);
  const first = rows[0];
  if (first === undefined) {
    // The server went between the two statements.
    await pool.query(RELEASE, [channel.id, lease.id, null]);
    return null;
  }
  const { id, type, settings, secrets, routing } = channel;
  return {
    lease: lease.id,
    channel: { id, type, settings, sealedSecrets: secrets, routing },
    server:
      first.server_id === null ? null : { id: first.server_id, hostname: first.hostname ?? '', tags: first.tags ?? {} },
    name: first.hostname,
    isOwned: first.is_owned,
    folded: first.folded,
    entries: rows.map(entryOf),
  };
}

/** $1 channel  $2 lease  $3 nothing is sent before, ms */
const RELEASE = `UPDATE notify_channel SET lease = NULL, leased_until = NULL,
    send_after = ${at('$3')} WHERE id = $1 AND lease = $2`;
const DELETE_ENTRIES = 'DELETE FROM notify_outbox WHERE id = ANY($1::bigint[])';
const HOLD = `UPDATE notify_outbox SET due_at = ${at('$2')} WHERE id = ANY($1::bigint[])`;
const FAIL = `UPDATE notify_outbox SET due_at = ${at('$2')}, attempts = attempts + 1,
    first_tried_at = COALESCE(first_tried_at, ${at('$3')}), may_have_arrived = may_have_arrived OR $4 WHERE id = ANY($1::bigint[])`;
/** An alert may be deleted while its message is under way. */
const DELIVERED = `INSERT INTO notify_delivered (channel_id, alert_id, level, at)
  SELECT $1, a.id, $3, ${at('$4')} FROM alert a WHERE a.id = $2 FOR KEY SHARE
  ON CONFLICT (channel_id, alert_id) DO UPDATE SET level = excluded.level, at = excluded.at`;
const ENDED = 'DELETE FROM notify_delivered WHERE channel_id = $1 AND alert_id = ANY($2::uuid[])';
const LOG = `INSERT INTO notify_delivery (channel_id, at, outcome, detail, hostname, alert_ids, attempt)
  SELECT c.id, ${at('$2')}, $3, $4, $5, $6, $7 FROM notify_channel c WHERE c.id = $1 FOR KEY SHARE`;

async function settle(
  client: PoolClient,
  { channelId, lease }: { channelId: string; lease: string },
  settlement: Settlement,
): Promise<void> {
  const { done, held, failed, delivered, ended, sendAfter, log } = settlement;
  // An alert that goes meanwhile takes its rows along, so these statements find none.
  await client.query(RELEASE, [channelId, lease, sendAfter]);
  if (done.length > 0) await client.query(DELETE_ENTRIES, [done]);
  for (const { ids, until } of held) await client.query(HOLD, [ids, until]);
  if (failed !== null) await client.query(FAIL, [failed.ids, failed.until, failed.at, failed.mayHaveArrived]);
  for (const { alertId, level } of delivered)
    await client.query(DELIVERED, [channelId, alertId, level, log?.at ?? sendAfter]);
  if (ended.length > 0) await client.query(ENDED, [channelId, ended]);
  if (log === null) return;
  const { at: time, outcome, detail, hostname, alertIds, attempt } = log;
  await client.query(LOG, [channelId, time, outcome, detail, hostname, alertIds, attempt]);
}

/** $1 now, ms. `at` moves in the same statement, so that no interval is repeated twice. */
const REPEAT = `WITH due AS (
    SELECT d.channel_id, d.alert_id FROM notify_delivered d JOIN notify_channel c ON c.id = d.channel_id
      JOIN alert a ON a.id = d.alert_id AND a.resolved_at IS NULL AND a.acknowledged_at IS NULL AND NOT a.is_folded
    WHERE a.level = ANY('{${REPEATED_LEVELS.join(',')}}') AND (c.routing->>'repeatMinutes')::integer IS NOT NULL
      AND d.at <= ${at('$1')} - make_interval(mins => (c.routing->>'repeatMinutes')::integer)
      AND NOT EXISTS (SELECT FROM notify_outbox o WHERE o.channel_id = d.channel_id AND o.alert_id = d.alert_id)
    FOR UPDATE OF d SKIP LOCKED
  ), moved AS (
    UPDATE notify_delivered d SET at = ${at('$1')} FROM due
    WHERE d.channel_id = due.channel_id AND d.alert_id = due.alert_id RETURNING d.channel_id, d.alert_id
  )
  INSERT INTO notify_outbox (channel_id, alert_id, server_key, state, level, value, threshold, at, due_at)
  SELECT m.channel_id, a.id, a.server_key, 'repeated', a.level, a.value, a.threshold, ${at('$1')}, ${at('$1')}
  FROM moved m JOIN alert a ON a.id = m.alert_id`;

/**
 * $1 account  $2 now, ms. Rows that a silence or quiet hours hold. Rows in their group wait and rows that failed keep
 * their time.
 */
const WAKE = `UPDATE notify_outbox o SET due_at = ${at('$2')} FROM notify_channel c
  WHERE c.id = o.channel_id AND c.account_id = $1 AND o.attempts = 0
    AND o.due_at > ${at('$2')} AND o.due_at > o.at + interval '${GROUP_WAIT_MS} milliseconds'`;
/** Makes held messages of an account due, so that the sender judges them anew. */
export const wakeHeldMessages = (client: PoolClient, accountId: string, now: number): Promise<unknown> =>
  client.query(WAKE, [accountId, now]);

const BACKLOG = `SELECT count(*)::integer AS waiting, ${ms('min(at)')} AS oldest FROM notify_outbox`;

const DELIVERIES = `SELECT l.id::float8 AS id, l.channel_id, c.name, c.type, ${ms('l.at')} AS at, l.outcome, l.detail,
    l.hostname, l.alert_ids, l.attempt
  FROM notify_delivery l JOIN notify_channel c ON c.id = l.channel_id
  WHERE c.account_id = $1 AND ($2::uuid IS NULL OR c.id = $2) ORDER BY l.id DESC LIMIT $3 OFFSET $4`;
const COUNT = `SELECT count(*)::integer AS total FROM notify_delivery l JOIN notify_channel c ON c.id = l.channel_id
  WHERE c.account_id = $1 AND ($2::uuid IS NULL OR c.id = $2)`;
interface DeliveryRow {
  id: number;
  channel_id: string;
  name: string;
  type: DeliveryRecord['type'];
  at: number;
  outcome: DeliveryRecord['outcome'];
  detail: string;
  hostname: string;
  alert_ids: string[];
  attempt: number;
}

export const createNotifyStore = (database: Database): Notify => {
  const { pool } = database;
  return {
    channels: channelsOn(database),
    outbox: {
      claim: (now, lease) => claim(pool, now, lease),
      settle: (held, settlement) => inTransaction(pool, (client) => settle(client, held, settlement)),
      repeat: async (now) => (await pool.query(REPEAT, [now])).rowCount ?? 0,
      backlog: async () => {
        const { rows } = await pool.query<{ waiting: number; oldest: number | null }>(BACKLOG);
        return { waiting: rows[0]?.waiting ?? 0, oldestAt: rows[0]?.oldest ?? null };
      },
    },
    deliveries: {
      log: async (channelId, { at: time, outcome, detail, about }) => {
        await pool.query(LOG, [channelId, time, outcome, detail, about, [], 1]);
      },
      list: async ({ accountId }, { channelId = null }, { limit, offset }) => {
        const { rows } = await pool.query<DeliveryRow>(DELIVERIES, [accountId, channelId, limit, offset]);
        const { rows: counted } = await pool.query<{ total: number }>(COUNT, [accountId, channelId]);
        const deliveries = rows.map(({ channel_id: channel, name, alert_ids: alertIds, ...rest }): DeliveryRecord => ({
          ...rest,
          channelId: channel,
          channelName: name,
          alertIds,
        }));
        return { deliveries, total: counted[0]?.total ?? 0 };
      },
    },
  };
};
