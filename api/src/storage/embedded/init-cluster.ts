import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EmbeddedError } from './errors.ts';
import { makePrivate } from './places.ts';
import type { RunAs } from './run-as.ts';

/** The one user of the cluster; the 0700 folder of the socket is what keeps others out. */
export const CLUSTER_USER = 'plimsoll';

const versionOf = (binaries: string): string =>
  /\) (\d+)/.exec(spawnSync(join(binaries, 'initdb'), ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? '';

const refuseOtherVersion = (cluster: string, binaries: string): void => {
  const has = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const wanted = versionOf(binaries);
  if (has !== wanted) {
    throw new EmbeddedError(
      'cluster_version',
      `The database in ${cluster} is of PostgreSQL ${has}, this version of Plimsoll brings ${wanted}. Export it with the version that wrote it, move the folder away and import.`,
    );
  }
};

/** initdb into a folder of its own, then a rename: a cluster that is there is whole. */
export const initCluster = (cluster: string, binaries: string, runAs: RunAs | null): void => {
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    refuseOtherVersion(cluster, binaries);
    return;
  }
  const unfinished = `${cluster}.unfinished`;
  for (const name of readdirSync(dirname(cluster))) {
    if (name === basename(unfinished)) rmSync(unfinished, { recursive: true });
  }
  makePrivate(unfinished, runAs);
  const options = [
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const run = spawnSync(join(binaries, 'initdb'), ['-D', unfinished, '-U', CLUSTER_USER, ...options], {
    ...runAs,
    cwd: '/',
    encoding: 'utf8',
  });
  if (run.status !== 0) {
    const said = run.error?.message ?? `${run.stdout}${run.stderr}`.trim().split('\n').slice(-5).join('\n');
    rmSync(unfinished, { recursive: true });
    throw new EmbeddedError('initdb_failed', `The database could not be created in ${cluster}: ${said}`);
  }
  renameSync(unfinished, cluster);
};
