import { majorityOf } from '@plimsoll/contract/rules/check-limits';
import { OFFLINE_AFTER_INTERVALS } from '@plimsoll/contract/rules/limits';
import { type CheckAlertDeps, syncCheckAlerts } from './check-alerts.ts';
import { advance, type CheckFold, type FoldEvent, type FoldRule, freshMsOf, type PlaceVote } from './rules/fold.ts';
import { judgeHeartbeat } from './rules/heartbeat-status.ts';
import { placesOf } from './rules/check-places.ts';
import type { CheckResults, Judged } from './store.ts';
import { API_PLACE, type Check, type CheckState, type PlaceResult } from './types.ts';

export interface JudgeDeps extends CheckAlertDeps {
  checkResults: CheckResults;
  reportIntervalSeconds: number;
}

/** Older results that arrive late change the charts and no outage. */
const MOST_LATE_MS = 15 * 60_000;
/** A tick of the API's own checks, the longest run, and the write. */
const API_LAG_MS = 15_000;
const SLOW_MS = 15 * 60_000;
/** Collectors whose API was away are back within this time, or three intervals. */
const LEAST_RETURN_MS = 60_000;

type Seen = Awaited<ReturnType<CheckResults['listPlaces']>>;
type Results = Awaited<ReturnType<CheckResults['listSince']>>;

/**
 * Folds what the places reported since the last look into the status, outages and alerts of every check. Safe on several
 * replicas, and after a kill the next look does what is missing. `startedAt`: when this API began to look; absent: long ago.
 */
export async function judgeChecks(
  deps: JudgeDeps,
  now: number,
  startedAt = -Infinity,
): Promise<{ changed: number; alerts: number } | null> {
  const { checkResults } = deps;
  const checks = await checkResults.listEnabled();
  const alertsLeft = checks.length === 0 ? await deps.checkAlerts.listOpen() : [];
  if (checks.length === 0 && alertsLeft.length === 0) return null;
  const states = await checkResults.listStates(checks.map(({ key }) => key));
  const seen = await checkResults.listPlaces(null);
  // A heartbeat has no results, and its fold moves only with its status.
  const folds = checks.flatMap(({ key, heartbeat }) =>
    heartbeat === null ? [states.get(key)?.fold.foldedTo ?? now] : [],
  );
  const oldest = folds.reduce((least, at) => Math.min(least, at), now);
  const results: Results =
    folds.length === 0 ? new Map() : await checkResults.listSince(Math.max(oldest, now - MOST_LATE_MS));
  const silentBefore = silentBeforeOf(deps, now, startedAt);
  const judged = checks.flatMap((check) => {
    const state = states.get(check.key);
    return state === undefined
      ? []
      : judgeOne(check, state, { seen, results: results.get(check.key) ?? [], silentBefore, now });
  });
  const saved = await checkResults.judge(judged);
  const newFolds = new Map(judged.map(({ checkKey, fold }) => [checkKey, fold]));
  const slow = await slowness(deps, checks, now);
  const facts = checks.flatMap((check) => {
    const state = states.get(check.key);
    if (state === undefined) return [];
    const fold = newFolds.get(check.key) ?? state.fold;
    return [{ check, state: { ...state, fold }, p95Ms: slow.get(check.key) ?? null }];
  });
  const { changed: alerts, slow: slowSince } = await syncCheckAlerts(deps, facts, now);
  await checkResults.saveSlow(slowSince);
  return { changed: saved.size, alerts };
}

/** The response times of all checks are read only where some rule compares them. */
async function slowness(deps: JudgeDeps, checks: readonly Check[], now: number): Promise<ReadonlyMap<number, number>> {
  for (const organisationId of new Set(checks.map((check) => check.organisationId))) {
    const { rules } = await deps.alertRules.of(organisationId);
    if (rules.some(({ metric, enabled }) => metric === 'check_slow' && enabled))
      return deps.checkResults.listSlowness(now - SLOW_MS);
  }
  return new Map();
}

/**
 * Returns the time of the last report before which a place is silent. Collectors keep their reports while the API is away:
 * until they had time to return, a place that reported shortly before is waited for, so that its results come in order.
 */
function silentBeforeOf({ reportIntervalSeconds }: JudgeDeps, now: number, startedAt: number): number {
  const silentMs = OFFLINE_AFTER_INTERVALS * reportIntervalSeconds * 1000;
  return now - startedAt < Math.max(silentMs, LEAST_RETURN_MS) ? startedAt - MOST_LATE_MS : now - silentMs;
}

function judgeOne(
  check: Check,
  { version, fold, heartbeat }: CheckState,
  {
    seen,
    results,
    silentBefore,
    now,
  }: { seen: Seen; results: readonly (PlaceResult & { place: number })[]; silentBefore: number; now: number },
): Judged[] {
  const judged = (next: Pick<Judged, 'fold' | 'changes'>): Judged => ({ checkKey: check.key, version, ...next });
  if (check.heartbeat !== null) {
    if (heartbeat === null) return [];
    const next = judgeHeartbeat(fold, heartbeat, check.heartbeat, now);
    return next.changes.length === 0 ? [] : [judged(next)];
  }
  const places = placesOf(check, seen);
  const to = foldTo(places, seen, silentBefore, now);
  if (to <= fold.foldedTo && fold.rev === check.rev) return [];
  const rule = ruleOf(check, places.length);
  const before = { ...fold, places: votesOf(check, fold, places, rule) };
  const events = results.flatMap((one): FoldEvent[] =>
    one.rev === check.rev && places.includes(one.place)
      ? [{ place: one.place, at: one.at, ok: one.ok, reason: one.reason, status: one.status, phase: one.failed_phase }]
      : [],
  );
  const next = advance(before, rule, events, to);
  return [judged({ fold: { ...next.fold, rev: check.rev }, changes: next.changes })];
}

/**
 * Returns the votes that still count. One about another version of the check, or of a place that it no longer has, says
 * nothing; it stays until it would have ended, so that a check which nobody votes for becomes unknown at that moment.
 */
function votesOf(check: Check, fold: CheckFold, places: readonly number[], { freshMs }: FoldRule): CheckFold['places'] {
  const isCurrent = (fold.rev ?? check.rev) === check.rev;
  const nothing = { ok: null, fails: 0, failingSince: null, reason: null };
  const votes = Object.entries(fold.places).flatMap(([place, vote]): [string, PlaceVote][] => {
    const isOwn = places.includes(Number(place));
    if (isOwn && isCurrent) return [[place, vote]];
    return isOwn || vote.at + freshMs > fold.foldedTo ? [[place, { ...vote, ...nothing }]] : [];
  });
  return Object.fromEntries(votes);
}

export const ruleOf = ({ needed, retries, intervalSeconds, probe }: Check, places: number): FoldRule => ({
  needed: Math.min(needed ?? majorityOf(places), Math.max(1, places)),
  retries,
  freshMs: freshMsOf(intervalSeconds, probe?.timeout_ms ?? 0),
});

/** Every place that still talks has reported up to here, so the order of what comes later does not matter. */
function foldTo(places: readonly number[], seen: Seen, silentBefore: number, now: number): number {
  const heard = places.flatMap((place) => {
    const at = place === API_PLACE ? now - API_LAG_MS : (seen.get(place)?.seenAt ?? 0);
    return at < silentBefore ? [] : [at];
  });
  return Math.min(now, ...heard);
}
