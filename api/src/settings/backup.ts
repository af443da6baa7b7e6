import type { EnvironmentReader } from './environment.ts';
import { code, NONE, type Setting, setting } from './setting.ts';

/** A backup can be attacked for years without anybody noticing. */
const PASSPHRASE_LENGTH = 16;
const TIME = '03:15';
const KEPT = 14;

function readPassphrase(environment: EnvironmentReader, name: string): string | null {
  const text = environment.secret(name);
  if (text !== null && text.length < PASSPHRASE_LENGTH)
    environment.refuse(
      `${name} is too short: use at least ${String(PASSPHRASE_LENGTH)} characters, such as those of: openssl rand -base64 24`,
    );
  return text;
}

interface Schedule {
  folder: string;
  minuteOfDay: number;
  keep: number;
}

/** A folder that is missing fails the start with its name: its volume may not be mounted. */
function readSchedule(environment: EnvironmentReader): Schedule | null {
  const folder = environment.text('PLIMSOLL_BACKUP_DIR');
  const time = environment.text('PLIMSOLL_BACKUP_TIME');
  const keep = environment.text('PLIMSOLL_BACKUP_KEEP');
  if (folder === null) {
    if (time !== null || keep !== null)
      environment.refuse(
        `${time === null ? 'PLIMSOLL_BACKUP_KEEP' : 'PLIMSOLL_BACKUP_TIME'} is set without PLIMSOLL_BACKUP_DIR: set both, or remove it`,
      );
    return null;
  }
  if (!environment.isFolder(folder))
    environment.refuse(`PLIMSOLL_BACKUP_DIR: ${folder} is no folder: create it, or mount its volume`);
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time ?? TIME) ?? [];
  if (hour === undefined)
    environment.refuse(`PLIMSOLL_BACKUP_TIME is "${String(time)}": write a time of day in UTC, like 03:15`);
  if (keep !== null && !/^[1-9]\d{0,3}$/.test(keep))
    environment.refuse(`PLIMSOLL_BACKUP_KEEP is "${keep}": use a whole number from 1 to 9999`);
  return { folder, minuteOfDay: Number(hour) * 60 + Number(minute), keep: keep === null ? KEPT : Number(keep) };
}

/** The backup that the API writes itself every day; null: none. */
const backupSchedule: Setting<Schedule | null> = {
  rows: [
    {
      names: ['PLIMSOLL_BACKUP_DIR'],
      fallback: NONE,
      meaning:
        'folder that the API writes a backup into once a day ([backup.md](backup.md)); of several replicas only one may have it',
    },
    {
      names: ['PLIMSOLL_BACKUP_TIME'],
      isShown: true,
      fallback: code(TIME),
      meaning: 'time of day of that backup, in UTC; one that was missed is written at the next start',
    },
    {
      names: ['PLIMSOLL_BACKUP_KEEP'],
      isShown: true,
      fallback: code(KEPT),
      meaning: 'how many of these backups stay; the API deletes older ones after a new one is whole',
    },
  ],
  read: readSchedule,
};

export const backup = {
  /** Encrypts and opens backups; null: backups are not encrypted. */
  backupPassphrase: setting(
    'PLIMSOLL_BACKUP_PASSPHRASE',
    {
      fallback: NONE,
      meaning: `encrypts and opens backups ([backup.md](backup.md)); at least ${String(PASSPHRASE_LENGTH)} characters`,
      isSecret: true,
    },
    readPassphrase,
  ),
  backupSchedule,
};
