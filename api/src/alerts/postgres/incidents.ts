// SQL lists incidents, because one statement counts the members of each.
import { isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, SHOWN_NAME, timestamp as at } from '../../database/time.ts';
import type { AlertOutbox, Incidents } from '../store.ts';
import type { IncidentMember, IncidentRecord } from '../types.ts';
import { endOutage, openOutage } from './outage-incidents.ts';
import { LEADS } from './settle-incidents.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

/** $1 now, ms  $2 overdue after this many intervals  $3 silent after this many */
const FLEETS = `SELECT organisation_id AS "organisationId", count(*) FILTER (WHERE seen >= silent_before)::integer AS alive,
    count(*) FILTER (WHERE seen >= silent_before AND seen < late_before)::integer AS late
  FROM (SELECT s.*, ${at('$1')} - make_interval(secs => s.report_interval_seconds * $2::double precision) AS late_before,
      ${at('$1')} - make_interval(secs => s.report_interval_seconds * $3::double precision) AS silent_before
    FROM (SELECT s.organisation_id, s.report_interval_seconds, s.uninstalled_at,
        (SELECT max(last_received_at) FROM report_stream r WHERE r.server_key = s.key) AS seen
      FROM server s WHERE s.organisation_id IS NOT NULL) AS s) AS s
  WHERE seen IS NOT NULL AND (uninstalled_at IS NULL OR seen > uninstalled_at) GROUP BY organisation_id`;
/** The open outage of each account, else its last one. */
const OUTAGES = `SELECT DISTINCT ON (organisation_id) organisation_id AS "organisationId", ${ms('opened_at')} AS "openedAt",
    ${ms('resolved_at')} AS "resolvedAt"
  FROM alert WHERE organisation_id IS NOT NULL AND metric = 'ingest_outage' ORDER BY organisation_id, opened_at DESC`;

interface IncidentRow {
  id: string;
  cause: string;
  level: IncidentRecord['level'];
  title: string;
  subject: string;
  opened: number;
  resolved: number | null;
  server_id: string | null;
  hostname: string | null;
  alerts: number;
  folded: number;
  counts: IncidentRecord['counts'];
  likely_cause: string | null;
}
/** $1 account  $2 incident or null  $3 open or resolved or null. Members of another account are not counted. */
const MATCHING = `FROM incident i LEFT JOIN server s ON s.key = i.server_key LEFT JOIN cluster c ON c.key = i.cluster_key
  WHERE COALESCE(s.organisation_id, c.organisation_id, i.organisation_id) = $1 AND ($2::uuid IS NULL OR i.id = $2)
    AND ($3::text IS NULL OR (i.resolved_at IS NULL) = ($3 = 'open'))`;
/** Subject of the leading alert: a workload, volume or node, else its server, else its cluster. */
const SUBJECT = `(SELECT CASE WHEN a.object_name IS NOT NULL THEN concat(a.namespace || '/', a.object_name)
      WHEN s.id IS NOT NULL THEN ${SHOWN_NAME} ELSE COALESCE(c.name, c.uid, 'all servers') END
    FROM alert a LEFT JOIN server s ON s.key = a.server_key LEFT JOIN cluster c ON c.key = a.cluster_key
    WHERE a.incident_id = i.id ORDER BY a.is_folded, ${LEADS} LIMIT 1)`;
const LIST = `SELECT i.id, i.cause, i.level, i.title, COALESCE(${SUBJECT}, i.title) AS subject, ${ms('i.opened_at')} AS opened, ${ms('i.resolved_at')} AS resolved,
    s.id AS server_id, CASE WHEN s.id IS NOT NULL THEN ${SHOWN_NAME} END AS hostname,
    COALESCE(m.alerts, 0)::integer AS alerts, COALESCE(m.folded, 0)::integer AS folded, COALESCE(m.counts, '{}') AS counts,
    (SELECT k.findings[1] FROM incident_cause k WHERE k.incident_id = i.id AND k.organisation_id = $1) AS likely_cause
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
  subject: row.subject,
  openedAt: row.opened,
  resolvedAt: row.resolved,
  serverId: row.server_id,
  hostname: row.hostname,
  alerts: row.alerts,
  folded: row.folded,
  counts: row.counts,
  likelyCause: row.likely_cause,
});

export const createIncidentStore = ({ pool }: Database, outbox: AlertOutbox): Incidents => ({
  fleets: async (now, { late, silent }) =>
    (await pool.query<{ organisationId: OrganisationId; alive: number; late: number }>(FLEETS, [now, late, silent]))
      .rows,
  outages: async () =>
    (await pool.query<{ organisationId: OrganisationId; openedAt: number; resolvedAt: number | null }>(OUTAGES)).rows,
  openOutage: (outage, now) => openOutage(pool, outbox, outage, now),
  endOutage: (organisationId, now) => endOutage(pool, outbox, organisationId, now),
  list: async ({ organisationId }, { state = null }, { limit, offset }) => {
    const [{ rows }, { rows: counted }] = await Promise.all([
      pool.query<IncidentRow>(LIST, [organisationId, null, state, limit, offset]),
      pool.query<{ total: number }>(COUNT, [organisationId, null, state]),
    ]);
    return { incidents: rows.map(recordOf), total: counted[0]?.total ?? 0 };
  },
  get: async ({ organisationId }, id, mostMembers) => {
    if (!isUuid(id)) return null;
    const { rows } = await pool.query<IncidentRow>(LIST, [organisationId, id, null, 1, 0]);
    const row = rows[0];
    if (row === undefined) return null;
    const { rows: members } = await pool.query<IncidentMember>(MEMBERS, [id, mostMembers]);
    return { ...recordOf(row), members };
  },
});
