import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import type { Owner } from '../../tenancy/owner.ts';
import type { Servers } from '../../servers/store.ts';
import { matches } from '../rules/effective-rules.ts';
import { rehearse, type Rehearsal } from './rehearse.ts';
import type { RecordedValues } from '../store.ts';
import { plannedHours, runHours } from './hours.ts';
import type { RuleDraft } from '../types.ts';
import type { RecordedMetric, RecordedServer, RehearsalSource } from './recorded.ts';

export interface RuleRehearsal extends Rehearsal {
  servers: number;
  source: RehearsalSource;
}

/**
 * Runs the stored values of every server that the rule targets through it. Null: its history is not stored.
 *
 * Most values change nothing, so most are not read: `plannedHours` selects the hours that can start an alert, and
 * `runHours` reads on while a line is pending or firing.
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
  const known = await recordedValues.servers(owner, ids, range);
  const rules = known.flatMap((server) => {
    const scale = metric === 'load' ? (server.cores ?? 0) : 1;
    return scale > 0 ? [{ server, draft: scaled(draft, scale) }] : [];
  });
  const hours = await plannedHours(recordedValues, metric, rules, range);
  const runs = rules.map((rule) => ({
    server: rule.server,
    rehearsal: rehearse(rule.draft, rule.server),
    planned: hours.get(rule.server.key) ?? [],
  }));
  await runHours(recordedValues, metric, runs, range);
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

/** Returns the rule over load of a server with this many cores, instead of load per core. */
const scaled = (draft: RuleDraft, scale: number): RuleDraft =>
  scale === 1
    ? draft
    : {
        ...draft,
        lines: draft.lines.map((line) => ({ ...line, threshold: line.threshold && line.threshold * scale })),
        hysteresisPoints: draft.hysteresisPoints * scale,
      };

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
