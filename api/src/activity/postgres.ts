// SQL reads events: one statement joins and pages them over all servers of an owner.
import { LEADING_EVENT_TYPES } from '@plimsoll/contract/rules/limits';
import { inScope } from '../servers/scope-sql.ts';
import type { Activity } from './store.ts';
import type { ActivityRecord } from './types.ts';
import { isUuid } from '../database/database.ts';
import type { Database } from '../database/database.ts';
import { milliseconds, SHOWN_NAME, timestamp } from '../database/time.ts';

/** $1 account  $2 server id  $3 from, ms  $4 to, ms  $5 type  $6 service  $7 severity  $8 server keys, each may be null */
const MATCHING = `FROM activity_event e JOIN server s ON s.key = e.server_key
  WHERE s.account_id = $1 AND ($2::uuid IS NULL OR s.id = $2)
    AND ($3::double precision IS NULL OR e.at >= ${timestamp('$3')})
    AND ($4::double precision IS NULL OR e.at < ${timestamp('$4')})
    AND ($5::text IS NULL OR e.event_type = $5) AND ($6::text IS NULL OR e.service_name = $6)
    AND ($7::text IS NULL OR e.severity = $7) AND ${inScope('s.key', '$8')}`;
const PROCESS_RUNS = `('process_start', 'process_stop')`;
const LEADING = LEADING_EVENT_TYPES.map((type) => `'${type}'`).join(', ');
const LIST = `SELECT e.id, s.id AS "serverId", ${SHOWN_NAME} AS hostname, ${milliseconds('e.at')} AS at, e.event_type,
    e.service_name, e.process_name, e.message, e.severity
  ${MATCHING} AND NOT ($11::boolean AND e.event_type IN ${PROCESS_RUNS})
  ORDER BY COALESCE(e.event_type IN (${LEADING}) AND e.at >= ${timestamp('$12')}, false) DESC, e.at DESC, e.id
  LIMIT $9 OFFSET $10`;
const COUNT = `SELECT count(*) FILTER (WHERE NOT f.folded)::integer AS total,
    count(*) FILTER (WHERE f.folded)::integer AS folded
  FROM (SELECT $9::boolean AND e.event_type IN ${PROCESS_RUNS} AS folded ${MATCHING}) f`;

export const createActivityStore = ({ pool }: Database): Activity => ({
  list: async (owner, { withoutProcessRuns = false, leadingSince = null, ...filter }, { limit, offset }) => {
    const { serverId, within, from, to, eventType, serviceName, severity } = filter;
    if (serverId !== undefined && !isUuid(serverId)) return { events: [], total: 0, folded: 0 };
    const matching = [owner.accountId, serverId, from, to, eventType, serviceName, severity, within].map(
      (value) => value ?? null,
    );
    const [{ rows }, { rows: counted }] = await Promise.all([
      pool.query<ActivityRecord>(LIST, [...matching, limit, offset, withoutProcessRuns, leadingSince]),
      pool.query<{ total: number; folded: number }>(COUNT, [...matching, withoutProcessRuns]),
    ]);
    return { events: rows, total: counted[0]?.total ?? 0, folded: counted[0]?.folded ?? 0 };
  },
});
