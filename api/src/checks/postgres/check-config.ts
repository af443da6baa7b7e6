// SQL matches the tags of a server, and counts configurations in one upsert.
import type { Pool } from 'pg';
import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import { timestamp as at } from '../../database/time.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import { newFold } from '../rules/fold.ts';
import type { HeartbeatState } from '../types.ts';

const BUMP = `INSERT INTO check_config AS c (organisation_id, rev) VALUES ($1, 1)
  ON CONFLICT (organisation_id) DO UPDATE SET rev = c.rev + 1`;
export async function bumpConfig(pool: Pool, organisationId: OrganisationId): Promise<void> {
  await pool.query(BUMP, [organisationId]);
}

export async function configRev(pool: Pool, organisationId: OrganisationId): Promise<number> {
  const { rows } = await pool.query<{ rev: string }>('SELECT rev FROM check_config WHERE organisation_id = $1', [
    organisationId,
  ]);
  return Number(rows[0]?.rev ?? 0);
}

/** $1 organisation  $2 server. The oldest ones, as many as a collector runs. */
const OF_SERVER = `SELECT c.id FROM check_definition c JOIN server s ON s.id = $2 AND s.organisation_id = $1
  WHERE c.organisation_id = $1 AND c.is_enabled AND c.probe IS NOT NULL
    AND (s.id = ANY(c.server_ids) OR s.tags ? c.tag_key AND (c.tag_value IS NULL OR s.tags->>c.tag_key = c.tag_value))
  ORDER BY c.key LIMIT ${String(CHECK_LIMITS.perCollector)}`;
export async function listForServer(pool: Pool, organisationId: OrganisationId, serverId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(OF_SERVER, [organisationId, serverId]);
  return rows.map(({ id }) => id);
}

/** $1 organisation  $2 host */
const NODES_AT = `SELECT n.server_id AS id FROM kube_node n JOIN cluster c ON c.key = n.cluster_key AND c.organisation_id = $1
  JOIN server s ON s.id = n.server_id AND s.organisation_id = $1
  WHERE n.gone_at IS NULL AND (lower(n.name) = $2 OR lower(n.object->>'internal_ip') = $2)`;
export async function nodesAt(pool: Pool, organisationId: OrganisationId, host: string): Promise<string[]> {
  return (await pool.query<{ id: string }>(NODES_AT, [organisationId, host])).rows.map(({ id }) => id);
}

/** $1 check  $2 now, ms */
const BEGIN_UNKNOWN = `INSERT INTO check_outage (check_key, kind, began_at, failed, voted)
  VALUES ($1, 'unknown', ${at('$2')}, 0, 0)`;
/** $1 check  $2 now, ms. Nothing is known of a check while it is paused, so that no outage goes on. */
const PAUSE = [
  `UPDATE check_outage SET ended_at = GREATEST(began_at, ${at('$2')}) WHERE check_key = $1 AND ended_at IS NULL`,
  BEGIN_UNKNOWN,
] as const;
const RESET = 'UPDATE check_state SET fold = $2, version = version + 1 WHERE check_key = $1';
export async function pauseState(pool: Pool, key: number, now: number): Promise<void> {
  for (const text of PAUSE) await pool.query(text, [key, now]);
  await pool.query(RESET, [key, JSON.stringify(newFold(now))]);
}

/** $1 check  $2 fold  $3 now, ms */
const RESUME = `UPDATE check_state SET fold = $2, heartbeat = heartbeat || jsonb_build_object('goodAt', $3::float8),
    version = version + 1 WHERE check_key = $1`;
/** The job did not have to call while its heartbeat was paused: the next call is due as after a good one now. */
export async function resumeHeartbeat(pool: Pool, key: number, now: number): Promise<void> {
  await pool.query(RESUME, [key, JSON.stringify(newFold(now)), now]);
}
/** $1 check  $2 now, ms */
const RESTART = `UPDATE check_state SET heartbeat = heartbeat || jsonb_build_object('goodAt', $2::float8), version = version + 1
  WHERE check_key = $1`;
/** Restarts the schedule at this moment: the job used the old one, so no earlier call was missed. */
export async function restartSchedule(pool: Pool, key: number, now: number): Promise<void> {
  await pool.query(RESTART, [key, now]);
}

const INSERT_STATE = 'INSERT INTO check_state (check_key, fold, heartbeat) VALUES ($1, $2, $3)';
/** A new check: unknown until a place has voted; a heartbeat is good until its first call is due. */
export async function insertState(pool: Pool, key: number, isHeartbeat: boolean, now: number): Promise<void> {
  const heartbeat: HeartbeatState = { goodAt: now, lastCall: null, startedAt: null, durationMs: null };
  await pool.query(INSERT_STATE, [key, JSON.stringify(newFold(now)), isHeartbeat ? JSON.stringify(heartbeat) : null]);
  // Time before the first result counts as unknown, not as good.
  await pool.query(BEGIN_UNKNOWN, [key, now]);
}
