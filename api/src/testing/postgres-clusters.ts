import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { packagedBinaries, usableBinaries } from '../database/embedded/binaries.ts';
import { asDatabaseUser, databaseUser } from '../database/embedded/run-as.ts';
import { migrate } from '../database/migrate.ts';

/** `bundled`: the one Plimsoll ships. `server`: the newest the machine has installed, as an operator would. */
export type ClusterKind = 'bundled' | 'server';
export interface Cluster {
  kind: ClusterKind;
  host: string;
  port: number;
  user: string;
}
export const TEMPLATE_DATABASE = 'plimsoll_template';
export const MISSING_SERVER_HINT =
  'no PostgreSQL server programs below /usr/lib/postgresql: apt-get install postgresql';

const START_TIMEOUT_MS = 90_000;
const SERVER_ROOT = '/usr/lib/postgresql';

/** Programs of the newest installed server PostgreSQL, null when the machine has none. */
export const serverBinaries = (): string | null => {
  const versions = existsSync(SERVER_ROOT) ? readdirSync(SERVER_ROOT) : [];
  const usable = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(SERVER_ROOT, version, 'bin'))
    .filter((bin) => existsSync(join(bin, 'initdb')));
  return usable[0] ?? null;
};

const binariesOf = (kind: ClusterKind, folder: string): string => {
  if (kind === 'bundled') return usableBinaries(packagedBinaries(), join(folder, 'programs'), databaseUser());
  const bin = serverBinaries();
  if (bin === null) throw new Error(MISSING_SERVER_HINT);
  return bin;
};

type Settings = Readonly<Record<string, string>>;
/** As an operator's: what is acknowledged is on disk. For measurements. */
export const DURABLE: Settings = { fsync: 'on', full_page_writes: 'on' };
/** No fsync: these clusters need not outlive the machine, and no test here cuts its power. */
const SETTINGS: Settings = {
  listen_addresses: '',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  // Every worker has some sixty in use at most, and there are as many workers as cores.
  max_connections: '1000',
  log_min_messages: 'warning',
};

const startCluster = async (kind: ClusterKind, folder: string, settings: Settings): Promise<Cluster> => {
  const runAs = databaseUser();
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const bin = binariesOf(kind, folder);
  const data = join(folder, 'data');
  const socket = join(folder, 'socket');
  for (const path of [data, socket]) {
    mkdirSync(path, { mode: 0o700 });
    if (runAs) chownSync(path, runAs.uid, runAs.gid);
  }
  const initdb = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'plimsoll', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...asDatabaseUser(runAs), encoding: 'utf8' },
  );
  if (initdb.status !== 0) throw new Error(`initdb of ${kind} failed: ${initdb.stdout}${initdb.stderr}`);
  const flags = Object.entries({ ...SETTINGS, ...settings, unix_socket_directories: socket }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  );
  const postmaster = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
    ...asDatabaseUser(runAs),
    detached: true,
    stdio: 'ignore',
  });
  postmaster.unref();
  const cluster = { kind, host: socket, port: 5432, user: 'plimsoll' };
  await createTemplate(cluster);
  return cluster;
};

const createTemplate = async (cluster: Cluster): Promise<void> => {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new Client({ ...cluster, database: 'postgres' });
    try {
      await client.connect();
      await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
      await client.end();
      break;
    } catch (error) {
      await client.end().catch(() => {});
      if (Date.now() > deadline) throw error;
      await delay(50);
    }
  }
  await migrate({ ...cluster, database: TEMPLATE_DATABASE });
};

/**
 * The running cluster of this kind for this test run; the first test file that asks starts it, the others wait for it.
 * `folder` belongs to the run (postgres-setup.ts makes it and stops what was started in it).
 */
export const clusterOf = async (kind: ClusterKind, folder: string, settings: Settings = {}): Promise<Cluster> => {
  const own = join(folder, kind);
  const answer = join(folder, `${kind}.json`);
  const write = (content: object): void => {
    writeFileSync(`${answer}.part`, JSON.stringify(content));
    renameSync(`${answer}.part`, answer);
  };
  try {
    mkdirSync(own, { mode: 0o755 });
  } catch {
    return waitFor(answer);
  }
  try {
    const cluster = await startCluster(kind, own, settings);
    write({ cluster });
    return cluster;
  } catch (error) {
    write({ error: (error as Error).message });
    throw error;
  }
};

const waitFor = async (answer: string): Promise<Cluster> => {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!existsSync(answer)) {
    if (Date.now() > deadline) throw new Error(`${answer} did not appear: the test file that starts it is stuck`);
    await delay(25);
  }
  const { cluster, error } = JSON.parse(readFileSync(answer, 'utf8')) as { cluster?: Cluster; error?: string };
  if (!cluster) throw new Error(error);
  return cluster;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Stops the clusters that were started in `folder` and removes it. */
export const stopClusters = async (folder: string): Promise<void> => {
  for (const kind of ['bundled', 'server']) {
    const pidFile = join(folder, kind, 'data', 'postmaster.pid');
    if (!existsSync(pidFile)) continue;
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    // Its file goes with it; the process itself may stay as a zombie where the first process does not reap.
    while (existsSync(pidFile) && isAlive(pid)) await delay(20);
  }
  rmSync(folder, { recursive: true, force: true });
};
