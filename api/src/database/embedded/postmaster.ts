import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Places } from './places.ts';
import { asDatabaseUser } from './run-as.ts';
import type { RunAs } from './run-as.ts';

/** For a fleet of hundreds on a small machine; io_method=sync: workers or io_uring bring nothing at this size. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '64MB',
  io_method: 'sync',
  jit: 'off',
  max_connections: '40',
  max_wal_size: '512MB',
  wal_compression: 'on',
  log_min_messages: 'warning',
  log_line_prefix: '%m [%p] ',
};
/** The log is for the day something breaks; it starts anew at this size. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;
const POLL_MS = 20;

const pidFile = (cluster: string): string => join(cluster, 'postmaster.pid');

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const commandOf = (pid: number): string => {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
};

/** Process id of the running postmaster of this cluster; null when there is none. */
export const postmasterOf = (cluster: string): number | null => {
  if (!existsSync(pidFile(cluster))) return null;
  const pid = Number(readFileSync(pidFile(cluster), 'utf8').split('\n')[0]);
  return pid > 0 && isAlive(pid) && commandOf(pid).includes(` -D ${cluster} `) ? pid : null;
};

/** Folder of the socket the running postmaster listens on: the fifth line of its pid file; null while it starts. */
export const socketFolderOf = (cluster: string): string | null =>
  existsSync(pidFile(cluster)) ? readFileSync(pidFile(cluster), 'utf8').split('\n')[4] || null : null;

/** A pid file left by a crash may name a process that got the number since; PostgreSQL would refuse to start. */
export const removeStalePidFile = (cluster: string): boolean => {
  if (!existsSync(pidFile(cluster)) || postmasterOf(cluster) !== null) return false;
  rmSync(pidFile(cluster), { force: true });
  return true;
};

/** In a session of its own: Ctrl-C in the terminal must reach us first, or we could not close our connections. */
export const spawnPostmaster = (binaries: string, places: Places, runAs: RunAs | null): number | null => {
  if (existsSync(places.log) && statSync(places.log).size > MAX_LOG_BYTES) truncateSync(places.log);
  const log = openSync(places.log, 'a', 0o640);
  const settings = { ...SETTINGS, unix_socket_directories: places.socket };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postmaster = spawn(join(binaries, 'postgres'), ['-D', places.cluster, ...flags], {
    ...asDatabaseUser(runAs),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  // It may fail to start at all; then there is no pid and the caller says so.
  postmaster.on('error', () => {});
  postmaster.unref();
  return postmaster.pid ?? null;
};

/** Returns a text that changes while a starting database makes progress: recovery writes its log, a checkpoint the WAL. */
export const progressOf = ({ log, cluster }: Places): string => {
  const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const wal = join(cluster, 'pg_wal');
  const segments = existsSync(wal) ? readdirSync(wal).map((name) => changedAt(join(wal, name))) : [];
  return [changedAt(log), changedAt(join(cluster, 'global', 'pg_control')), Math.max(0, ...segments)].join(' ');
};

/** The end of the log, for an error message. */
export const logTail = (places: Places): string =>
  existsSync(places.log) ? readFileSync(places.log, 'utf8').trim().split('\n').slice(-4).join('\n') : '(empty log)';

const waitForEnd = async (pid: number, timeoutMs: number): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
};

/** Fast shutdown (SIGINT: connections are cut, a checkpoint is written), then the hard one, which recovers at start. */
export const stopPostmaster = async (cluster: string, timeoutMs: number, started: number | null = null) => {
  const pid = postmasterOf(cluster) ?? started;
  if (pid === null || !isAlive(pid)) return;
  process.kill(pid, 'SIGINT');
  if (await waitForEnd(pid, timeoutMs)) return;
  process.kill(pid, 'SIGQUIT');
  await waitForEnd(pid, timeoutMs);
};
