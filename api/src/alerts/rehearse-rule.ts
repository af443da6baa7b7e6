import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-rule-limits';
import type { Owner } from '../accounts/owner.ts';
import type { Servers } from '../servers/store.ts';
import { matches } from './effective-rules.ts';
import { rehearse, type Rehearsal } from './rehearse.ts';
import type { RecordedValues } from './store.ts';
import type { RecordedMetric, RehearsalSource, RuleDraft } from './types.ts';

const DAY_MS = 86_400_000;
export interface RuleRehearsal extends Rehearsal {
  servers: number;
  source: RehearsalSource;
}

/** Runs the stored values of every server that the rule targets through it. Null: its history is not stored. */
export async function rehearseRule(
  { servers, recordedValues }: { servers: Servers; recordedValues: RecordedValues },
  owner: Owner,
  { draft, days }: { draft: RuleDraft; days: number },
  now: number,
): Promise<RuleRehearsal | null> {
  const metric = RECORDED_METRICS[draft.metric];
  if (metric === undefined || draft.target.kind === 'mount') return null;
  const targeted = (await servers.listAll(owner))
    .map(({ server }) => server)
    .filter((server) => matches(draft.target, server, null));
  const range = { from: now - days * DAY_MS, to: now + 1, above: lowestLine(draft) };
  const result: RuleRehearsal = { alerts: [], messages: 0, servers: targeted.length, source: null };
  const ids = targeted.map(({ id }) => id);
  for (const series of await recordedValues.read(owner, ids, metric, range)) {
    const { alerts, messages } = rehearse(draft, series, now);
    result.alerts.push(...alerts);
    result.messages += messages;
    result.source = joined(result.source, series.source);
  }
  return result;
}

/** Returns the lowest line. A server below it has no alert; of `offline` every server is read, each value is 0. */
const lowestLine = ({ metric, lines }: RuleDraft): number =>
  metric === 'offline' ? 0 : Math.min(...lines.map(({ threshold }) => threshold ?? 0));

/** The metrics whose history is stored; the entry of another in `ALERT_METRICS` says what is missing. */
const RECORDED_METRICS: Partial<Record<RuleDraft['metric'], RecordedMetric>> = {
  offline: 'presence',
  cpu_usage: 'cpu_usage',
  memory_usage: 'memory_usage',
  swap_usage: 'swap_usage',
  disk_usage: 'disk_usage',
  io_wait: 'io_wait',
};

/** Returns why a rule has no rehearsal; null where it has one. */
export const missingHistoryOf = ({ metric, target }: RuleDraft): string | null =>
  ALERT_METRICS[metric].missingHistory ?? (target.kind === 'mount' ? 'No history of single mounts is stored.' : null);

const joined = (a: RehearsalSource, b: RehearsalSource): RehearsalSource =>
  a === null || b === null ? (a ?? b) : a === b ? a : 'mixed';
