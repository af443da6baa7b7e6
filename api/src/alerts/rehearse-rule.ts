import type { Owner } from '../accounts/owner.ts';
import type { Servers } from '../servers/store.ts';
import { matches } from './effective-rules.ts';
import { rehearse, type Rehearsal } from './rehearse.ts';
import type { RecordedValues } from './store.ts';
import type { RecordedSeries, RuleDraft } from './types.ts';

const DAY_MS = 86_400_000;
/** Servers read by one query, which must not exceed the time that PostgreSQL allows a statement. */
const SERVERS_AT_ONCE = 10;

/** Where the values come from; null without a value. */
type RehearsalSource = 'samples' | 'five_minutes' | 'mixed' | null;

export interface RuleRehearsal extends Rehearsal {
  servers: number;
  source: RehearsalSource;
}

/** Runs the stored values of every server that the rule targets through it. Null: no history of single mounts is stored. */
export async function rehearseRule(
  { servers, recordedValues }: { servers: Servers; recordedValues: RecordedValues },
  owner: Owner,
  { draft, days }: { draft: RuleDraft; days: number },
  now: number,
): Promise<RuleRehearsal | null> {
  if (draft.target.kind === 'mount') return null;
  const targeted = (await servers.listAll(owner))
    .map(({ server }) => server)
    .filter((server) => matches(draft.target, server, null));
  const metric = draft.metric === 'offline' ? 'presence' : draft.metric;
  const range = { from: now - days * DAY_MS, to: now + 1 };
  const result: RuleRehearsal = { alerts: [], messages: 0, servers: targeted.length, source: null };
  for (let start = 0; start < targeted.length; start += SERVERS_AT_ONCE) {
    const ids = targeted.slice(start, start + SERVERS_AT_ONCE).map(({ id }) => id);
    for (const series of await recordedValues.read(owner, ids, metric, range)) {
      const { alerts, messages } = rehearse(draft, series, now);
      result.alerts.push(...alerts);
      result.messages += messages;
      result.source = joined(result.source, sourceOf(series));
    }
  }
  return result;
}

function sourceOf({ points }: RecordedSeries): RehearsalSource {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  // Rollups come before samples.
  if (first.isSample !== last.isSample) return 'mixed';
  return first.isSample ? 'samples' : 'five_minutes';
}

const joined = (a: RehearsalSource, b: RehearsalSource): RehearsalSource =>
  a === null || b === null ? (a ?? b) : a === b ? a : 'mixed';
