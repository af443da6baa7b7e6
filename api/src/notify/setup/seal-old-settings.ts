import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import type { SecretBox } from '../../accounts/secret-encryption.ts';
import { secretEndsOf } from '../channel-input.ts';
import { sealSecrets, targetOf } from '../channel-secrets.ts';
import type { Channels } from '../store.ts';

const SECRETS = [
  ...new Set(
    Object.values(CHANNEL_FORMS).flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([name, { isSecret }]) => (isSecret === true ? [name] : [])),
    ),
  ),
];

/**
 * Seals secrets that earlier versions stored among the settings: addresses of webhooks and topics of ntfy. Leaves a
 * channel alone whose secrets another key sealed. Returns how many it sealed.
 */
export async function sealOldSettings({
  channels,
  secretBox,
}: {
  channels: Pick<Channels, 'withSettings' | 'reseal'>;
  secretBox: SecretBox;
}): Promise<number> {
  let sealed = 0;
  for (const channel of await channels.withSettings(SECRETS)) {
    const { target, isReadable } = targetOf(secretBox, channel);
    if (!isReadable || Object.keys(channel.settings).length === Object.keys(target.settings).length) continue;
    const sealedSecrets = sealSecrets(secretBox, channel.id, target.secrets);
    const entry = { settings: target.settings, sealedSecrets, secretEnds: secretEndsOf(target.secrets) };
    // A person may be changing it, who wins.
    if (await channels.reseal(channel, entry)) sealed += 1;
  }
  return sealed;
}
