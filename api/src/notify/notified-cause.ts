import { causeAnswer } from '@plimsoll/contract/wire/causes';
import { cut, oneLine } from './message.ts';
import type { NotifiedCause } from './types.ts';

const MOST_CHARACTERS = 300;
/** A message is read at a glance. */
const MOST_FINDINGS = 2;

const short = (text: string): string => cut(oneLine(text), MOST_CHARACTERS);
const shortOrNull = (text: string | null): string | null => (text === null ? null : short(text));

/** Returns a stored answer as messages have it; null: it was stored in another form, or names no cause. */
export function notifiedCause({
  findings,
  answer,
  quotesLogLines,
}: {
  findings: readonly string[];
  answer: unknown;
  quotesLogLines: boolean;
}): NotifiedCause | null {
  const cause = causeAnswer.safeParse(answer).data?.causes[0];
  if (cause === undefined || findings.length === 0) return null;
  const quoted = quotesLogLines ? cause.evidence.find(({ is_quote: isQuote }) => isQuote === true) : undefined;
  return {
    findings: findings.slice(0, MOST_FINDINGS).map(short),
    quote: quoted === undefined ? null : short(quoted.text),
    mechanism: cause.mechanism,
    mechanismTitle: short(cause.mechanism_title),
    since: cause.since,
    entities: cause.entities.map((entity) => ({
      kind: entity.kind,
      name: short(entity.name),
      object_kind: shortOrNull(entity.object_kind),
      namespace: shortOrNull(entity.namespace),
      cluster_id: shortOrNull(entity.cluster_id),
      server_id: entity.server_id,
    })),
    next: short(cause.next.text),
  };
}
