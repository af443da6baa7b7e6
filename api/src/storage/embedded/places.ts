import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedError } from './errors.ts';
import type { RunAs } from './run-as.ts';

/** Where one embedded PostgreSQL keeps its things. */
export interface Places {
  /** Holds everything below but a socket whose path would be too long. */
  base: string;
  cluster: string;
  socket: string;
  log: string;
}
/** The name of a unix socket has at most 104 bytes with its end (macOS; Linux 108). */
const MAX_SOCKET_PATH = 103;
const SOCKET_NAME = '/.s.PGSQL.5432';
/** For a data directory the database's user may not enter, such as one below root's home. */
const SYSTEM_BASE = '/var/lib/plimsoll';

const tag = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 12);

const canEnter = (folder: string, runAs: RunAs): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...runAs, cwd: '/' }).status === 0;

/** A folder only the database's user (and root) may enter. */
export const makePrivate = (folder: string, runAs: RunAs | null): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (runAs) chownSync(folder, runAs.uid, runAs.gid);
};

const holdsCluster = (base: string): boolean => existsSync(join(base, 'postgres', 'PG_VERSION'));

/** Where a cluster is, it stays: a folder whose mode was changed must not make an empty database appear in its place. */
const baseOf = (wanted: string, runAs: RunAs | null, systemBase: string): string => {
  const elsewhere = join(systemBase, tag(wanted));
  if (runAs === null) return wanted;
  if (!holdsCluster(wanted) && holdsCluster(elsewhere)) return elsewhere;
  if (canEnter(wanted, runAs)) return wanted;
  if (!holdsCluster(wanted)) return elsewhere;
  throw new EmbeddedError(
    'start_failed',
    `The database in ${wanted} runs as the user nobody, who may not enter that folder any more. Let it pass: chmod o+x on the folder and those above it.`,
  );
};

/** Makes the folders. Others may pass through the base, so that root can hand the rest to another user, but not list it. */
export const makePlaces = (dataDir: string, runAs: RunAs | null, systemBase = SYSTEM_BASE): Places => {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const wanted = realpathSync(dataDir);
  const base = baseOf(wanted, runAs, systemBase);
  mkdirSync(base, { recursive: true, mode: 0o711 });
  const near = join(base, 'postgres-socket');
  const socket = Buffer.byteLength(near + SOCKET_NAME) <= MAX_SOCKET_PATH ? near : `/tmp/plimsoll-${tag(wanted)}`;
  makePrivate(socket, runAs);
  return { base, cluster: join(base, 'postgres'), socket, log: join(base, 'postgres.log') };
};
