import { OFFLINE_AFTER_INTERVALS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import { OK, step, type Track } from './alert-state.ts';
import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import type { RecordedPoint, RecordedSeries, RuleDraft } from './types.ts';

/** A stretch in which the rule would have fired. */
interface RehearsedAlert {
  serverId: string;
  hostname: string;
  level: AlertLevel;
  firedAt: number;
  resolvedAt: number | null;
}
export interface Rehearsal {
  /** Oldest first for each server. */
  alerts: RehearsedAlert[];
  messages: number;
}

const ROLLUP_MS = 300_000;
const stepOf = (point: RecordedPoint, intervalMs: number): number => (point.isSample ? intervalMs : ROLLUP_MS);

/** Runs recorded values of one server through a rule, as the evaluation of reports would have. */
export const rehearse = (rule: RuleDraft, series: RecordedSeries, now: number): Rehearsal =>
  rule.metric === 'offline' ? rehearseOffline(rule, series, now) : rehearseThreshold(rule, series);

function rehearseThreshold(rule: RuleDraft, { serverId, hostname, intervalMs, points }: RecordedSeries): Rehearsal {
  const lines = rule.lines.map(({ threshold }) => ({
    threshold: threshold ?? Infinity,
    forMs: rule.forMs,
    keepFiringForMs: rule.keepFiringForMs,
    hysteresisPoints: rule.hysteresisPoints,
  }));
  const tracks: Track[] = lines.map(() => OK);
  const alerts: RehearsedAlert[] = [];
  let messages = 0;
  let firing = -1;
  let previous: number | null = null;
  for (const point of points) {
    const stepMs = stepOf(point, intervalMs);
    const afterGap = previous === null || point.at - previous > GAP_INTERVALS * stepMs;
    previous = point.at;
    for (const [index, line] of lines.entries()) {
      const track = tracks[index] ?? OK;
      // Of 5 minutes, all values were over a line if the minimum was, and all were clear if the maximum was.
      const value = track.phase === 'firing' ? point.max : point.min;
      const sample = { at: point.at, value: Number.isNaN(value) ? null : value, afterGap };
      tracks[index] = step(track, sample, { ...line, intervalMs: stepMs });
    }
    const highest = tracks.findLastIndex(({ phase }) => phase === 'firing');
    if (highest === firing) continue;
    // A lower level sends no message.
    if (highest > firing || highest === -1) messages += 1;
    const level = rule.lines[highest]?.level;
    const open = alerts.at(-1);
    if (firing === -1 && level !== undefined)
      alerts.push({ serverId, hostname, level, firedAt: point.at, resolvedAt: null });
    else if (open !== undefined && highest === -1) open.resolvedAt = point.at;
    else if (open !== undefined && level !== undefined && highest > firing) open.level = level;
    firing = highest;
  }
  return { alerts, messages };
}

function rehearseOffline(
  rule: RuleDraft,
  { serverId, hostname, intervalMs, points }: RecordedSeries,
  now: number,
): Rehearsal {
  const silenceMs = Math.max(rule.forMs, OFFLINE_AFTER_INTERVALS * intervalMs);
  const level = rule.lines[0]?.level ?? 'critical';
  const alerts: RehearsedAlert[] = [];
  for (const [index, point] of points.entries()) {
    // A bucket of 5 minutes stands for reports up to its end.
    const lastAt = point.isSample ? point.at : point.at + ROLLUP_MS - intervalMs;
    const next = points[index + 1];
    if ((next?.at ?? now) - lastAt < silenceMs) continue;
    alerts.push({ serverId, hostname, level, firedAt: lastAt + silenceMs, resolvedAt: next?.at ?? null });
  }
  const resolved = alerts.filter(({ resolvedAt }) => resolvedAt !== null).length;
  return { alerts, messages: alerts.length + resolved };
}
