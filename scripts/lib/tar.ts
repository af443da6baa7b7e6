import { pack } from 'tar-stream';

/** One file of an archive. */
export interface Entry {
  name: string;
  content: Buffer;
  executable?: boolean;
}

/**
 * Returns a tar archive whose bytes depend on the entries alone: owner 0, time 0, entries in the order given.
 * Only GNU's tar can leave owner and time out, and macOS has another.
 */
export async function tar(entries: Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, content, executable = false } of entries)
    archive.entry({ name, mode: executable ? 0o755 : 0o644, mtime: new Date(0), uid: 0, gid: 0 }, content);
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
