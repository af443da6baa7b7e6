import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import { LATE_SAMPLE_SECONDS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import type { Report } from '@plimsoll/contract/wire/report';
import type { AlertTracks } from '../types.ts';
import type { Reading, ReadingContext } from '@plimsoll/contract/rules/alert-metric';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { appliesTo, NO_CONTEXT, readingsOf, type AnyRule, type ThresholdRule } from '../rules/rules.ts';
import { INACTIVE, nextState, type Track } from './alert-state.ts';

export type Tracks = AlertTracks;
const SEPARATOR = '\u001f';
export const trackKey = (rule: string, subject: string): string => `${rule}${SEPARATOR}${subject}`;

/** Tracks of one rule by subject. A rule finds its own without reading those of all others. */
type RuleTracks = Map<string, readonly Track[]>;

/**
 * Returns the tracks of each rule. Those of rules that no longer apply are left out, so that such a rule starts anew when
 * it is back.
 */
function byRule(rules: readonly ThresholdRule[], tracks: Tracks): Map<ThresholdRule, RuleTracks> {
  const found = new Map(rules.map((rule) => [rule.id, { rule, own: new Map<string, readonly Track[]>() }]));
  for (const [key, kept] of Object.entries(tracks)) {
    const [id = '', subject = ''] = splitKey(key);
    const { rule, own } = found.get(id) ?? {};
    if (rule !== undefined && appliesTo(rule, subject)) own?.set(subject, kept);
  }
  return new Map([...found.values()].map(({ rule, own }) => [rule, own]));
}

const joined = (byRules: ReadonlyMap<AnyRule, RuleTracks>): Tracks =>
  Object.fromEntries(
    [...byRules].flatMap(([{ id }, own]) => [...own].map(([subject, kept]) => [trackKey(id, subject), [...kept]])),
  );

/** Returns the tracks without those of the given rules. */
export const withoutRules = (ids: ReadonlySet<string>, tracks: Tracks): Tracks =>
  Object.fromEntries(Object.entries(tracks).filter(([key]) => !ids.has(splitKey(key)[0] ?? '')));

export function splitKey(key: string): string[] {
  const at = key.indexOf(SEPARATOR);
  return [key.slice(0, at), key.slice(at + 1)];
}

export interface EvaluatedSample {
  /** Sample time on our clock, milliseconds. */
  at: number;
  receivedAt: number;
  report: Report;
}

/** The facts of an alert until it resolved. */
export interface Fired {
  forMs: number;
  /** In the unit of the metric; null: not known. */
  worst: number | null;
}

/** Result of a sample for one rule and subject. */
export interface Transition {
  kind: 'opened' | 'level' | 'value' | 'resolved';
  rule: AnyRule;
  subject: string;
  at: number;
  /** The highest level that fires; of `resolved`, the last one. */
  level: AlertLevel;
  threshold: number;
  value: number | null;
  /** The line fired again soon after its end, so it resolves late. */
  isFlapping: boolean;
  /** It resolved because the machine no longer measures it. `detail` has the reason. */
  isUnmeasured?: true;
  /** Only of `resolved`. */
  fired?: Fired | undefined;
  /** The subject as a person reads it, where that differs. */
  label?: string | undefined;
  detail?: string | undefined;
  /** Only of `resolved`: why it ended, where it is not well again. */
  ending?: string | undefined;
}

/** A reading with the name of its subject that people read. */
export type NamedReading = Reading & { label?: string | undefined };

export interface Evaluation {
  tracks: Tracks;
  transitions: Transition[];
}

/**
 * Runs new samples of one server through the rules. Pure: the same samples in the same order give the same result.
 *
 * Samples count in the order they arrived. One that is not newer than all before it, and one older than five minutes
 * when it arrived, is history: its values change no state. `newest`: time of the newest sample before these, null if none.
 * `contextAt` returns the facts beside the report at a sample time.
 */
export function evaluate(
  rules: readonly ThresholdRule[],
  known: { tracks: Tracks; newest: number | null },
  samples: readonly EvaluatedSample[],
  contextAt: (at: number) => ReadingContext = () => NO_CONTEXT,
): Evaluation {
  let { newest } = known;
  const tracks = byRule(rules, known.tracks);
  const transitions: Transition[] = [];
  for (const sample of samples) {
    if (newest !== null && sample.at <= newest) continue;
    const previous = newest;
    newest = sample.at;
    const context = contextAt(sample.at);
    const late = sample.receivedAt - sample.at > LATE_SAMPLE_SECONDS * 1000;
    for (const [rule, own] of tracks) {
      const afterGap = previous === null || sample.at - previous > GAP_INTERVALS * rule.intervalMs;
      const readings = readingsOf(rule.metric, sample.report, context);
      transitions.push(...stepRule(rule, own, readings, { at: sample.at, late, afterGap }));
    }
  }
  return { tracks: joined(tracks), transitions };
}

interface Moment {
  at: number;
  late: boolean;
  afterGap: boolean;
}

/** Steps the tracks of a rule by one set of readings; changes `tracks`. `readings` null: nothing was read. */
export function applyReadings(
  rule: AnyRule,
  tracks: Tracks,
  readings: readonly NamedReading[] | null,
  moment: Moment,
): Transition[] {
  const prefix = trackKey(rule.id, '');
  const keys = Object.keys(tracks).filter((key) => key.startsWith(prefix));
  const own: RuleTracks = new Map(keys.map((key) => [key.slice(prefix.length), tracks[key] ?? []]));
  const transitions = stepRule(rule, own, readings, moment);
  for (const key of keys) delete tracks[key];
  Object.assign(tracks, joined(new Map([[rule, own]])));
  return transitions;
}

function stepRule(
  rule: AnyRule,
  own: RuleTracks,
  readings: readonly NamedReading[] | null,
  { at, late, afterGap }: Moment,
): Transition[] {
  return subjectsOf(rule, own, readings).flatMap((reading) => {
    const { subject, value: read, isHarmless, isUnnamed, detail, ending, label } = reading;
    const isUnmeasured = !late && reading.isUnmeasured === true;
    const value = late ? null : read;
    const isClear = !late && isHarmless === true;
    const sign = ALERT_METRICS[rule.metric].isWorseWhenLower === true ? -1 : 1;
    const judged = isClear ? -Infinity : value === null ? null : sign * value;
    const kept = own.get(subject);
    // A rule with more or fewer lines than when the track was saved starts anew.
    const before = kept?.length === rule.lines.length ? kept : rule.lines.map(() => INACTIVE);
    const sample = { at, value: judged, afterGap: afterGap || isUnnamed === true };
    const after = rule.lines.map((line, i) =>
      isUnmeasured ? INACTIVE : nextState(before[i] ?? INACTIVE, sample, { ...rule, threshold: sign * line.threshold }),
    );
    if (after.every((track) => track.phase === 'ok' && track.endedAt === undefined)) own.delete(subject);
    else own.set(subject, after);
    const transition = compare(rule, before, after);
    if (transition === null) return [];
    const fired = transition.kind === 'resolved' ? firedUntil(at, before, sign) : undefined;
    const end = { fired, ending: fired && ending, ...(isUnmeasured && { isUnmeasured }) };
    return [{ ...transition, rule, subject, at, value, detail, label, ...end }];
  });
}

/**
 * Returns the readings, and tracked subjects without one: each is clear or unknown, as the metric defines. `isUnnamed`: the
 * list was read and does not name it, so nothing is known about the time until it does again.
 */
function subjectsOf(
  rule: AnyRule,
  own: RuleTracks,
  read: readonly NamedReading[] | null,
): (NamedReading & { isUnnamed?: boolean })[] {
  const readings = (read ?? []).filter(({ subject }) => appliesTo(rule, subject));
  if (own.size === 0) return readings;
  const seen = new Set(readings.map(({ subject }) => subject));
  const isClear = read !== null && ALERT_METRICS[rule.metric].isClearWhenAbsent;
  const missing = [...own.keys()]
    .filter((subject) => !seen.has(subject))
    .map((subject) => ({ subject, value: isClear ? 0 : null, isUnnamed: read !== null && !isClear }));
  return [...readings, ...missing];
}

function highestFiring(rule: AnyRule, tracks: readonly Track[]) {
  const index = tracks.findLastIndex(({ phase }) => phase === 'firing');
  const [line, track] = [rule.lines[index], tracks[index]];
  if (line === undefined || track?.phase !== 'firing') return null;
  return { level: line.level, threshold: line.threshold, isFlapping: track.isFlapping === true };
}

/** Its lines fire at different times: the alert opened with the first of them. */
function firedUntil(at: number, tracks: readonly Track[], sign: 1 | -1): Fired {
  const firing = tracks.flatMap((track) => (track.phase === 'firing' ? [track] : []));
  const worst = firing.flatMap((track) => (track.worst === undefined ? [] : [track.worst]));
  return {
    forMs: at - Math.min(at, ...firing.map(({ since }) => since)),
    worst: worst.length === 0 ? null : sign * Math.max(...worst),
  };
}

function compare(
  rule: AnyRule,
  before: readonly Track[],
  after: readonly Track[],
): Pick<Transition, 'kind' | 'level' | 'threshold' | 'isFlapping'> | null {
  const [was, is] = [highestFiring(rule, before), highestFiring(rule, after)];
  if (is === null) return was && { ...was, kind: 'resolved', isFlapping: false };
  return { ...is, kind: was === null ? 'opened' : was.level === is.level ? 'value' : 'level' };
}
