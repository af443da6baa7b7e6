import { errorText } from '@plimsoll/contract/rules/error-text';
import { onStopSignal } from '../stop-signals.ts';
import { BackupError } from '../database/backup/errors.ts';
import type { Progress } from '../database/backup/write-backup.ts';

/** The command line is wrong; the message says which part. */
export class UsageError extends Error {}

const EXIT = { failed: 1, wrongUse: 2, badFile: 3, databaseNotFree: 4 } as const;

/** Standard output may be the backup itself. */
export const say = (line: string): void => void process.stderr.write(`plimsoll: ${line}\n`);

export const sizeText = (bytes: number): string =>
  bytes < 1e6
    ? `${(bytes / 1e3).toFixed(1)} kB`
    : bytes < 1e9
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e9).toFixed(2)} GB`;

const PROGRESS_MS = 5000;

/** Prints each table that has rows, and a long one every five seconds. */
export function printProgress(): Progress {
  let printedAt = performance.now();
  let bytes = 0;
  return {
    piece: (table, size) => {
      bytes += size;
      if (performance.now() - printedAt < PROGRESS_MS) return;
      printedAt = performance.now();
      say(`${table.table}: ${sizeText(bytes)} so far`);
    },
    table: (table) => {
      bytes = 0;
      if (table.rows > 0) say(`${table.table}: ${table.rows.toLocaleString('en')} rows`);
    },
  };
}

const FILE_ERRORS = ['not_a_backup', 'unsupported', 'truncated', 'damaged', 'passphrase_missing', 'passphrase_wrong'];

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || (error instanceof TypeError && 'code' in error)) return EXIT.wrongUse;
  if (!(error instanceof BackupError)) return EXIT.failed;
  if (error.code === 'not_empty' || error.code === 'in_use') return EXIT.databaseNotFree;
  return FILE_ERRORS.includes(error.code) ? EXIT.badFile : EXIT.failed;
}

/** Runs a command, prints its error in one line and sets the exit code. A signal ends its work in order. */
export async function runCommand(
  usage: string,
  work: (args: string[], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.length === 0) {
    console.log(usage);
    process.exitCode = args.length === 0 ? EXIT.wrongUse : 0;
    return;
  }
  const abort = new AbortController();
  onStopSignal((name) => abort.abort(new Error(`stopped by ${name}`)));
  try {
    await work(args, abort.signal);
  } catch (error) {
    const reason: unknown = abort.signal.aborted ? abort.signal.reason : error;
    say(errorText(reason));
    process.exitCode = exitCodeOf(error);
    if (process.exitCode === EXIT.wrongUse) console.error(usage);
  }
}
