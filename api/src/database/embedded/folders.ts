import { chmodSync, existsSync, lchownSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './errors.ts';
import type { RunAs } from './run-as.ts';

const OTHERS_WRITE = 0o002;
const GROUP_WRITE = 0o020;
const GROUP_OR_OTHERS = 0o077;
const PERMISSIONS = 0o777;

const ownUid = (): number => process.getuid?.() ?? 0;

const refuse = (folder: string, problem: string, remedy: string): never => {
  throw new EmbeddedError('unsafe_folder', `${folder}: ${problem} ${remedy}`);
};
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** Creates one folder and no parents; returns false when something of that name exists. */
const create = (folder: string, mode: number, remedy: string): boolean => {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    return refuse(folder, `creating the folder failed (${codeOf(error)}).`, remedy);
  }
  // The umask of the caller must not decide who can enter.
  chmodSync(folder, mode);
  return true;
};

const folderAt = (folder: string, remedy: string): Stats => {
  const found = lstatSync(folder);
  if (found.isSymbolicLink()) return refuse(folder, 'is a symbolic link.', remedy);
  if (!found.isDirectory()) return refuse(folder, 'is not a folder.', remedy);
  return found;
};

const modeOf = (stats: Stats): string => `0${(stats.mode & PERMISSIONS).toString(8)}`;

/**
 * Refuses a folder in which somebody other than us, or root, could exchange what we create. As an ordinary user the
 * mode is not checked: volumes of containers belong to root and are open to a group, or to all.
 */
const refuseForeign = (folder: string, remedy: string): void => {
  const found = folderAt(folder, remedy);
  const { uid, gid, mode } = found;
  if (uid !== 0 && uid !== ownUid()) refuse(folder, `belongs to user ${String(uid)}.`, remedy);
  if (ownUid() !== 0) return;
  if ((mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITE) !== 0 && gid !== 0))
    refuse(folder, `can be written by others (mode ${modeOf(found)}).`, remedy);
};

/**
 * Creates a folder of ours that others may pass through but not list, so that root can give what is in it to another
 * user.
 */
export const createPassage = (folder: string, remedy: string): void => {
  create(folder, 0o711, remedy);
  refuseForeign(folder, remedy);
};

/** Creates what is missing of a path. Node's own recursion never ends below /proc. */
const createParents = (folder: string, remedy: string): void => {
  if (existsSync(folder)) return;
  createParents(dirname(folder), remedy);
  try {
    mkdirSync(folder, { mode: 0o755 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') refuse(folder, `creating the folder failed (${codeOf(error)}).`, remedy);
  }
};

/**
 * Creates the data folder, or refuses one that belongs to somebody else, and returns its real path. A symbolic link is
 * accepted from root and from us only: one planted by somebody else would lead root to any folder.
 */
export const createDataFolder = (dataDir: string): string => {
  const remedy =
    ownUid() === 0
      ? `Set PLIMSOLL_DATA_DIR to another folder, or if it is yours: chown root ${dataDir} && chmod go-w ${dataDir}`
      : 'Set PLIMSOLL_DATA_DIR to a folder of your own.';
  createParents(dirname(dataDir), remedy);
  create(dataDir, 0o711, remedy);
  const { uid } = lstatSync(dataDir);
  if (uid !== 0 && uid !== ownUid()) refuse(dataDir, `belongs to user ${String(uid)}.`, remedy);
  const folder = realpathSync(dataDir);
  refuseForeign(folder, remedy);
  return folder;
};

/**
 * Creates a folder (0700) of the database's user within a folder that `createPassage` or `createDataFolder` accepted.
 * One that is there keeps its owner: a database of an earlier version may run in it (see `clearSockets`).
 */
export const createPrivate = (folder: string, runAs: RunAs | null, remedy: string): void => {
  const isNew = create(folder, 0o700, remedy);
  const found = folderAt(folder, remedy);
  if (isNew && runAs) lchownSync(folder, runAs.uid, runAs.gid);
  if (runAs === null && found.uid !== ownUid()) refuse(folder, `belongs to user ${String(found.uid)}.`, remedy);
  if ((found.mode & GROUP_OR_OTHERS) !== 0) chmodSync(folder, 0o700);
};

/**
 * Gives the folder of the socket to the database's user, without the socket and the lock a database of another user
 * left.
 */
export const clearSockets = (folder: string, { uid, gid }: RunAs): void => {
  if (lstatSync(folder).uid !== uid) lchownSync(folder, uid, gid);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).uid !== uid) rmSync(path, { recursive: true });
  }
};

/**
 * Creates a folder (0700) of our own where anybody may create one, such as /tmp, and refuses any other of that name.
 */
export const createPrivateInPublic = (folder: string, remedy: string): void => {
  create(folder, 0o700, remedy);
  const found = folderAt(folder, remedy);
  if (found.uid !== ownUid()) refuse(folder, `belongs to user ${String(found.uid)}.`, remedy);
  if ((found.mode & GROUP_OR_OTHERS) !== 0) refuse(folder, `is open to others (mode ${modeOf(found)}).`, remedy);
};

/**
 * Gives a cluster to the database's user. The folder goes first: from then on its former owner can exchange nothing in
 * it. PG_VERSION goes last, so that an interrupted run goes on at the next start. What belongs to a third user, such as
 * a hard link to a file of root, stays as it is. Returns false when there is nothing to do.
 */
export const takeOver = (cluster: string, { name, uid, gid }: RunAs): boolean => {
  const last = join(cluster, 'PG_VERSION');
  const from = lstatSync(last).uid;
  if (from === uid) return false;
  if (from === 0) refuse(cluster, 'belongs to root.', `Give it to the database's user: chown -R ${name} ${cluster}`);
  lchownSync(cluster, uid, gid);
  const pending = [cluster];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readdirSync(folder)) {
      const path = join(folder, entry);
      const found = lstatSync(path);
      if (found.isDirectory()) pending.push(path);
      if (found.uid === from && path !== last) lchownSync(path, uid, gid);
    }
  }
  lchownSync(last, uid, gid);
  return true;
};
