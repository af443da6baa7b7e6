// SQL reads what belongs to one alert from tables that only SQL writes.
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import type { AlertEvent, PastSilence } from '../acting/alert-history.ts';
import type { BlackBox } from '../acting/black-box.ts';
import type { AlertDetails } from '../store.ts';
import { SILENCE_COLUMNS } from './silences.ts';

const BLACK_BOX = `SELECT ${ms('taken_at')} AS "takenAt", body AS box FROM alert_black_box WHERE alert_id = $1`;
const EVENTS = `SELECT ${ms('e.at')} AS at, e.kind, e.note, e.level,
    (SELECT k.name FROM account k WHERE k.id = e.organisation_id) AS by
  FROM alert_event e WHERE e.alert_id = $1 ORDER BY e.id LIMIT 500`;
/** $1 account  $2 from, ms  $3 to, ms  $4 server or null. Those that name another server cannot match. */
const SILENCES = `SELECT ${SILENCE_COLUMNS}, ${ms('q.deleted_at')} AS "deletedAt",
    (SELECT k.name FROM account k WHERE k.id = q.deleted_by) AS "deletedBy"
  FROM alert_silence q WHERE q.organisation_id = $1 AND q.ends_at > ${at('$2')} AND q.starts_at < ${at('$3')}
    AND (q.server_id IS NULL OR q.server_id = $4) AND (q.deleted_at IS NULL OR q.deleted_at > ${at('$2')})
  ORDER BY q.starts_at, q.id LIMIT 500`;

export const createAlertDetails = ({ pool }: Database): AlertDetails => ({
  of: async ({ organisationId }, { id, serverId, openedAt, resolvedAt }, now) => {
    const [boxes, events, silences] = await Promise.all([
      pool.query<{ takenAt: number; box: BlackBox }>(BLACK_BOX, [id]),
      pool.query<AlertEvent>(EVENTS, [id]),
      pool.query<PastSilence>(SILENCES, [organisationId, openedAt, resolvedAt ?? now + 1, serverId]),
    ]);
    return { blackBox: boxes.rows[0] ?? null, events: events.rows, silences: silences.rows };
  },
});
