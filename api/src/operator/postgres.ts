// SQL takes the turn of a request: one statement compares it with those before it and locks the cluster.
import type { Database } from '../database/database.ts';
import { timestamp as at } from '../database/time.ts';
import type { ManagedObjects } from './store.ts';

/**
 * $1 cluster  $2 term  $3 seq  $4 now, ms. A leader that is silent for a minute may be replaced by one of a lower term, as in
 * reports. $5 addresses of the API server: a copy of the cluster has others. */
const TAKE_TURN = `UPDATE cluster SET object_term = $2, object_seq = $3
  WHERE key = $1 AND (api_addresses = '{}' OR $5::text[] = '{}' OR api_addresses && $5::text[]) AND (term <= $2 OR last_seen_at < ${at('$4')} - interval '60 seconds')
    AND ((object_term, object_seq) < ($2::bigint, $3::bigint) OR last_seen_at < ${at('$4')} - interval '60 seconds')`;

/** $1 owner  $2 uid of the cluster  $3 allowed */
const SET_RULES_ORGANISATION = `UPDATE cluster c SET rules_organisation = $3
  FROM (SELECT key, rules_organisation FROM cluster WHERE organisation_id = $1 AND uid = $2 FOR UPDATE) before
  WHERE c.key = before.key
  RETURNING c.key AS "clusterKey", c.name, before.rules_organisation <> $3 AS "isChanged"`;

export const createManagedObjectStore = ({ pool }: Database): ManagedObjects => ({
  cluster: async (clusterKey) => {
    const sql = `SELECT uid, COALESCE(reported_uid, uid) AS "reportedUid", name, rules_organisation AS "rulesOrganisation"
      FROM cluster WHERE key = $1`;
    type Row = { uid: string; reportedUid: string; name: string | null; rulesOrganisation: boolean };
    return (await pool.query<Row>(sql, [clusterKey])).rows[0] ?? null;
  },
  setRulesOrganisation: async ({ organisationId }, clusterId, allowed) => {
    type Row = { clusterKey: number; name: string | null; isChanged: boolean };
    const { rows } = await pool.query<Row>(SET_RULES_ORGANISATION, [organisationId, clusterId, allowed]);
    return rows[0] === undefined
      ? null
      : {
          cluster: { clusterKey: rows[0].clusterKey, organisationId },
          name: rows[0].name,
          isChanged: rows[0].isChanged,
        };
  },
  takeTurn: async (clusterKey, { term, seq, addresses }, now) =>
    (await pool.query(TAKE_TURN, [clusterKey, term, seq, now, addresses])).rowCount === 1,
});
