import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-rule-limits';
import type { Owner } from '../accounts/owner.ts';
import type { Servers } from '../servers/store.ts';
import { matches } from './effective-rules.ts';
import { rehearse, type Rehearsal, type ServerRehearsal } from './rehearse.ts';
import type { RecordedValues } from './store.ts';
import { ROLLUP_MS, type RecordedMetric, type RecordedServer, type RehearsalSource, type RuleDraft } from './types.ts';
import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';

const DAY_MS = 86_400_000;
/** Days that PostgreSQL reads while one is evaluated. */
const DAYS_AHEAD = 2;
export interface RuleRehearsal extends Rehearsal {
  servers: number;
  source: RehearsalSource;
}

/**
 * Runs the stored values of every server that the rule targets through it. Null: its history is not stored.
 *
 * It reads the history day by day in one pass over the table, and evaluates a day while PostgreSQL reads the next ones. A day
 * of a server is skipped if nothing is pending or firing and its maxima of 5 minutes stay below the lowest line; for a
 * rule that waits 15 minutes or more, if its minima do.
 */
export async function rehearseRule(
  { servers, recordedValues }: { servers: Servers; recordedValues: RecordedValues },
  owner: Owner,
  { draft, days }: { draft: RuleDraft; days: number },
  now: number,
): Promise<RuleRehearsal | null> {
  const metric = RECORDED_METRICS[draft.metric];
  if (metric === undefined || draft.target.kind === 'mount') return null;
  const targeted = (await servers.listAll(owner)).filter(({ server }) => matches(draft.target, server, null));
  const range = { from: now - days * DAY_MS, to: now + 1 };
  const ids = targeted.map(({ server }) => server.id);
  const known = await recordedValues.servers(owner, ids, metric, range);
  const runs = known.flatMap((server) => {
    const scale = metric === 'load' ? (server.cores ?? 0) : 1;
    return scale > 0 ? [runOf(scaled(draft, scale), server)] : [];
  });
  await runDays(recordedValues, metric, runs, range);
  const result: RuleRehearsal = { alerts: [], messages: 0, servers: targeted.length, source: null };
  for (const { server, rehearsal } of runs) {
    const source = sourceOf(server);
    if (source === null) continue;
    const { alerts, messages } = rehearsal.end(now);
    result.alerts.push(...alerts);
    result.messages += messages;
    result.source = joined(result.source, source);
  }
  return result;
}

interface Run {
  server: RecordedServer;
  rehearsal: ServerRehearsal;
  /** Returns true if a value of the UTC day may reach the lowest line. */
  isHot: (day: number) => boolean;
}
function runOf(draft: RuleDraft, server: RecordedServer): Run {
  const lowest = Math.min(...draft.lines.map(({ threshold }) => threshold ?? Infinity));
  const of = (day: number) => server.mostByDay.get(day);
  // A breach of three buckets holds a whole one, whose minimum reaches the line; it may have begun the day before. With
  // long intervals a bucket can be missing without a gap.
  const isHeld = draft.forMs >= 3 * ROLLUP_MS && GAP_INTERVALS * server.intervalMs < ROLLUP_MS;
  const reaches = (day: number) =>
    isHeld
      ? Math.max(of(day)?.held ?? -Infinity, of(day + 1)?.held ?? -Infinity) >= lowest
      : (of(day)?.most ?? -Infinity) >= lowest;
  const isHot = (day: number) => draft.metric === 'offline' || reaches(day);
  return { server, rehearsal: rehearse(draft, server), isHot };
}

/** Returns the rule over load of a server with this many cores, instead of load per core. */
const scaled = (draft: RuleDraft, scale: number): RuleDraft =>
  scale === 1
    ? draft
    : {
        ...draft,
        lines: draft.lines.map((line) => ({ ...line, threshold: line.threshold && line.threshold * scale })),
        hysteresisPoints: draft.hysteresisPoints * scale,
      };

async function runDays(
  recordedValues: RecordedValues,
  metric: RecordedMetric,
  runs: readonly Run[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  const byKey = new Map(runs.map((run) => [run.server.key, run]));
  // The days read ahead are not evaluated yet: they can only leave the quiet state if one of them is hot.
  const recent = Array.from({ length: DAYS_AHEAD + 1 }, (_zero, index) => index);
  const read = (day: number) => {
    const needed = runs.filter(
      ({ rehearsal, isHot }) => !rehearsal.isQuiet() || recent.some((ago) => isHot(day - ago)),
    );
    const range = { from: Math.max(from, day * DAY_MS), to: Math.min(to, (day + 1) * DAY_MS) };
    const servers = needed.map(({ server }) => server);
    return servers.length === 0 ? [] : recordedValues.ofDay(servers, metric, range);
  };
  const [first, last] = [Math.floor(from / DAY_MS), Math.floor((to - 1) / DAY_MS)];
  const reading = recent.map((ahead) => (first + ahead <= last ? read(first + ahead) : []));
  for (let day = first; day <= last; day += 1) {
    const values = await reading.shift();
    if (day + DAYS_AHEAD < last) reading.push(read(day + DAYS_AHEAD + 1));
    for (const [key, points] of values ?? []) byKey.get(key)?.rehearsal.add(points);
  }
}

/** The metrics whose history is stored; the entry of another in `ALERT_METRICS` says what is missing. */
const RECORDED_METRICS: Partial<Record<RuleDraft['metric'], RecordedMetric>> = {
  offline: 'presence',
  cpu_usage: 'cpu_usage',
  memory_usage: 'memory_usage',
  swap_usage: 'swap_usage',
  disk_usage: 'disk_usage',
  io_wait: 'io_wait',
  load_per_core: 'load',
};

/** Returns why a rule has no rehearsal; null where it has one. */
export const missingHistoryOf = ({ metric, target }: RuleDraft): string | null =>
  ALERT_METRICS[metric].missingHistory ?? (target.kind === 'mount' ? 'No history of single mounts is stored.' : null);

const joined = (a: RehearsalSource, b: RehearsalSource): RehearsalSource =>
  a === null || b === null ? (a ?? b) : a === b ? a : 'mixed';

function sourceOf({ firstSampleAt, hasRollups }: RecordedServer): RehearsalSource {
  if (firstSampleAt !== null) return hasRollups ? 'mixed' : 'samples';
  return hasRollups ? 'five_minutes' : null;
}
