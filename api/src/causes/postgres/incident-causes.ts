// SQL claims incidents and replaces answers: an upsert lets one of several replicas compute each.
import { causeAnswer } from '@plimsoll/contract/wire/causes';
import { isUuid, type Database } from '../../database/database.ts';
import { timestamp as at } from '../../database/time.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import { DUE } from '../freshness.ts';
import type { DueIncident, IncidentCauses } from '../store.ts';

const seconds = (ms: number): string => `interval '${String(ms / 1000)} seconds'`;
const OWNER = 'COALESCE(s.organisation_id, c.organisation_id, i.organisation_id)';
const INCIDENTS = `incident i LEFT JOIN server s ON s.key = i.server_key LEFT JOIN cluster c ON c.key = i.cluster_key`;
/** The answer is one of another owner, alerts joined, nothing came of the last try, or late evidence may have arrived. */
const IS_STALE = `(k.organisation_id <> ${OWNER} OR k.members <> m.members
    OR k.started_at <= ${at('$1')} - ${seconds(DUE.againMs)}
      AND (k.computed_at IS NULL OR i.opened_at > ${at('$1')} - ${seconds(DUE.youngMs)}))`;
/** $1 now, ms  $2 incidents at most. Those without an answer come first, the gravest of them before the others. */
const CLAIM = `INSERT INTO incident_cause AS k (incident_id, organisation_id, started_at, members)
  SELECT i.id, ${OWNER}, ${at('$1')}, m.members
  FROM ${INCIDENTS} LEFT JOIN incident_cause k ON k.incident_id = i.id
    CROSS JOIN LATERAL (SELECT count(*)::integer AS members FROM alert a WHERE a.incident_id = i.id) AS m
  WHERE i.resolved_at IS NULL AND ${OWNER} IS NOT NULL AND m.members > 0
    AND (k.incident_id IS NULL OR k.started_at <= ${at('$1')} - ${seconds(DUE.leastMs)} AND ${IS_STALE})
  ORDER BY k.incident_id IS NOT NULL, array_position(ARRAY['critical', 'error', 'warning', 'info'], i.level), i.opened_at
  LIMIT LEAST($2::integer, GREATEST(0, ${DUE.aMinute} - (SELECT count(*) FROM incident_cause r
    WHERE r.started_at > ${at('$1')} - interval '1 minute')))
  ON CONFLICT (incident_id) DO UPDATE SET started_at = excluded.started_at, members = excluded.members,
    organisation_id = excluded.organisation_id,
    computed_at = CASE WHEN k.organisation_id = excluded.organisation_id THEN k.computed_at END,
    findings = CASE WHEN k.organisation_id = excluded.organisation_id THEN k.findings ELSE '{}' END,
    answer = CASE WHEN k.organisation_id = excluded.organisation_id THEN k.answer END
  WHERE k.started_at <= ${at('$1')} - ${seconds(DUE.leastMs)}
  RETURNING k.incident_id AS "incidentId", k.organisation_id AS "organisationId"`;
/** $1 account  $2 incident  $3 now, ms  $4 findings  $5 answer */
const SAVE = `INSERT INTO incident_cause AS k (incident_id, organisation_id, started_at, members, computed_at, findings, answer)
  SELECT i.id, ${OWNER}, ${at('$3')}, (SELECT count(*) FROM alert a WHERE a.incident_id = i.id), ${at('$3')}, $4::text[], $5::jsonb
  FROM ${INCIDENTS} WHERE i.id = $2 AND ${OWNER} = $1
  ON CONFLICT (incident_id) DO UPDATE SET organisation_id = excluded.organisation_id, computed_at = excluded.computed_at,
    findings = excluded.findings, answer = excluded.answer`;
const GET = `SELECT k.answer FROM incident_cause k JOIN (SELECT i.id, ${OWNER} AS owner FROM ${INCIDENTS}) AS i
    ON i.id = k.incident_id
  WHERE k.incident_id = $2 AND k.organisation_id = $1 AND i.owner = $1 AND k.answer IS NOT NULL`;

export const createIncidentCauses = ({ pool }: Database): IncidentCauses => ({
  claimDue: async (now, most) => (await pool.query<DueRow>(CLAIM, [now, most])).rows,
  save: async ({ organisationId }, incidentId, { answer, findings }, now) => {
    if (!isUuid(incidentId)) return false;
    const values = [organisationId, incidentId, now, findings, JSON.stringify(answer)];
    return (await pool.query(SAVE, values)).rowCount === 1;
  },
  get: async ({ organisationId }, incidentId) => {
    if (!isUuid(incidentId)) return null;
    const { rows } = await pool.query<{ answer: unknown }>(GET, [organisationId, incidentId]);
    // An answer that another version stored in another form is computed again.
    return causeAnswer.safeParse(rows[0]?.answer).data ?? null;
  },
});
type DueRow = DueIncident & { organisationId: OrganisationId };
