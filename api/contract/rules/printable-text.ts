/** Printable ASCII, as nearly every text: nothing to do. */
const PLAIN = /^[ -~]*$/;

/**
 * Returns a text of outside as it can be stored and shown: well-formed, without control characters, cut after
 * `characters` code points. PostgreSQL refuses NUL, and in JSON also half of a surrogate pair.
 */
export function printableText(text: string, characters = Infinity): string {
  if (text.length <= characters && PLAIN.test(text)) return text;
  return cutText(text, characters)
    .toWellFormed()
    .replace(/\p{Cc}/gu, (c) => (c === '\0' ? ' ' : '\uFFFD'));
}

/** Returns a text of several lines, such as the answer of a model, as it can be stored: line ends and tabs stay. */
export const printableLines = (text: string): string =>
  text.toWellFormed().replace(/(?![\n\r\t])\p{Cc}/gu, (c) => (c === '\0' ? ' ' : '\uFFFD'));

/** Makes every text of a JSON tree storable, keys included. Use it on what another program has sent as JSON. */
export function printableTree<T>(tree: T): T {
  const of = (value: unknown): unknown => {
    if (typeof value === 'string') return printableLines(value);
    if (Array.isArray(value)) return value.map(of);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [printableLines(key), of(child)]));
  };
  return of(tree) as T;
}

/**
 * Returns true if PostgreSQL stores every text of a tree as it is. It keeps a list of what is left, because a tree that
 * another program sent may nest deeper than calls can.
 */
export function isStorable(tree: unknown): boolean {
  const left = [tree];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) left.push(key, child);
  }
  return true;
}

/** Cuts a text after `characters` code points, so never inside a surrogate pair. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = 0;
  for (let count = 0; count < characters && end < text.length; count += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** Returns true if a reader sees anything of the text: a name of spaces and control characters names nothing. */
export const isVisible = (text: string): boolean => /[^\p{C}\p{Z}\uFFFD]/u.test(text);

/** Line breaks, control characters and the marks that hide text or turn it around (Trojan Source, CVE-2021-42574). */
const HIDING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** Returns what is wrong with a name that people type, as `must …`; null: a reader sees all of it in one line. */
export const nameProblem = (name: string): string | null =>
  HIDING.test(name) || !name.isWellFormed()
    ? 'must be one line without control characters and marks that hide or turn text. Type it instead of pasting it'
    : null;

/**
 * Returns what a table has for a text from outside; undefined: nothing. Every object inherits `constructor` and `__proto__`,
 * so a plain lookup finds a function or an object where a text was expected.
 */
export const ownValue = <T>(table: Readonly<Partial<Record<string, T>>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
