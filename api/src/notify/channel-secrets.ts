import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import type { SecretBox } from '../accounts/secret-encryption.ts';
import { splitSecrets } from './channel-input.ts';
import type { Secrets, StoredTarget, Target } from './types.ts';

const contextOf = (channelId: string): string => `notify_channel/${channelId}`;

/** Seals the secrets of a channel with its id: a sealed value does not open in another row. */
export const sealSecrets = (secretBox: SecretBox, channelId: string, secrets: Secrets): Buffer =>
  secretBox.seal(Buffer.from(JSON.stringify(secrets)), contextOf(channelId));

/** Returns null when the key of the installation is another one than at writing. */
export function openSecrets(secretBox: SecretBox, channelId: string, sealed: Buffer): Secrets | null {
  try {
    return JSON.parse(secretBox.open(sealed, contextOf(channelId)).toString()) as Secrets;
  } catch {
    return null;
  }
}

/** Returns the destination of a stored channel. `isReadable` false: the key of the installation is another one. */
export function targetOf(
  secretBox: SecretBox,
  { id, type, settings, sealedSecrets }: StoredTarget,
): { target: Target; isReadable: boolean } {
  const opened = openSecrets(secretBox, id, sealedSecrets);
  const { open, secrets } = splitSecrets(CHANNEL_FORMS[type], settings);
  return { target: { settings: open, secrets: { ...secrets, ...opened } }, isReadable: opened !== null };
}
