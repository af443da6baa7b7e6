import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const NAME = /^plimsoll-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;
const DRAFT = /^plimsoll-[\dTZ-]+\.backup\.part$/;
/** A writer adds to its draft every few seconds: one that stood still for a day was left by a writer that was killed. */
const DRAFT_LEFT_MS = 86_400_000;

/** The names sort by time: plimsoll-2026-11-24T031500Z.backup. */
export const namedByTime = (folder: string, now: number): string =>
  join(folder, `plimsoll-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`);

const backupsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted();

/** Returns names, newest first. */
export const newestBackups = (folder: string, count: number): string[] =>
  backupsIn(folder).toReversed().slice(0, count);

/** Returns the time in the name of the newest backup, epoch ms; null: there is none. */
export function newestBackupAt(folder: string): number | null {
  const [, day, hour, minute, second] = NAME.exec(backupsIn(folder).at(-1) ?? '') ?? [];
  return day === undefined ? null : Date.parse(`${day}T${String(hour)}:${String(minute)}:${String(second)}Z`);
}

/**
 * Deletes all but the newest backups that have such a name, and the drafts that killed writers left. Returns the names
 * deleted.
 */
export function pruneBackups(folder: string, keep: number, now: number): string[] {
  const backups = backupsIn(folder);
  const drafts = readdirSync(folder).filter(
    (name) => DRAFT.test(name) && statSync(join(folder, name)).mtimeMs < now - DRAFT_LEFT_MS,
  );
  const old = [...backups.slice(0, Math.max(0, backups.length - keep)), ...drafts];
  for (const name of old) rmSync(join(folder, name));
  return old;
}
