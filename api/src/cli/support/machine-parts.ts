import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem, loadavg, platform, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { packageVersion } from '../../database/embedded/binaries.ts';
import type { Environment } from '../../settings/environment.ts';
import { SETTING_GROUPS } from '../../settings/settings.ts';
import { VERSION } from '../../version.ts';
import { redactLine } from './redact.ts';

const ENDINGS = ['', '_FILE'];

/**
 * Lists every setting: where it comes from, and the value of those that cannot hold a secret once the API has accepted
 * them.
 */
export function describeSettings(environment: Environment, areAccepted: boolean): object[] {
  const isSet = (name: string): boolean => (environment[name]?.trim() ?? '') !== '';
  return SETTING_GROUPS.flatMap(({ rows }) =>
    rows.flatMap(({ names, isShown = false }) =>
      names.map((name) => {
        const from = ENDINGS.map((ending) => name + ending).filter(isSet);
        return {
          name,
          set_by: from,
          ...(areAccepted && isShown && from.length > 0 ? { value: environment[name] } : {}),
        };
      }),
    ),
  );
}

export const describeVersions = (): object => ({
  plimsoll: VERSION,
  node: process.versions.node,
  openssl: process.versions.openssl,
  bundled_postgresql: packageVersion(),
});

const memoryLimit = (): string | null =>
  existsSync('/sys/fs/cgroup/memory.max') ? readFileSync('/sys/fs/cgroup/memory.max', 'utf8').trim() : null;

export const describeMachine = (): object => ({
  platform: `${platform()} ${process.arch} ${release()}`,
  processors: availableParallelism(),
  load_average: loadavg(),
  memory_bytes: totalmem(),
  free_memory_bytes: freemem(),
  memory_limit_of_the_container: memoryLimit(),
  uptime_seconds: Math.round(uptime()),
  is_root: process.getuid?.() === 0,
});

function describeFilesystem(folder: string): object {
  const { bsize, blocks, bavail, files, ffree, type } = statfsSync(folder);
  return {
    size_bytes: blocks * bsize,
    available_bytes: bavail * bsize,
    inodes: files,
    free_inodes: ffree,
    type: `0x${type.toString(16)}`,
  };
}

/** Free space of the folders that Plimsoll writes to. */
export const describeDisks = (folders: Record<string, string>): object =>
  Object.fromEntries(
    Object.entries(folders).map(([name, folder]) => [
      name,
      existsSync(folder) ? describeFilesystem(folder) : 'does not exist',
    ]),
  );

/** Lines that quote a statement or a row, and lines that continue one. */
const QUOTING = /^\s|\b(?:STATEMENT|DETAIL|CONTEXT|QUERY):/;

/** Returns the last lines of the embedded PostgreSQL's log, without those that quote statements or rows. */
export const databaseLog = (base: string, count: number): string[] => {
  const file = join(base, 'postgres.log');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !QUOTING.test(line))
    .slice(-count)
    .map(redactLine);
};
