import { createHash, randomUUID } from 'node:crypto';
import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import { DEFAULT_REPEAT_MINUTES } from '@plimsoll/contract/rules/notify';
import { ownerOf } from '../accounts/owner.ts';
import type { SecretBox } from '../accounts/secret-encryption.ts';
import { secretEndsOf } from './channel-input.ts';
import { sealSecrets } from './channel-secrets.ts';
import type { Channels } from './store.ts';

interface ClusterChannelDeps {
  channels: Channels;
  secretBox: SecretBox;
}
interface ClusterValues {
  accountId: string;
  clusterKey: number;
  telegram: { botToken: string; chatId: string } | null;
}
/** `channelId`: the channel to send a test message through. */
export type ClusterChannelChange =
  | { state: 'created' | 'changed'; channelId: string }
  | { state: 'unchanged' | 'deleted' | 'none' };

/** Brings the channel of a cluster in line with the Telegram values of its release. Returns what changed. */
export async function adoptClusterChannel(
  { channels, secretBox }: ClusterChannelDeps,
  { accountId, clusterKey, telegram }: ClusterValues,
  now: number,
): Promise<ClusterChannelChange> {
  if (telegram === null) return { state: (await channels.deleteOfCluster(clusterKey)) ? 'deleted' : 'none' };
  const { botToken, chatId } = telegram;
  const hash = createHash('sha256').update(`${botToken}\0${chatId}`).digest();
  const known = await channels.ofCluster(clusterKey);
  if (known?.hash.equals(hash) === true) return { state: 'unchanged' };
  const id = known?.id ?? randomUUID();
  const secrets = { bot_token: botToken };
  const entry = {
    id,
    type: 'telegram' as const,
    name: known?.name ?? 'Telegram (Helm values)',
    settings: { chat_id: chatId },
    sealedSecrets: sealSecrets(secretBox, id, secrets),
    secretEnds: secretEndsOf(secrets),
    routing: { levels: ALERT_LEVELS, tags: {}, quietHours: null, repeatMinutes: DEFAULT_REPEAT_MINUTES },
  };
  await channels.saveOfCluster(ownerOf(accountId), clusterKey, entry, hash, now);
  return { state: known === null ? 'created' : 'changed', channelId: id };
}
