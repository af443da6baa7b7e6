import type { Deps } from '../deps.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { AdviceRules } from './advice.ts';

/** Changes the settings of the advice on sizes. The next plan of each cluster uses them. */
export async function changeSettings(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  advice: AdviceRules,
): Promise<void> {
  const detail = {
    cpu_percentile: String(advice.cpuPercentile),
    memory_surplus_percent: String(advice.memorySurplusPercent),
    days: String(advice.days),
    cpu_limit: advice.cpuLimit,
  };
  await storage.inTransaction(async ({ capacitySettings, tenancy }) => {
    await capacitySettings.put(owner, advice, clock.now());
    await tenancy.audit.record(by, 'capacity_settings_changed', detail, clock.now());
  });
}
