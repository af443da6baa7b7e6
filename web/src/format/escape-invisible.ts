/**
 * Control characters, line breaks and the marks that turn text around (Trojan Source, CVE-2021-42574).
 * What a host or a process calls itself is written by strangers.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** The text with every character that hides or reorders others written as its code: "\u202E". */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });
}
