import { spawnSync } from 'node:child_process';
import { EmbeddedError } from './errors.ts';

/** The system user that runs PostgreSQL when this process is root: PostgreSQL refuses to run as root. */
export interface RunAs {
  name: string;
  uid: number;
  gid: number;
}

/** Not the collector's user `plimsoll`: a collector on the same machine must not reach the database. */
const DEFAULT_DATABASE_USER = 'plimsoll-database';
const CREATE_TIMEOUT_MS = 60_000;

/** PATH finds useradd, LC_ALL keeps messages in English. Nothing else passes: our environment holds passwords. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/**
 * Returns the options that start a program as the database's user and without our environment: every process of that
 * user can read the environment of every other in /proc.
 */
export const asDatabaseUser = (runAs: RunAs | null) => ({
  env: ENVIRONMENT,
  cwd: '/',
  ...(runAs && { uid: runAs.uid, gid: runAs.gid }),
});

const idOf = (flag: '-u' | '-g', name: string): number | null => {
  const run = spawnSync('id', [flag, '--', name], { env: ENVIRONMENT, encoding: 'utf8' });
  return run.status === 0 ? Number(run.stdout.trim()) : null;
};

const find = (name: string): RunAs | null => {
  const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
  return uid === null || gid === null ? null : { name, uid, gid };
};

/**
 * useradd of Debian, Fedora and their kin, or the tools of Alpine. Two starts at once must not create the user twice.
 */
const CREATE = `
if id -u "$1" >/dev/null 2>&1; then exit 0; fi
if command -v useradd >/dev/null; then
  exec useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$1"
fi
command -v addgroup >/dev/null && command -v adduser >/dev/null || { echo "no useradd and no adduser" >&2; exit 1; }
addgroup -S "$1" && exec adduser -S -D -H -h /nonexistent -s /sbin/nologin -G "$1" "$1"`;
/** Only root can open this file, so only root can hold its lock. */
const LOCKED_FILE = '/etc/shadow';

/** Returns the error output of the tools, empty on success. */
const create = (name: string): string => {
  const script = `if command -v flock >/dev/null; then exec flock ${LOCKED_FILE} /bin/sh -c "$0" sh "$1"; fi; exec /bin/sh -c "$0" sh "$1"`;
  const run = spawnSync('/bin/sh', ['-c', script, CREATE, name], {
    env: ENVIRONMENT,
    encoding: 'utf8',
    timeout: CREATE_TIMEOUT_MS,
  });
  return run.status === 0 ? '' : (run.error?.message ?? (run.stderr.trim() || `exit status ${String(run.status)}`));
};

const refuse = (problem: string): never => {
  throw new EmbeddedError(
    'database_user',
    `PLIMSOLL_DATABASE_USER: ${problem} Set it to a system user that runs nothing else, set DATABASE_URL to a PostgreSQL of your own, or start Plimsoll as an ordinary user.`,
  );
};

/**
 * Returns null when this process is not root: PostgreSQL then runs as the same user. As root, returns the user `wanted`,
 * or our own system user, which the first start creates.
 */
export const databaseUser = (wanted: string | null = null): RunAs | null => {
  if (process.getuid?.() !== 0) return null;
  const name = wanted ?? DEFAULT_DATABASE_USER;
  if (name === 'nobody') return refuse('other programs also run as nobody and could read the database.');
  let found = find(name);
  if (found === null && wanted === null) {
    const problem = create(name);
    found = find(name);
    if (found === null)
      return refuse(`PostgreSQL cannot run as root, and creating the user ${name} failed: ${problem}.`);
  }
  if (found === null) return refuse(`the user ${name} does not exist.`);
  if (found.uid === 0) return refuse(`${name} is root, and PostgreSQL cannot run as root.`);
  return found;
};
