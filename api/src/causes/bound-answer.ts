import { cutText, printableTree } from '@plimsoll/contract/rules/printable-text';
import type { CauseAnswer } from '@plimsoll/contract/wire/causes';

/** An answer is read by people: what is longer than this is no answer. */
const MOST = {
  causes: 3,
  entities: 10,
  evidence: 20,
  against: 10,
  victims: 100,
  ruledOut: 30,
  characters: 500,
} as const;

const cut = (text: string): string => cutText(text, MOST.characters);
const cutOrNull = (text: string | null): string | null => (text === null ? null : cut(text));

/** Returns an answer that can be stored and shown: bounded, without control characters. */
export function boundAnswer(answer: CauseAnswer): CauseAnswer {
  const { causes, victims, ruled_out: ruledOut } = printableTree(answer);
  return {
    ...answer,
    causes: causes.slice(0, MOST.causes).map((cause) => ({
      ...cause,
      finding: cut(cause.finding),
      entities: cause.entities.slice(0, MOST.entities),
      evidence: cause.evidence.slice(0, MOST.evidence).map((line) => ({ ...line, text: cut(line.text) })),
      against: cause.against.slice(0, MOST.against).map(cut),
      next: { text: cut(cause.next.text), command: cutOrNull(cause.next.command) },
    })),
    victims: victims.slice(0, MOST.victims).map(({ entity, text }) => ({ entity, text: cut(text) })),
    ruled_out: ruledOut.slice(0, MOST.ruledOut).map(({ text, reason, change_id: id }) => ({
      text: cut(text),
      reason: cut(reason),
      change_id: id,
    })),
  };
}
