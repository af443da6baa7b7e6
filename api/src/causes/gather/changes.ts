import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { changesAnswer, type Change } from '@plimsoll/contract/wire/changes';
import { linesAnswer, type LogLine } from '@plimsoll/contract/wire/lines';
import type { ToolContext } from '../../ai/types.ts';
import type { ChangeSeen, LineSeen } from '../evidence.ts';
import { seconds } from './epoch-seconds.ts';
import { BEFORE_SECONDS, MOST, orNull, readList } from './reads.ts';

type Place = { cluster_id: string } | { server_id: string } | Record<string, never>;

/** Alerts fire late; a change after them still shows that it is not the cause. */
const AFTER_SECONDS = HOUR_SECONDS / 2;
const rangeOf = (first: number, last: number, { now }: ToolContext) => ({
  start_date: Math.floor(first - BEFORE_SECONDS),
  end_date: Math.ceil(Math.min(now, last + AFTER_SECONDS)),
});

/** Changes of a place in the hour before the first alert, and until shortly after the last. */
export async function readChanges(
  context: ToolContext,
  place: Place,
  { first, last }: { first: number; last: number },
): Promise<ChangeSeen[]> {
  const range = rangeOf(first, last, context);
  if (range.end_date <= range.start_date) return [];
  const query = { ...place, ...range, limit: MOST.changes };
  return (await readList(context, '/api/changes', changesAnswer, 'changes', query)).map(changeSeen);
}

const changeSeen = ({ cluster_id: clusterId, server_id: serverId, fields, ...change }: Change): ChangeSeen => ({
  id: change.id,
  at: seconds(change.at),
  source: change.source,
  action: change.action,
  kind: change.kind,
  namespace: change.namespace,
  name: change.name,
  title: change.title,
  by: change.by,
  clusterId,
  serverId,
  hostname: change.hostname,
  fields: fields.map(({ field, was, before, after }) => ({ field, was, before, after })),
});

/** Lines of a place around the alerts. `unavailable`: why there are none. */
export async function readLines(
  context: ToolContext,
  place: { server_id: string } | { cluster_id: string; namespace?: string },
  { first, last }: { first: number; last: number },
): Promise<{ lines: LineSeen[]; unavailable: string | null }> {
  const { start_date: from, end_date: to } = rangeOf(first, last, context);
  const found = await orNull(context.read('/api/lines', linesAnswer, { query: { ...place, from, to } }));
  return {
    lines: (found?.lines ?? []).slice(0, MOST.lines).map(lineSeen),
    unavailable: found === null ? 'Log lines are not read.' : found.unavailable,
  };
}

const lineSeen = (line: LogLine): LineSeen => ({
  at: seconds(line.at),
  kind: line.kind,
  text: line.text,
  count: line.count,
  subject: line.subject,
  serverId: line.server_id,
  clusterId: line.cluster_id,
  namespace: line.namespace,
  pod: line.pod,
});
