import type { Exec } from './exec.ts';
import { sha256Hex } from './machine-identity.ts';
import { orNull } from './or-null.ts';

const MACHINE_LABEL = 'plimsoll machine v1\n';

/** macOS gives each boot an id of its own. */
export function bootSession(): string {
  // Not imported above: on Linux, where this is never asked, the module would cost the program 0.3 MB.
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const options = { encoding: 'utf8', timeout: 2000 } as const;
  return orNull(() => execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], options).trim()) ?? 'unknown';
}

/** Hash of the hardware's id; null where ioreg does not report it. */
export async function platformHash(exec: Exec): Promise<string | null> {
  try {
    const id = parsePlatformUuid(await exec('ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']));
    return id === null ? null : await sha256Hex(MACHINE_LABEL + id);
  } catch {
    return null;
  }
}

export const parsePlatformUuid = (text: string): string | null =>
  /"IOPlatformUUID" = "([0-9A-Fa-f-]{36})"/.exec(text)?.[1] ?? null;
