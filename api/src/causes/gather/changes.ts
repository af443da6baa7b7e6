import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { changesAnswer, type Change } from '@plimsoll/contract/wire/changes';
import { linesAnswer, type LogLine } from '@plimsoll/contract/wire/lines';
import type { ToolContext } from '../../ai/types.ts';
import { isWithoutPlace } from '../deploy-marks.ts';
import type { ChangeSeen, LineSeen } from '../evidence.ts';
import type { Span } from './places.ts';
import { seconds } from './epoch-seconds.ts';
import { BEFORE_SECONDS, MOST, orNull, readList } from './reads.ts';

type Place = { cluster_id: string } | { server_id: string } | { source: 'deploy' };

/** Alerts fire late; a change after them still shows that it is not the cause. */
const AFTER_SECONDS = HOUR_SECONDS / 2;
/** The lists are cut at their oldest end: what came after the first alert must not push out what came before it. */
function rangesOf({ first, last }: Span, before: number, { now }: ToolContext): Span[] {
  const to = Math.ceil(Math.min(now, last + AFTER_SECONDS));
  const middle = Math.min(Math.ceil(first), to);
  const ranges = [
    { first: Math.floor(first - before), last: middle },
    { first: middle, last: to },
  ];
  return ranges.filter((range) => range.last > range.first);
}

/** Changes of a place before the first alert, and until shortly after the last. */
export async function readChanges(
  context: ToolContext,
  place: Place,
  span: Span,
  before = BEFORE_SECONDS,
): Promise<ChangeSeen[]> {
  const found = await Promise.all(
    rangesOf(span, before, context).map(({ first, last }) => {
      const query = { ...place, start_date: first, end_date: last, limit: MOST.changes };
      return readList(context, '/api/changes', changesAnswer, 'changes', query);
    }),
  );
  return found.flat().map(changeSeen);
}

/** Deploy marks without a place, for what their titles name. */
export const readMarks = async (context: ToolContext, span: Span): Promise<ChangeSeen[]> =>
  (await readChanges(context, { source: 'deploy' }, span)).filter(isWithoutPlace);

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
  span: Span,
): Promise<{ lines: LineSeen[]; unavailable: string | null }> {
  const found = await Promise.all(
    rangesOf(span, BEFORE_SECONDS, context).map(({ first: from, last: to }) =>
      orNull(context.read('/api/lines', linesAnswer, { query: { ...place, from, to } })),
    ),
  );
  const lines = found.flatMap((one) => one?.lines.slice(0, MOST.lines) ?? []).map(lineSeen);
  const reasons = found.map((one) => (one === null ? 'Log lines are not read.' : one.unavailable));
  return { lines, unavailable: lines.length > 0 ? null : (reasons.find((reason) => reason !== null) ?? null) };
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
