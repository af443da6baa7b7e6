import { REPORT_LIMITS } from '@plimsoll/contract/limits';
import { redactArguments } from '@plimsoll/contract/redact';

/**
 * The command line as it may leave the host: without secrets, or without any argument when the owner wants it so, cut
 * to the wire's limit. `raw` is /proc/PID/cmdline: words ended by NUL; a program that renamed itself has just one.
 */
export function showCommand(raw: string, name: string, stripArguments: boolean): string {
  const words = raw.replace(/\0+$/, '').split('\0');
  if (words.length === 1 && words[0] === '') return `[${name}]`;
  const shown = stripArguments ? [words[0]?.split(' ', 1)[0] ?? ''] : redactArguments(words);
  return cutToBytes(shown.join(' '), REPORT_LIMITS.stringBytes);
}

/** Cuts at a character's end so that the text is at most so many bytes of UTF-8. */
export function cutToBytes(text: string, most: number): string {
  if (text.length * 3 <= most) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
