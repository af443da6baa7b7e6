// SQL keeps incidents: an upsert on a partial index lets one of several replicas open each, and row locks order their ends.
import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import type { Pool, PoolClient } from 'pg';
import { inTransaction, isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, SHOWN_NAME, timestamp as at } from '../../database/time.ts';
import { type IncidentPlace, placeAlert, type Subject } from '../incident-root.ts';
import type { Incidents } from '../store.ts';
import type { IncidentMember, IncidentRecord } from '../types.ts';

/** Metrics whose alert takes down what runs below its subject. */
export const CAUSES = ['ingest_outage', 'offline', 'node_not_ready'] as const;
const RANK = (level: string): string => `array_position(ARRAY['${ALERT_LEVELS.join("','")}'], ${level})`;
const LEADS = `array_position(ARRAY['${CAUSES.join("','")}'], a.metric) NULLS LAST, ${RANK('a.level')}, a.opened_at, a.id`;

/** Puts alerts into the outbox of each channel that has not delivered them; the adapter of notify brings it. */
export interface IncidentOutbox {
  enqueueOpen(client: PoolClient, alertIds: readonly string[], now: number, waitMs: number): Promise<unknown>;
  enqueueEnd(client: PoolClient, alertId: string, now: number): Promise<unknown>;
}
/** When the cause of an incident ends, its other alerts get this long to end too before they are sent. */
const AFTER_CAUSE_MS = 180_000;

interface OpenRow {
  id: string;
  metric: string;
  incident_id: string | null;
  is_folded: boolean;
}
const OPEN_OF_SERVER = `SELECT id, metric, incident_id, is_folded FROM alert
  WHERE server_key = $1 AND resolved_at IS NULL ORDER BY id`;
/** $1 root  $2 now, ms  $3 server  $4 account  $5 cluster. Locks the incident until the end of the transaction. */
const OPEN_INCIDENT = `INSERT INTO incident AS i (root, server_key, account_id, cluster_key, cause, level, title, opened_at, updated_at)
  VALUES ($1, $3, $4, $5, '', 'info', '', ${at('$2')}, ${at('$2')})
  ON CONFLICT (root) WHERE resolved_at IS NULL DO UPDATE SET updated_at = GREATEST(i.updated_at, excluded.updated_at)
  RETURNING id`;
const LOCK_ROOT = 'SELECT id FROM incident WHERE root = $1 AND resolved_at IS NULL FOR UPDATE';
const LOCK = 'SELECT id FROM incident WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE';
const PLACE = 'UPDATE alert SET incident_id = $2, is_folded = $3 WHERE id = ANY($1::uuid[])';
/** $1 incident  $2 now, ms. A statement of its own after the lock: it sees what the transaction before it wrote. */
const REFRESH = `UPDATE incident i SET cause = a.metric, title = a.title, level = a.worst, updated_at = ${at('$2')},
    opened_at = LEAST(i.opened_at, a.opened_at)
  FROM (SELECT a.metric, a.title, min(a.opened_at) OVER () AS opened_at,
      first_value(a.level) OVER (ORDER BY ${RANK('a.level')}) AS worst
    FROM alert a WHERE a.incident_id = $1 AND a.resolved_at IS NULL ORDER BY ${LEADS} LIMIT 1) AS a
  WHERE i.id = $1`;
const RESOLVE = `UPDATE incident SET resolved_at = GREATEST(opened_at, ${at('$2')}), updated_at = ${at('$2')}
  WHERE id = $1 AND resolved_at IS NULL
    AND NOT EXISTS (SELECT FROM alert a WHERE a.incident_id = $1 AND a.resolved_at IS NULL)`;

async function refresh(client: PoolClient, incidentIds: readonly string[], now: number): Promise<void> {
  for (const id of incidentIds) {
    await client.query(REFRESH, [id, now]);
    await client.query(RESOLVE, [id, now]);
  }
}

const isCause = (metric: string): boolean => CAUSES.some((cause) => cause === metric);

/** One transaction at a time settles the incidents of a cluster and of the hosts of its nodes. */
const LOCK_CLUSTER = `SELECT pg_advisory_xact_lock(hashtext('incidents of a cluster'), $1)`;
const CLUSTERS_OF_SERVER = `SELECT DISTINCT n.cluster_key AS key FROM kube_node n JOIN server s ON s.id = n.server_id
  WHERE s.key = $1 AND n.gone_at IS NULL ORDER BY 1`;

/**
 * Gives each open alert of a server its incident, in the transaction that changed them, and ends an incident without
 * open alerts. Alerts whose cause has ended are sent if they are still open after a while.
 */
export async function settleServerIncident(
  client: PoolClient,
  outbox: IncidentOutbox,
  serverKey: number,
  now: number,
): Promise<void> {
  const { rows: clusters } = await client.query<{ key: number }>(CLUSTERS_OF_SERVER, [serverKey]);
  for (const { key } of clusters) await client.query(LOCK_CLUSTER, [key]);
  await settleServer(client, outbox, serverKey, now);
  for (const { key } of clusters) await settleClusterIncidents(client, outbox, key, now);
}

async function settleServer(client: PoolClient, outbox: IncidentOutbox, serverKey: number, now: number): Promise<void> {
  const subject: Subject = { key: `server:${serverKey}`, parent: null };
  const { rows: open } = await client.query<OpenRow>(OPEN_OF_SERVER, [serverKey]);
  const isDown = open.some(({ metric }) => isCause(metric));
  const { rows: locked } =
    open.length === 0
      ? await client.query<{ id: string }>(LOCK_ROOT, [subject.key])
      : await client.query<{ id: string }>(OPEN_INCIDENT, [subject.key, now, serverKey, null, null]);
  const incidentId = locked[0]?.id;
  if (incidentId === undefined) return;
  const left = [...new Set(open.map(({ incident_id: id }) => id))].filter((id) => id !== null && id !== incidentId);
  if (left.length > 0) await client.query(LOCK, [left]);
  const places = open.map((alert): OpenRow & { place: IncidentPlace } => ({
    ...alert,
    place: placeAlert(subject, isCause(alert.metric), () => isDown),
  }));
  for (const isFolded of [false, true]) {
    const moved = places.filter(
      ({ place, incident_id: id, is_folded: was }) =>
        place.isFolded === isFolded && (id !== incidentId || was !== isFolded),
    );
    if (moved.length > 0) await client.query(PLACE, [moved.map(({ id }) => id), incidentId, isFolded]);
  }
  const unfolded = places.filter(({ place, is_folded: was }) => was && !place.isFolded).map(({ id }) => id);
  if (unfolded.length > 0) await outbox.enqueueOpen(client, unfolded, now, AFTER_CAUSE_MS);
  await refresh(client, [incidentId, ...left.filter((id) => id !== null)], now);
}

interface OpenClusterRow extends OpenRow {
  /** Name of the node, the volume or the workload. */
  object: string | null;
  kind: string | null;
  namespace: string | null;
  nodes: string[];
}
const OPEN_OF_CLUSTER = `SELECT id, metric, incident_id, is_folded, object_name AS object, workload_kind AS kind, namespace, nodes
  FROM alert WHERE cluster_key = $1 AND resolved_at IS NULL ORDER BY id`;
const HOSTS = `SELECT n.name, s.key AS "serverKey", EXISTS (SELECT FROM alert a
    WHERE a.server_key = s.key AND a.metric = 'offline' AND a.resolved_at IS NULL) AS "isOffline"
  FROM kube_node n JOIN server s ON s.id = n.server_id WHERE n.cluster_key = $1 AND n.gone_at IS NULL`;
interface HostRow {
  name: string;
  serverKey: number;
  isOffline: boolean;
}

/** Returns what an alert of a cluster is about, below its node and the host of that node. */
function subjectOf(
  clusterKey: number,
  alert: OpenClusterRow,
  hosts: ReadonlyMap<string, HostRow>,
  isDown: (key: string) => boolean,
): Subject {
  const nodeOf = (name: string): Subject => {
    const host = hosts.get(name);
    const parent = host === undefined ? null : { key: `server:${host.serverKey}`, parent: null };
    return { key: `node:${clusterKey}/${name}`, parent };
  };
  const { metric, object, kind, namespace, nodes } = alert;
  const isOfNode = kind === null && namespace === null && object !== null;
  if (isOfNode) return nodeOf(object);
  const key = `object:${clusterKey}/${namespace ?? ''}/${kind ?? metric}/${object ?? ''}`;
  // Pods on a node that is well have another cause.
  const below = nodes.map(nodeOf);
  const areAllDown = below.every((node) => isDown(node.key) || (node.parent !== null && isDown(node.parent.key)));
  return { key, parent: areAllDown ? (below[0] ?? null) : null };
}

/**
 * Gives each open alert of a cluster its incident, in the transaction that changed them: that of the host that is down or
 * of the node that is not ready, else one of its own object.
 */
async function settleClusterIncidents(
  client: PoolClient,
  outbox: IncidentOutbox,
  clusterKey: number,
  now: number,
): Promise<void> {
  await client.query(LOCK_CLUSTER, [clusterKey]);
  const { rows: open } = await client.query<OpenClusterRow>(OPEN_OF_CLUSTER, [clusterKey]);
  const { rows: hosts } = await client.query<HostRow>(HOSTS, [clusterKey]);
  const down = new Set([
    ...hosts.filter(({ isOffline }) => isOffline).map(({ serverKey }) => `server:${serverKey}`),
    ...open
      .filter(({ metric }) => metric === 'node_not_ready')
      .map(({ object }) => `node:${clusterKey}/${object ?? ''}`),
  ]);
  const isDown = (key: string): boolean => down.has(key);
  const byName = new Map(hosts.map((host) => [host.name, host]));
  const places = open.map((alert) => {
    const subject = subjectOf(clusterKey, alert, byName, isDown);
    return { alert, place: placeAlert(subject, isCause(alert.metric), isDown) };
  });
  const touched = new Set<string>();
  for (const [root, members] of Map.groupBy(places, ({ place }) => place.root)) {
    const serverKey = root.startsWith('server:') ? Number(root.slice('server:'.length)) : null;
    const { rows } = await client.query<{ id: string }>(OPEN_INCIDENT, [root, now, serverKey, null, clusterKey]);
    const incidentId = rows[0]?.id ?? '';
    touched.add(incidentId);
    for (const { alert, place } of members) {
      if (alert.incident_id !== null) touched.add(alert.incident_id);
      if (alert.incident_id !== incidentId || alert.is_folded !== place.isFolded)
        await client.query(PLACE, [[alert.id], incidentId, place.isFolded]);
    }
  }
  const unfolded = places.filter(({ alert, place }) => alert.is_folded && !place.isFolded).map(({ alert }) => alert.id);
  if (unfolded.length > 0) await outbox.enqueueOpen(client, unfolded, now, AFTER_CAUSE_MS);
  const { rows: left } = await client.query<{ id: string }>(EMPTY_OF_CLUSTER, [clusterKey]);
  await refresh(client, [...new Set([...touched, ...left.map(({ id }) => id)])].toSorted(), now);
}
const EMPTY_OF_CLUSTER = `SELECT i.id FROM incident i WHERE i.cluster_key = $1 AND i.resolved_at IS NULL`;

/** $1 cluster  $2 rules  $3 subjects */
const CHANGED = `SELECT a.id, a.resolved_at IS NULL AS "isOpen" FROM unnest($2::text[], $3::text[]) AS c(rule, subject)
  CROSS JOIN LATERAL (SELECT id, resolved_at FROM alert a WHERE a.cluster_key = $1 AND a.rule = c.rule
    AND a.subject = c.subject ORDER BY opened_at DESC, id LIMIT 1) AS a`;

/** Puts the messages of changed alerts of a cluster into the outbox and settles their incidents. */
export async function settleClusterChanges(
  client: PoolClient,
  outbox: IncidentOutbox,
  clusterKey: number,
  changes: readonly { kind: string; rule: string; subject: string }[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return;
  await settleClusterIncidents(client, outbox, clusterKey, now);
  const values = [clusterKey, changes.map(({ rule }) => rule), changes.map(({ subject }) => subject)];
  const { rows } = await client.query<{ id: string; isOpen: boolean }>(CHANGED, values);
  const opened = rows.filter(({ isOpen }) => isOpen).map(({ id }) => id);
  if (opened.length > 0) await outbox.enqueueOpen(client, opened, now, 0);
  for (const { id, isOpen } of rows) if (!isOpen) await outbox.enqueueEnd(client, id, now);
}

/** $1 account  $2 level  $3 title  $4 message  $5 silent servers  $6 line  $7 now, ms  $8 incident */
const OPEN_OUTAGE = `INSERT INTO alert (account_id, rule, subject, metric, level, title, message, value, threshold, opened_at,
    updated_at, incident_id)
  VALUES ($1, 'default-ingest-outage', '', 'ingest_outage', $2, $3, $4, $5, $6, ${at('$7')}, ${at('$7')}, $8)
  ON CONFLICT (account_id, rule, subject) WHERE resolved_at IS NULL AND account_id IS NOT NULL DO NOTHING RETURNING id`;
const END_OUTAGE = `UPDATE alert SET resolved_at = ${at('$2')}, updated_at = ${at('$2')}
  WHERE account_id = $1 AND metric = 'ingest_outage' AND resolved_at IS NULL RETURNING id, incident_id`;

/** $1 now, ms  $2 overdue after this many intervals  $3 silent after this many */
const FLEETS = `SELECT account_id AS "accountId", count(*) FILTER (WHERE seen >= silent_before)::integer AS alive,
    count(*) FILTER (WHERE seen >= silent_before AND seen < late_before)::integer AS late
  FROM (SELECT s.*, ${at('$1')} - make_interval(secs => s.report_interval_seconds * $2::double precision) AS late_before,
      ${at('$1')} - make_interval(secs => s.report_interval_seconds * $3::double precision) AS silent_before
    FROM (SELECT s.account_id, s.report_interval_seconds, s.uninstalled_at,
        (SELECT max(last_received_at) FROM report_stream r WHERE r.server_key = s.key) AS seen
      FROM server s WHERE s.account_id IS NOT NULL) AS s) AS s
  WHERE seen IS NOT NULL AND (uninstalled_at IS NULL OR seen > uninstalled_at) GROUP BY account_id`;
/** The open outage of each account, else its last one. */
const OUTAGES = `SELECT DISTINCT ON (account_id) account_id AS "accountId", ${ms('opened_at')} AS "openedAt",
    ${ms('resolved_at')} AS "resolvedAt"
  FROM alert WHERE account_id IS NOT NULL AND metric = 'ingest_outage' ORDER BY account_id, opened_at DESC`;

interface IncidentRow {
  id: string;
  cause: string;
  level: IncidentRecord['level'];
  title: string;
  opened: number;
  resolved: number | null;
  server_id: string | null;
  hostname: string | null;
  alerts: number;
  folded: number;
  counts: IncidentRecord['counts'];
}
/** $1 account  $2 incident or null  $3 open or resolved or null. Members of another account are not counted. */
const MATCHING = `FROM incident i LEFT JOIN server s ON s.key = i.server_key LEFT JOIN cluster c ON c.key = i.cluster_key
  WHERE COALESCE(s.account_id, c.account_id, i.account_id) = $1 AND ($2::uuid IS NULL OR i.id = $2)
    AND ($3::text IS NULL OR (i.resolved_at IS NULL) = ($3 = 'open'))`;
const LIST = `SELECT i.id, i.cause, i.level, i.title, ${ms('i.opened_at')} AS opened, ${ms('i.resolved_at')} AS resolved,
    s.id AS server_id, CASE WHEN s.id IS NOT NULL THEN ${SHOWN_NAME} END AS hostname,
    COALESCE(m.alerts, 0)::integer AS alerts, COALESCE(m.folded, 0)::integer AS folded, COALESCE(m.counts, '{}') AS counts
  FROM (SELECT i.* ${MATCHING} ORDER BY i.opened_at DESC, i.id LIMIT $4 OFFSET $5) AS i
    LEFT JOIN server s ON s.key = i.server_key
    LEFT JOIN LATERAL (SELECT sum(n) AS alerts, sum(folded) AS folded, jsonb_object_agg(metric, n) AS counts
      FROM (SELECT a.metric, count(*) AS n, count(*) FILTER (WHERE a.is_folded) AS folded FROM alert a
        WHERE a.incident_id = i.id GROUP BY a.metric) AS of_metric) AS m ON true
  ORDER BY i.opened_at DESC, i.id`;
const COUNT = `SELECT count(*)::integer AS total ${MATCHING}`;
const MEMBERS = `SELECT a.id, s.id AS "serverId", CASE WHEN s.id IS NOT NULL THEN ${SHOWN_NAME} END AS hostname, a.metric, a.subject,
    a.level, a.title, a.message, a.is_folded AS "isFolded", ${ms('a.opened_at')} AS "openedAt",
    ${ms('a.resolved_at')} AS "resolvedAt"
  FROM alert a LEFT JOIN server s ON s.key = a.server_key
  WHERE a.incident_id = $1 ORDER BY a.is_folded, ${LEADS} LIMIT $2`;

const recordOf = (row: IncidentRow): IncidentRecord => ({
  id: row.id,
  cause: row.cause,
  level: row.level,
  title: row.title,
  openedAt: row.opened,
  resolvedAt: row.resolved,
  serverId: row.server_id,
  hostname: row.hostname,
  alerts: row.alerts,
  folded: row.folded,
  counts: row.counts,
});

async function openOutage(
  pool: Pool,
  outbox: IncidentOutbox,
  outage: Parameters<Incidents['openOutage']>[0],
  now: number,
): Promise<boolean> {
  const { accountId, silent, servers, title, message } = outage;
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(OPEN_INCIDENT, [
      `account:${accountId}`,
      now,
      null,
      accountId,
      null,
    ]);
    const incidentId = rows[0]?.id ?? '';
    const values = [accountId, 'critical', title, message, silent, servers / 2, now, incidentId];
    const { rows: opened } = await client.query<{ id: string }>(OPEN_OUTAGE, values);
    const alertId = opened[0]?.id;
    if (alertId === undefined) return false;
    await refresh(client, [incidentId], now);
    await outbox.enqueueOpen(client, [alertId], now, 0);
    return true;
  });
}

async function endOutage(pool: Pool, outbox: IncidentOutbox, accountId: string, now: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query(LOCK_ROOT, [`account:${accountId}`]);
    const { rows } = await client.query<{ id: string; incident_id: string | null }>(END_OUTAGE, [accountId, now]);
    for (const { id, incident_id: incidentId } of rows) {
      await outbox.enqueueEnd(client, id, now);
      if (incidentId !== null) await refresh(client, [incidentId], now);
    }
    return rows.length > 0;
  });
}

export const createIncidentStore = ({ pool }: Database, outbox: IncidentOutbox): Incidents => ({
  fleets: async (now, { late, silent }) =>
    (await pool.query<{ accountId: string; alive: number; late: number }>(FLEETS, [now, late, silent])).rows,
  outages: async () =>
    (await pool.query<{ accountId: string; openedAt: number; resolvedAt: number | null }>(OUTAGES)).rows,
  openOutage: (outage, now) => openOutage(pool, outbox, outage, now),
  endOutage: (accountId, now) => endOutage(pool, outbox, accountId, now),
  list: async ({ accountId }, { state = null }, { limit, offset }) => {
    const [{ rows }, { rows: counted }] = await Promise.all([
      pool.query<IncidentRow>(LIST, [accountId, null, state, limit, offset]),
      pool.query<{ total: number }>(COUNT, [accountId, null, state]),
    ]);
    return { incidents: rows.map(recordOf), total: counted[0]?.total ?? 0 };
  },
  get: async ({ accountId }, id, mostMembers) => {
    if (!isUuid(id)) return null;
    const { rows } = await pool.query<IncidentRow>(LIST, [accountId, id, null, 1, 0]);
    const row = rows[0];
    if (row === undefined) return null;
    const { rows: members } = await pool.query<IncidentMember>(MEMBERS, [id, mostMembers]);
    return { ...recordOf(row), members };
  },
});
