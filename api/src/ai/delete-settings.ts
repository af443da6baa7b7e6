import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireOwnSettings, settingsDeps } from './settings.ts';

/** Removes the model: answers then come from the figures alone. Throws `ai_managed`, `not_found`. */
export async function deleteSettings(
  deps: Pick<Deps, 'storage' | 'clock' | 'secretBox' | 'config' | 'keyChecks'>,
  { owner, by }: { owner: Owner; by: Actor },
): Promise<void> {
  requireOwnSettings(settingsDeps(deps));
  await deps.storage.inTransaction(async ({ ai: { settings }, tenancy }) => {
    const stored = await settings.get(owner);
    if (stored === null || !(await settings.delete(owner)))
      throw new CodedError('not_found', 'No model is stored', { remedy: 'PUT /api/ai/settings stores one.' });
    const { provider, model } = stored;
    await tenancy.audit.record(by, 'ai_settings_deleted', { provider, model }, deps.clock.now());
  });
  deps.keyChecks.forget();
}
