/** Control characters, line breaks and the marks that turn text around (Trojan Source, CVE-2021-42574). */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

const CODES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const visible = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
};

/** Returns a text for an element or a quoted attribute of HTML or XML. Characters that hide others become visible. */
export const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(HIDDEN, visible)
    .replace(/[&<>"']/g, (character) => CODES[character] ?? character);

/** Returns a text as `escapeText` does, and keeps its line ends. */
export const escapeLines = (text: string): string => text.split(/\r?\n/).map(escapeText).join('\n');
