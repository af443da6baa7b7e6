import type { Files } from './files.ts';

/** Label hashed together with the machine-id, as machine-id(5) asks: the id itself never leaves the host. */
const MACHINE_LABEL = 'plimsoll machine v1\n';

/** Identifies the installation across restarts of the collector; null where the system has no machine-id. */
export async function machineHash(files: Files): Promise<string | null> {
  const id = ['etc/machine-id', 'var/lib/dbus/machine-id']
    .map((path) => files.optional(path)?.trim())
    .find((text) => text !== undefined && /^[0-9a-f]{32}$/.test(text));
  return id === undefined ? null : sha256Hex(MACHINE_LABEL + id);
}

/** Sent as the boot id where the system has none. The wall clock is used then. */
export const NO_BOOT_ID = 'unknown';

/** Returns the id of this boot, which changes at every boot, or {@link NO_BOOT_ID}. */
export function bootId(files: Files): string {
  return files.optional('proc/sys/kernel/random/boot_id')?.trim().slice(0, 64) ?? NO_BOOT_ID;
}

export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** 128 random bits in hex. */
export function randomHex128(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
