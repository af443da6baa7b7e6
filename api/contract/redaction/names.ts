/** Decides from a name alone (flag, variable, header, query key, JSON key) whether its value is a secret. */

/** One of these as a word of the name makes the value a secret. */
const SECRET_WORDS = new Set(
  `password passwd passphrase passcode passwort pass pwd pw secret secrets token apikey auth authorization credential
   credentials creds cookie cookies setcookie bearer passkey pskey wpakey bindpw rootpw authtoken authkey jwt psk otp totp sig signature salt sas pat dsn requirepass masterauth userpass pin mnemonic seedphrase preshared privkey`.split(
    /\s+/,
  ),
);
/** Names written in one piece: PGPASSWORD, SSHPASS, clientsecret. */
const SECRET_ENDINGS = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'token',
  'apikey',
  'secretkey',
  'privatekey',
  'accesskey',
  'authkey',
  'credentials',
  'sshpass',
  'dbpass',
  'userpass',
  'smtppass',
  'ftppass',
  'ldappass',
  'adminpass',
  'rootpass',
  'mysqlpass',
  'keypass',
  'storepass',
  'connectionstring',
  'encryptionkey',
  'signingkey',
  'masterkey',
  'licensekey',
  'accountkey',
  'sharedkey',
  'serverkey',
  'webhook',
  'creds',
  'passw',
  'passwordeval',
  'passwrd',
];
/** "key" is a secret only after one of these: api-key, secretKey. */
const KEY_KINDS = new Set(
  `api access secret private auth encryption encrypt signing sign master account storage shared license licence app
   application service session client server hmac hash cipher crypt crypto registration bot user ssh pgp gpg rsa ssl tls hec ingest write read admin agent integration join instrumentation consumer webhook subscription functions deploy root wrapping unseal`.split(
    /\s+/,
  ),
);
/** A name that ends so describes the secret instead of holding it: password-file, token-ttl, access-key-id. */
const DESCRIBING = new Set(
  `file files path dir directory folder name names type types ttl timeout length len size policy format prompt expiry
   expires age url uri endpoint host port count limit mode enabled enable required rotation algorithm alg hash method
   methods provider backend plugin plugins server issuer audience class store version id ids env var field header
   scheme user username users stdin fd budget interval retries delay cache domain realm realms log level min max
   bits rounds function ring lookup manager service grace reader writer check strength validation checksum fd source sources resolver
   handler generator chars charset regex template required label seconds minutes stdout command-timeout status email mail`.split(
    /\s+/,
  ),
);
/** A name with one of these words speaks about secrets: --no-password, --max-tokens, --skip-auth. */
const NEGATING = new Set(
  'no not without skip disable disabled max min require use allow ask show hide with'.split(' '),
);

/** Words of a name: camelCase, snake_case, kebab-case and dots are boundaries. */
function wordsOf(name: string): string[] {
  const words = name.match(/[A-Z]*[a-z0-9]+|[A-Z]+/g) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** A part of every word and ending above: most names have none, and need not be cut into words. */
const TRACES =
  /pass|pw|ps[ks]|secret|token|key|auth|cred|cookie|bearer|jwt|otp|sig|sa[ls]|pat|dsn|pin|mnemonic|seed|preshared|connectionstring|webhook/i;

/** Longest name looked at; nothing longer is the name of an option. */
const NAME_LENGTH = 128;

/** Verdicts of the latest names: a host reports the same options again and again. */
const VERDICTS = new Map<string, boolean>();
const MOST_VERDICTS = 1000;

export function isSecretName(name: string): boolean {
  if (name.length < 2 || name.length > NAME_LENGTH || !TRACES.test(name)) return false;
  const known = VERDICTS.get(name);
  if (known !== undefined) return known;
  if (VERDICTS.size >= MOST_VERDICTS) VERDICTS.clear();
  const verdict = judgeName(name);
  VERDICTS.set(name, verdict);
  return verdict;
}

function judgeName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined) return false;
  // AppRole of Vault: the secret id is the secret itself.
  if (last === 'id' && words.at(-2) === 'secret') return true;
  if (words.length > 1 && (DESCRIBING.has(last) || NEGATING.has(words[0] ?? ''))) return false;
  if (words.some((word, index) => isSecretWord(word, words[index - 1]))) return true;
  return SECRET_ENDINGS.some((ending) => last.endsWith(ending));
}

const isSecretWord = (word: string, before: string | undefined): boolean =>
  SECRET_WORDS.has(word) ||
  SECRET_WORDS.has(word.replace(/\d{1,2}$/, '')) ||
  (word === 'key' && before !== undefined && KEY_KINDS.has(before));

/** A name that may go with a secret or with anything else: its value decides. */
const DOUBTFUL = new Set(
  `key code seed session sid hash hmac cert enc encrypt encryption cred access license licence sign crypt cipher community
   identity webhook dsn auth data value content user config hook apitoken login`.split(/\s+/),
);
export function isDoubtfulName(name: string): boolean {
  if (name.length === 0 || name.length > NAME_LENGTH) return false;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return (
    !(words.length > 1 && DESCRIBING.has(last)) &&
    (DOUBTFUL.has(last) || DOUBTFUL.has(words.at(-2) ?? '') || last.endsWith('key'))
  );
}

/** Names of options that take `user:secret`. */
const USER_NAMES =
  /^(?:u|user|auth|creds|credentials|basic-?auth|http-?auth|proxy-?user|proxy-?auth|login|account|userpass)$/i;
export const isUserName = (name: string): boolean => name.length < 20 && USER_NAMES.test(name);

/** Values no secret has though the name sounds like one: nothing, a switch, a small number. */
export const isPlainValue = (value: string): boolean =>
  /^(?:|true|false|yes|no|on|off|none|null|nil|\d{1,3})$/i.test(value.slice(0, 8));

/** Words that are no secret though the word before them is: "token" in token-prod, "password" in PASSWORD_2. */
const VARIANTS =
  /^(?:keys?|value|prod|production|dev|test|stage|staging|old|new|current|default|main|primary|secondary|base|plain|text|raw|str|string|b64|base64|env|db|root|admin|v?\d+)$/;
/** Words that name a way to sign in as often as a secret. */
const SOFT = new Set(
  'auth authorization cookie cookies credential credentials creds signature sig salt pin pass pat sas'.split(' '),
);
/** Ways to sign in, and settings of cookies and signatures. */
const CHOICES =
  /^(?:basic|digest|bearer|oauth2?|oidc|saml|ldaps?|kerberos|krb5\w?|negotiate|ntlm|gssapi|spnego|none|jwt|certs?|certificates?|scram[\w-]*|md5|sha\d{1,3}|trust|peer|plain|login|cram-md5|rbac|abac|node|webhook|lax|strict|include|omit|same-origin|store|cache|osxkeychain|manager(?:-core)?|required|optional|sufficient|preferred|always|never|auto|prompt|[reh]s\d{3}|rsa|ecdsa|ed25519|aws-?s?i?g?v4|s3v4|pam|radius|tacacs|internal|external|native|builtin|local|anonymous|default|disabled|enabled|any|password|token|apikey|api[-_]key|publickey|session|secure|through|header|request|tls|mtls|x509|http|https|file|env|keyring|libsecret|wincred|latest|public|private)$/i;

/** Reports whether a digit follows three letters, at whatever distance. */
function hasNumberedWord(value: string): boolean {
  const at = value.search(/[a-z]{3}/);
  return at >= 0 && /\d/.test(value.slice(at));
}

/**
 * True when the value of a setting is a choice or a name although the setting's name has a word for a secret in it:
 * auth=ldap, password_encryption=scram-sha-256, cookie-samesite=lax, existingSecret=shop-db.
 */
export function isChoice(name: string, value: string): boolean {
  if (value.length > 64 || name.length > NAME_LENGTH) return false;
  if (/^[$*?%<{[]/.test(value) && !/[!#&]/.test(value) && !hasNumberedWord(value))
    return /^(?:\*+|\?+|%[a-z]|\$[\w{}()]+|[<{[].*[>}\]])$/i.test(value);
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  // Such a program prints the secret, which often stands in its arguments.
  if (/^(?:command|cmd)$/.test(last)) return false;
  if (SOFT.has(last)) return CHOICES.test(value);
  if (last === 'secret' && /^(?:existing|pull|tls|image|ref)$/.test(words.at(-2) ?? '')) return isPlainName(value);
  if (
    isSecretWord(last, words.at(-2)) ||
    SECRET_ENDINGS.some((ending) => last.endsWith(ending)) ||
    VARIANTS.test(last)
  ) {
    return last === 'key' && words.includes('existing') && isPlainName(value);
  }
  return (
    isPlainName(value) ||
    /^\d+[a-z]{0,2}$/.test(value) ||
    /^[\w.+-]+@[\w-]+\.[\w.]+$/.test(value) ||
    CHOICES.test(value)
  );
}

/** Words in lower case with their separators. */
const isPlainName = (value: string): boolean => /^[a-z]{2,}(?:[-_.][a-z0-9]{1,12}){0,8}$/.test(value);
