// SQL writes placement constraints beside the pods that refer to them, in the transaction of their item.
import type { PlacementObject } from '@plimsoll/contract/wire/cluster-placement';
import type { PoolClient } from 'pg';

/** Value of kube_pod.placement for a pod whose constraints the collector could not send. */
export const UNKNOWN_PLACEMENT = 'unknown';

const UPSERT = `INSERT INTO kube_placement (cluster_key, hash, object)
  SELECT DISTINCT ON (o->>'hash') $1, o->>'hash', o FROM jsonb_array_elements($2::jsonb) AS o ORDER BY o->>'hash'
  ON CONFLICT (cluster_key, hash) DO UPDATE SET object = excluded.object WHERE kube_placement.object <> excluded.object`;
const DELETE_UNUSED = `DELETE FROM kube_placement k WHERE k.cluster_key = $1 AND NOT EXISTS (
    SELECT FROM kube_pod p WHERE p.cluster_key = $1 AND p.gone_at IS NULL AND p.placement = k.hash)`;

export async function writePlacements(
  client: PoolClient,
  clusterKey: number,
  placements: readonly PlacementObject[],
): Promise<void> {
  if (placements.length > 0) await client.query(UPSERT, [clusterKey, JSON.stringify(placements)]);
}

/** Deletes the sets that no living pod refers to. Call it at the end of a complete listing. */
export async function deleteUnusedPlacements(client: PoolClient, clusterKey: number): Promise<void> {
  await client.query(DELETE_UNUSED, [clusterKey]);
}
