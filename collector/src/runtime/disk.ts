import {
  closeSync,
  constants,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Calls of the spool and the credentials on the state directory; tests wrap it to make a disk fail. */
export interface Disk {
  /** Names in the directory, sorted. */
  list(): string[];
  read(name: string): Buffer;
  readAt(name: string, offset: number, length: number): Buffer;
  /** Adds at the end; durable on return when `sync`. */
  append(name: string, bytes: Uint8Array, sync: boolean): void;
  truncate(name: string, length: number): void;
  /** Whole file or nothing, readable by the owner only; durable on return unless `sync` is false. */
  replace(name: string, text: string, sync?: boolean): void;
  remove(name: string): void;
  /** Free for this user, in bytes and as a share of the disk (0–1). */
  free(): { bytes: number; share: number };
}

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
/** Root may use a state directory of another user: a link planted there must not lead a write elsewhere. */
const APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW;
const NEW = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
const CHANGE = O_WRONLY | O_NOFOLLOW;

/** Makes the directory (0700) when it is missing. */
export function diskAt(directory: string): Disk {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = (name: string): string => join(directory, name);
  return {
    list: () => readdirSync(directory).toSorted(),
    read: (name) => readFileSync(path(name)),
    readAt: (name, offset, length) => readAt(path(name), offset, length),
    append: (name, bytes, sync) => {
      withFile(path(name), APPEND, (descriptor) => {
        writeAll(descriptor, bytes);
        if (sync) fdatasyncSync(descriptor);
      });
    },
    truncate: (name, length) => withFile(path(name), CHANGE, (descriptor) => ftruncateSync(descriptor, length)),
    replace: (name, text, sync = true) => replaceFile(path(name), text, sync),
    remove: (name) => rmSync(path(name), { force: true }),
    free: () => {
      const space = statfsSync(directory);
      return { bytes: space.bavail * space.bsize, share: space.blocks > 0 ? space.bavail / space.blocks : 1 };
    },
  };
}

function withFile<T>(path: string, flags: string | number, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags, 0o600);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

function readAt(path: string, offset: number, length: number): Buffer {
  return withFile(path, 'r', (descriptor) => {
    const bytes = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const got = readSync(descriptor, bytes, filled, length - filled, offset + filled);
      if (got === 0) break;
      filled += got;
    }
    return bytes.subarray(0, filled);
  });
}

/** The rename is durable only when the directory is synced too. */
function replaceFile(path: string, text: string, sync: boolean): void {
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  withFile(temporary, NEW, (descriptor) => {
    writeAll(descriptor, Buffer.from(text));
    if (sync) fsyncSync(descriptor);
  });
  renameSync(temporary, path);
  if (sync) withFile(dirname(path), 'r', fsyncSync);
}
