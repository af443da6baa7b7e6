// SQL reads events: one statement joins and pages them over all servers of an owner.
import { LEADING_EVENT_TYPES } from '@plimsoll/contract/rules/limits';
import { inScope } from '../servers/scope-sql.ts';
import type { Activity } from './store.ts';
import type { ActivityRecord } from './types.ts';
import { isUuid } from '../database/database.ts';
import type { Database } from '../database/database.ts';
import { milliseconds, SHOWN_NAME, timestamp } from '../database/time.ts';

/**
 * $1 account  $2 server id  $3 from, ms  $4 to, ms  $5 type  $6 service  $7 severity  $8 server keys, each may be null. Errors
 * of the journal are listed only on request: there can be twenty a minute.
 */
const MATCHING = `FROM activity_event e JOIN server s ON s.key = e.server_key
  WHERE s.organisation_id = $1 AND ($2::uuid IS NULL OR s.id = $2)
    AND ($3::double precision IS NULL OR e.at >= ${timestamp('$3')})
    AND ($4::double precision IS NULL OR e.at < ${timestamp('$4')})
    AND CASE WHEN $5::text IS NULL THEN e.event_type <> 'journal_error' ELSE e.event_type = $5 END
    AND ($6::text IS NULL OR e.service_name = $6)
    AND ($7::text IS NULL OR e.severity = $7) AND ${inScope('s.key', '$8')}`;
const PROCESS_RUNS = `('process_start', 'process_stop')`;
const LEADING = LEADING_EVENT_TYPES.map((type) => `'${type}'`).join(', ');
const IS_LEADING = `e.event_type IN (${LEADING}) AND e.at >= ${timestamp('$12')}`;
/** The newest of `part`, as many as the page and those before it hold: the index on the time gives them without a sort. */
const newest = (part: number, condition: string): string => `(
  SELECT ${String(part)} AS part, e.id, s.id AS "serverId", ${SHOWN_NAME} AS hostname, e.at AS moment, e.event_type,
    e.service_name, e.process_name, e.message, e.severity
  ${MATCHING} AND NOT ($11::boolean AND e.event_type IN ${PROCESS_RUNS}) AND ${condition}
  ORDER BY e.at DESC, e.id LIMIT $9::integer + $10::integer)`;
/** $9 limit  $10 offset  $11 without process runs  $12 from when some types lead, ms; null: none does */
const LIST = `SELECT id, "serverId", hostname, ${milliseconds('moment')} AS at, event_type, service_name, process_name,
    message, severity
  FROM (${newest(0, IS_LEADING)} UNION ALL ${newest(1, `COALESCE(NOT (${IS_LEADING}), true)`)}) page
  ORDER BY part, moment DESC, id LIMIT $9 OFFSET $10`;
const COUNT = `SELECT count(*) FILTER (WHERE NOT f.folded)::integer AS total,
    count(*) FILTER (WHERE f.folded)::integer AS folded
  FROM (SELECT $9::boolean AND e.event_type IN ${PROCESS_RUNS} AS folded ${MATCHING}) f`;

export const createActivityStore = ({ pool }: Database): Activity => ({
  list: async (owner, { withoutProcessRuns = false, leadingSince = null, ...filter }, { limit, offset }) => {
    const { serverId, within, from, to, eventType, serviceName, severity } = filter;
    if (serverId !== undefined && !isUuid(serverId)) return { events: [], total: 0, folded: 0 };
    const matching = [owner.organisationId, serverId, from, to, eventType, serviceName, severity, within].map(
      (value) => value ?? null,
    );
    const [{ rows }, { rows: counted }] = await Promise.all([
      pool.query<ActivityRecord>(LIST, [...matching, limit, offset, withoutProcessRuns, leadingSince]),
      pool.query<{ total: number; folded: number }>(COUNT, [...matching, withoutProcessRuns]),
    ]);
    return { events: rows, total: counted[0]?.total ?? 0, folded: counted[0]?.folded ?? 0 };
  },
});
