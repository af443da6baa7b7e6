import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { MessageSettings } from '../types.ts';

/** Changes what the messages of all channels of an organisation may contain. */
export async function changeMessageSettings(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  settings: MessageSettings,
): Promise<void> {
  await storage.inTransaction(async ({ notify, tenancy }) => {
    await notify.settings.put(owner, settings);
    const detail = { quote_log_lines: settings.quotesLogLines ? 'on' : 'off' };
    await tenancy.audit.record(by, 'message_settings_changed', detail, clock.now());
  });
}
