import { isDeepStrictEqual } from 'node:util';
import type { AcceptedBatch, StoredResult } from '../../reports/types.ts';
import type { AlertChange, KnownAlertState } from '../types.ts';
import type { AlertStates } from '../store.ts';
import { evaluate, trackKey, type EvaluatedSample, type Tracks, type Transition } from './evaluate.ts';
import { changeOf, offlineChange, refusedChange } from '../message.ts';
import type { ForecastRules } from '../../servers/disk-forecasts.ts';
import { readingContext } from './forecast-reading.ts';

/** Tries before a server's rules are left to its next report; each lost try means another report got through. */
const MOST_TRIES = 5;
/**
 * Runs the newly stored reports of a batch through the rules and returns the changes. Uses the alert state that the
 * insert returned. If it is stale, the versioned save fails and the state is loaded again.
 */
export async function watch(
  states: AlertStates,
  batch: AcceptedBatch,
  { storedSeqs, alertState }: Pick<StoredResult, 'storedSeqs' | 'alertState'>,
  rules: ForecastRules,
): Promise<AlertChange[]> {
  const stored = new Set(storedSeqs);
  const samples = batch.items
    .filter(({ seq }) => stored.has(seq))
    .map(({ sampleAt, report }) => ({ at: sampleAt, receivedAt: batch.receivedAt, report }))
    .toSorted((a, b) => a.at - b.at);
  if (samples.length === 0) return [];
  const { serverKey } = batch.agent;
  const times = samples.map(({ at }) => at);
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const known = attempt === 0 ? alertState : await states.load(serverKey, times);
    const decided = decide(rules, known, samples);
    if (decided === null) return [];
    if (await states.save(serverKey, known.version, decided.tracks, decided.changes)) return decided.changes;
  }
  throw new Error(`alert state of server ${String(serverKey)} kept changing`);
}

/** Null when there is nothing to write. */
function decide(
  rules: ForecastRules,
  known: KnownAlertState,
  samples: readonly EvaluatedSample[],
): { tracks: Tracks; changes: AlertChange[] } | null {
  const { tracks, transitions } = evaluate(rules.thresholds, known, samples, (at) => readingContext(known, rules, at));
  const last = samples.at(-1);
  const changes = withoutOlderValues(transitions).map(changeOf);
  const back = [
    ...(known.offline && last !== undefined ? [offlineChange('resolved', last.receivedAt)] : []),
    ...(known.refused && last !== undefined ? [refusedChange('resolved', last.receivedAt)] : []),
  ];
  const moved = !isDeepStrictEqual(tracks, known.tracks);
  return moved || back.length > 0 || changes.length > 0 ? { tracks, changes: [...changes, ...back] } : null;
}

/** Returns the transitions without values of an alert that a later one of the batch replaces. */
function withoutOlderValues(transitions: readonly Transition[]): Transition[] {
  const keyOf = ({ rule, subject }: Transition): string => trackKey(rule.id, subject);
  const newest = new Map(transitions.map((one) => [keyOf(one), one]));
  return transitions.filter((one) => one.kind !== 'value' || newest.get(keyOf(one)) === one);
}
