import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPublicKey } from './signature.ts';

const SCRIPT = join(import.meta.dirname, '../install.sh');
const LINE = /^RELEASE_KEY='[A-Za-z0-9+/=]*'$/m;

/** Returns install.sh with the public key, so that it refuses kits that the release did not sign. */
export function withKey(script: string, key: string): string {
  readPublicKey(key);
  if (!LINE.test(script)) throw new Error("install.sh has no line RELEASE_KEY=''");
  return script.replace(LINE, `RELEASE_KEY='${key.trim()}'`);
}

export function stampKey(key: string): string {
  writeFileSync(SCRIPT, withKey(readFileSync(SCRIPT, 'utf8'), key));
  return SCRIPT;
}
