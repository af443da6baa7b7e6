// SQL reads the messages of one alert: an index on the array of alert ids finds them.
import type { Database } from '../../database/database.ts';
import { milliseconds as ms } from '../../database/time.ts';
import type { AlertDeliveries } from '../store.ts';
import type { AlertDelivery, WaitingDelivery } from '../types.ts';

/** $1 account  $2 alert */
const TRIED = `SELECT l.channel_id AS "channelId", c.name AS "channelName", c.type, ${ms('l.at')} AS at, l.outcome,
    l.detail, l.attempt
  FROM notify_delivery l JOIN notify_channel c ON c.id = l.channel_id
  WHERE c.organisation_id = $1 AND l.alert_ids @> ARRAY[$2]::uuid[] ORDER BY l.id DESC LIMIT 500`;
const WAITING = `SELECT o.channel_id AS "channelId", c.name AS "channelName", c.type, ${ms('min(o.due_at)')} AS "dueAt",
    max(o.attempts)::integer AS attempts
  FROM notify_outbox o JOIN notify_channel c ON c.id = o.channel_id
  WHERE c.organisation_id = $1 AND o.alert_id = $2 GROUP BY o.channel_id, c.name, c.type ORDER BY c.name, o.channel_id`;

export const createAlertDeliveries = ({ pool }: Database): AlertDeliveries => ({
  of: async ({ organisationId }, alertId) => {
    const [tried, waiting] = await Promise.all([
      pool.query<AlertDelivery>(TRIED, [organisationId, alertId]),
      pool.query<WaitingDelivery>(WAITING, [organisationId, alertId]),
    ]);
    return { tried: tried.rows.toReversed(), waiting: waiting.rows };
  },
});
