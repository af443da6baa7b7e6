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
   handler generator chars charset regex template required label seconds minutes stdout command-timeout status`.split(
    /\s+/,
  ),
);
/** A name with one of these words speaks about secrets: --no-password, --max-tokens, --skip-auth. */
const NEGATING = new Set(
  'no not without skip disable disabled max min require use allow ask show hide with'.split(' '),
);

/** Words of a name: camelCase, snake_case, kebab-case and dots are boundaries. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Longest name looked at; nothing longer is the name of an option. */
const NAME_LENGTH = 128;

export function isSecretName(name: string): boolean {
  if (name.length === 0 || name.length > NAME_LENGTH) return false;
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
