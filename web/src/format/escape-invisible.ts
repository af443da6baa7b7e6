/**
 * Control characters, line breaks and the marks that turn text around (Trojan Source, CVE-2021-42574).
 * Strangers write the names of hosts and processes.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Returns the text with each character that hides or reorders others written as its code: "\u202E". */
export function escapeInvisible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

/** Returns a message as `escapeInvisible` does and keeps its line ends. */
export const escapeMessage = (text: string): string => text.split('\n').map(escapeInvisible).join('\n');
