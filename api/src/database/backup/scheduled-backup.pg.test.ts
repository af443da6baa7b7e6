import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newAccount } from '../../testing/batches.ts';
import { testStorage } from '../../testing/postgres.ts';
import { silentLogger } from '../connection.ts';
import { restoreBackup } from './restore-backup.ts';
import { scheduledBackupJob, type ScheduledBackup } from './scheduled-backup.ts';

const db = testStorage();
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-25T03:16:00.000Z');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync('/tmp/plimsoll-scheduled-');
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = (): string[] => readdirSync(folder).toSorted();
const jobOf = (more: Partial<ScheduledBackup['backup']> = {}) => {
  const observe = vi.fn<ScheduledBackup['observe']>();
  const logger = { ...silentLogger, info: vi.fn<typeof silentLogger.info>() };
  const backup = { connection: db.connection(), version: '1', passphrase: null, secretKey: null, secretKeyId: null };
  const job = scheduledBackupJob({
    folder,
    minuteOfDay: 195,
    keep: 2,
    backup: { ...backup, ...more },
    observe,
    logger,
  });
  return { job, observe, logger };
};

test('writes one backup a day, at once where one was missed, and keeps the newest', async () => {
  const { job, observe, logger } = jobOf();
  expect(await job.run(NOW)).toMatchObject({ rows: expect.any(Number) });
  expect(observe.mock.calls).toEqual([[null], [NOW]]);
  const [fields] = logger.info.mock.calls[0] ?? [];
  expect(fields).toMatchObject({ file: join(folder, 'plimsoll-2026-11-25T031600Z.backup'), encrypted: false });
  expect(await job.run(NOW + DAY_MS - 61_000)).toBeNull();
  expect(observe).toHaveBeenLastCalledWith(NOW);
  await job.run(NOW + DAY_MS - 60_000);
  expect(await job.run(NOW + DAY_MS - 59_000)).toBeNull();
  await job.run(NOW + 5 * DAY_MS);
  expect(files()).toEqual(['plimsoll-2026-11-26T031500Z.backup', 'plimsoll-2026-11-30T031600Z.backup']);
  // Another process, such as the next start, finds the state in the folder.
  expect(await jobOf().job.run(NOW + 5 * DAY_MS)).toBeNull();
});

test('the file restores into an empty database', async () => {
  await newAccount(db.storage());
  await jobOf().job.run(NOW);
  await db.sql('CREATE DATABASE scheduled_restore TEMPLATE template0');
  try {
    const connection = {
      ...(db.connection() as { host: string; port: number; user: string }),
      database: 'scheduled_restore',
    };
    const input = createReadStream(join(folder, files()[0] ?? ''));
    const restored = await restoreBackup(input, { connection, passphrase: null, overwrite: false });
    expect(restored.rows).toBeGreaterThan(0);
  } finally {
    await db.sql('DROP DATABASE scheduled_restore WITH (FORCE)');
  }
});

test('a stop ends a backup that waits in the database, and leaves nothing', async () => {
  const holder = new Client(db.connection());
  await holder.connect();
  await holder.query('BEGIN; CREATE TABLE zz_held (n int); LOCK TABLE account IN ACCESS EXCLUSIVE MODE');
  try {
    const stopping = new AbortController();
    const ended = jobOf({ signal: stopping.signal })
      .job.run(NOW)
      .catch((error: unknown) => error);
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'plimsoll-backup' AND wait_event_type = 'Lock'";
    await vi.waitFor(async () => expect(await db.sql(waiting)).toHaveLength(1), { timeout: 30_000, interval: 20 });
    stopping.abort(new Error('the API stops'));
    expect(await ended).toBeInstanceOf(Error);
    expect(files()).toEqual([]);
  } finally {
    await holder.end();
  }
});
