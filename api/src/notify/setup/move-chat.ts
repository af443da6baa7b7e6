import type { Clock } from '../../clock.ts';
import type { Storage } from '../../storage.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import { ownerOf } from '../../tenancy/owner.ts';
import type { ChannelRecord, SendResult, StoredTarget } from '../types.ts';

/** Returns the place of the setting that only its own source changes; null: the channel is one of the form. */
function settingOf({ managedBy, object }: Pick<ChannelRecord, 'managedBy' | 'object'>): string | null {
  if (object !== null)
    return `spec.settings.chatId of the NotificationChannel ${object.namespace}/${object.name} in cluster ${object.clusterName}`;
  if (managedBy === 'cluster') return 'the Helm value telegram.chatId of the cluster';
  return managedBy === 'environment' ? 'TELEGRAM_CHAT_ID, and restart the API' : null;
}

/**
 * Keeps the new id of a Telegram group that became a supergroup, with an entry of the audit log in the same transaction.
 * Returns the detail of the delivery log with what was done, or with the setting that the reader has to change. Never
 * throws: the message has arrived by now, so a failure must not send it again, and the next one moves the chat once more.
 */
export async function moveChat(...parts: Parameters<typeof keepMoved>): Promise<string> {
  try {
    return await keepMoved(...parts);
  } catch {
    return `${parts[3].detail} The new id could not be stored.`;
  }
}

async function keepMoved(
  { storage, clock }: { storage: Pick<Storage, 'inTransaction'>; clock: Clock },
  organisationId: OrganisationId,
  { id, settings }: Pick<StoredTarget, 'id' | 'settings'>,
  { detail, ...result }: SendResult,
): Promise<string> {
  const [from, to] = [settings['chat_id'], result.outcome === 'delivered' ? result.movedTo : undefined];
  if (to === undefined || typeof from !== 'string') return detail;
  const owner = ownerOf(organisationId);
  return storage.inTransaction(async ({ notify: { channels }, tenancy }) => {
    const channel = await channels.get(owner, id);
    if (channel === null) return detail;
    const setting = settingOf(channel);
    if (setting !== null) return `${detail} Write ${to} into ${setting}.`;
    if (!(await channels.moveChat(owner, id, { from, to }, clock.now()))) return detail;
    const { name, type } = channel;
    const by = { organisationId, person: null, token: null, address: null };
    const moved = { id, name, type, from, to, reason: 'the Telegram group became a supergroup' };
    await tenancy.audit.record(by, 'channel_changed', moved, clock.now());
    return `${detail} The channel keeps the new id.`;
  });
}
