import { OFFLINE_AFTER_INTERVALS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import { INACTIVE, nextState, type Track } from '../evaluation/alert-state.ts';
import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import type { RuleDraft } from '../types.ts';
import { ROLLUP_MS, type RecordedPoints, type RecordedServer } from './recorded.ts';

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
type Named = Pick<RecordedServer, 'serverId' | 'hostname' | 'intervalMs'>;

/** Runs recorded values of one server through a rule, as the evaluation of reports would have. */
export interface ServerRehearsal {
  /** Takes the next values in time order. */
  add(points: RecordedPoints): void;
  /** Skips values up to this time that would change nothing. The server reported until then. */
  skipTo(at: number): void;
  /** No line is pending or firing: values below the lowest line would change nothing. */
  isQuiet(): boolean;
  end(now: number): Rehearsal;
}
export const rehearse = (rule: RuleDraft, server: Named): ServerRehearsal =>
  rule.metric === 'offline' ? rehearseOffline(rule, server) : rehearseThreshold(rule, server);

function rehearseThreshold(rule: RuleDraft, { serverId, hostname, intervalMs }: Named): ServerRehearsal {
  const lines = rule.lines.map(({ threshold }) => ({
    threshold: threshold ?? Infinity,
    forMs: rule.forMs,
    keepFiringForMs: rule.keepFiringForMs,
    hysteresisPoints: rule.hysteresisPoints,
  }));
  const lowest = Math.min(...lines.map(({ threshold }) => threshold));
  const tracks: Track[] = lines.map(() => INACTIVE);
  const alerts: RehearsedAlert[] = [];
  let messages = 0;
  let firing = -1;
  let previous = -Infinity;
  let isQuiet = true;
  const take = (at: number, min: number, max: number, stepMs: number): void => {
    const afterGap = at - previous > GAP_INTERVALS * stepMs;
    for (const [index, line] of lines.entries()) {
      const track = tracks[index] ?? INACTIVE;
      // In 5 minutes, all values were over a line if the minimum was, and all were clear if the maximum was.
      const value = track.phase === 'firing' ? max : min;
      const sample = { at, value: Number.isNaN(value) ? null : value, afterGap };
      tracks[index] = nextState(track, sample, { ...line, intervalMs: stepMs });
    }
    isQuiet = tracks.every(({ phase }) => phase === 'ok');
    const highest = tracks.findLastIndex(({ phase }) => phase === 'firing');
    if (highest === firing) return;
    // A lower level sends no message.
    if (highest > firing || highest === -1) messages += 1;
    const level = rule.lines[highest]?.level;
    const open = alerts.at(-1);
    if (firing === -1 && level !== undefined) alerts.push({ serverId, hostname, level, firedAt: at, resolvedAt: null });
    else if (open !== undefined && highest === -1) open.resolvedAt = at;
    else if (open !== undefined && level !== undefined && highest > firing) open.level = level;
    firing = highest;
  };
  return {
    add: ({ at, min, max, isSample }) => {
      const stepMs = isSample ? intervalMs : ROLLUP_MS;
      for (const [index, time] of at.entries()) {
        const value = min[index] ?? Number.NaN;
        // Most values of most servers: an unknown or low one changes nothing while nothing is pending.
        if (!isQuiet || value >= lowest) take(time, value, max[index] ?? Number.NaN, stepMs);
        previous = time;
      }
    },
    // Nothing is pending or firing, so the time of the sample before counts for nothing.
    skipTo: () => undefined,
    isQuiet: () => isQuiet,
    end: () => ({ alerts, messages }),
  };
}

function rehearseOffline(rule: RuleDraft, { serverId, hostname, intervalMs }: Named): ServerRehearsal {
  const silenceMs = Math.max(rule.forMs, OFFLINE_AFTER_INTERVALS * intervalMs);
  const level = rule.lines[0]?.level ?? 'critical';
  const alerts: RehearsedAlert[] = [];
  let last = Infinity;
  const silentUntil = (at: number, resolvedAt: number | null): void => {
    if (at - last >= silenceMs) alerts.push({ serverId, hostname, level, firedAt: last + silenceMs, resolvedAt });
  };
  return {
    add: ({ at, isSample }) => {
      // A bucket of 5 minutes stands for reports up to its end.
      const reach = isSample ? 0 : ROLLUP_MS - intervalMs;
      for (const time of at) {
        silentUntil(time, time);
        last = time + reach;
      }
    },
    skipTo: (at) => {
      last = at;
    },
    isQuiet: () => true,
    end: (now) => {
      silentUntil(now, null);
      const resolved = alerts.filter(({ resolvedAt }) => resolvedAt !== null).length;
      return { alerts, messages: alerts.length + resolved };
    },
  };
}
