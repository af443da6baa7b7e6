/** Cuts a text into words as a shell does, so that a quoted value with blanks in it stays one word. */

const SPECIAL = /[\s"'\\]/g;
const BLANK = /\s/;

/** Yields words and the white space between them in turn; joined, they are the text. Linear. */
export function* shellPieces(text: string): Generator<string, void> {
  const lastSingle = text.lastIndexOf("'");
  let doubleIsClosed = true;

  const closing = (quote: string, open: number): number => {
    if (quote === "'") return open < lastSingle ? text.indexOf("'", open + 1) : -1;
    if (!doubleIsClosed) return -1;
    for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
      let before = at;
      while (before > open + 1 && text.charAt(before - 1) === '\\') before -= 1;
      if ((at - before) % 2 === 0) return at;
    }
    doubleIsClosed = false;
    return -1;
  };
  const endOfWord = (start: number): number => {
    const isOption = text.charAt(start) === '-';
    for (let at = start; ;) {
      SPECIAL.lastIndex = at;
      const found = SPECIAL.exec(text);
      if (!found) return text.length;
      const [character] = found;
      if (character === '\\') at = Math.min(text.length, found.index + 2);
      else if (BLANK.test(character)) return found.index;
      else {
        // An apostrophe inside a word of prose opens nothing.
        const opens = isOption || found.index === start || !/\w/.test(text.charAt(found.index - 1));
        at = (opens ? Math.max(found.index, closing(character, found.index)) : found.index) + 1;
      }
    }
  };

  for (let at = 0; at < text.length;) {
    const start = at;
    if (BLANK.test(text.charAt(at))) while (at < text.length && BLANK.test(text.charAt(at))) at += 1;
    else at = endOfWord(at);
    yield text.slice(start, at);
  }
}
