import { periodOf, type Period } from './period.ts';
import { isFiller, isPlainWord, termOf, wordsOf, type Term } from './words.ts';

/** A limit in a question: "above 80 %", "more than 5", "over 2 GB". */
export interface Threshold {
  side: 'over' | 'under';
  value: number;
  /** Null: per cent, or the unit of the figure. */
  unit: 'mb' | 'cores' | null;
}

/** The words of a question by their kind, before anything is decided. */
export interface Parts {
  words: readonly string[];
  terms: ReadonlySet<Term>;
  /** "top 5", "the 3 busiest". */
  limit: number | null;
  threshold: Threshold | null;
  period: Period | null;
  /** Names of servers, pods … in the order of the question. */
  names: readonly string[];
  namespace: string | null;
  /** "nginx" of "is nginx running". */
  program: string | null;
  /** "germany" of "servers in germany", "prod" of "servers tagged prod". */
  place: string | null;
  /** Words that are none of the above. */
  strange: readonly string[];
  /** Server that the answer before put first. */
  leader?: string;
}

const MOST_ROWS = 20;
/** Limit of the names that the tools accept. */
const MOST_NAME_CHARACTERS = 200;
const SHOWN_CHARACTERS = 20;
type Taken = Set<number>;

const COUNTED: readonly (Term | null)[] = [
  'server',
  'process',
  'container',
  'pod',
  'node',
  'namespace',
  'workload',
  'alert',
  'check',
  'change',
  'busy',
  'top',
  'least',
];
/** "top 5", "the 3 busiest", "5 servers". The period and the threshold have taken their numbers. */
function limitOf(words: readonly string[], taken: Taken): number | null {
  const at = words.findIndex((word, index) => {
    if (taken.has(index) || !/^\d{1,3}$/.test(word)) return false;
    const before = words[index - 1] ?? '';
    const isRank = /^(?:top|bottom|first|last|newest)$/.test(before);
    return isRank || COUNTED.includes(termOf(words[index + 1] ?? ''));
  });
  if (at < 0) return null;
  taken.add(at);
  return Math.max(1, Math.min(MOST_ROWS, Number(words[at])));
}

const UNITS: Readonly<Record<string, readonly [unit: 'mb' | 'cores', size: number]>> = {
  mb: ['mb', 1],
  mib: ['mb', 1],
  gb: ['mb', 1024],
  gib: ['mb', 1024],
  core: ['cores', 1],
  cores: ['cores', 1],
};

/** "above 80 percent", "more than 90", "under 10 %", "over 2 GB". */
function thresholdOf(words: readonly string[], taken: Taken): Threshold | null {
  for (const [index, word] of words.entries()) {
    const term = termOf(word);
    const side = term === 'over' ? 'over' : term === 'under' || word === 'less' ? 'under' : null;
    if (side === null || taken.has(index)) continue;
    const at = words[index + 1] === 'than' ? index + 2 : index + 1;
    const [, number, glued] = /^(\d{1,6}(?:\.\d{1,3})?)([a-z]*)$/.exec(words[at] ?? '') ?? [];
    if (number === undefined || taken.has(at)) continue;
    const [unit, size] = UNITS[glued === '' ? (words[at + 1] ?? '') : (glued ?? '')] ?? [null, 1];
    if (glued !== '' && unit === null) continue;
    taken.add(index).add(at);
    if (glued === '' && unit !== null) taken.add(at + 1);
    return { side, value: Number(number) * size, unit };
  }
  return null;
}

/** "2 gb": as a question writes it. */
export const sizeWords = ({ value, unit }: Threshold): string =>
  unit === 'mb' && value >= 1024
    ? `${String(value / 1024)} gb`
    : unit === null
      ? String(value)
      : `${String(value)} ${unit}`;

/** "web-1", "db-fra-01", "web1", "shop.example.org". */
const hasFormOfName = (word: string): boolean =>
  /^\p{L}[\p{L}\p{N}._-]*$/u.test(word) && (/[-_.]/.test(word) || /\d/.test(word));
const isName = (word: string): boolean => hasFormOfName(word) && !isPlainWord(word) && word !== 'k8s';
const isStrange = (word: string): boolean =>
  !word.endsWith('…') && !isPlainWord(word) && termOf(word) === null && /\p{L}/u.test(word);

/** A name stands out by its form, or behind "on" and its kin. */
function namesOf(words: readonly string[], taken: Taken): string[] {
  const formed = [...words.entries()].filter(([index, word]) => !taken.has(index) && isName(word));
  for (const [index] of formed) taken.add(index);
  if (formed.length > 0) return [...new Set(formed.map(([, word]) => word))];
  const at = words.findIndex((word, index) => {
    const next = words[index + 1];
    if (next === undefined || taken.has(index + 1) || !isStrange(next)) return false;
    // "the server gandalf", but not "which server limps most".
    if (/^(?:server|host|machine|node|pod|workload|deployment|cluster|check|container)$/.test(word))
      return index + 2 === words.length;
    // "pods of prod servers" names no server.
    return /^(?:on|of|for|auf|von|named|called)$/.test(word) && termOf(words[index + 2] ?? '') !== 'server';
  });
  if (at < 0) return [];
  taken.add(at + 1);
  return words.slice(at + 1, at + 2);
}

/** Takes the strange word behind a word that fits. */
function behind(words: readonly string[], taken: Taken, fits: (word: string, index: number) => boolean): string | null {
  const at = words.findIndex((word, index) => {
    const next = words[index + 1];
    return next !== undefined && !taken.has(index + 1) && (isStrange(next) || isName(next)) && fits(word, index);
  });
  if (at < 0) return null;
  taken.add(at + 1);
  return words[at + 1] ?? null;
}

/** "namespace shop", "the shop namespace". */
function namespaceOf(words: readonly string[], taken: Taken): string | null {
  const named = behind(words, taken, (word) => termOf(word) === 'namespace');
  if (named !== null) return named;
  const at = words.findIndex((word, index) => termOf(word) === 'namespace' && isStrange(words[index - 1] ?? ''));
  if (at <= 0 || taken.has(at - 1)) return null;
  taken.add(at - 1);
  return words[at - 1] ?? null;
}

/** "is nginx running", "which servers run nginx". */
function programOf(words: readonly string[], taken: Taken): string | null {
  // "Did the backup run?" is about a job, not about a process of now.
  if (words.includes('did')) return null;
  const after = behind(words, taken, (word) => /^(?:runs?|running)$/.test(word));
  if (after !== null) return after;
  const at = words.findIndex(
    (word, index) =>
      (/^(?:runs?|running)$/.test(word) || termOf(word) === 'process') && isStrange(words[index - 1] ?? ''),
  );
  if (at <= 0 || taken.has(at - 1)) return null;
  taken.add(at - 1);
  return words[at - 1] ?? null;
}

/** Reads a question. `now`: epoch seconds. */
export function readQuestion(question: string, now: number): Parts {
  // A longer word names nothing here, and is not left out either.
  const words = wordsOf(question).map((word) =>
    word.length > MOST_NAME_CHARACTERS ? `${word.slice(0, SHOWN_CHARACTERS)}…` : word,
  );
  const period = periodOf(words, now);
  const taken: Taken = new Set(period?.read);
  const threshold = thresholdOf(words, taken);
  const limit = limitOf(words, taken);
  const namespace = namespaceOf(words, taken);
  const isAboutServers = words.some((word) => ['server', 'region'].includes(termOf(word) ?? ''));
  const place = isAboutServers
    ? behind(words, taken, (word, index) => {
        if (!/^(?:in|tagged|tag|region)$/.test(word)) return false;
        taken.add(index);
        return true;
      })
    : null;
  const names = namesOf(words, taken);
  const program = programOf(words, taken);
  const open = words.filter((_word, index) => !taken.has(index));
  const terms = new Set(open.map(termOf).filter((term) => term !== null));
  if (open.some((word) => word === 'coldest' || word === 'coolest')) terms.add('least');
  const strange = open.filter((word) => !isFiller(word) && termOf(word) === null);
  return { words, terms, limit, threshold, period, names, namespace, program, place, strange };
}
