// SQL writes and lists attempts, because an attempt joins the outbox transaction and a list joins the channel.
import type { Pool } from 'pg';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import type { Notify } from '../store.ts';
import type { DeliveryRecord } from '../types.ts';

export const LOG = `INSERT INTO notify_delivery (channel_id, at, outcome, detail, hostname, alert_ids, attempt)
  SELECT c.id, ${at('$2')}, $3, $4, $5, $6, $7 FROM notify_channel c WHERE c.id = $1 FOR KEY SHARE`;

const DELIVERIES = `SELECT l.id::float8 AS id, l.channel_id, c.name, c.type, ${ms('l.at')} AS at, l.outcome, l.detail,
    l.hostname, l.alert_ids, l.attempt
  FROM notify_delivery l JOIN notify_channel c ON c.id = l.channel_id
  WHERE c.organisation_id = $1 AND ($2::uuid IS NULL OR c.id = $2) ORDER BY l.id DESC LIMIT $3 OFFSET $4`;
const COUNT = `SELECT count(*)::integer AS total FROM notify_delivery l JOIN notify_channel c ON c.id = l.channel_id
  WHERE c.organisation_id = $1 AND ($2::uuid IS NULL OR c.id = $2)`;
interface DeliveryRow {
  id: number;
  channel_id: string;
  name: string;
  type: DeliveryRecord['type'];
  at: number;
  outcome: DeliveryRecord['outcome'];
  detail: string;
  hostname: string;
  alert_ids: string[];
  attempt: number;
}

export const createDeliveryLog = (pool: Pool): Notify['deliveries'] => ({
  log: async (channelId, { at: time, outcome, detail, about }) => {
    await pool.query(LOG, [channelId, time, outcome, detail, about, [], 1]);
  },
  list: async ({ organisationId }, { channelId = null }, { limit, offset }) => {
    const { rows } = await pool.query<DeliveryRow>(DELIVERIES, [organisationId, channelId, limit, offset]);
    const { rows: counted } = await pool.query<{ total: number }>(COUNT, [organisationId, channelId]);
    const deliveries = rows.map(({ channel_id: channel, name, alert_ids: alertIds, ...rest }): DeliveryRecord => ({
      ...rest,
      channelId: channel,
      channelName: name,
      alertIds,
    }));
    return { deliveries, total: counted[0]?.total ?? 0 };
  },
});
