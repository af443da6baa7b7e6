import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orNull } from '../runtime/or-null.ts';
import { TOKEN_FILE, TOKEN_REMEDY } from '../config.ts';
import { fail, type Finding } from './health.ts';

/** Folders of drop-ins that systemd applies to the unit, by rising priority of their root. */
const ROOTS = ['usr/lib/systemd/system', 'run/systemd/system', 'etc/systemd/system'];
const FOLDERS = ['service.d', 'plimsoll.service.d'];

/** Returns the drop-in that takes the enrolment token from the service; null if none does. `root` is / but in tests. */
export function clearedCredential(root = '/'): string | null {
  for (const folder of ROOTS.flatMap((base) => FOLDERS.map((name) => join(root, base, name)))) {
    for (const name of orNull(() => readdirSync(folder)) ?? []) {
      const text = name.endsWith('.conf') ? orNull(() => readFileSync(join(folder, name), 'utf8')) : null;
      if (text !== null && /^[\t ]*LoadCredential[\t ]*=[\t ]*\r?$/m.test(text)) return join(folder, name);
    }
  }
  return null;
}

/** Judges whether the service of a host that is not enrolled can read its token. Nothing where it can, or has none. */
export function judgeCredential(root = '/'): Finding[] {
  const dropIn = clearedCredential(root);
  const owner = orNull(() => statSync(join(root, TOKEN_FILE)))?.uid;
  // An owner other than root is the service's account, which reads the file itself.
  if (dropIn === null || owner !== 0) return [];
  const problem = `${dropIn} clears LoadCredential=, so the service cannot read ${TOKEN_FILE}`;
  return [fail('credential', problem, TOKEN_REMEDY)];
}
