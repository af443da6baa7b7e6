export interface PaletteItem {
  id: string;
  /** "Page", "Server", "Action". */
  kind: string;
  name: string;
}

/** 0 begins with it, 1 a word begins with it, 2 it is somewhere inside; null not at all. */
function rank(name: string, query: string): number | null {
  const text = name.toLowerCase();
  if (text.startsWith(query)) return 0;
  const at = text.indexOf(query);
  if (at < 0) return null;
  return /[^a-z0-9]/.test(text[at - 1] ?? '') ? 1 : 2;
}

/** The items that match, best first, in the order given among equals; all when nothing is asked. */
export function matchItems<T extends PaletteItem>(items: readonly T[], query: string, most: number): T[] {
  const wanted = query.trim().toLowerCase();
  return items
    .flatMap((item) => {
      const found = wanted === '' ? 0 : rank(item.name, wanted);
      return found === null ? [] : [{ item, found }];
    })
    .toSorted((a, b) => a.found - b.found)
    .slice(0, most)
    .map(({ item }) => item);
}
