// SQL reads alerts: lists use an expression index.
import { OFFLINE_AFTER_INTERVALS, REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import type { AlertRecord } from '../types.ts';
import { inScope } from '../../servers/scope-sql.ts';
import { LAST_SEEN, silentBefore } from './alert-states.ts';
import { CAUSES } from './settle-incidents.ts';
import { CLUSTER_OF_SERVER } from './silences.ts';
import type { Alerts } from '../store.ts';
import { isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, SHOWN_NAME, timestamp as at } from '../../database/time.ts';

interface AlertRow {
  id: string;
  server_id: string | null;
  cluster_key: number | null;
  cluster_name: string | null;
  namespace: string | null;
  workload_kind: string | null;
  object_name: string | null;
  nodes: string[];
  hostname: string;
  level: AlertRecord['level'];
  title: string;
  message: string;
  status: AlertRecord['status'];
  opened: number;
  resolved: number | null;
  acknowledged: number | null;
  acknowledged_by: string | null;
  acknowledged_by_id: AlertRecord['acknowledgedById'];
  acknowledged_note: string | null;
  tags: Record<string, string> | null;
  cluster_id: string | null;
  incident_id: string | null;
  is_folded: boolean;
  below: number;
  likely_cause: string | null;
  rule: string;
  metric: string;
  subject: string;
  value: number | null;
  threshold: number | null;
  silent: number | null;
}

const CLUSTER_SILENT_BEFORE = `${at('$2')} - interval '${OFFLINE_AFTER_INTERVALS * REPORT_INTERVAL_SECONDS} seconds'`;
/** $2 now, ms. The alerts of checks and of an ingest outage belong to the account. An alert of a cluster has no server; it is unknown while the cluster's collector is silent. */
const SHOWN = `SELECT a.*, s.id AS server_id, cl.name AS cluster_name, s.tags,
    CASE WHEN a.organisation_id IS NOT NULL THEN COALESCE(a.object_name, 'all servers') WHEN a.cluster_key IS NULL THEN ${SHOWN_NAME}
      ELSE COALESCE(cl.name, cl.uid) END AS hostname,
    CASE WHEN a.cluster_key IS NULL THEN ${CLUSTER_OF_SERVER} ELSE cl.uid END AS cluster_id,
    CASE WHEN a.resolved_at IS NOT NULL THEN 'resolved'
      WHEN a.metric NOT IN ('offline', 'cluster_silent')
        AND (${LAST_SEEN} < ${silentBefore('$2')} OR cl.last_seen_at < ${CLUSTER_SILENT_BEFORE}
          OR a.metric <> 'reports_refused' AND EXISTS (SELECT FROM report_refusal f WHERE f.server_key = a.server_key))
        THEN 'unknown'
      ELSE 'active' END AS status,
    CASE WHEN a.metric = 'offline' AND a.resolved_at IS NULL THEN ${LAST_SEEN} END AS silent_since
  FROM alert a LEFT JOIN server s ON s.key = a.server_key LEFT JOIN cluster cl ON cl.key = a.cluster_key`;
/** $1 account */
const OWNED = `(a.server_key IN (SELECT key FROM server WHERE organisation_id = $1)
    OR a.cluster_key IN (SELECT key FROM cluster WHERE organisation_id = $1) OR a.organisation_id = $1)`;
/** The alert is the server's own, or one of its cluster that names its node. Each half has an index to find it by. */
const IS_OF_SERVER = (server: string): string => `(a.server_key = (SELECT key FROM server WHERE id = ${server})
    OR a.cluster_key = ANY(ARRAY(SELECT cluster_key FROM kube_node WHERE server_id = ${server}))
      AND EXISTS (SELECT FROM kube_node n WHERE n.cluster_key = a.cluster_key AND n.server_id = ${server} AND n.name = ANY(a.nodes)))`;
/** An alert is in the scope with one of its nodes, and without nodes with its cluster. */
const IS_CLUSTER_IN_SCOPE = `($10::jsonb IS NULL OR CASE WHEN cardinality(a.nodes) = 0
    THEN a.cluster_key IN (SELECT value::integer FROM jsonb_array_elements_text($10::jsonb->'clusters'))
    ELSE EXISTS (SELECT FROM kube_node n WHERE n.cluster_key = a.cluster_key AND n.name = ANY(a.nodes)
      AND n.key IN (SELECT value::integer FROM jsonb_array_elements_text($10::jsonb->'nodes'))) END)`;

/**
 * $1 account  $2 now, ms  $3 server  $4 level  $5 status  $6 from, ms  $7 to, ms  $8 server keys  $9 folded  $10 clusters.
 * Not a prepared statement: PostgreSQL plans it for its values, so an unused filter costs nothing.
 */
const MATCHING = `FROM (${SHOWN}
  WHERE ${OWNED} AND ($3::uuid IS NULL OR ${IS_OF_SERVER('$3')}) AND ($4::text IS NULL OR a.level = $4)
    AND ($5::text IS NULL OR (a.resolved_at IS NOT NULL) = ($5 = 'resolved'))
    AND ($6::double precision IS NULL OR COALESCE(a.resolved_at, 'infinity') >= ${at('$6')})
    AND ($7::double precision IS NULL OR a.opened_at < ${at('$7')}) AND ($9::boolean IS NULL OR a.is_folded = $9)
    AND CASE WHEN a.cluster_key IS NULL THEN ${inScope('s.key', '$8')} ELSE ${IS_CLUSTER_IN_SCOPE} END
) AS found WHERE $5::text IS NULL OR status = $5`;
/** Only the newest alert that takes its incident down has others below it. */
const BELOW = `CASE WHEN is_folded OR metric NOT IN ('${CAUSES.join("','")}') THEN 0 ELSE
    (SELECT count(*)::integer FROM alert f WHERE f.incident_id = found.incident_id AND f.is_folded
      AND (f.resolved_at IS NULL OR found.resolved_at IS NOT NULL)
      AND NOT EXISTS (SELECT FROM alert n WHERE n.incident_id = found.incident_id AND n.metric = found.metric
        AND NOT n.is_folded AND n.opened_at > found.opened_at)) END`;
/** $1 account. A server that changed hands takes no answer along. */
const LIKELY_CAUSE = `(SELECT k.findings[1] FROM incident_cause k
  WHERE k.incident_id = found.incident_id AND k.organisation_id = $1)`;
const COLUMNS = `id, server_id, hostname, level, title, message, status, rule, metric, subject, value, threshold, tags,
  cluster_id, cluster_key, cluster_name, namespace, workload_kind, object_name, nodes, incident_id, is_folded, ${BELOW} AS below, ${LIKELY_CAUSE} AS likely_cause,
  ${ms('opened_at')} AS opened, ${ms('resolved_at')} AS resolved, ${ms('acknowledged_at')} AS acknowledged, ${ms('silent_since')} AS silent,
  (SELECT k.name FROM account k WHERE k.id = acknowledged_by) AS acknowledged_by, acknowledged_by AS acknowledged_by_id, acknowledged_note`;
const LIST = `SELECT ${COLUMNS} ${MATCHING} ORDER BY opened_at DESC, id LIMIT $11 OFFSET $12`;
const COUNT = `SELECT count(*)::integer AS total ${MATCHING}`;

const clusterOf = (row: AlertRow): AlertRecord['cluster'] => ({
  clusterId: row.cluster_id ?? '',
  clusterName: row.cluster_name,
  namespace: row.namespace,
  workloadKind: row.workload_kind,
  name: row.object_name,
  nodes: row.nodes,
});

const incidentOf = (row: AlertRow): AlertRecord['incident'] =>
  row.incident_id === null
    ? null
    : { id: row.incident_id, isFolded: row.is_folded, below: row.below, likelyCause: row.likely_cause };

const recordOf = (row: AlertRow): AlertRecord => ({
  id: row.id,
  serverId: row.server_id,
  cluster: row.cluster_key === null ? null : clusterOf(row),
  hostname: row.hostname,
  level: row.level,
  title: row.title,
  message: row.message,
  status: row.status,
  openedAt: row.opened,
  resolvedAt: row.resolved,
  acknowledgedAt: row.acknowledged,
  acknowledgedBy: row.acknowledged_by,
  acknowledgedById: row.acknowledged_by_id,
  acknowledgedNote: row.acknowledged_note,
  tags: row.tags ?? {},
  clusterId: row.cluster_id,
  incident: incidentOf(row),
  namespace: row.namespace,
  rule: row.rule,
  metric: row.metric,
  subject: row.subject,
  value: row.value,
  threshold: row.threshold,
  silentSince: row.silent,
});

/** $1 account  $2 now, ms  $3 alert. Its own statement: the id finds the row before the list's conditions are weighed. */
const GET = `SELECT ${COLUMNS} FROM (${SHOWN} WHERE ${OWNED} AND a.id = $3) AS found`;

export const createAlertStore = ({ pool }: Database): Alerts => ({
  list: async (owner, filter, { limit, offset }, now) => {
    const { serverId = null, level = null, status = null, from = null, to = null } = filter;
    const { within = null, isFolded = null, clusters } = filter;
    if (serverId !== null && !isUuid(serverId)) return { alerts: [], total: 0 };
    const inClusters = clusters && JSON.stringify(clusters);
    const matching = [owner.organisationId, now, serverId, level, status, from, to, within, isFolded, inClusters];
    const [{ rows }, { rows: counted }] = await Promise.all([
      pool.query<AlertRow>(LIST, [...matching, limit, offset]),
      pool.query<{ total: number }>(COUNT, matching),
    ]);
    return { alerts: rows.map(recordOf), total: counted[0]?.total ?? 0 };
  },
  get: async ({ organisationId }, id, now) => {
    if (!isUuid(id)) return null;
    const [row] = (await pool.query<AlertRow>(GET, [organisationId, now, id])).rows;
    return row === undefined ? null : recordOf(row);
  },
});
