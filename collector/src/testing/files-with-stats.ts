import type { Files } from '../runtime/files.ts';
import { fakeFiles, linesOf } from './captured.ts';

export interface FakeFile {
  text?: string;
  /** Target of a symbolic link. */
  link?: string;
  /** Epoch milliseconds; 0 when left out. */
  changedMs?: number;
}

/** Files with sizes, times and links. The map may change between two readings. */
export function filesWithStats(files: ReadonlyMap<string, FakeFile>): Files {
  const textOf = (path: string): string => {
    const found = files.get(path)?.text;
    if (found === undefined) throw new Error(`${path}: no such file`);
    return found;
  };
  return {
    ...fakeFiles({}),
    text: textOf,
    lines: (path, each) => {
      linesOf(textOf(path), each);
    },
    optional: (path) => files.get(path)?.text ?? null,
    head: (path, most) => {
      const text = files.get(path)?.text;
      return text === undefined ? null : { text: text.slice(0, most), whole: text.length < most };
    },
    list: (path) => [
      ...new Set(
        [...files.keys()]
          .filter((name) => name.startsWith(`${path}/`))
          .map((name) => name.slice(path.length + 1).split('/')[0] ?? ''),
      ),
    ],
    link: (path) => files.get(path)?.link ?? null,
    stat: (path) => {
      const found = files.get(path);
      if (found === undefined) return null;
      const bytes = Buffer.byteLength(found.text ?? '');
      return { uid: 0, bytes, changedMs: found.changedMs ?? 0, inode: 1 };
    },
  };
}
