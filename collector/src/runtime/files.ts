import { closeSync, fstatSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';
import { orNull } from './or-null.ts';

/** Files that the sources read; tests use a directory of captured files as the root. */
export interface Files {
  /** Whole text of a small file under the root. Throws an error that names the file and the reason. */
  text(path: string): string;
  /** Null instead of an error: for files not every kernel has. */
  optional(path: string): string | null;
  /**
   * Hands out the lines of a file one by one, without ever holding the whole or making a text of any; empty ones are left
   * out. For tables with lines of up to 512 bytes. Throws as `text` does.
   */
  lines(path: string, each: EachLine): void;
  /** First 64 KiB of a file as bytes, without copying: valid until the next read of anything. Throws. */
  bytes(path: string): Buffer;
  /**
   * Reads at most `most` bytes from the start; null when the file cannot be read. For files whose length another user
   * decides. `whole` is false when the file may go on.
   */
  head(path: string, most: number): Head | null;
  /** The last bytes of a file as text; null when it cannot be read. */
  tail(path: string, bytes: number): string | null;
  /** Names in a directory; none when it cannot be read. */
  list(path: string): string[];
  link(path: string): string | null;
  /** Owner, size and time of change; null when it is not there. */
  stat(path: string): { uid: number; bytes: number; changedMs: number; inode: number } | null;
}

export interface Head {
  text: string;
  whole: boolean;
}

/** Receives the position of a line, without its line break, in a buffer that the next read overwrites. */
export type EachLine = (bytes: Buffer, from: number, to: number) => void;

const BUFFER_BYTES = 65_536;
const LINE_BREAK = 10;
/** Longest file read whole: /proc/cpuinfo of 4096 cores and the mounts of a busy node have some MB. */
const FILE_BYTES = 16 * 1_048_576;
/**
 * The kernel hands out a table of sockets in whole lines of 150 bytes, at least as many as fit a page. A read that left
 * room for more was the last one. One more read makes the kernel walk its hash table again, 4 ms on a host of 16 GB.
 * Tables with lines above 512 bytes (mounts have them) may stop short of a page and are read as text.
 */
const PAGE_BYTES = 4096;
const LAST_READ_BELOW = PAGE_BYTES - 512;

/** One buffer serves all reads: a collection allocates strings only. */
const shared = Buffer.allocUnsafe(BUFFER_BYTES);

/** One view of the buffer for each length met: thousands of short files a cycle would else leave as many views to collect. */
const views: Buffer[] = [];
const VIEW_BYTES = 1024;
const firstBytes = (count: number): Buffer =>
  count < VIEW_BYTES ? (views[count] ??= shared.subarray(0, count)) : shared.subarray(0, count);

/** `read` is for tests that count. */
export function filesUnder(root: string, read: typeof readSync = readSync): Files {
  const base = root.endsWith('/') ? root : `${root}/`;
  const text = (path: string): string => readText(base + path);
  return {
    text,
    optional: (path) => orNull(() => text(path)),
    lines: (path, each) => {
      readLines(base + path, each, read);
    },
    bytes: (path) => readBytes(base + path),
    head: (path, most) => orNull(() => readHead(base + path, most)),
    tail: (path, bytes) => orNull(() => readTail(base + path, bytes)),
    list: (path) => orNull(() => readdirSync(base + path)) ?? [],
    link: (path) => orNull(() => readlinkSync(base + path)),
    stat: (path) => {
      const found = orNull(() => statSync(base + path));
      return found ? { uid: found.uid, bytes: found.size, changedMs: found.mtimeMs, inode: found.ino } : null;
    },
  };
}

function readBytes(path: string): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    return firstBytes(readSync(descriptor, shared, 0, BUFFER_BYTES, null));
  } finally {
    closeSync(descriptor);
  }
}

/** One byte short of `most` is the most that proves the end: no read goes past the bound to look for it. */
function readHead(path: string, most: number): Head {
  const bound = Math.min(most, BUFFER_BYTES);
  const descriptor = openSync(path, 'r');
  try {
    let filled = 0;
    for (let got = 1; got > 0 && filled < bound; filled += got)
      got = readSync(descriptor, shared, filled, bound - filled, null);
    return { text: shared.toString('utf8', 0, filled), whole: filled < bound };
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

function readLines(path: string, each: EachLine, read: typeof readSync): void {
  const descriptor = openSync(path, 'r');
  try {
    let bytes = shared;
    // After the last line break comes the start of a line, or a whole line at the end of the file.
    let rest = 0;
    for (let got = BUFFER_BYTES; got >= LAST_READ_BELOW;) {
      if (bytes.length - rest < PAGE_BYTES) bytes = Buffer.concat([bytes], 2 * bytes.length);
      got = read(descriptor, bytes, rest, bytes.length - rest, null);
      const end = rest + got;
      let from = 0;
      for (let to = bytes.indexOf(LINE_BREAK, rest); to !== -1 && to < end; to = bytes.indexOf(LINE_BREAK, from)) {
        if (to > from) each(bytes, from, to);
        from = to + 1;
      }
      bytes.copyWithin(0, from, end);
      rest = end - from;
    }
    if (rest > 0) each(bytes, 0, rest);
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
