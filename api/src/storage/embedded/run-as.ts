import { execFileSync } from 'node:child_process';

/** PostgreSQL refuses to run as root; who starts it instead. */
export interface RunAs {
  uid: number;
  gid: number;
}

const idOf = (flag: '-u' | '-g', user: string): number =>
  Number(execFileSync('id', [flag, user], { encoding: 'utf8' }).trim());

/** Null when this process is not root and PostgreSQL can run as itself. */
export const runAsUser = (): RunAs | null =>
  process.getuid?.() === 0 ? { uid: idOf('-u', 'nobody'), gid: idOf('-g', 'nobody') } : null;
