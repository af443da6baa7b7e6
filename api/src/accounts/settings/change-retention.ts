import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { requireHistory } from '../plans.ts';
import type { Retention } from '../types.ts';

/** Changes how long an organisation keeps what it stored; the next prune deletes what is older. Throws `plan_limit`. */
export async function changeRetention(
  { storage, clock, config }: Pick<Deps, 'storage' | 'clock' | 'config'>,
  { owner, by }: { owner: Owner; by: Actor },
  kept: Retention,
): Promise<void> {
  requireHistory(config.planLimits, kept.metrics);
  const detail = Object.fromEntries(Object.entries(kept).map(([kind, days]) => [kind, String(days)]));
  await storage.inTransaction(async ({ identity, tenancy }) => {
    await identity.retention.put(owner, kept);
    await tenancy.audit.record(by, 'retention_changed', detail, clock.now());
  });
}
