import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EmbeddedError } from './errors.ts';
import { createPrivate } from './folders.ts';
import { asDatabaseUser } from './run-as.ts';
import type { RunAs } from './run-as.ts';

/** The one role of the cluster; access.ts says who may use it. */
export const CLUSTER_USER = 'plimsoll';

const versionOf = (binaries: string): string =>
  /\) (\d+)/.exec(
    spawnSync(join(binaries, 'initdb'), ['--version'], { ...asDatabaseUser(null), encoding: 'utf8' }).stdout,
  )?.[1] ?? '';

const refuseOtherVersion = (cluster: string, binaries: string): void => {
  const has = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const wanted = versionOf(binaries);
  if (has !== wanted) {
    throw new EmbeddedError(
      'cluster_version',
      `The database in ${cluster} was created by PostgreSQL ${has}, but this version of Plimsoll includes ${wanted}. Export it with the version that wrote it, move the folder away and import the export.`,
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
  createPrivate(unfinished, runAs, 'Remove it.');
  const options = [
    '--auth-local=peer',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const run = spawnSync(join(binaries, 'initdb'), ['-D', unfinished, '-U', CLUSTER_USER, ...options], {
    ...asDatabaseUser(runAs),
    encoding: 'utf8',
  });
  if (run.status !== 0) {
    const said = run.error?.message ?? `${run.stdout}${run.stderr}`.trim().split('\n').slice(-5).join('\n');
    rmSync(unfinished, { recursive: true });
    const isFull = /No space left on device|free disk space/.test(`${run.stdout}${run.stderr}`);
    const remedy = 'Free at least 500 MB, or set PLIMSOLL_DATA_DIR to a folder on another disk.';
    const why = isFull ? `the disk is full. ${remedy}` : said;
    throw new EmbeddedError('initdb_failed', `The database could not be created in ${cluster}: ${why}`);
  }
  renameSync(unfinished, cluster);
};
