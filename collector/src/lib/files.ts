import { closeSync, fstatSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orNull } from './or-null.ts';

/** What the sources read; tests give a directory of captured files as the root. */
export interface Files {
  /** Whole text of a small file under the root. Throws an error that names the file and the reason. */
  text(path: string): string;
  /** Null instead of an error: for files not every kernel has. */
  optional(path: string): string | null;
  /** Hands out the lines of a file one by one, without ever holding the whole. For ASCII. Throws as `text` does. */
  lines(path: string, each: (line: string) => void): void;
  /** First 64 KiB of a file as bytes, without copying: valid until the next read of anything. Throws. */
  bytes(path: string): Buffer;
  /** The last bytes of a file as text; null when it cannot be read. */
  tail(path: string, bytes: number): string | null;
  /** Names in a directory; none when it cannot be read. */
  list(path: string): string[];
  link(path: string): string | null;
  /** Owner, size and time of change; null when it is not there. */
  stat(path: string): { uid: number; bytes: number; changedMs: number; inode: number } | null;
}

const BUFFER_BYTES = 65_536;
/** Longest file read whole: /proc/net/tcp of a busy host may have some MB. */
const FILE_BYTES = 64 * 1_048_576;

/** One buffer serves all reads: a collection allocates strings only. */
const shared = Buffer.allocUnsafe(BUFFER_BYTES);

export function filesUnder(root: string): Files {
  const text = (path: string): string => readText(join(root, path));
  return {
    text,
    optional: (path) => orNull(() => text(path)),
    lines: (path, each) => {
      readLines(join(root, path), each);
    },
    bytes: (path) => readBytes(join(root, path)),
    tail: (path, bytes) => orNull(() => readTail(join(root, path), bytes)),
    list: (path) => orNull(() => readdirSync(join(root, path))) ?? [],
    link: (path) => orNull(() => readlinkSync(join(root, path))),
    stat: (path) => {
      const found = orNull(() => statSync(join(root, path)));
      return found ? { uid: found.uid, bytes: found.size, changedMs: found.mtimeMs, inode: found.ino } : null;
    },
  };
}

function readBytes(path: string): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    return shared.subarray(0, readSync(descriptor, shared, 0, BUFFER_BYTES, null));
  } finally {
    closeSync(descriptor);
  }
}

function readTail(path: string, bytes: number): string {
  const descriptor = openSync(path, 'r');
  try {
    const end = fstatSync(descriptor).size;
    const wanted = Buffer.alloc(Math.min(bytes, end));
    const got = readSync(descriptor, wanted, 0, wanted.length, end - wanted.length);
    return wanted.toString('utf8', 0, got);
  } finally {
    closeSync(descriptor);
  }
}

/** Files of /proc have no size and hand out a page at a time: the end is where a read gives nothing. */
function readText(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    return readToEnd(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readLines(path: string, each: (line: string) => void): void {
  const descriptor = openSync(path, 'r');
  try {
    let rest = '';
    for (let got = -1; got !== 0;) {
      got = readSync(descriptor, shared, 0, BUFFER_BYTES, null);
      // What follows the last line break is the beginning of a line, or its whole at the end of the file.
      const lines = (rest + shared.toString('latin1', 0, got)).split('\n');
      rest = got === 0 ? '' : (lines.pop() ?? '');
      for (const line of lines) if (line !== '') each(line);
    }
  } finally {
    closeSync(descriptor);
  }
}

function readToEnd(descriptor: number): string {
  const decoder = new TextDecoder();
  let whole = '';
  let filled = 0;
  for (let total = 0; total <= FILE_BYTES;) {
    if (filled === BUFFER_BYTES) {
      whole += decoder.decode(shared, { stream: true });
      filled = 0;
    }
    const got = readSync(descriptor, shared, filled, BUFFER_BYTES - filled, null);
    if (got === 0) return whole + decoder.decode(shared.subarray(0, filled));
    filled += got;
    total += got;
  }
  throw new Error(`file is larger than ${FILE_BYTES} bytes`);
}
