import type { Sealer } from '../accounts/secret-encryption.ts';
import type { Secrets } from './types.ts';

const contextOf = (channelId: string): string => `notify_channel/${channelId}`;

/** Seals the secrets of a channel with its id: a sealed value does not open in another row. */
export const sealSecrets = (sealer: Sealer, channelId: string, secrets: Secrets): Buffer =>
  sealer.seal(Buffer.from(JSON.stringify(secrets)), contextOf(channelId));

/** Returns null when the key of the installation is another one than at writing. */
export function openSecrets(sealer: Sealer, channelId: string, sealed: Buffer): Secrets | null {
  try {
    return JSON.parse(sealer.open(sealed, contextOf(channelId)).toString()) as Secrets;
  } catch {
    return null;
  }
}
