import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import type { Evidence } from './evidence.ts';

/** A shorter text is a word that anybody may say. */
const LEAST_CHARACTERS = 8;

/** Returns what programs said, as the evidence has it: log lines, and the last words of containers. The longest first. */
export function saidIn({ lines, pods }: Pick<Evidence, 'lines' | 'pods'>): string[] {
  const words = pods.flatMap(({ containers }) => containers.flatMap(({ end }) => end?.message ?? []));
  const texts = [...lines.map(({ text }) => text), ...words].flatMap((text) => text.split(/[\r\n]+/));
  const said = texts.map((text) => text.trim()).filter((text) => text.length >= LEAST_CHARACTERS);
  return [...new Set(said)].toSorted((a, b) => b.length - a.length);
}

/** Returns a sentence for each cause, without what programs said: a channel may send these. */
export const findingsOf = ({ causes }: CauseAnswer, said: readonly string[]): string[] =>
  causes.map(({ finding }) => said.reduce((text, one) => text.replaceAll(one, '…'), finding));

/** Marks the evidence that repeats what a program said: a channel sends it only where an admin allows that. */
export function markQuotes(answer: CauseAnswer, said: readonly string[]): CauseAnswer {
  const isQuote = (text: string): boolean => said.some((one) => text.includes(one) || isCutFrom(text, one));
  return {
    ...answer,
    causes: answer.causes.map((cause) => ({
      ...cause,
      evidence: cause.evidence.map((line) => ({ ...line, is_quote: isQuote(line.text) })),
    })),
  };
}

/** A long line is cut: the evidence has its beginning. */
const CUT_CHARACTERS = 40;
const isCutFrom = (text: string, said: string): boolean =>
  said.length > CUT_CHARACTERS && text.includes(said.slice(0, CUT_CHARACTERS));
