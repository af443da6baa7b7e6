import type { Files } from '../../runtime/files.ts';

/** Assignments of the system's os-release(5); none where it has no such file. */
export const readOsRelease = (files: Files): Map<string, string> =>
  parseOsRelease(files.optional('etc/os-release') ?? files.optional('usr/lib/os-release') ?? '');

/** os-release(5): shell-like assignments. */
export function parseOsRelease(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([A-Z0-9_]+)=(["']?)(.*)\2\s*$/.exec(line);
    if (match?.[1] !== undefined) values.set(match[1], (match[3] ?? '').replace(/\\(.)/g, '$1'));
  }
  return values;
}
