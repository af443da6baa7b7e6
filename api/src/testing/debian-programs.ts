import { type ChildProcess, type StdioOptions, execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Programs of Debian for tests, unpacked and not installed: an installation would start their services. Each names the
 * packages that it needs beyond a usual system.
 */
const PROGRAMS = {
  pgbouncer: { path: 'usr/sbin/pgbouncer', packages: ['pgbouncer', 'libevent-2.1-7', 'libc-ares2'] },
  haproxy: {
    path: 'usr/sbin/haproxy',
    packages: ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
  },
  nginx: { path: 'usr/sbin/nginx', packages: ['nginx'] },
  prometheus: { path: 'usr/bin/prometheus', packages: ['prometheus'] },
  'victoria-metrics': { path: 'usr/bin/victoria-metrics', packages: ['victoria-metrics'] },
  'node-exporter': { path: 'usr/bin/prometheus-node-exporter', packages: ['prometheus-node-exporter'] },
  'zabbix-agent2': { path: 'usr/sbin/zabbix_agent2', packages: ['zabbix-agent2'] },
  collectd: { path: 'usr/sbin/collectd', packages: ['collectd-core'] },
  vmagent: { path: 'usr/bin/vmagent', packages: ['victoria-metrics'] },
  etcd: { path: 'usr/bin/etcd', packages: ['etcd-server'] },
  patroni: {
    path: 'usr/bin/patroni',
    packages: [
      'patroni',
      'libpq5',
      ...['cdiff', 'click', 'dateutil', 'dnspython', 'etcd', 'pkg-resources', 'prettytable', 'psutil', 'psycopg2'].map(
        (name) => `python3-${name}`,
      ),
      ...['six', 'urllib3', 'wcwidth', 'yaml'].map((name) => `python3-${name}`),
    ],
  },
  faketime: { path: 'usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1', packages: ['libfaketime'] },
} as const;
export type DebianProgram = keyof typeof PROGRAMS;

const CACHE = fileURLToPath(new URL('../../../.cache/debian', import.meta.url));
const folderOf = (program: DebianProgram): string => join(CACHE, program);

export const packagesOf = (program: DebianProgram): readonly string[] => PROGRAMS[program].packages;

/** Path of a program that `unpackProgram` has brought; null: it is not there. */
export function findProgram(program: DebianProgram): string | null {
  const path = join(folderOf(program), PROGRAMS[program].path);
  return existsSync(path) ? path : null;
}

/** Downloads and unpacks the packages of a program with apt-get. The folder appears whole or not at all. */
export function unpackProgram(program: DebianProgram): void {
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, `${program}-`));
  try {
    execFileSync('apt-get', ['download', '-qq', ...packagesOf(program)], {
      cwd: work,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const root = join(work, 'root');
    for (const file of globSync('*.deb', { cwd: work })) execFileSync('dpkg', ['-x', join(work, basename(file)), root]);
    if (findProgram(program) === null) renameSync(root, folderOf(program));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Environment that lets an unpacked program find its libraries and modules. */
const environmentOf = (program: DebianProgram): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  LD_LIBRARY_PATH: join(folderOf(program), 'usr/lib/x86_64-linux-gnu'),
  PYTHONPATH: join(folderOf(program), 'usr/lib/python3/dist-packages'),
});

/** Starts a program. Throws if it was not brought. */
export function startProgram(
  program: DebianProgram,
  args: readonly string[],
  as: { uid?: number; gid?: number; cwd?: string; stdio?: StdioOptions } = {},
): ChildProcess {
  const path = findProgram(program);
  if (path === null) throw new Error(`${program} is not unpacked: run npm test once`);
  return spawn(path, [...args], { stdio: ['ignore', 'ignore', 'inherit'], env: environmentOf(program), ...as });
}
