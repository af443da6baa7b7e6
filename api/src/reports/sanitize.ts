import { isAscii } from 'node:buffer';
import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { printableText } from '@plimsoll/contract/rules/printable-text';

/** Printable ASCII, as nearly every text of a report: nothing to do. */
const PLAIN = /^[ -~]*$/;

const BACKSLASH = 0x5c;
const DELETE = 0x7f;
/**
 * Returns true if every text of a JSON document is printable ASCII, in 3 µs for 24 KB: the parser accepts no raw control
 * character, and without a backslash none is escaped.
 */
export const isPlainJson = (bytes: Uint8Array): boolean =>
  isAscii(bytes) && !bytes.includes(BACKSLASH) && !bytes.includes(DELETE);

/**
 * Cuts at `limit` bytes of UTF-8 without splitting a character. PostgreSQL refuses NUL and lone surrogates; other
 * control characters would act on a terminal or a log.
 */
export function sanitizeText(text: string, limit: number = REPORT_LIMITS.stringBytes): string {
  if (isSafeText(text, limit)) return text;
  // A character takes a byte at least, so what follows as many characters is cut off anyway.
  const clean = printableText(text, limit);
  if (clean.length * 3 <= limit || Buffer.byteLength(clean) <= limit) return clean;
  let bytes = 0;
  let end = 0;
  for (const character of clean) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    end += character.length;
  }
  return clean.slice(0, end);
}

/** Cuts a message as `sanitizeText` does and keeps its line ends: events and ends of containers have several lines. */
const sanitizeLines = (text: string): string =>
  sanitizeText(text.replace(/\r?\n/g, LINE_END)).replaceAll(LINE_END, '\n');

/** Takes the place of a line end while a text is made safe: private use, so a message that holds it means nothing by it. */
const LINE_END = '\u{F0000}';

/**
 * Every text of a parsed JSON tree, keys included, made safe to store. Bounded by the depth limit of the parser. What
 * is safe already, as nearly all is, comes back as it is: a report has 2,000 values, and a copy of them is garbage.
 * `isPlain`: of a document that `isPlainJson`.
 */
export function sanitizeTree(value: unknown, isPlain = false): unknown {
  return isSafe(value, isPlain) ? value : sanitized(value);
}

/**
 * Makes every text of an envelope safe to store and leaves `reports` as they are: each item is judged on its own. One
 * NUL in the head would fail the request, and the collector would send it again for ever.
 */
export function sanitizeHead(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { reports, ...head } = body as Record<string, unknown>;
  return { ...(sanitizeTree(head) as object), reports };
}

function sanitized(value: unknown): unknown {
  if (typeof value === 'string') return sanitizeText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map((child) => sanitizeTree(child));
  if (typeof value !== 'object' || value === null) return value;
  const clean: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    const name = sanitizeText(key);
    if (name === '__proto__') continue;
    clean[name] = name === 'message' && typeof child === 'string' ? sanitizeLines(child) : sanitizeTree(child);
  }
  return clean;
}

function isSafe(value: unknown, isPlain: boolean): boolean {
  if (typeof value === 'string') return isSafeText(value, REPORT_LIMITS.stringBytes, isPlain);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    for (const child of value) if (!isSafe(child, isPlain)) return false;
    return true;
  }
  const tree = value as Record<string, unknown>;
  for (const key of Object.keys(tree)) if (!isSafeKey(key, isPlain) || !isSafe(tree[key], isPlain)) return false;
  return true;
}

const isSafeText = (text: string, limit: number, isPlain = false): boolean =>
  text.length <= limit && (isPlain || PLAIN.test(text));
const isSafeKey = (key: string, isPlain: boolean): boolean =>
  key !== '__proto__' && isSafeText(key, REPORT_LIMITS.stringBytes, isPlain);
