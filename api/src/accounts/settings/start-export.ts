import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';

/** Records that the caller exports the data, before the first byte leaves. */
export async function startExport(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { by }: { by: Actor },
): Promise<void> {
  await storage.tenancy.audit.record(by, 'export_started', {}, clock.now());
}
