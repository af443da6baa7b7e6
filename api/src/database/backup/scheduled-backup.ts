import { DAY_MS, MINUTE_MS } from '@plimsoll/contract/rules/durations';
import type { Job } from '../../jobs/scheduler.ts';
import type { StorageLogger } from '../connection.ts';
import { namedByTime, newestBackupAt, pruneBackups } from './folder.ts';
import { writeBackupFile, type BackupOptions } from './write-backup.ts';

export interface ScheduledBackup {
  folder: string;
  /** UTC. */
  minuteOfDay: number;
  keep: number;
  backup: Omit<BackupOptions, 'now'>;
  /** Receives the time of the newest backup, epoch ms; null: there is none. */
  observe: (newestAt: number | null) => void;
  logger: StorageLogger;
}

/** A backup starts this late at most, and one that failed is tried again after it. */
const CHECK_SECONDS = 300;

/** Returns the last time at which a backup was due. */
export function lastDueAt(now: number, minuteOfDay: number): number {
  const today = Math.floor(now / DAY_MS) * DAY_MS + minuteOfDay * MINUTE_MS;
  return today <= now ? today : today - DAY_MS;
}

/**
 * Writes a backup a day into a folder. The names of the files there are the only state, so that a restart neither repeats
 * a backup nor skips one.
 */
export const scheduledBackupJob = (scheduled: ScheduledBackup): Job => ({
  name: 'backup',
  everySeconds: CHECK_SECONDS,
  run: async (now) => {
    const { folder, minuteOfDay, keep, backup, observe, logger } = scheduled;
    const newest = newestBackupAt(folder);
    observe(newest);
    if (newest !== null && newest >= lastDueAt(now, minuteOfDay)) return null;
    const file = namedByTime(folder, now);
    const { rows, bytes } = await writeBackupFile(file, { ...backup, now });
    observe(now);
    const deleted = pruneBackups(folder, keep, now);
    logger.info({ file, rows, bytes, encrypted: backup.passphrase !== null, deleted }, 'backup written');
    return { rows, bytes };
  },
});
