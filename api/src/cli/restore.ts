import { spawn } from 'node:child_process';
import { createReadStream, existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { findKeyFile, keyFileOf, keyId } from '../accounts/secret-encryption.ts';
import { type Config, loadConfig } from '../config.ts';
import { newestBackups } from '../database/backup/folder.ts';
import type { Manifest } from '../database/backup/records.ts';
import { checkBackup, type RestoredBackup, restoreBackup } from '../database/backup/restore-backup.ts';
import { type Connection, directConnectionOf } from '../database/connection.ts';
import { createDataFolder } from '../database/embedded/folders.ts';
import { startEmbedded } from '../database/embedded/start-embedded.ts';
import { migrate } from '../database/migrate.ts';
import { createLogger } from '../telemetry/logger.ts';
import { printProgress, runCommand, say, UsageError } from './command.ts';

const USAGE = `Usage: npm start -- restore FILE [options]       in a container: node api/src/cli/restore.ts FILE [options]
Restores a backup into an empty database and applies the migrations that came after it. Stop Plimsoll first. Whatever
fails, the database stays as it was. - reads standard input.
  --overwrite  replaces everything in a database that is not empty
  --check      reads the whole file, checks it and counts its rows; needs no database
Opens an encrypted backup with PLIMSOLL_BACKUP_PASSPHRASE_FILE or PLIMSOLL_BACKUP_PASSPHRASE.
Reads DATABASE_URL or PLIMSOLL_DATA_DIR like the API.
Exit 0 restored, 1 failed, 2 wrong use, 3 the file is damaged or its passphrase is wrong, 4 the database is in use or not
empty.`;

interface Request {
  source: string;
  overwrite: boolean;
  check: boolean;
}

/** In a container there is no `ls` to look with. */
function backupsBeside(source: string): string {
  const folder = dirname(source);
  const names = existsSync(folder) ? newestBackups(folder, 5) : [];
  return names.length === 0 ? '' : `The newest backups in ${folder}: ${names.join(', ')}.`;
}

function parse(args: string[]): Request {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { overwrite: { type: 'boolean' }, check: { type: 'boolean' } },
  });
  const [source, ...rest] = positionals;
  if (source === undefined || rest.length > 0) throw new UsageError('FILE: must be one path. Write it after restore.');
  if (source !== '-' && !existsSync(source))
    throw new UsageError(`FILE: ${source} does not exist. Check the path. ${backupsBeside(source)}`.trim());
  return { source, overwrite: values.overwrite ?? false, check: values.check ?? false };
}

/** Puts the key of the backup in its place, or says that the sealed secrets need it. */
function restoreKey({ secretKey, secretKeyId }: Manifest, config: Config): void {
  if (secretKeyId === null) return;
  const current = config.secretKey ?? findKeyFile(config.dataDir);
  if (current !== null && keyId(current) === secretKeyId) return;
  const file = keyFileOf(config.dataDir);
  if (secretKey === null) {
    say(
      `the backup's channel tokens and second factors were sealed with another secret.key: copy that file to ${file}, or enter the tokens again`,
    );
    return;
  }
  createDataFolder(config.dataDir);
  if (existsSync(file)) renameSync(file, `${file}.before-restore`);
  writeFileSync(file, `${secretKey}\n`, { mode: 0o600, flag: 'wx' });
  say(`secret.key of the backup is in ${file}`);
  if (config.secretKey !== null) say('PLIMSOLL_SECRET_KEY is another key and hides that file: remove the setting');
}

function report({ header, manifest, rows }: RestoredBackup, done: string): void {
  const tables = `${rows.toLocaleString('en')} rows of ${String(manifest.tables.length)} tables`;
  say(`${done}: ${tables}, made ${header.createdAt} by Plimsoll ${header.plimsoll}`);
}

async function openTarget(config: Config): Promise<{ connection: Connection; stop: () => Promise<void> }> {
  const connection = directConnectionOf(config);
  if (connection !== null) return { connection, stop: () => Promise.resolve() };
  const logger = createLogger({ ...config.log, level: 'warn' });
  const { dataDir, databaseUser: user, runtimeDir } = config;
  return startEmbedded({ dataDir, logger, user, runtimeDir });
}

/**
 * Opens the backup. Opening a named pipe blocks a thread of Node until somebody writes, and no signal ends that. A `cat`
 * waits in its place, and ends with the input.
 */
function open(source: string): Readable {
  if (source === '-') return process.stdin;
  if (!statSync(source).isFIFO()) return createReadStream(source);
  const cat = spawn('cat', ['--', source], { stdio: ['ignore', 'pipe', 'inherit'] });
  cat.once('error', (error) => cat.stdout.destroy(error));
  return cat.stdout.once('close', () => cat.kill());
}

await runCommand(USAGE, async (args, signal) => {
  const { source, overwrite, check } = parse(args);
  const config = loadConfig();
  const input = open(source);
  // The reader gets the error; before it reads, nobody does.
  input.on('error', () => {});
  signal.addEventListener('abort', () => input.destroy(signal.reason as Error));
  const bytes = input as AsyncIterable<Buffer>;
  if (check) {
    report(await checkBackup(bytes, config.backupPassphrase), 'the backup is whole');
    return;
  }
  const database = await openTarget(config);
  try {
    const options = { connection: database.connection, passphrase: config.backupPassphrase, overwrite };
    const restored = await restoreBackup(bytes, { ...options, progress: printProgress() });
    report(restored, 'restored');
    const later = await migrate(database.connection);
    if (later.length > 0) say(`${String(later.length)} later migrations applied`);
    restoreKey(restored.manifest, config);
  } finally {
    input.destroy();
    await database.stop();
  }
});
