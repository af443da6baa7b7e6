import { keyOf } from './entities.ts';
import type { Reach } from './graph.ts';
import type { Aspect } from './aspects.ts';
import { SPECIFICITY, type Candidate, type Mechanism } from './mechanism.ts';
import type { Moment } from './moment.ts';
import type { Symptom } from './symptoms.ts';

/**
 * Ranks candidates by what they explain: symptoms that come after them and are reachable from them, weighted by how
 * specific the mechanism is. A candidate that another one explains is a victim.
 */

/** Two witnesses: the relation is broken, and the ledger says what broke it. */
const CHANGE_WITNESS = 0.1;
/** Clocks of reports differ, and a state is seen up to two reports late. */
const SLACK_SECONDS = 120;
/** A cause beside the first must explain an alert that the first does not. */
const MOST_CAUSES = 3;

/** Trouble that arrives at a caller, whatever its source. */
const AT_CALLERS: readonly Aspect[] = ['failing', 'crash', 'missing'];
/** Trouble of a callee that its callers notice. */
const NOTICED: ReadonlySet<Aspect> = new Set([
  'missing',
  'start',
  'crash',
  'memory_kill',
  'failing',
  'silent',
  'node',
  'disk',
  'unit',
  'cpu',
  'traffic',
]);

type Kind = Pick<Mechanism, 'id' | 'title'>;
export interface Ranked extends Candidate {
  mechanism: Kind;
  strength: number;
  reach: ReadonlyMap<string, Reach>;
  /** Symptoms that it explains, with the certainty of the way. */
  explained: ReadonlyMap<Symptom, number>;
  /** Part of the weight of all symptoms, 0–1. */
  share: number;
  score: number;
}

export interface Ranking {
  chosen: readonly Ranked[];
  others: readonly { candidate: Ranked; reason: string }[];
}

const isNear = (aspects: readonly Aspect[], others: readonly Aspect[]): boolean =>
  aspects.some((aspect) => others.includes(aspect));
const arrives = (way: Reach, brings: readonly Aspect[], at: readonly Aspect[]): boolean =>
  way.isCall ? isNear(at, AT_CALLERS) && brings.some((aspect) => NOTICED.has(aspect)) : isNear(at, brings);

export function rank(moment: Moment, found: readonly { mechanism: Kind; candidate: Candidate }[]): Ranking {
  const total = moment.symptoms.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return { chosen: [], others: [] };
  const ranked = found.map(({ mechanism, candidate }) => weigh(moment, mechanism, candidate, total));
  // A candidate that explains only alerts of other incidents is their cause, not one of this.
  const able = ranked.filter(({ explained }) => [...explained.keys()].some(({ weight }) => weight === 1));
  const victims = new Map(able.flatMap((one) => able.filter((other) => explains(other, one)).map((by) => [one, by])));
  const causes = able.filter((one) => !victims.has(one)).toSorted(compare);
  const chosen = choose(causes, moment.symptoms);
  const others = able.flatMap((candidate) => {
    if (chosen.some((one) => isSame(one, candidate))) return [];
    const by = victims.get(candidate);
    const reason =
      by !== undefined
        ? `It follows from this: ${by.finding}`
        : chosen[0] === undefined
          ? `It explains ${String(candidate.explained.size)} of ${String(moment.symptoms.length)} symptoms.`
          : candidate.share < chosen[0].share
            ? `It explains ${String(candidate.explained.size)} of ${String(moment.symptoms.length)} symptoms, the likeliest cause ${String(chosen[0].explained.size)}.`
            : 'The likeliest cause is more specific.';
    return [{ candidate, reason }];
  });
  return { chosen, others };
}

function weigh(moment: Moment, mechanism: Kind, candidate: Candidate, total: number): Ranked {
  const from = [...candidate.entities, ...(candidate.reaches ?? [])].map(keyOf);
  const reach = moment.graph.reach(from);
  const explained = new Map<Symptom, number>();
  for (const symptom of moment.symptoms) {
    const way = reach.get(symptom.key);
    if (way === undefined || !arrives(way, candidate.brings, symptom.aspects)) continue;
    if (candidate.since !== null && candidate.since > symptom.at + SLACK_SECONDS) continue;
    explained.set(symptom, way.certainty);
  }
  const weight = [...explained].reduce((sum, [symptom, certainty]) => sum + symptom.weight * certainty, 0);
  const strength = SPECIFICITY[candidate.specificity] + (candidate.change === undefined ? 0 : CHANGE_WITNESS);
  const share = weight / total;
  return { ...candidate, mechanism, strength, reach, explained, share, score: share * strength };
}

/** Returns true if `other` brings about what `one` is. */
function explains(other: Ranked, one: Ranked): boolean {
  const [main] = one.entities;
  if (one.is === undefined || main === undefined || other === one) return false;
  const way = other.reach.get(keyOf(main));
  if (way === undefined || !arrives(way, other.brings, [one.is])) return false;
  if (other.since !== null && one.since !== null && other.since > one.since + SLACK_SECONDS) return false;
  if (other.strength * way.certainty < one.strength) return false;
  if (other.strength === one.strength && isSameChange(one, other)) return false;
  // Two that explain each other stand side by side.
  return !(other.strength === one.strength && other.is !== undefined && isBehind(one, other));
}
function isBehind(one: Ranked, other: Ranked): boolean {
  const [main] = other.entities;
  const way = main === undefined ? undefined : one.reach.get(keyOf(main));
  return way !== undefined && other.is !== undefined && arrives(way, one.brings, [other.is]);
}

const isSame = (a: Ranked, b: Ranked): boolean => {
  const [first, second] = [a.entities[0], b.entities[0]];
  return first !== undefined && second !== undefined && keyOf(first) === keyOf(second);
};

const isSameChange = (a: Ranked, b: Ranked): boolean => a.change !== undefined && a.change === b.change;

/** Likeliest first. Of two that read one change, the one that promises less recognises more of it. Of two that are equal, the later began closer to the symptoms. */
const compare = (a: Ranked, b: Ranked): number =>
  b.score - a.score ||
  b.strength - a.strength ||
  (isSameChange(a, b) ? a.brings.length - b.brings.length : 0) ||
  (b.since ?? 0) - (a.since ?? 0) ||
  (idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : 0);
const idOf = ({ mechanism, finding, entities }: Ranked): string =>
  [mechanism.id, ...entities.map(keyOf), finding].join('\n');

/** Takes the best, and then whatever explains alerts that are left. Together they must explain half of the alerts of this incident. */
function choose(causes: readonly Ranked[], symptoms: readonly Symptom[]): Ranked[] {
  const chosen: Ranked[] = [];
  const explained = new Map<Symptom, number>();
  // A symptom that a cause explains by a guess only is still open for a cause that is plainly its own. An alert of this incident is open
  // for any.
  const isOpen = (symptom: Symptom, certainty: number, { strength }: Ranked): boolean => {
    const known = explained.get(symptom);
    if (known === undefined && symptom.weight === 1) return true;
    return (known ?? 0) <= certainty && (known ?? 0) < 1 && strength > SPECIFICITY.broken;
  };
  const news = (one: Ranked): number =>
    [...one.explained].reduce(
      (sum, [symptom, certainty]) => (isOpen(symptom, certainty, one) ? sum + certainty : sum),
      0,
    );
  for (;;) {
    const [next] = causes
      .filter((one) => !chosen.some((other) => isSame(other, one)) && (chosen.length === 0 || news(one) > 0))
      .filter(({ strength }) => strength >= SPECIFICITY.state)
      .toSorted((a, b) => (chosen.length === 0 ? 0 : news(b) * b.strength - news(a) * a.strength) || compare(a, b));
    if (next === undefined || chosen.length === MOST_CAUSES) break;
    chosen.push(next);
    for (const [symptom, certainty] of next.explained)
      explained.set(symptom, Math.max(certainty, explained.get(symptom) ?? 0));
  }
  const own = symptoms.filter(({ weight }) => weight === 1);
  const known = own.reduce((sum, symptom) => sum + (explained.get(symptom) ?? 0), 0);
  return known >= own.length / 2 ? chosen : [];
}
