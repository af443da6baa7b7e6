export interface PaletteItem {
  id: string;
  /** "Page", "Server", "Action". */
  kind: string;
  name: string;
  /** More to find it by: the tags of a server. */
  also?: string;
  /** One of hundreds: comes one rank later, so that three letters find a server before the pods of a deployment. */
  many?: boolean;
}

const WORD_START = /[^a-z0-9]/;
/** Ranks: begins with it, a word begins with it, is inside, its other words hold it, its letters come in this order. */
const BEGINS = 0;
const WORD = 1;
const INSIDE = 2;
const ALSO = 3;
const LETTERS = 4;

/** Returns true if the letters of the query come in the text in their order: "wf1" in "web-fra-01". */
function hasLetters(text: string, query: string): boolean {
  let at = 0;
  for (const letter of query) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Letters in order are found in any long text by chance: the first one must begin a word. */
const beginsAWord = (text: string, letter: string) => text.split(WORD_START).some((word) => word.startsWith(letter));

function rank({ name, also = '' }: PaletteItem, query: string): number | null {
  const text = name.toLowerCase();
  if (text.startsWith(query)) return BEGINS;
  const at = text.indexOf(query);
  if (at >= 0) return WORD_START.test(text[at - 1] ?? '') ? WORD : INSIDE;
  if (also.toLowerCase().includes(query)) return ALSO;
  const letters = query.replaceAll(/\s+/g, '');
  return letters.length > 1 && beginsAWord(text, letters[0] ?? '') && hasLetters(text, letters) ? LETTERS : null;
}

/** The items that match, best first, in the order given among equals; all when nothing is asked. */
export function matchItems<T extends PaletteItem>(items: readonly T[], query: string, most: number): T[] {
  const wanted = query.trim().toLowerCase();
  return items
    .flatMap((item) => {
      const found = wanted === '' ? 0 : rank(item, wanted);
      return found === null ? [] : [{ item, found: found + (item.many ? 1 : 0) }];
    })
    .toSorted((a, b) => a.found - b.found)
    .slice(0, most)
    .map(({ item }) => item);
}
