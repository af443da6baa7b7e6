import { CodedError } from '../errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` differ from one another in this bit alone. */
const CURLY = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** How deep arrays and objects nest, by one pass over the bytes; stops counting past `limit`. */
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON of a collector. Depth is checked before parsing: a parsed tree of a deep body would cost far more memory than
 * the body. Throws `nesting_too_deep` or `invalid_json`.
 */
export function parseJson(bytes: Uint8Array, depthLimit: number): unknown {
  if (nestingDepth(bytes, depthLimit) > depthLimit)
    throw new CodedError('nesting_too_deep', `The body nests deeper than ${String(depthLimit)} levels`);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new CodedError('invalid_json', 'The body is not valid JSON in UTF-8', { cause: error });
  }
}
