// SQL opens and ends the alerts of checks: a partial index lets one of several replicas open each.
import type { PoolClient } from 'pg';
import type { ClusterMetricName } from '@plimsoll/contract/rules/alert-metric-scales';
import { CHECK_METRIC_NAMES } from '@plimsoll/contract/rules/alert-rule-limits';
import type { Database } from '../../database/database.ts';
import { inTransaction } from '../../database/database.ts';
import { timestamp as at } from '../../database/time.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import type { AlertOutbox, CheckAlertChange, CheckAlerts, OpenCheckAlert, WorkloadPlace } from '../store.ts';
import { AFTER_CAUSE_MS, lockIncidentsOf, OPEN_INCIDENT, PLACE, refresh } from './settle-incidents.ts';

const METRICS = [...CHECK_METRIC_NAMES];
const LIST_OPEN = `SELECT organisation_id AS "organisationId", rule, metric, subject AS "checkId", level, message, value, threshold
  FROM alert WHERE resolved_at IS NULL AND organisation_id IS NOT NULL AND metric = ANY($1)`;
const OPEN = `INSERT INTO alert (organisation_id, rule, subject, metric, level, title, message, value, threshold, opened_at,
    updated_at, object_name)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${at('$10')}, ${at('$10')}, $11)
  ON CONFLICT (organisation_id, rule, subject) WHERE resolved_at IS NULL AND organisation_id IS NOT NULL DO NOTHING RETURNING id`;
const UPDATE = `UPDATE alert SET level = $5, title = $6, message = $7, value = $8, threshold = $9, updated_at = ${at('$10')},
    object_name = $11
  WHERE organisation_id = $1 AND rule = $2 AND subject = $3 AND metric = $4 AND resolved_at IS NULL RETURNING id`;
const RESOLVE = `UPDATE alert SET message = $5, updated_at = ${at('$4')}, resolved_at = ${at('$4')}
  WHERE organisation_id = $1 AND rule = $2 AND subject = $3 AND resolved_at IS NULL RETURNING id`;

/** $1 organisation  $2 metrics. With the server that the check belongs to, and whether it is down. */
const PLACES = `SELECT a.id, a.metric, a.subject AS "checkId", a.incident_id AS "incidentId", i.root, s.key AS "serverKey",
    EXISTS (SELECT FROM alert o WHERE o.server_key = s.key AND o.metric = 'offline' AND o.resolved_at IS NULL) AS "isDown"
  FROM alert a LEFT JOIN incident i ON i.id = a.incident_id
    LEFT JOIN check_definition c ON c.id::text = a.subject AND c.organisation_id = $1
    LEFT JOIN server s ON s.id = c.server_id AND s.organisation_id = $1
  WHERE a.organisation_id = $1 AND a.metric = ANY($2) AND a.resolved_at IS NULL ORDER BY a.id`;
interface PlaceRow {
  id: string;
  metric: string;
  checkId: string;
  incidentId: string | null;
  /** Subject of the incident. */
  root: string | null;
  serverKey: number | null;
  isDown: boolean;
}

/** Alerts of a workload that say that it does not serve as it should. */
const BROKEN = [
  'replicas_missing',
  'pod_crash_loop',
  'pod_oom_kill',
  'pod_image_pull',
  'pod_pending',
  'pod_restarts',
] satisfies readonly ClusterMetricName[];
/** $1–$4 workloads  $5 metrics. The incident that holds alerts of one of them, which may be that of a node or a host. */
const INCIDENT_OF_WORKLOADS = `SELECT i.root, i.server_key AS "serverKey", i.cluster_key AS "clusterKey"
  FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS w(cluster_key, namespace, kind, name)
  JOIN alert a ON a.cluster_key = w.cluster_key AND a.namespace = w.namespace AND a.workload_kind = w.kind
    AND a.object_name = w.name AND a.metric = ANY($5) AND a.resolved_at IS NULL
  JOIN incident i ON i.id = a.incident_id AND i.resolved_at IS NULL
  ORDER BY i.opened_at, i.id LIMIT 1`;

/** The incident that takes up an alert of a check, and its owner. */
interface CheckPlace {
  root: string;
  serverKey: number | null;
  clusterKey: number | null;
}

/** Returns the incident of the server while it is down, else that of a workload behind it; null: it has one of its own. */
async function placeBehind(
  client: PoolClient,
  { metric, serverKey, isDown }: PlaceRow,
  served: readonly WorkloadPlace[],
): Promise<CheckPlace | null> {
  if (serverKey !== null && isDown) return { root: `server:${String(serverKey)}`, serverKey, clusterKey: null };
  // A certificate ends whether its pods run or not.
  if (metric === 'certificate_days' || served.length === 0) return null;
  const { rows } = await client.query<CheckPlace>(INCIDENT_OF_WORKLOADS, [
    served.map(({ clusterKey }) => clusterKey),
    served.map(({ namespace }) => namespace),
    served.map(({ kind }) => kind),
    served.map(({ name }) => name),
    BROKEN,
  ]);
  return rows[0] ?? null;
}

/** Gives each open alert of a check its incident: that of what is down behind it, else one of the check. */
async function settle(
  client: PoolClient,
  outbox: AlertOutbox,
  organisationId: OrganisationId,
  served: ReadonlyMap<string, readonly WorkloadPlace[]>,
  now: number,
): Promise<void> {
  await lockIncidentsOf(
    client,
    [...served.values()].flat().map(({ clusterKey }) => clusterKey),
  );
  const { rows } = await client.query<PlaceRow>(PLACES, [organisationId, METRICS]);
  const touched = new Set<string>();
  for (const alert of rows) {
    const { id, checkId, incidentId: before } = alert;
    const own = `check:${checkId}`;
    const behind = await placeBehind(client, alert, served.get(checkId) ?? []);
    const root = behind?.root ?? own;
    // Nothing moved: a look every few seconds writes nothing.
    if (alert.root === root) continue;
    const owner = behind === null ? [null, organisationId, null] : [behind.serverKey, null, behind.clusterKey];
    const { rows: opened } = await client.query<{ id: string }>(OPEN_INCIDENT, [root, now, ...owner]);
    const incidentId = opened[0]?.id ?? '';
    if (before !== null) touched.add(before);
    touched.add(incidentId);
    await client.query(PLACE, [[id], incidentId, behind !== null]);
    const wasFolded = alert.root !== null && alert.root !== own;
    if (wasFolded && behind === null) await outbox.enqueueOpen(client, [id], now, AFTER_CAUSE_MS);
  }
  await refresh(client, [...touched].toSorted(), now);
  await client.query(DELETE_EMPTY, [[...touched]]);
}
/** Deletes incidents of checks whose alerts all moved to the incident of what is behind them. */
const DELETE_EMPTY = `DELETE FROM incident i WHERE i.id = ANY($1::uuid[]) AND i.root LIKE 'check:%'
  AND NOT EXISTS (SELECT FROM alert a WHERE a.incident_id = i.id)`;

async function write(
  client: PoolClient,
  organisationId: OrganisationId,
  change: CheckAlertChange,
): Promise<string | null> {
  const { kind, rule, checkId, metric, level, title, message, value, threshold, at: time, name } = change;
  const key = [organisationId, rule, checkId];
  const { rows } =
    kind === 'resolved'
      ? await client.query<{ id: string }>(RESOLVE, [...key, time, message])
      : await client.query<{ id: string }>(kind === 'opened' ? OPEN : UPDATE, [
          ...key,
          metric,
          level,
          title,
          message,
          value,
          threshold,
          time,
          name,
        ]);
  return rows[0]?.id ?? null;
}

const INCIDENTS_OF =
  'SELECT DISTINCT incident_id AS id FROM alert WHERE id = ANY($1::uuid[]) AND incident_id IS NOT NULL';

export const createCheckAlerts = ({ pool }: Database, outbox: AlertOutbox): CheckAlerts => ({
  listOpen: async () => (await pool.query<OpenCheckAlert>(LIST_OPEN, [METRICS])).rows,
  save: (organisationId, changes, served, now) =>
    inTransaction(pool, async (client) => {
      const ended: string[] = [];
      const begun: string[] = [];
      for (const change of changes) {
        const id = await write(client, organisationId, change);
        if (id !== null) (change.kind === 'resolved' ? ended : begun).push(id);
      }
      await settle(client, outbox, organisationId, served, now);
      // After the incidents: the message of a folded alert waits for its cause.
      if (begun.length > 0) await outbox.enqueueOpen(client, begun, now, 0);
      for (const id of ended) await outbox.enqueueEnd(client, id, now);
      const { rows } = await client.query<{ id: string }>(INCIDENTS_OF, [ended]);
      await refresh(client, rows.map(({ id }) => id).toSorted(), now);
      return begun.length + ended.length;
    }),
});
