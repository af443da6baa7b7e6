import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const NAME = /^plimsoll-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/;

/** The names sort by time: plimsoll-2026-11-24T031500Z.backup. */
export const namedByTime = (folder: string, now: number): string =>
  join(folder, `plimsoll-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`);

/** Deletes all but the newest backups that have such a name. Returns the names deleted. */
export const pruneBackups = (folder: string, keep: number): string[] => {
  const backups = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted();
  const old = backups.slice(0, Math.max(0, backups.length - keep));
  for (const name of old) rmSync(join(folder, name));
  return old;
};
