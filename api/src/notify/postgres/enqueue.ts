// SQL enqueues messages, because one statement writes a row for each channel in the transaction that saves the change.
import type { PoolClient } from 'pg';
import { levelRank } from '../../alerts/level-rank-sql.ts';
import type { AlertChange } from '../../alerts/types.ts';
import { timestamp as at } from '../../database/time.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import { GROUP_WAIT_MS } from '../retry.ts';
import { CLUSTER_KEY } from './channels.ts';

/** A channel of a cluster gets the alerts of this cluster's servers only. */
const IS_IN_CLUSTER = `(${CLUSTER_KEY} IS NULL OR ${CLUSTER_KEY} = a.cluster_key OR EXISTS
  (SELECT FROM kube_node n WHERE n.server_id = s.id AND n.cluster_key = ${CLUSTER_KEY}))`;

/** $1 server  $2 rule  $3 subject  $4 level  $5 value  $6 threshold  $7 time of the change, ms */
const enqueueAs = (state: string, condition: string): string => `INSERT INTO notify_outbox
    (channel_id, alert_id, server_key, state, level, value, threshold, at, due_at)
  SELECT c.id, a.id, a.server_key, '${state}', $4, $5, $6, ${at('$7')}, ${at('$7')} + interval '${GROUP_WAIT_MS} milliseconds'
  FROM server s JOIN notify_channel c ON c.organisation_id = s.organisation_id
    JOIN alert a ON a.server_key = s.key AND a.rule = $2 AND a.subject = $3 AND a.resolved_at IS NULL
  WHERE s.key = $1 AND ${IS_IN_CLUSTER} AND ${condition}`;
/** A cause that waits is no message about the state of the alert. */
const IS_WAITING = `EXISTS (SELECT FROM notify_outbox o
  WHERE o.channel_id = c.id AND o.alert_id = a.id AND o.state <> 'cause')`;
const IS_DELIVERED = 'EXISTS (SELECT FROM notify_delivered d WHERE d.channel_id = c.id AND d.alert_id = a.id)';
const ENQUEUE: Record<AlertChange['kind'], string> = {
  opened: enqueueAs('firing', `NOT ${IS_WAITING} AND NOT ${IS_DELIVERED}`),
  updated: enqueueAs('escalated', `${levelRank('$4')} < ${levelRank('a.level')}`),
  resolved: enqueueAs('resolved', `(${IS_WAITING} OR ${IS_DELIVERED})`),
};

/**
 * $1 alerts  $2 when they count as begun, ms. Channels that delivered a lower level get the rise. An alert that ends
 * before then, or while the message waits for others, is not sent.
 */
const ENQUEUE_OPEN = `INSERT INTO notify_outbox (channel_id, alert_id, server_key, state, level, value, threshold, at, due_at)
  SELECT c.id, a.id, a.server_key, CASE WHEN d.level IS NULL THEN 'firing' ELSE 'escalated' END, a.level, a.value,
    a.threshold, ${at('$2')}, ${at('$2')} + interval '${GROUP_WAIT_MS} milliseconds'
  FROM alert a LEFT JOIN server s ON s.key = a.server_key LEFT JOIN cluster k ON k.key = a.cluster_key
    JOIN notify_channel c ON c.organisation_id = COALESCE(s.organisation_id, k.organisation_id, a.organisation_id)
    LEFT JOIN notify_delivered d ON d.channel_id = c.id AND d.alert_id = a.id
  WHERE a.id = ANY($1::uuid[]) AND a.resolved_at IS NULL AND ${IS_IN_CLUSTER} AND NOT ${IS_WAITING}
    AND (d.level IS NULL OR ${levelRank('a.level')} < ${levelRank('d.level')})`;
/** $1 alert  $2 now, ms */
const ENQUEUE_END = `INSERT INTO notify_outbox (channel_id, alert_id, server_key, state, level, value, threshold, at, due_at)
  SELECT c.id, a.id, a.server_key, 'resolved', a.level, a.value, a.threshold, ${at('$2')},
    ${at('$2')} + interval '${GROUP_WAIT_MS} milliseconds'
  FROM alert a LEFT JOIN cluster k ON k.key = a.cluster_key
    JOIN notify_channel c ON c.organisation_id = COALESCE(k.organisation_id, a.organisation_id)
  WHERE a.id = $1 AND (${IS_WAITING} OR ${IS_DELIVERED})`;

/**
 * $1 account  $2 now, ms. Rows that a silence or quiet hours hold. Rows in their group wait and rows that failed keep
 * their time.
 */
const WAKE = `UPDATE notify_outbox o SET due_at = ${at('$2')} FROM notify_channel c
  WHERE c.id = o.channel_id AND c.organisation_id = $1 AND o.attempts = 0
    AND o.due_at > ${at('$2')} AND o.due_at > o.at + interval '${GROUP_WAIT_MS} milliseconds'`;

/** The port that alerts and maintenance declare: messages that changes of alerts cause, in the same transaction. */
export const alertOutbox = {
  enqueueChange: async (client: PoolClient, serverKey: number, change: AlertChange): Promise<void> => {
    const { kind, rule, subject, level, value, threshold, at: time } = change;
    await client.query(ENQUEUE[kind], [serverKey, rule, subject, level, value, threshold, time]);
  },
  enqueueOpen: async (client: PoolClient, alertIds: readonly string[], now: number, waitMs: number): Promise<void> => {
    await client.query(ENQUEUE_OPEN, [alertIds, now + waitMs]);
  },
  enqueueEnd: async (client: PoolClient, alertId: string, now: number): Promise<void> => {
    await client.query(ENQUEUE_END, [alertId, now]);
  },
  wakeHeld: async (client: PoolClient, organisationId: OrganisationId, now: number): Promise<void> => {
    await client.query(WAKE, [organisationId, now]);
  },
};
