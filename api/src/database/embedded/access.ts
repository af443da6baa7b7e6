import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { EmbeddedError } from './errors.ts';
import { CLUSTER_USER } from './init-cluster.ts';
import { asDatabaseUser } from './run-as.ts';
import type { RunAs } from './run-as.ts';

const MAP = 'plimsoll';

/** Name of the system user this process runs as: `peer` compares names, not numbers. */
const ownName = (): string => {
  try {
    return userInfo().username;
  } catch (cause) {
    throw new EmbeddedError(
      'start_failed',
      `The user id ${String(process.getuid?.())} has no name, and PostgreSQL lets users in by name. Give it a line in /etc/passwd, or set DATABASE_URL.`,
      { cause },
    );
  }
};

/** The only way in is the socket, for the user this process runs as; the kernel says who connects. */
const rules = (): Record<string, string> => ({
  'pg_hba.conf': `# Plimsoll writes this file at every start.\nlocal all ${CLUSTER_USER} peer map=${MAP}\n`,
  'pg_ident.conf': `# Plimsoll writes this file at every start.\n${MAP} "${ownName()}" ${CLUSTER_USER}\n`,
});

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

const outdated = (cluster: string): [name: string, content: string][] =>
  Object.entries(rules()).filter(([name, content]) => contentOf(join(cluster, name)) !== content);

/**
 * Returns true when the rules of the cluster are those of today; version 0.1.0 let every process of the database's user
 * in.
 */
export const hasOurRules = (cluster: string): boolean => outdated(cluster).length === 0;

/** The database's user writes the files: the folder is its own, and root must not follow a link it may hold. */
const WRITE = 'umask 077 && cat >"$1.new" && mv -f "$1.new" "$1"';

export const writeRules = (cluster: string, runAs: RunAs | null): void => {
  for (const [name, content] of outdated(cluster)) {
    const file = join(cluster, name);
    const run = spawnSync('/bin/sh', ['-c', WRITE, 'sh', file], {
      ...asDatabaseUser(runAs),
      input: content,
      encoding: 'utf8',
    });
    if (run.status !== 0)
      throw new EmbeddedError('start_failed', `Writing ${file} failed: ${run.error?.message ?? run.stderr.trim()}`);
  }
};
