// SQL finds the newest report of each server that may be a place, in one statement.
import type { Pool } from 'pg';
import { milliseconds as ms, SHOWN_NAME } from '../../database/time.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import type { CheckResults } from '../store.ts';

interface PlaceRow {
  key: number;
  serverId: string;
  organisationId: OrganisationId;
  name: string;
  region: string | null;
  tags: Record<string, string>;
  seenAt: number | null;
}
/** The servers and tags of thousands of checks are few. */
const PLACES = `WITH wanted AS MATERIALIZED (
    SELECT DISTINCT organisation_id, unnest(server_ids) AS id FROM check_definition WHERE $1::uuid IS NULL OR organisation_id = $1
  ), tagged AS MATERIALIZED (
    SELECT DISTINCT organisation_id, tag_key FROM check_definition WHERE tag_key IS NOT NULL AND ($1::uuid IS NULL OR organisation_id = $1)
  )
  SELECT s.key, s.id AS "serverId", s.organisation_id AS "organisationId", ${SHOWN_NAME} AS name, s.tags,
    (SELECT f.value->>'region' FROM server_fact f WHERE f.server_key = s.key AND f.name = 'system') AS region,
    (SELECT ${ms('max(r.last_received_at)')} FROM report_stream r WHERE r.server_key = s.key) AS "seenAt"
  FROM server s
  WHERE ($1::uuid IS NULL OR s.organisation_id = $1) AND (
    (s.organisation_id, s.id) IN (SELECT organisation_id, id FROM wanted)
    OR EXISTS (SELECT FROM tagged t WHERE t.organisation_id = s.organisation_id AND s.tags ? t.tag_key))`;

export async function placesSeen(
  pool: Pool,
  organisation: OrganisationId | null,
): ReturnType<CheckResults['listPlaces']> {
  const { rows } = await pool.query<PlaceRow>(PLACES, [organisation]);
  return new Map(
    rows.map(({ organisationId, seenAt, ...name }) => [name.key, { seenAt: seenAt ?? 0, name, organisationId }]),
  );
}
