import { join } from 'node:path';
import { type EachLine, filesUnder, type Files } from '../runtime/files.ts';

/** Files captured from a real host: collector/fixtures/linux/NAME. */
export const captured = (name: string): Files => filesUnder(join(import.meta.dirname, '../../fixtures/linux', name));

/** Text of one captured file. */
export const capturedText = (name: string, path: string): string => captured(name).text(path);

/** Files given by path, over nothing or over captured ones. */
export function fakeFiles(texts: Record<string, string>, below?: Files): Files {
  const text = (path: string): string => {
    const known = texts[path];
    if (known !== undefined) return known;
    if (below) return below.text(path);
    throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
  };
  return {
    text,
    optional: (path) => {
      try {
        return text(path);
      } catch {
        return null;
      }
    },
    lines: (path, each) => {
      linesOf(text(path), each);
    },
    list: (path) => {
      const under = path === '' ? '' : `${path}/`;
      const own = Object.keys(texts).filter((name) => name.startsWith(under));
      const names = own.map((name) => name.slice(under.length).split('/')[0] ?? '');
      return [...new Set([...names, ...(below?.list(path) ?? [])])];
    },
    bytes: (path) => Buffer.from(text(path)),
    head: (path, most) => {
      const whole = texts[path];
      if (whole === undefined) return below?.head(path, most) ?? null;
      const bytes = Buffer.from(whole);
      return { text: bytes.toString('utf8', 0, most), whole: bytes.length < most };
    },
    tail: (path, bytes) => {
      const whole = texts[path];
      return whole === undefined ? (below?.tail(path, bytes) ?? null) : Buffer.from(whole).subarray(-bytes).toString();
    },
    link: (path) => below?.link(path) ?? null,
    stat: (path) =>
      texts[path] === undefined
        ? (below?.stat(path) ?? null)
        : { uid: 0, bytes: text(path).length, changedMs: 0, inode: 1 },
  };
}

/** Hands out the lines of a text as `Files` does. */
export function linesOf(text: string, each: EachLine): void {
  for (const line of text.split('\n')) if (line !== '') each(Buffer.from(line), 0, Buffer.byteLength(line));
}
