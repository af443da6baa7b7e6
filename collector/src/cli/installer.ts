import { existsSync } from 'node:fs';
import { EXIT } from './exit.ts';

/** Path of install.sh on the host: one script installs, updates and removes, so only it lists the installed paths. */
const INSTALLER = '/usr/local/lib/plimsoll/install.sh';

/** Becomes install.sh; gives its exit status. Its messages go straight to the terminal. */
export async function runInstaller(
  args: readonly string[],
  complain: (line: string) => void,
  installer: string = INSTALLER,
): Promise<number> {
  if (!existsSync(installer)) {
    complain(
      `${installer} is missing: this program was not put here by install.sh. Fetch it from your dashboard: curl -fsSL URL/install.sh`,
    );
    return EXIT.failed;
  }
  const { spawnSync } = await import('node:child_process');
  const { status, error } = spawnSync('/bin/sh', [installer, ...args], { stdio: 'inherit' });
  if (error) complain(`${installer} cannot be run: ${error.message}`);
  return status ?? EXIT.failed;
}
