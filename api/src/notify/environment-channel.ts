import { createHash, randomUUID } from 'node:crypto';
import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import { DEFAULT_REPEAT_MINUTES } from '@plimsoll/contract/rules/notify';
import { ownerOf } from '../tenancy/owner.ts';
import type { SecretBox } from '../accounts/secret-encryption.ts';
import type { Accounts } from '../accounts/store.ts';
import { secretEndsOf } from './channel-input.ts';
import { sealSecrets } from './channel-secrets.ts';
import type { Channels } from './store.ts';
import { ownOrganisationOf } from '../tenancy/ids.ts';

export interface EnvironmentChannelDeps {
  accounts: Pick<Accounts, 'oldest'>;
  channels: Channels;
  secretBox: SecretBox;
}
interface TelegramSettings {
  botToken: string;
  chatId: string;
}

/** Makes the channel of TELEGRAM_BOT_TOKEN and TELEGRAM_CHAT_ID for the first account. Returns true when there is no more to do. */
export async function adoptEnvironmentChannel(
  { accounts, channels, secretBox }: EnvironmentChannelDeps,
  telegram: TelegramSettings | null,
  now: number,
): Promise<boolean> {
  if (telegram === null) {
    await channels.deleteManaged();
    return true;
  }
  const oldest = await accounts.oldest();
  if (oldest === null) return false;
  const { botToken, chatId } = telegram;
  const hash = createHash('sha256').update(`${botToken}\0${chatId}`).digest();
  const known = await channels.managed();
  if (known?.hash.equals(hash) === true) return true;
  const id = known?.id ?? randomUUID();
  const secrets = { bot_token: botToken };
  const entry = {
    id,
    type: 'telegram' as const,
    name: 'Telegram (environment)',
    settings: { chat_id: chatId },
    sealedSecrets: sealSecrets(secretBox, id, secrets),
    secretEnds: secretEndsOf(secrets),
    routing: { levels: ALERT_LEVELS, tags: {}, quietHours: null, repeatMinutes: DEFAULT_REPEAT_MINUTES },
  };
  await channels.saveManaged(ownerOf(ownOrganisationOf(oldest.id)), entry, hash, now);
  return true;
}
