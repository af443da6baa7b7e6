import { createHash, randomUUID } from 'node:crypto';
import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import { DEFAULT_REPEAT_MINUTES } from '@plimsoll/contract/rules/notify';
import type { Deps } from '../deps.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { secretEndsOf } from './channel-input.ts';
import { sealSecrets } from './channel-secrets.ts';
import { testNotification } from './message.ts';
import type { Channels } from './store.ts';

interface TelegramValues {
  botToken: string;
  chatId: string;
}
/** `channelId`: the channel to send a test message through. */
type ClusterChannelChange =
  | { state: 'created' | 'changed'; channelId: string }
  | { state: 'unchanged' | 'deleted' | 'none' };
type AdoptDeps = Pick<Deps, 'storage' | 'clock' | 'secretBox' | 'drivers' | 'config' | 'log'>;

const AUDITED = { created: 'channel_created', changed: 'channel_changed', deleted: 'channel_deleted' } as const;
const NAME = 'Telegram (Helm values)';

/** Brings the channel of a cluster in line with the Telegram values of its release. Returns what changed. */
export async function adoptClusterChannel(
  deps: AdoptDeps,
  { owner, by }: { owner: Owner; by: Actor },
  clusterKey: number,
  telegram: TelegramValues | null,
): Promise<ClusterChannelChange['state']> {
  const change = await deps.storage.inTransaction(async ({ notify: { channels }, tenancy }) => {
    // Two collectors of one cluster may send the first values at once.
    await tenancy.teams.lock(owner);
    const known = await channels.ofCluster(clusterKey);
    const made = await bringInLine({ channels, deps }, owner, { clusterKey, known, telegram });
    const { state } = made;
    if (state === 'created' || state === 'changed' || state === 'deleted') {
      const detail = { name: known?.name ?? NAME, type: 'telegram', source: 'Helm values' };
      await tenancy.audit.record(by, AUDITED[state], detail, deps.clock.now());
    }
    return made;
  });
  if (telegram !== null && 'channelId' in change) await sendTest(deps, change.channelId, telegram);
  return change.state;
}

async function bringInLine(
  { channels, deps: { secretBox, clock } }: { channels: Channels; deps: AdoptDeps },
  owner: Owner,
  {
    clusterKey,
    known,
    telegram,
  }: {
    clusterKey: number;
    known: Awaited<ReturnType<Channels['ofCluster']>>;
    telegram: TelegramValues | null;
  },
): Promise<ClusterChannelChange> {
  if (telegram === null) return { state: (await channels.deleteOfCluster(clusterKey)) ? 'deleted' : 'none' };
  const { botToken, chatId } = telegram;
  const hash = createHash('sha256').update(`${botToken}\0${chatId}`).digest();
  if (known?.hash.equals(hash) === true) return { state: 'unchanged' };
  const id = known?.id ?? randomUUID();
  const secrets = { bot_token: botToken };
  const entry = {
    id,
    type: 'telegram' as const,
    name: known?.name ?? NAME,
    settings: { chat_id: chatId },
    sealedSecrets: sealSecrets(secretBox, id, secrets),
    secretEnds: secretEndsOf(secrets),
    routing: { levels: ALERT_LEVELS, tags: {}, quietHours: null, repeatMinutes: DEFAULT_REPEAT_MINUTES },
  };
  await channels.saveOfCluster(owner, clusterKey, entry, hash, clock.now());
  return { state: known === null ? 'created' : 'changed', channelId: id };
}

/** Whoever installs the chart sees that the values work: in the chat, or in the row of the channel. */
async function sendTest(
  { storage, clock, drivers, config, log }: AdoptDeps,
  channelId: string,
  { botToken, chatId }: TelegramValues,
): Promise<void> {
  const target = { settings: { chat_id: chatId }, secrets: { bot_token: botToken } };
  const message = testNotification(config.publicUrl, clock.now());
  const { outcome, detail } = await drivers.telegram.send(target, message);
  await storage.notify.deliveries.log(channelId, { at: clock.now(), outcome, detail, about: 'Test message' });
  if (outcome !== 'delivered') log.warn({ detail }, 'test message of a cluster channel failed');
}
