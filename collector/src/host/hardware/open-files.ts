import type { UseOfLimit } from '@plimsoll/contract/wire/hardware';
import type { Source } from '../../source.ts';
import type { Files } from '../../runtime/files.ts';

/** Open files of the whole machine, of the most that the kernel allows (`fs.file-max`). */
export function openFilesSource(files: Files): Source {
  return {
    name: 'open-files',
    instant: true,
    read: async () => {
      const part = parseFileNr(files.optional('proc/sys/fs/file-nr') ?? '');
      return part === null
        ? { part: {}, note: '/proc/sys/fs/file-nr does not hold three numbers' }
        : { part: { open_files: part } };
    },
  };
}

/** Text of file-nr: allocated, unused, most. A kernel without a limit has 2^63 − 1 there. */
export function parseFileNr(text: string): UseOfLimit | null {
  const [allocated, unused, most] = /^(\d+)\s+(\d+)\s+(\d+)\s*$/.exec(text)?.slice(1).map(Number) ?? [];
  if (allocated === undefined || unused === undefined || most === undefined) return null;
  return { used: allocated - unused, max: Number.isSafeInteger(most) ? most : null };
}
