// SQL settles messages: the rows of one attempt change in one transaction.
import type { PoolClient } from 'pg';
import { timestamp as at } from '../../database/time.ts';
import type { Settlement } from '../types.ts';
import { LOG } from './deliveries.ts';

/** $1 channel  $2 lease  $3 nothing is sent before, ms */
export const RELEASE = `UPDATE notify_channel SET lease = NULL, leased_until = NULL,
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

/** $1 channel  $2 incident  $3 now, ms */
const TOLD_CAUSE = `INSERT INTO notify_cause (channel_id, incident_id, at)
  SELECT $1, i.id, ${at('$3')} FROM incident i WHERE i.id = $2 FOR KEY SHARE ON CONFLICT DO NOTHING`;

export async function settle(
  client: PoolClient,
  { channelId, lease }: { channelId: string; lease: string },
  settlement: Settlement,
): Promise<void> {
  const { done, held, failed, delivered, ended, toldCauseOf, sendAfter, log } = settlement;
  // An alert that goes meanwhile takes its rows along, so these statements find none.
  await client.query(RELEASE, [channelId, lease, sendAfter]);
  if (done.length > 0) await client.query(DELETE_ENTRIES, [done]);
  for (const { ids, until } of held) await client.query(HOLD, [ids, until]);
  if (failed !== null) await client.query(FAIL, [failed.ids, failed.until, failed.at, failed.mayHaveArrived]);
  for (const { alertId, level } of delivered)
    await client.query(DELIVERED, [channelId, alertId, level, log?.at ?? sendAfter]);
  if (ended.length > 0) await client.query(ENDED, [channelId, ended]);
  if (toldCauseOf !== null) await client.query(TOLD_CAUSE, [channelId, toldCauseOf, log?.at ?? sendAfter]);
  if (log === null) return;
  const { at: time, outcome, detail, hostname, alertIds, attempt } = log;
  await client.query(LOG, [channelId, time, outcome, detail, hostname, alertIds, attempt]);
}
