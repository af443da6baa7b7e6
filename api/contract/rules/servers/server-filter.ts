/** The texts of a server that a search looks at. */
export interface SearchedServer {
  names: readonly (string | null | undefined)[];
  /** Operating system, version and architecture. */
  system: readonly (string | null | undefined)[];
  region: string | null | undefined;
  tags: Readonly<Record<string, string>>;
}

/** Returns the words of a search, in lower case. */
export const searchWords = (search: string): string[] => search.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns true if every word occurs somewhere in the name, the system, the region or a tag (`name=value`). */
export function matchesServer({ names, system, region, tags }: SearchedServer, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = [...names, ...system, region, ...Object.entries(tags).map(([name, value]) => `${name}=${value}`)]
    .filter((part) => part != null)
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
