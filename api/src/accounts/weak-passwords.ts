import { CodedError } from '../errors.ts';

/** A password of fewer different characters is a pattern, at any length. */
const FEWEST_CHARACTERS = 5;
/** A part of an address that is shorter is in too many words. */
const SHORTEST_NAME = 4;
/** Rows of keyboards and of counting, forwards; passwords also run backwards along them. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgb',
  '1q2w3e4r5t6y7u8i9o0p',
];
/** Characters of a password that are a run along a row, at least this share. */
const RUN_SHARE = 0.75;
const SHORTEST_RUN = 4;
/** Words that the list of frequent passwords lacks, and ours. What stands around them is digits and marks. */
const WORDS = new Set(
  `passwords passwordpassword letmeinnow welcomeback welcomehome adminadmin administrators rootroot toor superuser
   mastermaster iloveyousomuch
   changeme changemenow changethis changeit defaultpassword topsecret mysecret mypassword newpassword temppassword testtest
   testing testpassword guestguest qwertyqwerty helloworld plimsoll plimsolldashboard dashboard loadline server servers
   monitor monitoring kubernetes docker grafana prometheus`.split(/\s+/),
);

/** 49,233 passwords of leaks, the most frequent first. Read where a password is chosen, for they take memory. */
async function frequentPasswords(): Promise<readonly string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'];
}

/** Returns why a password is easily guessed, as the end of a sentence; null: nothing speaks against it. */
export async function weaknessOf(password: string, email: string): Promise<string | null> {
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size < FEWEST_CHARACTERS) return 'has too few different characters';
  if (isRepeated(text)) return 'repeats one part';
  if (runsIn(text) / text.length >= RUN_SHARE) return 'follows the keyboard or the alphabet';
  const frequent = await frequentPasswords();
  if (frequent.includes(text)) return 'is a frequent password';
  const core = text.replaceAll(/^[^\p{Letter}]+|[^\p{Letter}]+$/gu, '');
  const letters = text.replaceAll(/[^\p{Letter}]/gu, '');
  if ([core, letters].some((word) => WORDS.has(word) || frequent.includes(word)))
    return 'is a frequent word with digits or marks';
  const [name = ''] = email.toLowerCase().split('@');
  if (name.length >= SHORTEST_NAME && text.includes(name)) return 'contains the name of the e-mail address';
  return null;
}

/** "abcabcabcabc" and "password1password1" are as good as their first part. */
const isRepeated = (text: string): boolean => (text + text).indexOf(text, 1) < text.length;

/** Characters that stand in runs along a row, in either direction. */
function runsIn(text: string): number {
  let covered = 0;
  for (let at = 0; at < text.length;) {
    const longest = Math.max(
      ...ROWS.flatMap((row) => [row, Array.from(row).toReversed().join('')]).map((row) => runAt(text, at, row)),
    );
    if (longest >= SHORTEST_RUN) covered += longest;
    at += longest >= SHORTEST_RUN ? longest : 1;
  }
  return covered;
}

function runAt(text: string, at: number, row: string): number {
  let longest = 0;
  for (let from = row.indexOf(text[at] ?? ''); from >= 0; from = row.indexOf(text[at] ?? '', from + 1)) {
    let length = 0;
    while (at + length < text.length && text[at + length] === row[from + length]) length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Rejects with `invalid_parameter` naming `field` for a new password that is easily guessed. */
export async function requireStrongPassword(password: string, email: string, field: string): Promise<void> {
  const weakness = await weaknessOf(password, email);
  if (weakness === null) return;
  throw new CodedError('invalid_parameter', `${field}: ${weakness}`, {
    field,
    remedy: 'Use several words that do not belong together, or a password manager.',
  });
}
