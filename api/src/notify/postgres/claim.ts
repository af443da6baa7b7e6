// SQL claims messages: replicas skip channels that another one is claiming.
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import type { Pool } from 'pg';
import { milliseconds as ms, SHOWN_NAME, timestamp as at } from '../../database/time.ts';
import { GROUP_WAIT_MS, JUDGED_AFTER_INTERVALS } from '../retry.ts';
import { notifiedCause } from '../notified-cause.ts';
import type { Claim, OutboxEntry } from '../types.ts';
import type { ChannelRow } from './channels.ts';
import { RELEASE } from './settle.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

/** $1 now, ms  $2 lease  $3 its end, ms. Replicas skip channels that another one is claiming. A lease is still there when
 * the process that held it ended. */
const LEASE = `UPDATE notify_channel c SET lease = $2, leased_until = ${at('$3')}
  FROM (SELECT d.id, d.lease FROM notify_channel d
    WHERE COALESCE(d.leased_until, '-infinity') <= ${at('$1')} AND COALESCE(d.send_after, '-infinity') <= ${at('$1')}
      AND EXISTS (SELECT FROM notify_outbox o WHERE o.channel_id = d.id AND o.due_at <= ${at('$1')})
    ORDER BY d.send_after NULLS FIRST, d.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS free
  WHERE c.id = free.id
  RETURNING c.id, c.type, c.settings, c.secrets, c.routing, c.organisation_id, free.lease IS NOT NULL AS was_left`;
/** $1 channel  $2 now, ms. It is not known which of the messages that were due the process has sent. */
const MARK_LEFT = `UPDATE notify_outbox SET may_have_arrived = true WHERE channel_id = $1 AND due_at <= ${at('$2')}`;
/** Subject of one message: the incident; alerts older than incidents are grouped by server. */
const GROUP = 'COALESCE(a.incident_id::text, o.server_key::text)';
/**
 * The server's report is overdue, and nobody has judged yet whether it is offline. That takes 3 intervals and a run of the
 * job; a server without an offline rule is never judged, so the wait ends.
 */
const IS_LATE = `a.metric NOT IN ('offline', 'ingest_outage') AND s.key IS NOT NULL AND (EXISTS (SELECT FROM alert x
      WHERE x.organisation_id = s.organisation_id AND x.metric = 'ingest_outage' AND x.resolved_at IS NULL)
    OR (SELECT max(r.last_received_at) FROM report_stream r WHERE r.server_key = s.key) BETWEEN
      ${at('$2')} - make_interval(secs => s.report_interval_seconds * ${JUDGED_AFTER_INTERVALS}::double precision)
      AND ${at('$2')} - make_interval(secs => s.report_interval_seconds))`;
/** $1 channel  $2 now, ms  $3 account. Rows that wait for more than the grouping stay where they are. */
const ENTRIES = `SELECT o.id::float8 AS id, o.alert_id, o.state, o.level, o.value, o.threshold, ${ms('o.at')} AS at, o.attempts,
    ${ms('o.first_tried_at')} AS first_tried, a.metric, a.subject, a.title,
    CASE WHEN a.metric IN ('reports_refused', 'disk_forecast', 'memory_forecast') OR a.cluster_key IS NOT NULL THEN a.message END AS detail,
    CASE WHEN a.object_name IS NOT NULL THEN concat_ws('/', a.namespace, a.object_name) END AS object, ${ms('a.opened_at')} AS opened,
    (SELECT w.for_seconds FROM alert_rule w WHERE w.id = CASE WHEN a.rule ~ '^[0-9a-f-]{36}$' THEN a.rule::uuid END) AS for_seconds,
    EXISTS (SELECT FROM notify_delivered d WHERE d.channel_id = $1 AND d.alert_id = a.id) AS is_delivered,
    o.may_have_arrived, a.is_folded, ${IS_LATE} AS is_late,
    (SELECT count(*)::integer FROM alert f WHERE f.incident_id = a.incident_id AND f.is_folded AND f.resolved_at IS NULL)
      AS folded,
    a.incident_id, s.id AS server_id, CASE WHEN s.id IS NOT NULL THEN ${SHOWN_NAME} WHEN k.key IS NOT NULL THEN COALESCE(k.name, 'Kubernetes') END AS hostname,
    s.tags, COALESCE(s.organisation_id, k.organisation_id, a.organisation_id) IS NOT DISTINCT FROM $3::uuid AS is_owned
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
  detail: string | null;
  object: string | null;
  opened: number;
  /** Null: a default rule, or one that was deleted. */
  for_seconds: number | null;
  is_delivered: boolean;
  may_have_arrived: boolean;
  is_folded: boolean;
  is_late: boolean;
  folded: number;
  incident_id: string | null;
  server_id: string | null;
  hostname: string | null;
  tags: Record<string, string> | null;
  is_owned: boolean;
}
/** $1 incident  $2 account of the channel. A server that changed hands takes no answer along. */
const CAUSE = `SELECT k.findings, k.answer, COALESCE(n.quotes_log_lines, false) AS "quotesLogLines"
  FROM incident_cause k LEFT JOIN notify_setting n ON n.organisation_id = k.organisation_id
  WHERE k.incident_id = $1 AND k.organisation_id = $2 AND cardinality(k.findings) > 0`;
interface CauseRow {
  findings: string[];
  answer: unknown;
  quotesLogLines: boolean;
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
  detail: row.detail,
  object: row.object,
  openedAt: row.opened,
  forMs: (row.for_seconds ?? defaultForSeconds(row.metric)) * 1000,
  isDelivered: row.is_delivered,
  mayHaveArrived: row.may_have_arrived,
  isFolded: row.is_folded,
  isLate: row.is_late,
});

type LeasedRow = Pick<ChannelRow, 'id' | 'type' | 'settings' | 'secrets' | 'routing'> & {
  organisation_id: OrganisationId;
  was_left: boolean;
};

export async function claim(pool: Pool, now: number, lease: { id: string; until: number }): Promise<Claim | null> {
  const { rows: leased } = await pool.query<LeasedRow>(LEASE, [now, lease.id, lease.until]);
  const channel = leased[0];
  if (channel === undefined) return null;
  if (channel.was_left) await pool.query(MARK_LEFT, [channel.id, now]);
  const { rows } = await pool.query<EntryRow>(ENTRIES, [channel.id, now, channel.organisation_id]);
  const first = rows[0];
  if (first === undefined) {
    // The server went between the two statements.
    await pool.query(RELEASE, [channel.id, lease.id, null]);
    return null;
  }
  const { id, type, settings, secrets, routing } = channel;
  const incidentId = first.incident_id;
  const { rows: causes } =
    incidentId === null ? { rows: [] } : await pool.query<CauseRow>(CAUSE, [incidentId, channel.organisation_id]);
  return {
    lease: lease.id,
    organisationId: channel.organisation_id,
    channel: { id, type, settings, sealedSecrets: secrets, routing },
    server:
      first.server_id === null ? null : { id: first.server_id, hostname: first.hostname ?? '', tags: first.tags ?? {} },
    name: first.hostname,
    isOwned: first.is_owned,
    folded: first.folded,
    incidentId,
    cause: causes[0] === undefined ? null : notifiedCause(causes[0]),
    entries: rows.map(entryOf),
  };
}
