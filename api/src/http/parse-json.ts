import { CodedError } from '../errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` differ from one another in this bit alone. */
const CURLY = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Returns the nesting depth of arrays and objects in one pass over the bytes; stops at `limit`. */
export function nestingDepth(bytes: Uint8Array, limit: number): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if ((byte | CURLY) === OPEN) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (deepest > limit) return deepest;
    } else if ((byte | CURLY) === CLOSE) depth -= 1;
  }
  return deepest;
}

/** Returns how many arrays and objects a document has: each takes 60 bytes of memory, and 2 of the document. */
export function countContainers(bytes: Uint8Array): number {
  let count = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if ((byte | CURLY) === OPEN) count += 1;
  }
  return count;
}

/** Returns true if a parsed value nests deeper than `levels`. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((child) => isDeeper(child, levels - 1));
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/**
 * The tree of a body this small is at most 4 MB however deep it nests; walking it costs a third of reading the bytes.
 */
const SMALL_BYTES = 64 * 1024;

const tooDeep = (limit: number): CodedError =>
  new CodedError('nesting_too_deep', `The body nests deeper than ${String(limit)} levels`);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON of a collector. The depth of a large body is checked before parsing: the tree of a deep one would cost far more
 * memory than the body. Throws `nesting_too_deep` or `invalid_json`.
 */
export function parseJson(bytes: Uint8Array, depthLimit: number): unknown {
  const isSmall = bytes.length <= SMALL_BYTES;
  if (!isSmall && nestingDepth(bytes, depthLimit) > depthLimit) throw tooDeep(depthLimit);
  const value = parse(bytes);
  if (isSmall && isDeeper(value, depthLimit)) throw tooDeep(depthLimit);
  return value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new CodedError('invalid_json', 'The body is not valid JSON in UTF-8', {
      remedy: 'Check quotes, commas and encoding.',
      cause: error,
    });
  }
}
