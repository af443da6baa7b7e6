// SQL repeats and counts messages: each is one statement over the outbox.
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import { createChannelStore } from './channels.ts';
import { claim } from './claim.ts';
import { createMessageSettings } from './message-settings.ts';
import { createDeliveryLog } from './deliveries.ts';
import { settle } from './settle.ts';
import { levelRank } from '../../alerts/level-rank-sql.ts';
import { REPEATED_LEVELS } from '../retry.ts';
import type { Notify } from '../store.ts';

/** $1 now, ms. `at` moves in the same statement, so that no interval is repeated twice. */
const REPEAT = `WITH due AS (
    SELECT d.channel_id, d.alert_id FROM notify_delivered d JOIN notify_channel c ON c.id = d.channel_id
      JOIN alert a ON a.id = d.alert_id AND a.resolved_at IS NULL AND a.acknowledged_at IS NULL AND NOT a.is_folded
    WHERE a.level = ANY('{${REPEATED_LEVELS.join(',')}}') AND (c.routing->>'repeatMinutes')::integer IS NOT NULL
      AND d.at <= ${at('$1')} - make_interval(mins => (c.routing->>'repeatMinutes')::integer)
      AND NOT EXISTS (SELECT FROM notify_outbox o WHERE o.channel_id = d.channel_id AND o.alert_id = d.alert_id)
    FOR UPDATE OF d SKIP LOCKED
  ), moved AS (
    UPDATE notify_delivered d SET at = ${at('$1')} FROM due
    WHERE d.channel_id = due.channel_id AND d.alert_id = due.alert_id RETURNING d.channel_id, d.alert_id
  )
  INSERT INTO notify_outbox (channel_id, alert_id, server_key, state, level, value, threshold, at, due_at)
  SELECT m.channel_id, a.id, a.server_key, 'repeated', a.level, a.value, a.threshold, ${at('$1')}, ${at('$1')}
  FROM moved m JOIN alert a ON a.id = m.alert_id`;

/** A cause that becomes known later is on the screens only. */
const TOLD_WITHIN = "interval '1 hour'";
/** $1 now, ms. An alert that leads its incident stands for it. */
const TELL_CAUSES = `WITH due AS (
    SELECT DISTINCT ON (d.channel_id, i.id) d.channel_id, i.id AS incident_id, a.id AS alert_id, a.server_key, a.level,
      a.value, a.threshold
    FROM incident i JOIN incident_cause k ON k.incident_id = i.id AND cardinality(k.findings) > 0
      JOIN alert a ON a.incident_id = i.id AND a.resolved_at IS NULL AND NOT a.is_folded
      JOIN notify_delivered d ON d.alert_id = a.id
      JOIN notify_channel c ON c.id = d.channel_id AND c.organisation_id = k.organisation_id
    WHERE i.resolved_at IS NULL AND i.opened_at > ${at('$1')} - ${TOLD_WITHIN}
      AND NOT EXISTS (SELECT FROM notify_cause n WHERE n.channel_id = d.channel_id AND n.incident_id = i.id)
    ORDER BY d.channel_id, i.id, ${levelRank('a.level')}, a.opened_at, a.id
  ), told AS (
    INSERT INTO notify_cause (channel_id, incident_id, at) SELECT channel_id, incident_id, ${at('$1')} FROM due
    ON CONFLICT DO NOTHING RETURNING channel_id, incident_id
  )
  INSERT INTO notify_outbox (channel_id, alert_id, server_key, state, level, value, threshold, at, due_at)
  SELECT d.channel_id, d.alert_id, d.server_key, 'cause', d.level, d.value, d.threshold, ${at('$1')}, ${at('$1')}
  FROM due d JOIN told USING (channel_id, incident_id)`;

const NEXT_DUE = `SELECT ${ms('min(due_at)')} AS due FROM notify_outbox`;
const BACKLOG = `SELECT count(*)::integer AS waiting, ${ms('min(at)')} AS oldest FROM notify_outbox`;

export const createNotifyStore = (database: Database): Notify => {
  const { pool } = database;
  return {
    channels: createChannelStore(database),
    settings: createMessageSettings(database),
    outbox: {
      claim: (now, lease) => claim(pool, now, lease),
      settle: (held, settlement) => inTransaction(pool, (client) => settle(client, held, settlement)),
      repeat: async (now) => (await pool.query(REPEAT, [now])).rowCount ?? 0,
      tellCauses: async (now) => {
        await pool.query(TELL_CAUSES, [now]);
      },
      nextDueAt: async () => (await pool.query<{ due: number | null }>(NEXT_DUE)).rows[0]?.due ?? null,
      backlog: async () => {
        const { rows } = await pool.query<{ waiting: number; oldest: number | null }>(BACKLOG);
        return { waiting: rows[0]?.waiting ?? 0, oldestAt: rows[0]?.oldest ?? null };
      },
    },
    deliveries: createDeliveryLog(pool),
  };
};
