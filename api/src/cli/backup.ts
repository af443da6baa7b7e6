import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findKeyFile, keyId } from '../accounts/secret-encryption.ts';
import { VERSION } from '../version.ts';
import { systemClock } from '../clock.ts';
import { type Config, loadConfig } from '../config.ts';
import { namedByTime, pruneBackups } from '../database/backup/folder.ts';
import { writeBackup, writeBackupFile, type BackupOptions } from '../database/backup/write-backup.ts';
import { directConnectionOf } from '../database/connection.ts';
import { openEmbedded } from '../database/embedded/start-embedded.ts';
import { createLogger } from '../telemetry/logger.ts';
import { printProgress, runCommand, say, sizeText, UsageError } from './command.ts';

const USAGE = `Usage: npm start -- backup FILE [options]        in a container: node api/src/cli/backup.ts FILE [options]
Writes all tables as they were at one moment, while Plimsoll runs or is stopped. FILE must not exist. A folder gets a
file named by the time. - writes to standard output.
  --keep N              in a folder: afterwards deletes all but the newest N backups
  --include-secret-key  adds secret.key, which opens channel tokens and second factors; only with a passphrase
Encrypts with PLIMSOLL_BACKUP_PASSPHRASE_FILE or PLIMSOLL_BACKUP_PASSPHRASE, at least 16 characters.
Reads DATABASE_URL or PLIMSOLL_DATA_DIR like the API.
Exit 0 written, 1 failed, 2 wrong use.`;

interface Request {
  target: string;
  keep: number | null;
  includeSecretKey: boolean;
}

function parse(args: string[]): Request {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { keep: { type: 'string' }, 'include-secret-key': { type: 'boolean' } },
  });
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0) throw new UsageError('FILE: must be one path. Write it after backup.');
  if (values.keep !== undefined && !/^[1-9]\d{0,3}$/.test(values.keep))
    throw new UsageError('--keep: must be a whole number from 1 to 9999.');
  return {
    target,
    keep: values.keep === undefined ? null : Number(values.keep),
    includeSecretKey: values['include-secret-key'] ?? false,
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function checkRequest({ target, keep, includeSecretKey }: Request, config: Config): void {
  if (includeSecretKey && config.backupPassphrase === null)
    throw new UsageError('--include-secret-key: needs an encrypted backup. Set PLIMSOLL_BACKUP_PASSPHRASE_FILE.');
  if (keep !== null && !isFolder(target)) throw new UsageError('--keep: needs a folder that exists as FILE.');
  if (target !== '-' && !isFolder(target) && statSync(target, { throwIfNoEntry: false }))
    throw new UsageError(`FILE: ${target} exists. Choose another name, or give the folder alone.`);
}

async function write(request: Request, options: BackupOptions): Promise<void> {
  const { target, keep } = request;
  const path = isFolder(target) ? namedByTime(target, options.now) : target;
  const summary = target === '-' ? await writeBackup(process.stdout, options) : await writeBackupFile(path, options);
  say(
    `${summary.rows.toLocaleString('en')} rows of ${String(summary.tables)} tables, ${sizeText(summary.bytes)}${target === '-' ? '' : ` in ${path}`}, ${options.passphrase === null ? 'not encrypted' : 'encrypted'}`,
  );
  if (keep !== null) for (const name of pruneBackups(target, keep, options.now)) say(`deleted ${name}`);
  if (options.secretKey === null)
    say(
      'secret.key is not in the backup. Keep a copy of it elsewhere: without it channel tokens and second factors are lost',
    );
}

await runCommand(USAGE, async (args, signal) => {
  const request = parse(args);
  const config = loadConfig();
  checkRequest(request, config);
  const logger = createLogger({ ...config.log, level: 'warn' });
  const { dataDir, databaseUser: user, runtimeDir } = config;
  const connection = directConnectionOf(config);
  const database =
    connection === null
      ? await openEmbedded({ dataDir, logger, user, runtimeDir })
      : { connection, stop: () => Promise.resolve() };
  const key = config.secretKey ?? findKeyFile(dataDir);
  if (request.includeSecretKey && key === null)
    throw new UsageError(`--include-secret-key: there is no secret.key in ${dataDir}. Set PLIMSOLL_DATA_DIR.`);
  try {
    await write(request, {
      connection: database.connection,
      version: VERSION,
      now: systemClock.now(),
      passphrase: config.backupPassphrase,
      secretKey: request.includeSecretKey ? key : null,
      secretKeyId: key && keyId(key),
      progress: printProgress(),
      signal,
    });
  } finally {
    await database.stop();
  }
});
