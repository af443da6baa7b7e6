import type { Clock } from '../clock.ts';
import type { RememberedDevices } from './store.ts';
import { hashToken, newToken, tokenType } from './tokens.ts';
import type { PersonId } from '../tenancy/ids.ts';

/** A browser that is not used for this long is a stranger again. */
export const DEVICE_MS = 180 * 24 * 3600 * 1000;
const MOST_DEVICES = 20;

export interface DeviceDeps {
  devices: RememberedDevices;
  clock: Clock;
}

/** Returns the secret for the cookie of a browser that signed in. The oldest of more than 20 devices is dropped. */
export async function rememberDevice({ devices, clock }: DeviceDeps, personId: PersonId): Promise<string> {
  const secret = newToken('device');
  const now = clock.now();
  await devices.create({ deviceHash: hashToken(secret), personId, expiresAt: now + DEVICE_MS }, MOST_DEVICES, now);
  return secret;
}

/** Returns the hash of a well-formed device secret; null for anything else. */
export const deviceHashOf = (secret: string | undefined): Buffer | null =>
  secret !== undefined && tokenType(secret) === 'device' ? hashToken(secret) : null;
