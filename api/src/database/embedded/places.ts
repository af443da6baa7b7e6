import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './errors.ts';
import { createDataFolder, createPassage, createPrivate, createPrivateInPublic } from './folders.ts';
import { asDatabaseUser } from './run-as.ts';
import type { RunAs } from './run-as.ts';

/** Paths of one embedded PostgreSQL. */
export interface Places {
  /** Holds everything below but a socket whose path would be too long. */
  base: string;
  cluster: string;
  socket: string;
  log: string;
}
/** Folders of the machine; tests use their own. */
export interface MachineFolders {
  /** For a data directory the database's user may not enter, such as one below root's home. */
  system: string;
  /** Only root creates folders here. */
  run: string;
  /** XDG_RUNTIME_DIR: a folder of this user alone; null when the machine gives none. */
  runtime: string | null;
  temporary: string;
}
export const machineFolders = (runtime: string | null = null): MachineFolders => ({
  system: '/var/lib/plimsoll',
  run: existsSync('/run') ? '/run/plimsoll' : '/var/run/plimsoll',
  runtime,
  temporary: '/tmp',
});

/** The name of a unix socket has at most 104 bytes with its end (macOS; Linux 108). */
const MAX_SOCKET_PATH = 103;
const SOCKET_NAME = '/.s.PGSQL.5432';
const SHORTER = 'Remove it, or set PLIMSOLL_DATA_DIR to a path shorter than 70 characters.';

const tag = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 12);
const fits = (folder: string): boolean => Buffer.byteLength(folder + SOCKET_NAME) <= MAX_SOCKET_PATH;

const canEnter = (folder: string, runAs: RunAs): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], asDatabaseUser(runAs)).status === 0;

const holdsCluster = (base: string): boolean => existsSync(join(base, 'postgres', 'PG_VERSION'));

/** An existing cluster stays in place, so a folder whose mode changed does not get a second, empty database. */
const baseOf = (wanted: string, runAs: RunAs | null, system: string): string => {
  const elsewhere = join(system, tag(wanted));
  if (runAs === null) return wanted;
  if (!holdsCluster(wanted) && holdsCluster(elsewhere)) return elsewhere;
  if (canEnter(wanted, runAs)) return wanted;
  if (!holdsCluster(wanted)) return elsewhere;
  throw new EmbeddedError(
    'start_failed',
    `The database in ${wanted} runs as the user ${runAs.name}, who may not enter that folder any more. Let it pass: chmod o+x on the folder and those above it.`,
  );
};

/** The specification of XDG_RUNTIME_DIR requires this of it; `su` leaves that of another user in the environment. */
const isOurs = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
};

const makeSocketFolder = (base: string, wanted: string, runAs: RunAs | null, machine: MachineFolders): string => {
  const near = join(base, 'postgres-socket');
  if (fits(near)) {
    createPrivate(near, runAs, 'Stop Plimsoll and remove it.');
    return near;
  }
  if (runAs) {
    createPassage(machine.run, SHORTER);
    const folder = join(machine.run, tag(wanted));
    createPrivate(folder, runAs, SHORTER);
    return folder;
  }
  const own = machine.runtime === null ? null : join(machine.runtime, `plimsoll-${tag(wanted)}`);
  const folder =
    own !== null && fits(own) && isOurs(dirname(own))
      ? own
      : join(machine.temporary, `plimsoll-${String(process.getuid?.())}-${tag(wanted)}`);
  createPrivateInPublic(folder, SHORTER);
  return folder;
};

/**
 * Makes the folders. Others may pass through the base, so that root can hand the rest to another user, but not list it.
 */
export const makePlaces = (dataDir: string, runAs: RunAs | null, machine = machineFolders()): Places => {
  const wanted = createDataFolder(dataDir);
  const base = baseOf(wanted, runAs, machine.system);
  if (base !== wanted) {
    const remedy =
      'Give it to root: chown root, chmod go-w. Or set PLIMSOLL_DATA_DIR to a folder the database can enter.';
    mkdirSync(dirname(machine.system), { recursive: true, mode: 0o755 });
    createPassage(machine.system, remedy);
    createPassage(base, remedy);
  }
  const socket = makeSocketFolder(base, wanted, runAs, machine);
  return { base, cluster: join(base, 'postgres'), socket, log: join(base, 'postgres.log') };
};
