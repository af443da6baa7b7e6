// SQL settles incidents: an upsert on a partial index lets one of several replicas open each, and row locks order their ends.
import type { PoolClient } from 'pg';
import { timestamp as at } from '../../database/time.ts';
import { type IncidentPlace, placeAlert, type Subject } from '../incidents/incident-root.ts';
import type { AlertOutbox } from '../store.ts';
import { levelRank } from '../level-rank-sql.ts';

/** Metrics whose alert takes down what runs below its subject. */
export const CAUSES = ['ingest_outage', 'offline', 'node_not_ready'] as const;
export const LEADS = `array_position(ARRAY['${CAUSES.join("','")}'], a.metric) NULLS LAST, ${levelRank('a.level')}, a.opened_at, a.id`;

/** When the cause of an incident ends, its other alerts get this long to end too before they are sent. */
export const AFTER_CAUSE_MS = 180_000;

interface OpenRow {
  id: string;
  metric: string;
  incident_id: string | null;
  is_folded: boolean;
}
const OPEN_OF_SERVER = `SELECT id, metric, incident_id, is_folded FROM alert
  WHERE server_key = $1 AND resolved_at IS NULL ORDER BY id`;
/** $1 root  $2 now, ms  $3 server  $4 account  $5 cluster. Locks the incident until the end of the transaction. */
export const OPEN_INCIDENT = `INSERT INTO incident AS i (root, server_key, organisation_id, cluster_key, cause, level, title, opened_at, updated_at)
  VALUES ($1, $3, $4, $5, '', 'info', '', ${at('$2')}, ${at('$2')})
  ON CONFLICT (root) WHERE resolved_at IS NULL DO UPDATE SET updated_at = GREATEST(i.updated_at, excluded.updated_at)
  RETURNING id`;
export const LOCK_ROOT = 'SELECT id FROM incident WHERE root = $1 AND resolved_at IS NULL FOR UPDATE';
const LOCK = 'SELECT id FROM incident WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE';
export const PLACE = 'UPDATE alert SET incident_id = $2, is_folded = $3 WHERE id = ANY($1::uuid[])';
/** $1 incident  $2 now, ms. A statement of its own after the lock: it sees what the transaction before it wrote. */
const REFRESH = `UPDATE incident i SET cause = a.metric, title = a.title, level = a.worst, updated_at = ${at('$2')},
    opened_at = LEAST(i.opened_at, a.opened_at)
  FROM (SELECT a.metric, a.title, min(a.opened_at) OVER () AS opened_at,
      first_value(a.level) OVER (ORDER BY ${levelRank('a.level')}) AS worst
    FROM alert a WHERE a.incident_id = $1 AND a.resolved_at IS NULL ORDER BY a.is_folded, ${LEADS} LIMIT 1) AS a
  WHERE i.id = $1`;
const RESOLVE = `UPDATE incident SET resolved_at = GREATEST(opened_at, ${at('$2')}), updated_at = ${at('$2')}
  WHERE id = $1 AND resolved_at IS NULL
    AND NOT EXISTS (SELECT FROM alert a WHERE a.incident_id = $1 AND a.resolved_at IS NULL)`;

export async function refresh(client: PoolClient, incidentIds: readonly string[], now: number): Promise<void> {
  for (const id of incidentIds) {
    await client.query(REFRESH, [id, now]);
    await client.query(RESOLVE, [id, now]);
  }
}

const isCause = (metric: string): boolean => CAUSES.some((cause) => cause === metric);

/** One transaction at a time settles the incidents of a cluster and of the hosts of its nodes. */
const LOCK_CLUSTER = `SELECT pg_advisory_xact_lock(hashtext('incidents of a cluster'), $1)`;
/** In ascending order, so that two transactions never wait for each other. */
export async function lockIncidentsOf(client: PoolClient, clusterKeys: Iterable<number>): Promise<void> {
  for (const key of [...new Set(clusterKeys)].toSorted((a, b) => a - b)) await client.query(LOCK_CLUSTER, [key]);
}
const CLUSTERS_OF_SERVER = `SELECT DISTINCT n.cluster_key AS key FROM kube_node n JOIN server s ON s.id = n.server_id
  WHERE s.key = $1 AND n.gone_at IS NULL ORDER BY 1`;

/**
 * Gives each open alert of a server its incident, in the transaction that changed them, and ends an incident without
 * open alerts. Alerts whose cause has ended are sent if they are still open after a while.
 */
export async function settleServerIncident(
  client: PoolClient,
  outbox: AlertOutbox,
  serverKey: number,
  now: number,
): Promise<void> {
  const { rows: clusters } = await client.query<{ key: number }>(CLUSTERS_OF_SERVER, [serverKey]);
  await lockIncidentsOf(
    client,
    clusters.map(({ key }) => key),
  );
  await settleServer(client, outbox, serverKey, now);
  for (const { key } of clusters) await settleClusterIncidents(client, outbox, key, now);
}

async function settleServer(client: PoolClient, outbox: AlertOutbox, serverKey: number, now: number): Promise<void> {
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
  outbox: AlertOutbox,
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
  outbox: AlertOutbox,
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
