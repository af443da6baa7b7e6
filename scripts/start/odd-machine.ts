import { readFileSync } from 'node:fs';

/** Reading the migrations and serving a few browsers takes up to 150 files at once; a start with 64 fails half-way. */
const LEAST_OPEN_FILES = 256;

/** Throws if this shell allows too few open files. `limits` is the text of /proc/self/limits; null where there is none. */
export function requireOpenFiles(limits: string | null = readLimits()): void {
  // Node raises the soft limit to the hard one by itself.
  const allowed = /^Max open files\s+(\d+)/m.exec(limits ?? '')?.[1];
  if (allowed === undefined || Number(allowed) >= LEAST_OPEN_FILES) return;
  throw new Error(
    `only ${allowed} open files are allowed here, and Plimsoll needs ${String(LEAST_OPEN_FILES)}. Run: ulimit -n 1024 (or set LimitNOFILE= of the service)`,
  );
}

function readLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
}

const REMEDIES: Partial<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free at least 500 MB, or set PLIMSOLL_DATA_DIR to a folder on another disk.',
  EDQUOT: 'The quota of this user is used up. Free some space, or set PLIMSOLL_DATA_DIR to another folder.',
  EACCES: 'This user may not do that. Give it the folder, or set PLIMSOLL_DATA_DIR to a folder of its own.',
  EPERM: 'This user may not do that. Give it the folder, or set PLIMSOLL_DATA_DIR to a folder of its own.',
  EROFS: 'That file system is read-only. Set PLIMSOLL_DATA_DIR to a folder that can be written.',
  EMFILE: 'Too few open files are allowed. Run: ulimit -n 1024',
};

/** Returns the message of an error of the system with the remedy; that of any other error as it is. */
export function explainFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const remedy = REMEDIES[(error as NodeJS.ErrnoException).code ?? ''];
  return remedy === undefined ? error.message : `${error.message}. ${remedy}`;
}
