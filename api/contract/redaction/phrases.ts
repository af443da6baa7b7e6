import { hide, hidePair, isPath, isQuote, trimQuotes } from './hide.ts';
import { type Level, levelOf } from './guess.ts';
import { isPlainValue, isSecretName } from './names.ts';

/**
 * Hides what a sentence or a query calls a secret: "password is X", "with token X", "reset to 'X'", `IDENTIFIED BY 'X'`,
 * `SET PASSWORD FOR u = 'X'`. A word for a secret opens a phrase, words that only link keep it open, and the first other
 * word ends it: it is the secret, or the sentence is about something else.
 */
export function redactPhrases(text: string): string {
  if (!WORTH_READING.test(text)) return text;
  const phrase: Phrase = { ...CLOSED };
  let shown = '';
  for (const token of text.match(TOKENS) ?? []) shown += /^\s/.test(token) ? token : readToken(token, phrase);
  return shown;
}

const WORTH_READING = /pass|pw|token|secret|cred|bearer|key|pin\b|code|otp\b|kennwort|identified|setuser|communi|auth/i;
/** A quoted text is one token when its end is near. */
const TOKENS = /\s+|["'][^"'\n]{1,96}["'][.,;)]{0,2}(?=\s|$)|[^\s]+/g;

interface Phrase {
  /** 'strong': the word means a secret and nothing else. 'pair': `user:secret`. 'code': digits. */
  kind: 'none' | 'strong' | 'weak' | 'pair' | 'code' | 'any';
  /** The last linking word gives a value: "is", "to", ":", "=". */
  gives: boolean;
  linked: boolean;
  /** The next word is the name of a person or a thing. */
  skips: boolean;
  words: number;
  /** The words before, in lower case. */
  before: string;
  beforeThat: string;
  /** `ACL SETUSER name >secret`. */
  acl: boolean;
}
const CLOSED: Phrase = {
  kind: 'none',
  gives: false,
  linked: false,
  skips: false,
  words: 0,
  before: '',
  beforeThat: '',
  acl: false,
};

const STRONG = new Set(
  'password passwd passphrase passcode passwort kennwort pw pwd requirepass masterauth userpassword credential'.split(
    ' ',
  ),
);
const WEAK = new Set('token secret bearer apikey api-key api_key'.split(' '));
const PAIRS = new Set('credentials creds logins login:'.split(' '));
const CODES = new Set('pin otp passcode'.split(' '));
const KEYS =
  /^(?:api|access|secret|session|signing|encryption|private|unseal|recovery|licen[cs]e|shared|auth|master|with|ssh|account|service|root|app)$/;
const CODE_KINDS =
  /^(?:verification|one-time|onetime|recovery|security|login|backup|confirmation|access|pairing|sign-in|auth|authentication|mfa|2fa|sms|reset|enter|your|unlock)$/;
const LINKS = new Set(
  `is was are were to with as by using via set changed has have had been be reset generated provided following the a an from
   new value = : := => -> == now temporary valid string key`.split(/\s+/),
);
const GIVES = /^(?:is|was|are|to|as|by|=|:|:=|=>|->)$/;
const NAMERS = /^(?:for|user|of|client|account|on|role|login)$/;
/** A phrase longer than this is a sentence about something else. */
const LONGEST_PHRASE = 10;

/** Returns the token as it may be shown. */
function readToken(token: string, phrase: Phrase): string {
  const body = trimEnd(token);
  const core = trimQuotes(body.replace(/^[([<]+/, ''));
  const word = core.toLowerCase().replace(/[:=]$/, '');
  if (phrase.kind === 'none' && isQuote(token.charAt(0)) && /\s/.test(token))
    return token.charAt(0) + redactPhrases(token.slice(1));
  const shown = phrase.kind === 'none' ? token : inPhrase(token, body, core, word, phrase);
  if (phrase.acl && /^>./.test(core) && !token.includes('[redacted]')) return token.replace(core, '>[redacted]');
  if (word === 'setuser') phrase.acl = true;
  if (shown === token) open(token, core, word, phrase);
  [phrase.beforeThat, phrase.before] = [phrase.before, word];
  return shown;
}

function close(phrase: Phrase): void {
  Object.assign(phrase, { kind: 'none', gives: false, linked: false, skips: false, words: 0 });
}

function open(token: string, core: string, word: string, phrase: Phrase): void {
  const kind = kindOf(core, word, phrase);
  if (kind === 'none') return;
  close(phrase);
  phrase.kind = kind;
  if (/[:=]$/.test(core) || /[:=]['"]?$/.test(token)) [phrase.gives, phrase.linked] = [true, true];
}

function kindOf(core: string, word: string, phrase: Phrase): Phrase['kind'] {
  if (word.length > 64) return 'none';
  // A line of .netrc, and SQL: whatever follows is the secret.
  if (word === 'password' && /^(?:login|account)$/.test(phrase.beforeThat)) return 'any';
  if (word === 'identified' || word === 'requirepass' || word === 'masterauth') return 'any';
  if (CODES.has(word) || (/^codes?$/.test(word) && CODE_KINDS.test(phrase.before))) return 'code';
  if (STRONG.has(word)) return 'strong';
  if (PAIRS.has(word)) return 'pair';
  if (WEAK.has(word) || (/^keys?$/.test(word) && KEYS.test(phrase.before))) return 'weak';
  if (/^strings?$/.test(word) && phrase.before === 'community') return 'weak';
  if (core === 'AUTH') return 'pair';
  // The name of a variable or of a setting before its value: setenv DB_PASSWORD X, git config a.password X.
  if (/^[A-Z][A-Z0-9_]{3,}$/.test(core)) return isSecretName(core) ? 'strong' : 'none';
  const dot = word.lastIndexOf('.');
  return dot > 0 && STRONG.has(word.slice(dot + 1)) ? 'strong' : 'none';
}

/** Judges a word of an open phrase. */
function inPhrase(token: string, body: string, core: string, word: string, phrase: Phrase): string {
  phrase.words += 1;
  const givesNext = /[:=]$/.test(core) || token.endsWith(':');
  if (phrase.words > LONGEST_PHRASE || token.includes('[redacted]')) {
    close(phrase);
    return token;
  }
  if (phrase.skips && !/^['"]?[A-Z]?[a-z]*\d/.test(token)) {
    phrase.skips = NAMERS.test(word);
    phrase.gives ||= givesNext;
    return token;
  }
  phrase.skips = false;
  if (NAMERS.test(word)) {
    [phrase.skips, phrase.linked] = [true, true];
    return token;
  }
  if (core === '' || LINKS.has(word) || /^(?:\d{1,2}|\/|N)$/.test(word)) {
    [phrase.gives, phrase.linked] = [GIVES.test(word) || givesNext || /^[:=]/.test(token), true];
    return token;
  }
  if (phrase.kind === 'pair' && /^[\w.@-]{1,64}[:/][^/\s]/.test(core) && !isPath(core) && !core.includes('://')) {
    close(phrase);
    return core.includes(':') ? hidePair(body, ':') + token.slice(body.length) : hideAfterSlash(token, core);
  }
  if (isSecretIn(phrase, token, core, word)) {
    close(phrase);
    return hide(body) + token.slice(body.length);
  }
  if (phrase.kind === 'any' && /^with$/.test(phrase.before)) return token;
  if (phrase.kind === 'pair' && phrase.words <= 2 && /^[\w.@-]+$/.test(word)) phrase.linked = true;
  else if (givesNext) [phrase.gives, phrase.linked] = [true, true];
  else close(phrase);
  return token;
}

function hideAfterSlash(token: string, core: string): string {
  const secret = core.slice(core.indexOf('/') + 1);
  return levelOf(secret) >= 1 ? token.replace(secret, '[redacted]') : token;
}

function isSecretIn(phrase: Phrase, token: string, core: string, word: string): boolean {
  if (isPlainValue(core) && phrase.kind !== 'code') return false;
  const level: Level = levelOf(core);
  const isQuoted = isQuote(token.charAt(0));
  if (phrase.kind === 'any') return !/^(?:with|by|as|from|externally|\w*_password)$/.test(word) && !/^[<>{]/.test(core);
  if (phrase.kind === 'code')
    return (
      /^\d{4,10}$|^\d{2,4}(?:-\d{2,4}){1,4}$/.test(core) ||
      level >= 2 ||
      (phrase.gives && /\d/.test(core) && level >= 1) ||
      isDashed(core)
    );
  if (level >= 2) return phrase.kind !== 'weak' || level === 3 || phrase.linked || !isNumbered(core);
  if (phrase.kind === 'strong') {
    if (isQuoted) return !/^[([{]/.test(core) && !isSecretName(core);
    if (level === 1) return true;
    return (
      phrase.gives &&
      /^(?:to|=|->|=>|:)$/.test(phrase.before) &&
      /^[a-z]{6,}$/i.test(core) &&
      !/(?:ed|ing|ault|ty)$/.test(word)
    );
  }
  if (phrase.kind === 'pair') return level === 1 && phrase.before === '/';
  return level === 1 && phrase.gives;
}

const isDashed = (core: string): boolean => /^[a-z0-9]{4}(?:-[a-z0-9]{4})+$/.test(core) && /\d/.test(core);

/** Names with a number: `TLSv1`, `Http2`. */
const isNumbered = (core: string): boolean => /^[A-Za-z]+\d+$/.test(core);

/** By hand: a pattern for the punctuation at the end takes quadratic time. */
function trimEnd(token: string): string {
  let end = token.length;
  while (end > 0 && ',;.)]}>'.includes(token.charAt(end - 1))) end -= 1;
  return token.slice(0, end);
}
