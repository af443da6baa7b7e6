import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { REDACTED, redactArguments } from '@plimsoll/contract/redaction/redact';
import type { Head } from '../runtime/files.ts';
import { cutToBytes } from '../runtime/cut-to-bytes.ts';

const NUL = '\0';

/**
 * Returns the command line as it may leave the host: without secrets, without arguments when the owner set that, and cut
 * to the wire's limit. `read` is the start of /proc/PID/cmdline: words that end with NUL; a program that renamed itself
 * has one word.
 */
export function showCommand(read: Head, name: string, stripArguments: boolean): string {
  const words = wordsOf(read);
  if (words.length === 1 && words[0] === '') return `[${name}]`;
  const shown = stripArguments ? [words[0]?.split(' ', 1)[0] ?? ''] : redactArguments(words, REPORT_LIMITS.stringBytes);
  return cutToBytes(shown.join(' '), REPORT_LIMITS.stringBytes);
}

function wordsOf({ text, whole }: Head): string[] {
  // By hand: a pattern for the NULs at the end takes quadratic time on NULs in the middle.
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === NUL) end -= 1;
  const words = text.slice(0, end).split(NUL);
  if (whole || end < text.length) return words;
  return [...words.slice(0, -1), withoutUnfinished(words.at(-1) ?? '')];
}

const BLANKS = [' ', '\t', '\n'];

/** A list of absolute paths, as a class path is: `/a:/b`, also after an option's name. */
const PATH_LIST = /^(?:-{0,2}[\w.-]{1,64}=)?(?:\/[\w.+/*-]*[:,;])+/;

/**
 * Hides the last piece of an argument that goes on past the bytes read. Without its end a secret has lost what shows
 * that it is one: the "@" after a password, a closing quote, the length of a token.
 */
function withoutUnfinished(word: string): string {
  const paths = PATH_LIST.exec(word)?.[0];
  if (paths !== undefined && !/\s/.test(word)) return paths + REDACTED;
  return word.slice(0, 1 + Math.max(...BLANKS.map((blank) => word.lastIndexOf(blank)))) + REDACTED;
}
