// SQL reads and saves alerts: states are saved with a version check and lists use an expression index.
import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { OFFLINE_AFTER_INTERVALS, REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import type { PoolClient } from 'pg';
import type { AlertChange, AlertRecord, AlertTracks, KnownAlertState, OpenAlert } from '../types.ts';
import { inScope } from '../../servers/scope-sql.ts';
import { keepBlackBox } from './black-box.ts';
import { CAUSES, settleServerIncident } from './settle-incidents.ts';
import { noteLevelChange } from './level-events.ts';
import { CLUSTER_OF_SERVER } from './silences.ts';
import type { AcceptedServer, AlertOutbox, Alerts, AlertStates, RefusedServer, TopListSnapshots } from '../store.ts';
import { inTransaction, isUniqueViolation, isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, SHOWN_NAME, timestamp as at } from '../../database/time.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

const LOAD = `SELECT
    (SELECT ${ms('ts')} FROM host_sample WHERE server_key = $1 AND ts >= ${at('$3')}
       AND ts <> ALL (SELECT ${at('t')} FROM unnest($2::double precision[]) AS t) ORDER BY ts DESC LIMIT 1) AS newest,
    EXISTS (SELECT FROM alert WHERE server_key = $1 AND metric = 'offline' AND resolved_at IS NULL) AS offline,
    EXISTS (SELECT FROM alert WHERE server_key = $1 AND metric = 'reports_refused' AND resolved_at IS NULL) AS refused,
    t.tracks, t.version, (SELECT trends FROM filesystem_trend WHERE server_key = $1) AS "diskTrends",
    (SELECT json_build_object('at', ${ms('computed_at')}, 'trend', memory_trend) FROM server_usage
       WHERE server_key = $1 AND memory_trend IS NOT NULL) AS "memoryTrend"
  FROM (SELECT) AS one LEFT JOIN alert_track t ON t.server_key = $1`;

const SAVE_TRACKS = `INSERT INTO alert_track AS t (server_key, tracks) SELECT $1, $3::jsonb WHERE $2 = 0
  ON CONFLICT (server_key) DO NOTHING RETURNING version`;
const UPDATE_TRACKS = `UPDATE alert_track SET tracks = $3::jsonb, version = version + 1
  WHERE server_key = $1 AND version = $2 RETURNING version`;

const OPEN = `INSERT INTO alert (server_key, rule, subject, metric, level, title, message, value, threshold, opened_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${at('$10')}, ${at('$10')})
  ON CONFLICT (server_key, rule, subject) WHERE resolved_at IS NULL DO NOTHING`;
const UPDATE = `${noteLevelChange('server_key')}
  UPDATE alert SET metric = $4, level = $5, title = $6, message = $7, value = $8, threshold = $9, updated_at = ${at('$10')}
  WHERE server_key = $1 AND rule = $2 AND subject = $3 AND resolved_at IS NULL`;
const RESOLVE = `UPDATE alert SET value = $4, message = $6, updated_at = ${at('$5')}, resolved_at = ${at('$5')}
  WHERE server_key = $1 AND rule = $2 AND subject = $3 AND resolved_at IS NULL`;

/** The rule of such an alert may have changed since it opened. */
const RESOLVE_BY_METRIC = `UPDATE alert SET message = $3, updated_at = ${at('$2')}, resolved_at = ${at('$2')}
  WHERE server_key = $1 AND metric = $4 AND resolved_at IS NULL`;
const HAS_NO_VALUE: readonly string[] = ['offline', 'reports_refused'];

/** $1 metrics  $2 account or null: all accounts. */
const LIST_OPEN = `SELECT a.server_key AS "serverKey", s.id AS "serverId", s.organisation_id AS "organisationId", a.rule, a.metric,
    a.subject, a.level, a.title, a.message, a.value, a.threshold
  FROM alert a JOIN server s ON s.key = a.server_key
  WHERE COALESCE(a.resolved_at, 'infinity') = 'infinity' AND a.metric = ANY($1) AND ($2::uuid IS NULL OR s.organisation_id = $2)`;

const LAST_SEEN = '(SELECT max(last_received_at) FROM report_stream r WHERE r.server_key = s.key)';
const silentBefore = (now: string): string =>
  `${at(now)} - make_interval(secs => s.report_interval_seconds * ${OFFLINE_AFTER_INTERVALS})`;
const SILENT = `SELECT key, id, organisation_id, ${ms('seen')} AS seen
  FROM (SELECT s.*, ${LAST_SEEN} AS seen FROM server s) AS s
  WHERE seen < ${silentBefore('$1')} AND (uninstalled_at IS NULL OR seen > uninstalled_at)
    AND NOT EXISTS (SELECT FROM alert a WHERE a.server_key = s.key AND a.metric = 'offline' AND a.resolved_at IS NULL)`;

/** $1 now, ms. A server that is silent since is judged as offline. */
const REFUSED = `SELECT s.key AS "serverKey", s.id AS "serverId", s.organisation_id AS "organisationId", ${ms('f.since')} AS since, f.detail
  FROM report_refusal f JOIN server s ON s.key = f.server_key
  WHERE f.last_at >= ${silentBefore('$1')} AND (s.uninstalled_at IS NULL OR f.last_at > s.uninstalled_at)
    AND NOT EXISTS (SELECT FROM alert a WHERE a.server_key = s.key AND a.metric = 'reports_refused' AND a.resolved_at IS NULL)`;
/** Alerts that an interrupted request left open. */
const ACCEPTED = `SELECT s.key AS "serverKey", s.id AS "serverId", s.organisation_id AS "organisationId"
  FROM alert a JOIN server s ON s.key = a.server_key
  WHERE COALESCE(a.resolved_at, 'infinity') = 'infinity' AND a.metric = 'reports_refused'
    AND NOT EXISTS (SELECT FROM report_refusal f WHERE f.server_key = s.key)`;

async function write(client: PoolClient, serverKey: number, change: AlertChange): Promise<void> {
  const { kind, rule, subject, metric, level, title, message, value, threshold, at: time } = change;
  if (kind === 'resolved' && HAS_NO_VALUE.includes(metric))
    await client.query(RESOLVE_BY_METRIC, [serverKey, time, message, metric]);
  else if (kind === 'resolved') await client.query(RESOLVE, [serverKey, rule, subject, value, time, message]);
  else {
    const values = [serverKey, rule, subject, metric, level, title, message, value, threshold, time];
    await client.query(kind === 'opened' ? OPEN : UPDATE, values);
  }
}

export const createAlertStateStore = (
  { pool }: Database,
  { topLists, outbox }: { topLists: TopListSnapshots; outbox: AlertOutbox },
): AlertStates => ({
  load: async (serverKey, sampleTimes) => {
    const since = Math.min(...sampleTimes) - DAY_MS;
    const { rows } = await pool.query<{
      newest: number | null;
      offline: boolean;
      refused: boolean;
      tracks: AlertTracks | null;
      version: string | null;
      diskTrends: KnownAlertState['diskTrends'] | null;
      memoryTrend: KnownAlertState['memoryTrend'];
    }>({ name: 'alert state', text: LOAD, values: [serverKey, sampleTimes, since] });
    const row = rows[0];
    return {
      tracks: row?.tracks ?? {},
      version: Number(row?.version ?? 0),
      newest: row?.newest ?? null,
      offline: row?.offline ?? false,
      refused: row?.refused ?? false,
      diskTrends: row?.diskTrends ?? [],
      memoryTrend: row?.memoryTrend ?? null,
    };
  },
  save: async (serverKey, version, tracks, changes) => {
    const attempt = inTransaction(pool, async (client) => {
      const text = version === 0 ? SAVE_TRACKS : UPDATE_TRACKS;
      const { rowCount } = await client.query(text, [serverKey, version, JSON.stringify(tracks)]);
      if (rowCount !== 1) return false;
      for (const change of changes) {
        // An alert must be there to be enqueued; its update or end is compared with what is stored.
        if (change.kind !== 'opened') await outbox.enqueueChange(client, serverKey, change);
        await write(client, serverKey, change);
        if (change.kind === 'opened') await outbox.enqueueChange(client, serverKey, change);
      }
      const times = changes.map(({ at: time }) => time);
      if (times.length > 0) await settleServerIncident(client, outbox, serverKey, Math.max(...times));
      const opened = changes.filter(({ kind }) => kind === 'opened');
      if (opened.length > 0) await topLists.take(client, serverKey);
      await keepBlackBox(client, serverKey, opened);
      return true;
    });
    return attempt.catch((error: unknown) => {
      if (isUniqueViolation(error)) return false;
      throw error;
    });
  },
  listOpen: async (metrics, organisationId) => (await pool.query<OpenAlert>(LIST_OPEN, [metrics, organisationId])).rows,
  listRefused: async (now) => {
    const [{ rows: refused }, { rows: accepted }] = await Promise.all([
      pool.query<RefusedServer>(REFUSED, [now]),
      pool.query<AcceptedServer>(ACCEPTED),
    ]);
    return { refused, accepted };
  },
  listSilent: async (now) => {
    const { rows } = await pool.query<{
      key: number;
      id: string;
      organisation_id: OrganisationId | null;
      seen: number;
    }>(SILENT, [now]);
    return rows.map((row) => ({
      serverKey: row.key,
      serverId: row.id,
      organisationId: row.organisation_id,
      lastSeenAt: row.seen,
    }));
  },
});

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
