import type { Part, Source } from '../../source.ts';

/** Returns a source and what it read last of one list, for a source after it in the same reading. Empty: it failed. */
export function remembered<K extends 'filesystems'>(
  source: Source,
  name: K,
): { source: Source; seen: () => NonNullable<Part[K]> } {
  let last: NonNullable<Part[K]> = [];
  return {
    source: {
      ...source,
      read: async (now) => {
        last = [];
        const taken = await source.read(now);
        last = taken.part[name] ?? [];
        return taken;
      },
    },
    seen: () => last,
  };
}
