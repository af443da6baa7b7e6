import { isPath } from './hide.ts';
import { surpriseOf } from './likelihood.ts';

/**
 * How much a text looks like a secret by itself. The place of the text decides which level is enough to hide it.
 * 0: a name, a number, a path. 1: letters with a number. 2: what people and programs choose as a password, or a hash,
 * which identifies harmless things, too. 3: made by a generator.
 */
export type Level = 0 | 1 | 2 | 3;

/** Shorter texts are never generated: too many names and serial numbers look alike. */
const SHORTEST_GENERATED = 14;
/** Bits by which a generator is the likelier source. One of 1,000 names on a Linux host exceeds them. */
const CERTAIN_BITS = 4;
const LIKELY_BITS = 4;
const LONGEST = 4096;

const NUMBER = /^[-+]?[\d.,:/_x-]+(?:[a-z%]{0,3}|[KMGT]i?B?)$/i;
const DATE = /^\d{4}-\d\d-\d\d/;
const VERSION = /^[v^~<>=]{0,2}\d+(?:\.[\dx*]+){1,4}(?:[-+][\w.+-]{1,64})?$/i;
/** `cart-7c9d8f6b54-x2l9q`, `worker_07`: words in lower case, then what numbers them. */
const NAME = /^[a-z]{2,}\d?(?:[-_.][a-z0-9]{1,12})+$/;
const FILE = /^[\w-]{1,64}(?:\.[\w-]{1,64}){0,8}\.(?:[a-z]{2,4}|[a-z]{1,2}\d|7z|so\.\d+)$/;
const MAIL = /^[^@\s]{1,64}@[A-Za-z][\w.-]{1,250}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Checksums and public keys of SSH have the looks of a secret. */
const CHECKSUM = /^(?:(?:sha\d{1,3}|h1|md5)[-:=]|AAAA[A-Z]3NzaC)/i;
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
/** Printed keys of licences and recovery: AB12-CD34-EF56. */
const GROUPS = /^[A-Z0-9]{3,8}(?:-[A-Z0-9]{3,8}){2,8}$/;
/** Signs that code and names do not mix with both cases and digits. */
const CHOSEN = /^[\w.][^\s/=(){}[\]<>"'`\\:]{7,}$/;
const SIGN = /[!#%^&*;?]/;
const SHELL = /^[$~%]|^[&|!]+$|\$[({A-Z]|[=<>|;`()[\]{}]|&&|^!=|\*\*|^\*|\*$|%[A-Za-z]%|^&\w+$/;

export const isChecksum = (text: string): boolean => CHECKSUM.test(text.slice(0, 32));

export function levelOf(text: string): Level {
  if (text.length < 5 || text.length > LONGEST || text.includes('[redacted]') || /\s/.test(text)) return 0;
  if (text.length < 24 && /^[a-z]+$/.test(text)) return text.length >= 8 && surpriseOf(text) >= LIKELY_BITS ? 1 : 0;
  if (CHOSEN.test(text) && SIGN.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)) return 2;
  if (isChecksum(text) || NUMBER.test(text) || DATE.test(text) || VERSION.test(text) || SHELL.test(text)) return 0;
  if (text.includes('://') || isPath(text) || MAIL.test(text)) return 0;
  if (UUID.test(text)) return 2;
  if (HEX.test(text)) return /\d/.test(text) && /[a-f]/i.test(text) ? (text.length >= 12 ? 2 : 1) : 0;
  if (isGenerated(text)) return 3;
  if (FILE.test(text)) return 0;
  return levelOfChosen(text);
}

/** True for a text that a generator made: tokens, keys, random passwords. Never for hashes. */
export function isGenerated(text: string): boolean {
  if (text.length < SHORTEST_GENERATED || text.length > LONGEST || !/^[\w+/.~-]+={0,2}$/.test(text)) return false;
  if (!/\d/.test(text) ? text.length < 24 || !/[a-z]/.test(text) || !/[A-Z]/.test(text) : !/[A-Za-z]/.test(text))
    return false;
  if (UUID.test(text) || VERSION.test(text) || isPath(text) || isChecksum(text)) return false;
  if (text.length < 20 && /^[A-Z\d]+$/.test(text)) return false;
  // A file's name or an object's is judged without its separators' help: each part must be odd by its own length.
  const parts = text.split(/[-_./]/);
  const longest = parts.reduce((most, part) => (part.length > most.length ? part : most), '');
  if (parts.every((part) => HEX.test(part) || part.length < SHORTEST_GENERATED) && HEX.test(longest)) return false;
  if (text.includes('/') && text.length < 32) return false;
  if (
    longest.length < SHORTEST_GENERATED &&
    (!/[A-Z]/.test(text) || !/[a-z]/.test(text) || parts.some((part) => /^[a-z]{4,}$|^[A-Z]?[a-z]{4,}$/.test(part)))
  )
    return false;
  return surpriseOf(text) >= CERTAIN_BITS && surpriseOf(longest) >= LIKELY_BITS;
}

/** Passwords that people choose have a digit or a sign inside a word, or mix what names do not mix. */
function levelOfChosen(text: string): Level {
  const [hasLower, hasUpper, hasDigit] = [/[a-z]/.test(text), /[A-Z]/.test(text), /\d/.test(text)];
  if (!hasLower && !hasUpper) return 0;
  if (GROUPS.test(text) && hasDigit) return 2;
  if (NAME.test(text)) return 0;
  const hasSign = /[\w.][!#$%^&*?+]|[!#$%^&*?+]\w/.test(text);
  if (
    hasSign &&
    !text.includes('/') &&
    (hasDigit || /[!$^&%#]\w/.test(text) || text.endsWith('!')) &&
    /^[^,:\s]+$/.test(text)
  )
    return 2;
  if (/[/:,@]/.test(text)) return 0;
  const inside = text.match(/[A-Za-z]\d{1,2}(?=[A-Za-z])/g)?.length ?? 0;
  if (hasLower && hasDigit && ((hasUpper && inside > 0) || inside > 1)) return 2;
  if (hasDigit && text.length >= 8 && surpriseOf(text) >= LIKELY_BITS) return 2;
  if (hasUpper && hasDigit && /\d$/.test(text) && /[a-z][-_]?[A-Z]/.test(text)) return 2;
  return hasDigit && (hasLower || hasUpper) ? 1 : 0;
}
