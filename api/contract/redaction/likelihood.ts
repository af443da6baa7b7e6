/**
 * How likely a text is the work of a generator instead of a name. Two models give its length in bits: one of names, and
 * one in which every character is as likely as any other. Needs no list of issuers.
 */

/**
 * Bits of each letter after the letter before, "^" at the begin of a word: −log2 of its share in 14,000 words of names
 * of files and programs of a Linux host. The columns are a to z; 9 stands for 9 and more.
 */
const ROWS = `
  ^45445555566445647434566687 a85449759596343949343667768 b36564757357356458446378657 c37663773594468269453588869
  d35652667388566469545566979 e46445668798453757234767569 f47654469297457369444487969 g46562765497454458346578878
  h28662779397667369564588968 i54455549898452459544959696 j37652668496756457627465899 k46552656398556568535597978
  l37653779297478369755568968 m25552779397557338746578879 n47443437486676469733668979 o65448658686442549344465789
  p38563765496467349344597859 q66566677699376667455176969 r37552669396656369544569959 s57473774496566447742476859
  t37562774398567459345586859 u54555659498443749343789788 v37572768297646569656798789 w26453675396354559446888989
  x46453577487547639542666566 y46455657587544529534777986 z39551666388559469646695765`;
const BITS = new Uint8Array(27 * 27);
for (const row of ROWS.trim().split(/\s+/)) {
  for (let column = 1; column < row.length; column += 1)
    BITS[letterOf(row, 0) * 27 + column] = Number(row.charAt(column));
}

/** 1 for a to 26 for z, whatever the case; 0 for anything else. */
function letterOf(text: string, index: number): number {
  const code = text.charCodeAt(index) | 32;
  return code >= 97 && code <= 122 ? code - 96 : 0;
}

/** Bits of a digit, and of the changes between kinds of characters in names. */
const DIGIT = Math.log2(10);
const CHANGE = {
  letterToDigit: 4,
  digitToLetter: 2.5,
  otherToDigit: 2,
  digits: 1,
  camel: 3.5,
  capital: 1.5,
  capitals: 0.5,
  other: 3,
};

/** Returns the bits that a text takes as a name. */
function bitsAsName(text: string): number {
  let bits = 0;
  let [before, wasDigit, wasUpper] = [0, false, false];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const letter = letterOf(text, index);
    const isUpper = letter !== 0 && code < 97;
    const isDigit = code >= 48 && code <= 57;
    if (letter !== 0) {
      const isCamel = isUpper && !wasUpper && before !== 0;
      bits += BITS[(isCamel ? 0 : before) * 27 + letter] ?? 0;
      if (isCamel) bits += CHANGE.camel;
      else if (isUpper) bits += wasUpper ? CHANGE.capitals : CHANGE.capital;
      if (wasDigit) bits += CHANGE.digitToLetter;
    } else if (isDigit) {
      bits += DIGIT + (before !== 0 ? CHANGE.letterToDigit : wasDigit ? CHANGE.digits : CHANGE.otherToDigit);
    } else bits += CHANGE.other;
    [before, wasDigit, wasUpper] = [letter, isDigit, isUpper];
  }
  return bits;
}

/** Returns the bits that a text takes when a generator draws each character from the smallest usual alphabet. */
function bitsAsGenerated(text: string): number {
  const alphabet =
    (/\d/.test(text) ? 10 : 0) +
    (/[a-z]/.test(text) ? 26 : 0) +
    (/[A-Z]/.test(text) ? 26 : 0) +
    (/[-_+/=.~]/.test(text) ? 2 : 0);
  return text.length * Math.log2(Math.max(2, alphabet));
}

/** Longest text that is weighed: the rest adds nothing. */
const WEIGHED = 128;

/** Positive when a generator is the likelier source, in bits. */
export function surpriseOf(text: string): number {
  const head = text.slice(0, WEIGHED);
  return bitsAsName(head) - bitsAsGenerated(head);
}
