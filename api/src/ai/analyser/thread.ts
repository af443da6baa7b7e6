import { figuresOf } from './asked.ts';
import { readQuestion, type Parts } from './question-parts.ts';
import { termOf, wordsOf, type Term } from './words.ts';

/** A message of the conversation, as the client sends it. */
export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

const OPENER = /^(?:and|und|what about|how about|same for|was ist mit)\b/;
/** "How many are there" names nothing. */
const PRONOUN = /\b(?:it|that one|that server)\b|(?<!\b(?:is|are|was|were) )\b(?:there|dort)$/;
/** "Who is closest to its line" says itself who. */
const POSSESSIVE = /\b(?:its|they|them|their)\b/;
const HAS_SUBJECT = /\b(?:who|which|wer|welche[rs]?)\b/;
/** "How is it going" and "is it possible" are about nothing that was named. */
const NO_PRONOUN = /\bhow is it going\b/;
/** These only choose a part of what was asked before. */
const WITHOUT_SUBJECT = new Set<Term>(['since', 'all', 'count', 'history', 'who', 'top', 'least', 'cause']);
/** Nouns with rows of their own; a figure takes the noun from the question before. */
const OF_ONE_SERVER = new Set<Term>(['alert', 'change', 'process', 'container', 'happened', 'package', 'unit', 'raid']);

const textOf = ({ words }: Parts): string => words.join(' ');

/** Returns the word that stands for something named before; null: the question stands alone. */
export function pronounOf(parts: Parts): string | null {
  const text = textOf(parts);
  if (parts.names.length > 0 || parts.place !== null || NO_PRONOUN.test(text)) return null;
  const hasSubject = HAS_SUBJECT.test(text) || parts.terms.has('server');
  return (PRONOUN.exec(text) ?? (hasSubject ? null : POSSESSIVE.exec(text)))?.[0] ?? null;
}

function isFollowUp(parts: Parts): boolean {
  const hasNoSubject = [...parts.terms].every((term) => WITHOUT_SUBJECT.has(term)) && parts.strange.length === 0;
  return OPENER.test(textOf(parts)) || pronounOf(parts) !== null || hasNoSubject;
}

/** The noun and the figures of the question before, with what the next one puts in their place. */
function termsOf(earlier: Parts, next: Parts): ReadonlySet<Term> {
  const named = [...next.terms].filter((term) => !WITHOUT_SUBJECT.has(term));
  if (named.length === 0) return new Set([...earlier.terms, ...next.terms]);
  if (figuresOf(next.terms).length === 0) return next.terms;
  const old = new Set<string>([...figuresOf(earlier.terms), 'load']);
  return new Set([...[...earlier.terms].filter((term) => !old.has(term)), ...next.terms]);
}

/** Returns a question with the parts that it leaves to the one before. */
function continued(earlier: Parts, next: Parts): Parts {
  const moved = new Set([...(next.period?.read ?? [])].map((at) => at + earlier.words.length));
  const hasNoun = [...next.terms].some((term) => OF_ONE_SERVER.has(term));
  return {
    // The later word stands for a term that both questions have.
    words: [...earlier.words, ...next.words],
    terms: hasNoun ? next.terms : termsOf(earlier, next),
    limit: next.limit ?? earlier.limit,
    threshold: next.threshold ?? (hasNoun ? null : earlier.threshold),
    period: next.period === null ? earlier.period : { ...next.period, read: moved },
    names: next.names.length > 0 ? next.names : earlier.names,
    namespace: next.namespace ?? earlier.namespace,
    program: next.program ?? (hasNoun ? null : earlier.program),
    place: next.place ?? earlier.place,
    strange: next.strange,
  };
}

/** "**web-1 has the highest CPU usage": the server that an answer put first. */
function leaderOf(answer: string): string | null {
  const found = /\*\*(\S+) has the (?:highest|lowest|most|least) /.exec(answer)?.[1]?.replaceAll('\\', '') ?? null;
  return found !== null && /^\p{L}[\p{L}\p{N}._-]*$/u.test(found) ? found : null;
}

/** Reads the last question of a conversation: "and memory?" has the server of the question before. */
export function questionInThread(question: string, thread: readonly Message[], now: number): Parts {
  let earlier: Parts | null = null;
  for (const { role, content } of thread) {
    if (role === 'user') earlier = partsAfter(earlier, content, now);
    const leader: string | null = role === 'assistant' && earlier?.names.length === 0 ? leaderOf(content) : null;
    // A pronoun may mean it; "and memory?" still asks about all.
    if (leader !== null && earlier !== null) earlier = { ...earlier, leader };
  }
  return partsAfter(earlier, question, now);
}

function partsAfter(earlier: Parts | null, question: string, now: number): Parts {
  const next = readQuestion(question, now);
  if (earlier === null || !isFollowUp(next)) return next;
  const { leader } = earlier;
  if (leader !== undefined && pronounOf(next) !== null) return { ...next, names: [leader] };
  return continued(earlier, next);
}

/** Nouns that stand alone in the second question of a sentence. */
const OWN_SCOPE = new Set<Term>(['server', 'cluster', 'node', 'pod', 'namespace', 'check', 'workload', 'all']);

/** Returns the questions of "cpu of web-1 and which alerts"; empty: it is one. */
export function questionsIn(question: string, now: number): Parts[] {
  const texts = question
    .split(
      /[?;]\s+|,?\s+(?:and|und)\s+(?=(?:which|what|who|how|is|are|any|when|welche[rsnm]?|wer|was|wie|gibt|ist|sind)\b)/i,
    )
    .filter((text) => wordsOf(text).length > 0);
  if (texts.length < 2) return [];
  const [first, ...others] = texts.map((text) => readQuestion(text, now)) as [Parts, ...Parts[]];
  return [
    first,
    ...others.map((next) =>
      next.names.length > 0 || [...next.terms].some((term) => OWN_SCOPE.has(term))
        ? next
        : {
            ...next,
            names: first.names,
            period: next.period ?? (first.period && { ...first.period, read: new Set() }),
          },
    ),
  ];
}

/** Returns the name of `known` whose words stand side by side in a question of several words; null: none. */
export function nameIn(words: readonly string[], known: readonly string[]): string | null {
  const text = ` ${words.join(' ')} `;
  const found = known.filter((name) => {
    const parts = wordsOf(name);
    return parts.some((word) => termOf(word) === null) && text.includes(` ${parts.join(' ')} `);
  });
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null;
}
