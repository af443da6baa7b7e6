import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { Price } from './advice.ts';

/** Sets what a cluster costs; null removes its price, and no money is shown. Throws `not_found`. */
export async function changePrice(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  { clusterId, price }: { clusterId: string; price: Price | null },
): Promise<void> {
  await storage.inTransaction(async ({ capacitySettings, kubernetes: { administration }, tenancy }) => {
    const known = await administration.lock(owner, clusterId);
    if (known === null) throw notFound('Cluster');
    const cluster = { id: clusterId, cluster: known.name ?? clusterId };
    if (price === null) {
      const isDeleted = await capacitySettings.deletePrice(known.clusterKey);
      if (isDeleted) await tenancy.audit.record(by, 'cluster_price_deleted', cluster, clock.now());
      return;
    }
    await capacitySettings.putPrice(known.clusterKey, price, clock.now());
    const { currency, coreHour, gbHour } = price;
    const detail = { ...cluster, currency, core_hour: String(coreHour), gb_hour: String(gbHour) };
    await tenancy.audit.record(by, 'cluster_price_changed', detail, clock.now());
  });
}
