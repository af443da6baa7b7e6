import type { CauseAnswer, CauseEntity, LikelyCause } from '@plimsoll/contract/wire/causes';
import { commandOf } from './commands.ts';
import { keyOf } from './entities.ts';
import type { Evidence } from './evidence.ts';
import { clock } from './figures.ts';
import { POSSIBLE_EDGE } from './graph.ts';
import type { Mechanism } from './mechanism.ts';
import { MECHANISMS } from './mechanisms/all.ts';
import { momentOf, type Moment } from './moment.ts';
import { rank, type Ranked } from './rank.ts';

/** Bounds of an answer. */
const MOST_EVIDENCE = 8;
const MOST_RULED_OUT = 8;
const MOST_VICTIMS = 50;

const iso = (at: number): string => new Date(Math.round(at) * 1000).toISOString();

/** Returns the likely causes of the alerts in the evidence. The same evidence gives the same answer. */
export function explain(evidence: Evidence, mechanisms: readonly Mechanism[] = MECHANISMS): CauseAnswer {
  const moment = momentOf(evidence);
  const found = mechanisms.flatMap(({ id, title, recognise }) =>
    recognise(moment).map((candidate) => ({ mechanism: candidate.as ?? { id, title }, candidate })),
  );
  const { chosen, others } = rank(moment, found);
  return {
    status: chosen.length > 0 ? 'found' : 'not_found',
    causes: chosen.map((one) => shape(one, moment)),
    victims: victimsOf(chosen),
    ruled_out: ruledOut(moment, chosen, others),
    symptoms: moment.symptoms.length,
    at: iso(evidence.at),
    computed_at: iso(evidence.now),
  };
}

function shape(one: Ranked, moment: Moment): LikelyCause {
  const { mechanism, finding, entities, since, change, explained } = one;
  const lines = one.evidence.flatMap((line) =>
    typeof line === 'string' ? (line === '' ? [] : [{ text: line }]) : line === false || line == null ? [] : [line],
  );
  const texts = [
    ...(change === undefined
      ? []
      : [
          {
            text: `${change.title}${change.by === null ? '' : `, by ${change.by}`}`,
            at: change.at,
            href: `/changes?q=${encodeURIComponent(change.name)}`,
          },
        ]),
    ...lines,
  ];
  return {
    mechanism: mechanism.id,
    mechanism_title: mechanism.title,
    finding,
    entities: [...entities],
    since: since === null ? null : iso(since),
    change_id: change?.id ?? null,
    explains: explained.size,
    evidence: [...new Map(texts.map((line) => [line.text, line])).values()].slice(0, MOST_EVIDENCE).map((line) => ({
      text: line.text,
      at: line.at == null ? null : iso(line.at),
      href: line.href ?? null,
    })),
    against: [...(one.against ?? []), ...doubts(one, moment)],
    next: { text: one.next, command: one.command === undefined ? commandOf(one) : one.command },
  };
}

/** Returns facts that speak against a cause, whatever its mechanism. */
function doubts({ explained, since }: Ranked, { symptoms }: Moment): string[] {
  const open = symptoms.filter((symptom) => !explained.has(symptom));
  const isGuessed = [...explained.values()].some((certainty) => certainty <= POSSIBLE_EDGE);
  return [
    ...(open.length === 0
      ? []
      : [`It does not explain ${String(open.length)} of ${String(symptoms.length)} symptoms: ${open[0]?.text ?? ''}`]),
    ...(isGuessed
      ? ['Nothing recorded names the connection to everything that fails: it is likely, and not known.']
      : []),
    ...(since === null ? ['When it began is not known.'] : []),
  ];
}

function victimsOf(chosen: readonly Ranked[]): CauseAnswer['victims'] {
  const guilty = new Set(chosen.flatMap(({ entities }) => entities.map(keyOf)));
  const victims = new Map<string, { entity: CauseEntity; text: string }>();
  for (const { explained } of chosen)
    for (const { entity, text } of explained.keys())
      if (entity !== null && !guilty.has(keyOf(entity)) && !victims.has(keyOf(entity)))
        victims.set(keyOf(entity), { entity, text });
  return [...victims.values()].slice(0, MOST_VICTIMS);
}

function ruledOut(
  moment: Moment,
  chosen: readonly Ranked[],
  others: readonly { candidate: Ranked; reason: string }[],
): CauseAnswer['ruled_out'] {
  const named = new Set(chosen.flatMap(({ change, entities }) => [change?.id ?? '', ...entities.map(keyOf)]));
  const places = new Set(moment.symptoms.map(({ entity }) => placeOf(entity?.namespace, entity?.server_id)));
  const late = moment.evidence.changes
    .filter(
      ({ at, id, kind, namespace, serverId }) =>
        at > moment.lastAt && !named.has(id) && kind !== 'EndpointSlice' && places.has(placeOf(namespace, serverId)),
    )
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .map((change) => ({
      text: `${change.kind} ${change.name}: ${change.title}`,
      reason: `It came after the symptoms, at ${clock(change.at)}.`,
      change_id: change.id,
    }));
  const weaker = others
    .toSorted((a, b) => b.candidate.score - a.candidate.score || (a.candidate.finding < b.candidate.finding ? -1 : 1))
    .map(({ candidate, reason }) => ({
      text: candidate.finding,
      reason,
      change_id: candidate.change?.id ?? null,
    }));
  const all = new Map([...weaker, ...late].map((one) => [one.text, one]));
  return [...all.values()].slice(0, MOST_RULED_OUT);
}

const placeOf = (namespace: string | null | undefined, serverId: string | null | undefined): string =>
  JSON.stringify([namespace ?? null, serverId ?? null]);
