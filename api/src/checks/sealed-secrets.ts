import type { SecretBox } from '../accounts/secret-encryption.ts';
import { hasSecrets, NO_SECRETS } from './rules/check-secrets.ts';
import type { Check, CheckSecrets } from './types.ts';

const contextOf = (checkId: string): string => `check/${checkId}`;

/** Seals headers and body with the id of the check; null: there are none. */
export const sealCheck = (box: SecretBox, checkId: string, secrets: CheckSecrets): Buffer | null =>
  hasSecrets(secrets) ? box.seal(Buffer.from(JSON.stringify(secrets)), contextOf(checkId)) : null;

/** Returns null when the key of the installation is another one than at writing: the check cannot run. */
export function openCheck(
  box: SecretBox,
  { id, sealedSecrets }: Pick<Check, 'id' | 'sealedSecrets'>,
): CheckSecrets | null {
  if (sealedSecrets === null) return NO_SECRETS;
  try {
    return JSON.parse(box.open(sealedSecrets, contextOf(id)).toString()) as CheckSecrets;
  } catch {
    return null;
  }
}
