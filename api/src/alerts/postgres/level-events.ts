// SQL notes a change of the level in the statement that writes it: the level before is gone afterwards.
import { timestamp as at } from '../../database/time.ts';
import { levelRank } from '../level-rank-sql.ts';

/**
 * Returns the first part of a statement that updates an open alert: $1 server or cluster  $2 rule  $3 subject  $5 level
 * $10 time, ms. The note of the event is the level before.
 */
export const noteLevelChange = (key: 'server_key' | 'cluster_key'): string => `WITH moved AS (
    INSERT INTO alert_event (alert_id, at, kind, level, note)
    SELECT id, ${at('$10')}, CASE WHEN ${levelRank('$5')} < ${levelRank('level')} THEN 'escalated' ELSE 'eased' END, $5, level
    FROM alert WHERE ${key} = $1 AND rule = $2 AND subject = $3 AND resolved_at IS NULL AND level <> $5
  )`;
