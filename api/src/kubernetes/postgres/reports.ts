// SQL writes cluster reports: Prisma createMany is 20 to 30 times slower for 5,000 pods.
import { joinAddresses } from '@plimsoll/contract/rules/api-server-addresses';
import type { PoolClient } from 'pg';
import { withLostItems, type ListingProgress } from '../listing-progress.ts';
import { wholeItem } from '../refusals.ts';
import { judgeTurn, type Rival, type Turn } from '../rival.ts';
import type { ClusterReports, DescribedObjects } from '../store.ts';
import type { OpenedCluster } from '../types.ts';
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { historyWanted } from './history.ts';
import { createNodeEnrolment } from './node-enrolment.ts';
import { nodePartsStatement, type MeasuredPart } from './node-parts.ts';
import { NOBODY, SET_PROGRESS, writeItem } from './write-item.ts';

/**
 * A cluster that is restored has an older Lease, also for its custom resources. Terms begin anew when the Lease is lost with its namespace: a leader that fell silent no longer keeps others out.
 * $13: its API server has another address, and the one before is silent.
 */
const UPSERT_CLUSTER = `INSERT INTO cluster AS c (organisation_id, uid, name, version, first_seen_at, last_seen_at, term, collector_id,
    collector_version, reads_pod_logs, reports_jobs, api_addresses, rival, reported_name, reports_placements, reads_volumes)
  VALUES ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($5 / 1000.0), $6, $7, $8, $9, $10, $11, $12, $3, $14, $15)
  ON CONFLICT (COALESCE(organisation_id, '${NOBODY}'::uuid), uid) DO UPDATE SET
    name = CASE WHEN c.is_renamed THEN c.name ELSE COALESCE(excluded.name, c.name) END,
    reported_name = COALESCE(excluded.reported_name, c.reported_name), version = excluded.version, last_seen_at = excluded.last_seen_at,
    term = excluded.term, collector_id = excluded.collector_id, collector_version = excluded.collector_version,
    reads_pod_logs = excluded.reads_pod_logs, reports_jobs = excluded.reports_jobs,
    reports_placements = excluded.reports_placements, reads_volumes = excluded.reads_volumes,
    api_addresses = excluded.api_addresses, rival = excluded.rival,
    object_term = CASE WHEN excluded.term < c.term THEN 0 ELSE c.object_term END,
    object_seq = CASE WHEN excluded.term < c.term THEN 0 ELSE c.object_seq END
  WHERE $13::boolean OR c.term <= excluded.term OR c.last_seen_at < excluded.last_seen_at - interval '60 seconds'
  RETURNING key, is_listed, first_seen_at, history_from`;
const BIND_TOKEN = 'UPDATE cluster_token SET cluster_key = $2 WHERE id = $1 AND cluster_key IS NULL';

/** The cluster of the token, else the one with this uid. A separated copy is found by its token only. */
const FIND_CLUSTER = `SELECT key, uid, reported_uid, api_addresses, rival, last_seen_at FROM cluster
  WHERE CASE WHEN $1::int IS NULL THEN uid = $3 AND organisation_id IS NOT DISTINCT FROM $2::uuid ELSE key = $1 END
  FOR UPDATE`;
interface KnownRow {
  key: number;
  uid: string;
  reported_uid: string | null;
  api_addresses: string[];
  rival: Rival | null;
  last_seen_at: Date;
}
const turnOf = (known: KnownRow, collector: Parameters<typeof judgeTurn>[1], now: number): Turn =>
  judgeTurn(
    { addresses: known.api_addresses, lastSeenAt: known.last_seen_at.getTime(), rival: known.rival },
    collector,
    now,
  );

/** Its last report is none of today: until its collectors have the new token it is silent. */
const SEPARATE = `WITH first AS (UPDATE cluster SET rival = NULL WHERE key = $1 RETURNING organisation_id, reported_uid, uid),
  copy AS (INSERT INTO cluster (organisation_id, uid, reported_uid, name, api_addresses, first_seen_at, last_seen_at)
    SELECT organisation_id, $2, COALESCE(reported_uid, uid), $3, $4, to_timestamp($5 / 1000.0), to_timestamp($5 / 1000.0)
    FROM first RETURNING key)
  UPDATE cluster_token SET cluster_key = copy.key FROM copy WHERE id = $6`;

interface OpenedRow {
  key: number;
  is_listed: boolean;
  first_seen_at: Date;
  history_from: Date | null;
}

export const createClusterReportStore = ({ pool }: Database, described: DescribedObjects): ClusterReports => ({
  open: (agent, { cluster, collector }, now) =>
    inTransaction(pool, async (client): Promise<OpenedCluster> => {
      const { rows: found } = await client.query<KnownRow>(FIND_CLUSTER, [
        agent.clusterKey,
        agent.organisationId,
        cluster.uid,
      ]);
      const known = found[0];
      if (known && (known.reported_uid ?? known.uid) !== cluster.uid) return { state: 'other_cluster' };
      const reported = cluster.api_addresses ?? [];
      const turn = known ? turnOf(known, { addresses: reported, version: collector.version }, now) : null;
      if (known && turn && (turn.state === 'wait' || turn.state === 'refused')) {
        const { state, rival } = turn;
        await client.query('UPDATE cluster SET rival = $2 WHERE key = $1', [known.key, JSON.stringify(rival)]);
        return { state, rival, addresses: known.api_addresses };
      }
      const hasMoved = turn?.state === 'moved';
      const before = hasMoved ? [] : (known?.api_addresses ?? []);
      const { rows } = await client.query<OpenedRow>(UPSERT_CLUSTER, [
        agent.organisationId,
        known?.uid ?? cluster.uid,
        cluster.name,
        cluster.version,
        now,
        collector.term,
        collector.id,
        collector.version,
        collector.reads_pod_logs === true,
        collector.reports_jobs === true,
        joinAddresses(before, reported),
        turn?.rival ? JSON.stringify(turn.rival) : null,
        hasMoved,
        collector.reports_placements === true,
        collector.reads_volumes === true,
      ]);
      const opened = rows[0];
      if (!opened) return { state: 'older_term' };
      if (agent.clusterKey === null) await client.query(BIND_TOKEN, [agent.tokenId, opened.key]);
      return {
        state: 'open',
        clusterKey: opened.key,
        listingWanted: !opened.is_listed,
        historyWanted: historyWanted(opened.first_seen_at, opened.history_from),
        refusedRival: turn?.rival?.refusedAt == null ? null : turn.rival,
      };
    }),
  write: (clusterKey, item, now, judged = wholeItem(item)) =>
    inTransaction(pool, (client) => writeItem(client, clusterKey, judged, { now, described })),
  loseListings: (clusterKey, ids) =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ listing_progress: ListingProgress | null }>(
        'SELECT listing_progress FROM cluster WHERE key = $1 FOR UPDATE',
        [clusterKey],
      );
      const progress = withLostItems(rows[0]?.listing_progress ?? null, ids);
      await client.query(SET_PROGRESS, [clusterKey, JSON.stringify(progress)]);
    }),
  findForSeparation: async ({ organisationId }, clusterId) => {
    const { rows } = await pool.query<{ clusterKey: number; name: string | null; rival: Rival | null }>(
      'SELECT key AS "clusterKey", name, rival FROM cluster WHERE organisation_id = $1 AND uid = $2 FOR UPDATE',
      [organisationId, clusterId],
    );
    return rows[0] ?? null;
  },
  separate: async (clusterKey, copy, now) => {
    await pool.query(SEPARATE, [clusterKey, copy.clusterId, copy.name, copy.rival.addresses, now, copy.tokenId]);
  },
  standBy: async ({ clusterKey }, lease, now) => {
    const standby = JSON.stringify({ at: now, lease });
    const { rowCount } = await pool.query('UPDATE cluster SET standby = $2 WHERE key = $1', [clusterKey, standby]);
    return rowCount === 1;
  },
  ...createNodeEnrolment(pool),
});

export const kubeletParts = {
  write: async (client: PoolClient, serverId: string, parts: readonly MeasuredPart[]): Promise<void> => {
    await client.query(nodePartsStatement(serverId, parts));
  },
};
