import { trimQuotes } from './hide.ts';
import { levelOf } from './guess.ts';
import { isSecretName } from './names.ts';
import { REDACTED } from './shapes.ts';
import { baseName, isEveryday } from './tools.ts';
import type { Walk } from './walk.ts';

/** Secrets of programs that no list has: by the letter of the option, and by what the program or its verb does. */

/** Letters that many programs give to passwords. Their value is one unless it looks like a name or a number. */
const PASSWORD_OPTION = /^-(?:p|P|w|W|pw|pass)$/;
/** Letters that stand for tokens, keys and secrets as well as for harmless things: the value must look like a secret. */
const OTHER_OPTION = /^-(?:[A-Zabce-gjkmq-tv-z]|key)$/;
/** Letters of the options that take tokens and keys: a hash is a secret there. */
const KEY_OPTION = /^-(?:[kKtTsS]|key)$/;

/** Notes that the value of a short option is to be judged. */
export function noteShortOption(word: string, walk: Walk): void {
  if (walk.tool !== null || isEveryday(walk.program) || walk.next !== 'word') return;
  if (PASSWORD_OPTION.test(word) || OTHER_OPTION.test(word)) walk.next = 'short';
}

export function isShortSecret(word: string, walk: Walk): boolean {
  const bare = trimQuotes(word);
  if (PASSWORD_OPTION.test(walk.previous)) return levelOf(bare) >= 1 || /^\w+ \w+(?: \w*\d)?$/.test(bare.slice(0, 64));
  return levelOf(bare) >= 2 && !bare.includes('=') && (KEY_OPTION.test(walk.previous) || !isHash(bare));
}

/** Returns `-pSECRET` and `/p:SECRET` with the secret hidden, null for anything else. */
export function redactGlued(word: string, walk: Walk): string | null {
  const assigned = /^(-[A-Za-z])[=:]/.exec(word)?.[1];
  if (assigned !== undefined && walk.tool === null && !/^-[IDLRX]/.test(word)) {
    const level = levelOf(trimQuotes(word.slice(3)));
    if (level >= (PASSWORD_OPTION.test(assigned) ? 1 : 2) && !isHash(word.slice(3))) return word.slice(0, 3) + REDACTED;
  }
  const glued = /^(-[pPwW]|\/(?:p|pw|pwd|pass|password):)/i.exec(word.slice(0, 16))?.[1];
  if (glued === undefined || walk.tool !== null || isEveryday(walk.program)) return null;
  return levelOf(word.slice(glued.length)) >= (glued.startsWith('/') ? 1 : 2) ? glued + REDACTED : null;
}

/** A program or a subcommand with such a word takes credentials. */
const VERBS = new Set(
  `login logon signin auth join register unlock unseal pair activate decrypt encrypt luks connect user users wifi wlan
   license licence token secret secrets key admin account credential credentials pw pwd pin otp mfa smtp imap ftp`.split(
    /\s+/,
  ),
);
const STEMS =
  /^(?:passw|user|enrol|authent|authoriz|keyctl|createsuperuser|adduser|useradd|mkuser|ftp|smtp)|(?:login|logon|connect|passwd)$/;
/** Verbs that give a setting its value: `put /app/password X`. */
const SETTERS = /^(?:-{0,2}set|put|write|setenv|set-?value|set-?config)$/i;
const isHash = (text: string): boolean => /^[0-9a-f-]{7,}$/i.test(text);
const PINS = /^(?:pair|pin|otp|mfa|unlock)$/;
/** A part of each of them: most words have none. */
const VERB_TRACES =
  /log|sign|auth|join|regis|lock|seal|pair|activ|crypt|luks|conn|user|wifi|wlan|licen|token|secret|key|admin|acc|cred|pw|pass|pin|otp|mfa|smtp|imap|ftp|enrol/i;
/** Bare words after the program in which a subcommand may stand. */
const SUBCOMMANDS = 4;
/** Programs whose bare words are hashes. */
const HASHES = /^(?:git|docker|podman|nerdctl|crictl|kubectl|sha\w*|md5\w*)$/;

export function noteAccess(word: string, walk: Walk): void {
  if (SETTERS.test(word)) walk.sets = true;
  else if (
    walk.sets &&
    !(SETTERS.test(walk.previous) && /^[a-z]+$/i.test(word)) &&
    /^[\w./:-]{1,128}$/.test(word) &&
    !word.startsWith('-') &&
    isSecretName(word.slice(1 + Math.max(word.lastIndexOf('/'), word.lastIndexOf(':'))))
  ) {
    walk.next = 'secret-or-flag';
    walk.sets = false;
  }
  if (/^(?:[;&|]+|then|do|else)$/.test(word)) {
    walk.access = 'none';
    walk.bare = 0;
    walk.sets = false;
    return;
  }
  if (word.startsWith('-') || /^-./.test(walk.previous.replace(/^--$/, '')) || word.length > 128 || /[=@:]/.test(word))
    return;
  walk.bare += 1;
  if (walk.bare > SUBCOMMANDS && !/^\.?\//.test(word)) return;
  if (word.includes('/') && !/^["'$(`]*\.?\//.test(word)) return;
  if (!VERB_TRACES.test(word)) return;
  const words = baseName(trimQuotes(word))
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  if (words.some((part) => PINS.test(part))) walk.access = 'pin';
  else if (walk.access === 'none' && words.some((part) => VERBS.has(part) || STEMS.test(part))) walk.access = 'secret';
}

/** True for a bare word that is a secret because of the verb before it, or by signs that no name has. */
export function isPositionalSecret(word: string, walk: Walk): boolean {
  if (walk.bare === 0 || word.startsWith('-') || word.includes('=')) return false;
  const bare = trimQuotes(word);
  if (walk.access === 'pin' && /^\d{6,8}$/.test(bare)) return true;
  if (/^(?:\d+|[0-9a-f]{7,40})$/.test(bare) && (HASHES.test(walk.program) || walk.previous.startsWith('-')))
    return false;
  const level = levelOf(bare);
  // After a verb and a user's name, a word with a number is a password as well.
  if (level === 1 && walk.access === 'secret' && walk.bare >= 3 && bare.length >= 8) return /^[A-Za-z]+\d+$/.test(bare);
  if (level === 1 && walk.access === 'secret' && walk.bare === 2) return /^[A-Z][a-z]{3,}\d{2,}$/.test(bare);
  if (level < 2) return false;
  if (walk.access !== 'none') return !(walk.previous.startsWith('-') && level === 2 && !hasSign(bare));
  return level === 3 || (hasSign(bare) && !walk.previous.startsWith('-')) || isDisguised(bare);
}

/** A sign of a password inside or at the end of a word with digits: `Pf1ffig&Klein`. */
const hasSign = (text: string): boolean =>
  /^[A-Za-z][\w.-]*[!#$%&^][\w!#&.-]*$|^[A-Z0-9]![a-z]\w+$/.test(text) && /\d|^\w![a-z]/.test(text);

/** Digits in the place of letters in a capitalised word: `Rum-pel99stilz`, `Kn0bl4uch`. */
const isDisguised = (text: string): boolean =>
  /^[A-Z][a-z-]*\d{1,2}[a-z]+(?:\d{1,2}[a-z]*)?$/.test(text) &&
  text.length >= 8 &&
  !/^[A-Z][a-z]{2,}\d{1,2}[a-z]$/.test(text);
