import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import type { AlertLevel } from '@plimsoll/contract/rules/limits';

/** Times are epoch milliseconds. */

interface Stretch {
  from: number;
  to: number;
}

/** An alert of a server, with the changes of its level in order of time. */
export interface DayAlert {
  isOffline: boolean;
  /** The level that it has now, or had at its end. */
  level: AlertLevel;
  openedAt: number;
  /** Null: it fires. */
  resolvedAt: number | null;
  levels: readonly { at: number; from: AlertLevel; to: AlertLevel }[];
}

export interface DayFacts {
  /** Beginning of the UTC day. */
  day: number;
  /** Nothing is judged from here on, because the samples are not added up yet. */
  until: number;
  intervalSeconds: number;
  createdAt: number;
  uninstalledAt: number | null;
  /** Samples by hour of the day. */
  samples: ReadonlyMap<number, number>;
  alerts: readonly DayAlert[];
}

export interface DaySum {
  goodSeconds: number;
  downSeconds: number;
  unknownSeconds: number;
}

/** Returns the stretches in which an alert was critical. */
export function criticalStretches({ level, openedAt, resolvedAt, levels }: DayAlert): Stretch[] {
  const stretches: Stretch[] = [];
  let [at, current] = [openedAt, levels[0]?.from ?? level];
  const close = (to: number): void => {
    if (current === 'critical' && to > at) stretches.push({ from: at, to });
  };
  for (const move of levels) {
    close(move.at);
    [at, current] = [move.at, move.to];
  }
  close(resolvedAt ?? Infinity);
  return stretches;
}

/** Returns the stretches without their overlaps, in order of time. */
export function merged(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const next of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && next.from <= last.to) last.to = Math.max(last.to, next.to);
    else result.push({ ...next });
  }
  return result;
}

const lengthWithin = (stretches: readonly Stretch[], { from, to }: Stretch): number =>
  stretches.reduce((sum, each) => sum + Math.max(0, Math.min(each.to, to) - Math.max(each.from, from)), 0);

/** Returns the part of an hour that is judged. Time outside of the life of the server counts only with samples. */
function judged(facts: DayFacts, hour: number): Stretch {
  const from = facts.day + hour * HOUR_MS;
  const to = Math.min(from + HOUR_MS, facts.until);
  if ((facts.samples.get(hour) ?? 0) > 0) return { from, to };
  return { from: Math.max(from, facts.createdAt), to: Math.min(to, facts.uninstalledAt ?? Infinity) };
}

/** Returns for how long the samples say that a server reported. Fewer missing ones than make a gap are none. */
function reportedMs(samples: number, { from, to }: Stretch, intervalSeconds: number): number {
  const intervalMs = intervalSeconds * 1000;
  const length = to - from;
  if (samples === 0) return 0;
  return samples + GAP_INTERVALS > length / intervalMs ? length : samples * intervalMs;
}

/**
 * Returns how long a server worked, was down, and was of unknown state on a day; null: the day has no data. Down is the
 * time of critical alerts. Good is what is left of the time in which it reported; where that is uncertain, unknown.
 */
export function sumDay(facts: DayFacts): DaySum | null {
  const all = facts.alerts.map((alert) => ({ alert, stretches: criticalStretches(alert) }));
  const down = merged(all.flatMap(({ stretches }) => stretches));
  const offline = merged(all.flatMap(({ alert, stretches }) => (alert.isOffline ? stretches : [])));
  const sum = { covered: 0, good: 0, down: 0 };
  for (let hour = 0; hour < DAY_MS / HOUR_MS; hour += 1) {
    const stretch = judged(facts, hour);
    const covered = stretch.to - stretch.from;
    if (covered <= 0) continue;
    const downMs = lengthWithin(down, stretch);
    // An alert that is not about silence fires while the server reports, so it takes from the reported time.
    const reportingDownMs = downMs - lengthWithin(offline, stretch);
    const reported = reportedMs(facts.samples.get(hour) ?? 0, stretch, facts.intervalSeconds);
    sum.covered += covered;
    sum.down += downMs;
    sum.good += Math.max(0, Math.min(covered - downMs, reported - reportingDownMs));
  }
  if (sum.covered === 0) return null;
  const [covered, goodSeconds, downSeconds] = [sum.covered, sum.good, sum.down].map((ms) => Math.round(ms / 1000));
  return {
    goodSeconds: goodSeconds ?? 0,
    downSeconds: downSeconds ?? 0,
    unknownSeconds: Math.max(0, (covered ?? 0) - (goodSeconds ?? 0) - (downSeconds ?? 0)),
  };
}
