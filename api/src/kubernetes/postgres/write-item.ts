// SQL writes cluster reports: Prisma createMany is 20 to 30 times slower for 5,000 pods.
import { createHash } from 'node:crypto';
import { LISTED_KINDS, type ListedKind } from '@plimsoll/contract/rules/kubernetes-limits';
import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import type { PoolClient } from 'pg';
import { afterItem, type ListingProgress } from '../listing-progress.ts';
import { nextRefusals, type JudgedItem, type KeptRefusal, type Refusal } from '../refusals.ts';
import type { DescribedObjects } from '../store.ts';
import { writeCountedEnds, writeTerminations } from './container-terminations.ts';
import { writeFailedJobs } from './failed-jobs.ts';
import { writeHistory } from './history.ts';
import { deleteUnusedPlacements, UNKNOWN_PLACEMENT, writePlacements } from './placements.ts';
import { writeUsage } from './usage.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

/** Stands for the organisation of a cluster that has none. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

const UPSERT_NODES = `INSERT INTO kube_node (cluster_key, uid, name, server_id, first_seen_at, object, listing)
  SELECT DISTINCT ON (uid) $1, uid, name, server_id, to_timestamp($3 / 1000.0), object, $4
  FROM jsonb_to_recordset($2::jsonb) AS x(uid text, name text, server_id uuid, object jsonb) ORDER BY uid
  ON CONFLICT (cluster_key, uid) DO UPDATE SET name = excluded.name, object = excluded.object,
    listing = COALESCE(excluded.listing, kube_node.listing), gone_at = NULL`;
const UPSERT_PODS = `INSERT INTO kube_pod (cluster_key, uid, namespace, name, node_name, phase, reason, owner_kind, owner_name,
    restart_count, created_at, object, listing, placement)
  SELECT DISTINCT ON (o->>'uid') $1, o->>'uid', o->>'namespace', o->>'name', o->>'node_name', o->>'phase', o->>'reason',
    o->'owner'->>'kind', o->'owner'->>'name', (o->>'restart_count')::int, to_timestamp((o->>'created_at')::float8), o, $3,
    CASE WHEN o->'placement' = 'null'::jsonb THEN '${UNKNOWN_PLACEMENT}' ELSE o->>'placement' END
  FROM jsonb_array_elements($2::jsonb) AS o ORDER BY o->>'uid'
  ON CONFLICT (cluster_key, uid) DO UPDATE SET node_name = excluded.node_name, phase = excluded.phase,
    reason = excluded.reason, owner_kind = excluded.owner_kind, owner_name = excluded.owner_name,
    restart_count = excluded.restart_count, object = excluded.object, placement = excluded.placement,
    listing = COALESCE(excluded.listing, kube_pod.listing), gone_at = NULL`;
/** $4 now, ms */
const SHORT_SINCE = `CASE WHEN (o->>'ready')::int < (o->>'desired')::int AND NOT (o->>'suspended')::boolean
    THEN to_timestamp($4 / 1000.0) END`;
const UPSERT_WORKLOADS = `INSERT INTO kube_workload (cluster_key, uid, kind, namespace, name, object, listing, short_since)
  SELECT DISTINCT ON (o->>'uid') $1, o->>'uid', o->>'kind', o->>'namespace', o->>'name', o, $3, ${SHORT_SINCE}
  FROM jsonb_array_elements($2::jsonb) AS o ORDER BY o->>'uid'
  ON CONFLICT (cluster_key, uid) DO UPDATE SET object = excluded.object,
    short_since = CASE WHEN excluded.short_since IS NOT NULL THEN COALESCE(kube_workload.short_since, excluded.short_since) END,
    listing = COALESCE(excluded.listing, kube_workload.listing)`;
const UPSERT_VOLUMES = `INSERT INTO kube_volume (cluster_key, uid, namespace, name, object, listing)
  SELECT DISTINCT ON (o->>'uid') $1, o->>'uid', o->>'namespace', o->>'name', o, $3
  FROM jsonb_array_elements($2::jsonb) AS o ORDER BY o->>'uid'
  ON CONFLICT (cluster_key, uid) DO UPDATE SET object = excluded.object,
    listing = COALESCE(excluded.listing, kube_volume.listing)`;
const UPSERT_EVENTS = `INSERT INTO kube_event AS e (cluster_key, uid, type, reason, message, namespace, kind, name, component, count,
    first_at, last_at)
  SELECT DISTINCT ON (uid) $1, uid, type, reason, message, namespace, kind, name, component, count,
    to_timestamp(first_at), to_timestamp(last_at)
  FROM jsonb_to_recordset($2::jsonb) AS x(uid text, type text, reason text, message text, namespace text, kind text,
    name text, component text, count int, first_at float8, last_at float8) ORDER BY uid, last_at DESC
  ON CONFLICT (cluster_key, uid) DO UPDATE SET message = excluded.message, count = excluded.count,
    last_at = excluded.last_at WHERE e.last_at <= excluded.last_at`;

const GO_NODES =
  'UPDATE kube_node SET gone_at = to_timestamp($3 / 1000.0) WHERE cluster_key = $1 AND gone_at IS NULL AND';
const GO_PODS =
  'UPDATE kube_pod SET gone_at = to_timestamp($3 / 1000.0) WHERE cluster_key = $1 AND gone_at IS NULL AND';
const GO_WORKLOADS = 'DELETE FROM kube_workload WHERE cluster_key = $1 AND $3::float8 IS NOT NULL AND';
const GO_VOLUMES = 'DELETE FROM kube_volume WHERE cluster_key = $1 AND $3::float8 IS NOT NULL AND';
const GO: Record<ListedKind, string> = {
  nodes: GO_NODES,
  pods: GO_PODS,
  workloads: GO_WORKLOADS,
  volumes: GO_VOLUMES,
};

/** A node that was scaled away was taken out on purpose: its server is uninstalled, which is no alert; data stays. */
const FOLLOW_NODES = `UPDATE server s SET uninstalled_at = n.gone_at FROM kube_node n
  WHERE n.cluster_key = $1 AND n.server_id = s.id AND s.uninstalled_at IS DISTINCT FROM n.gone_at`;

/** Stable for the same owner, cluster and node; in the form of a version 8 UUID (RFC 9562: custom). */
function nodeServerId(organisationId: OrganisationId | null, clusterUid: string, nodeUid: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify(['plimsoll node', organisationId ?? NOBODY, clusterUid, nodeUid]))
    .digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

interface ClusterRow {
  organisation_id: OrganisationId | null;
  uid: string;
  first_seen_at: Date;
  refusals: KeptRefusal[];
  listing_progress: ListingProgress | null;
}

/** Writes one item of a report in a transaction. */
export async function writeItem(
  client: PoolClient,
  key: number,
  judged: JudgedItem,
  { now, described }: { now: number; described: DescribedObjects },
): Promise<void> {
  const { item } = judged;
  // One writer per cluster at a time: two requests of one collector must not interleave their listings.
  const { rows } = await client.query<ClusterRow>(
    'SELECT organisation_id, uid, first_seen_at, refusals, listing_progress FROM cluster WHERE key = $1 FOR UPDATE',
    [key],
  );
  const cluster = rows[0];
  if (!cluster) return;
  const listing = item.listing?.id ?? null;
  await writeTerminations(client, key, item.ends ?? []);
  await writeFailedJobs(client, key, item.jobs ?? [], now / 1000);
  if (item.nodes?.length) {
    const nodes = item.nodes.map((object) => ({
      uid: object.uid,
      name: object.name,
      server_id: nodeServerId(cluster.organisation_id, cluster.uid, object.uid),
      object,
    }));
    await client.query(UPSERT_NODES, [key, JSON.stringify(nodes), now, listing]);
  }
  await writePlacements(client, key, item.placements ?? []);
  if (item.pods?.length) {
    await writeCountedEnds(client, key, item.pods, { clusterSeenAt: cluster.first_seen_at.getTime(), now });
    await client.query(UPSERT_PODS, [key, JSON.stringify(item.pods), listing]);
  }
  if (item.workloads?.length) await client.query(UPSERT_WORKLOADS, [key, JSON.stringify(item.workloads), listing, now]);
  if (item.volumes?.length) await client.query(UPSERT_VOLUMES, [key, JSON.stringify(item.volumes), listing]);
  if (item.events?.length) await client.query(UPSERT_EVENTS, [key, JSON.stringify(item.events)]);
  await writeUsage(client, key, item.usage ?? [], now / 1000);
  if (item.history) await writeHistory(client, key, item.history);
  if (listing !== null) await keepRefused(client, key, judged.refused, listing);
  const arrived = item.listing && afterItem(cluster.listing_progress, item.listing, judged.lost);
  await writeGone(client, key, item, { gone: arrived?.gone ?? [], isWhole: arrived?.isWhole ?? false, now });
  const ended = arrived && item.listing?.complete === true;
  await described.write(client, key, judged, {
    now,
    ended: ended ? { isWhole: arrived.isWhole, hasNodes: arrived.gone.includes('nodes') } : null,
  });
  if (arrived && (arrived.progress !== null || cluster.listing_progress !== null))
    await client.query(SET_PROGRESS, [key, arrived.progress && JSON.stringify(arrived.progress)]);
  const refusals = nextRefusals(cluster.refusals, judged, now);
  if (refusals.length > 0 || cluster.refusals.length > 0)
    await client.query('UPDATE cluster SET refusals = $2 WHERE key = $1', [key, JSON.stringify(refusals)]);
  // Always: kept sums of the cluster are made anew once this transaction wrote its row (cluster-versions.ts).
  await client.query(SET_READERS, [key, item.readers ? JSON.stringify(item.readers) : null]);
}

const SET_READERS = 'UPDATE cluster SET readers = COALESCE($2::jsonb, readers) WHERE key = $1';
export const SET_PROGRESS = 'UPDATE cluster SET listing_progress = $2 WHERE key = $1';
/** An object without a readable uid is found by its names. */
const keepSql = (table: string, namespace: string): string => `UPDATE ${table} t SET listing = $2
  FROM jsonb_to_recordset($3::jsonb) AS r(uid text, namespace text, name text)
  WHERE t.cluster_key = $1 AND CASE WHEN r.uid IS NULL THEN t.name = r.name AND ${namespace} ELSE t.uid = r.uid END`;
const IN_NAMESPACE = 't.namespace = r.namespace';
const KEEP: Record<ListedKind, string> = {
  nodes: keepSql('kube_node', 'true'),
  pods: keepSql('kube_pod', IN_NAMESPACE),
  workloads: keepSql('kube_workload', IN_NAMESPACE),
  volumes: keepSql('kube_volume', IN_NAMESPACE),
};

/** The last accepted state of a refused object stays: the object exists, so its alerts must not resolve. */
async function keepRefused(
  client: PoolClient,
  key: number,
  refused: readonly Refusal[],
  listing: string,
): Promise<void> {
  for (const kind of LISTED_KINDS) {
    const those = refused.filter((one) => one.kind === kind);
    if (those.length > 0) await client.query(KEEP[kind], [key, listing, JSON.stringify(those)]);
  }
}

async function writeGone(
  client: PoolClient,
  key: number,
  { deleted, listing, nodes }: ClusterItem,
  { gone, isWhole, now }: { gone: readonly ListedKind[]; isWhole: boolean; now: number },
): Promise<void> {
  for (const kind of LISTED_KINDS) {
    const uids = deleted?.[kind] ?? [];
    if (uids.length > 0) await client.query(`${GO[kind]} uid = ANY($2::text[])`, [key, uids, now]);
    if (listing && gone.includes(kind))
      await client.query(`${GO[kind]} listing IS DISTINCT FROM $2::text`, [key, listing.id, now]);
  }
  if (deleted || listing?.complete || nodes) await client.query(FOLLOW_NODES, [key]);
  if (gone.includes('pods')) await deleteUnusedPlacements(client, key);
  if (isWhole) await client.query('UPDATE cluster SET is_listed = true WHERE key = $1', [key]);
}
