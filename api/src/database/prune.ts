// SQL deletes in steps with their own time limit.
import { LINE_DAYS, NEAR_ALERT_MINUTES } from '@plimsoll/contract/rules/lines';
import { LINE_EVENTS } from './line-events.ts';
import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { CHANGE_DAYS } from '@plimsoll/contract/rules/changes';
import { PROCESS_HISTORY, PROCESS_MINUTES, RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import type { PoolClient } from 'pg';
import { FLEET_STEPS } from '../series/fleet-steps.ts';
import { dropPartitions, PARTITIONED_TABLES } from './partitions.ts';
import { timestamp } from './time.ts';

/** A day longer than the samples, so that the edge of a range still finds its neighbour. */
const LEDGER_DAYS = RETENTION_DAYS.raw + 1;
/** Retention of an expired secret, so the audit log can still name it. */
const EXPIRED_DAYS = 30;
/** Long enough to find a collector that was left with the token of another. */
const REVOKED_TOKEN_DAYS = 90;
/** Long enough for a machine that was off for months to receive the deletion of its server. */
const DELETED_TOKEN_DAYS = 400;
const DELIVERY_DAYS = 30;
/** A growth is measured over a week; the rest shows when it began. */
const DATABASE_SIZE_DAYS = 90;
/** Resolved alerts with their black box and history, and the silences that held them. */
const ALERT_DAYS = 730;
/** Status pages show 90 days. */
const SERVER_DAYS = 100;
/** A bulk action can be undone for minutes; the audit log names it. */
const BULK_DAYS = 30;
/** Ended in time: a silence that was deleted ended then. */
const SILENCE_ENDED = `LEAST(ends_at, COALESCE(deleted_at, 'infinity')) < $1`;
/** Its last alert went after its own retention, so the incident has nothing left to show. */
const IS_EMPTY = 'NOT EXISTS (SELECT FROM alert a WHERE a.incident_id = incident.id)';
/** Rows a statement at most, so that none holds its locks for long. */
const CHUNK = 10_000;

interface Rule {
  table: string;
  where: string;
  days: number;
}
/** $1 is `now` − days. */
const IS_LINE = `event_type IN ${LINE_EVENTS}`;
/** A line explains an alert of its server or cluster that began soon after it, or was open. */
const farFromAlerts = (table: string, key: string): string => `NOT EXISTS (SELECT FROM alert a
  WHERE a.${key} = ${table}.${key} AND a.opened_at <= ${table}.at + interval '${String(NEAR_ALERT_MINUTES.before)} minutes'
    AND COALESCE(a.resolved_at, 'infinity') >= ${table}.at - interval '${String(NEAR_ALERT_MINUTES.after)} minutes')`;

const RULES: readonly Rule[] = [
  ...PARTITIONED_TABLES.map(({ name, retentionDays }) => ({
    table: `${name}_default`,
    where: 'ts < $1',
    days: retentionDays,
  })),
  ...FLEET_STEPS.map(({ seconds, retentionDays }) => ({
    table: 'fleet_rollup',
    where: `step_seconds = ${seconds} AND ts < $1`,
    days: retentionDays,
  })),
  { table: 'process_minute', where: 'ts < $1', days: PROCESS_MINUTES.days },
  { table: 'process_quarter', where: 'ts < $1', days: PROCESS_HISTORY.days },
  { table: 'report_ledger', where: 'sample_at < $1', days: LEDGER_DAYS },
  { table: 'dropped_report', where: 'recorded_at < $1', days: LEDGER_DAYS },
  // Which of two machines has which server must outlive an outage of both.
  { table: 'external_reading', where: `coalesce(json_array_length(machines), 0) < 2 AND received_at < $1`, days: 1 },
  { table: 'external_reading', where: 'received_at < $1', days: 90 },
  { table: 'agent_sign_off', where: 'at < $1', days: LEDGER_DAYS },
  { table: 'api_uptime', where: 'seen_at < $1', days: LEDGER_DAYS },
  { table: 'database_size', where: 'at < $1', days: DATABASE_SIZE_DAYS },
  { table: 'activity_event', where: `event_type NOT IN ${LINE_EVENTS} AND at < $1`, days: RETENTION_DAYS.oneHour },
  { table: 'activity_event', where: `${IS_LINE} AND at < $1`, days: ALERT_DAYS },
  {
    table: 'activity_event',
    where: `${IS_LINE} AND at < $1 AND ${farFromAlerts('activity_event', 'server_key')}`,
    days: LINE_DAYS,
  },
  { table: 'last_words', where: 'at < $1', days: ALERT_DAYS },
  { table: 'last_words', where: `at < $1 AND ${farFromAlerts('last_words', 'cluster_key')}`, days: LINE_DAYS },
  { table: 'change', where: 'at < $1', days: CHANGE_DAYS },
  { table: 'rate_limit', where: 'full_at < $1', days: 0 },
  { table: 'session', where: 'expires_at < $1', days: 0 },
  { table: 'sign_in_code', where: 'expires_at < $1', days: 0 },
  { table: 'enrolment_token', where: 'expires_at < $1', days: EXPIRED_DAYS },
  { table: 'api_token', where: 'expires_at < $1', days: EXPIRED_DAYS },
  { table: 'cluster_token', where: 'last_used_at IS NULL AND expires_unused_at < $1', days: EXPIRED_DAYS },
  { table: 'cluster_token', where: 'ends_at < $1', days: EXPIRED_DAYS },
  { table: 'revoked_agent_token', where: 'revoked_at < $1', days: REVOKED_TOKEN_DAYS },
  { table: 'deleted_agent_token', where: 'deleted_at < $1', days: DELETED_TOKEN_DAYS },
  { table: 'notify_delivery', where: 'at < $1', days: DELIVERY_DAYS },
  // The data of an alert is deleted with it.
  { table: 'alert', where: 'resolved_at < $1', days: ALERT_DAYS },
  { table: 'incident', where: `resolved_at < $1 AND ${IS_EMPTY}`, days: 1 },
  { table: 'alert_silence', where: SILENCE_ENDED, days: ALERT_DAYS },
  { table: 'alert_bulk', where: 'at < $1', days: BULK_DAYS },
  { table: 'check_outage', where: 'ended_at < $1', days: ALERT_DAYS },
  { table: 'server_day', where: 'day < $1', days: SERVER_DAYS },
  { table: 'kube_event', where: 'last_at < $1', days: RETENTION_DAYS.raw },
  { table: 'kube_job', where: 'failed_at < $1', days: RETENTION_DAYS.raw },
  { table: 'kube_pod', where: 'gone_at < $1', days: RETENTION_DAYS.raw },
  { table: 'kube_volume_usage', where: 'measured_at < $1', days: RETENTION_DAYS.raw },
  { table: 'kube_container_end', where: 'at < $1', days: RETENTION_DAYS.fiveMinutes },
  { table: 'kube_node', where: 'gone_at < $1', days: RETENTION_DAYS.fiveMinutes },
];

const deleteChunk = async (client: PoolClient, { table, where, days }: Rule, now: number): Promise<number> => {
  const condition = where.replace('$1', timestamp('$1'));
  const { rowCount } = await client.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${CHUNK}))`,
    [now - days * DAY_MS],
  );
  return rowCount ?? 0;
};

/** Each chunk and each table's partitions are one call of `inTransaction`; null when another replica is at it. */
export const prune = async (
  inTransaction: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T | null>,
  now: number,
): Promise<Record<string, number> | null> => {
  const removed: Record<string, number> = {};
  for (const table of PARTITIONED_TABLES) {
    const dropped = await inTransaction((client) => dropPartitions(client, table, now));
    if (dropped === null) return null;
    if (dropped > 0) removed[`${table.name} partitions`] = dropped;
  }
  for (const rule of RULES) {
    for (let last = CHUNK; last === CHUNK;) {
      const deleted = await inTransaction((client) => deleteChunk(client, rule, now));
      if (deleted === null) return null;
      last = deleted;
      if (deleted > 0) removed[rule.table] = (removed[rule.table] ?? 0) + deleted;
    }
  }
  return removed;
};
