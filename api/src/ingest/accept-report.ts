import { REPORT_LIMITS, PROTOCOL_VERSIONS_SPOKEN } from '@plimsoll/contract/limits';
import { reportEnvelope, type ReportAnswer } from '@plimsoll/contract/report';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import type { ClusterReports } from '../storage/kubernetes-ports.ts';
import type { AcceptedBatch, AcceptedItem, AcceptedResult, Reporter, Reports, StoredResult } from '../storage/ports.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { watch } from '../alerts/watch.ts';
import type { AlertStates } from '../storage/alert-ports.ts';
import type { ChangeFeed } from './changes.ts';
import type { Gate } from './gate.ts';
import { inflateBody, type WireBody } from './inflate.ts';
import { judgeItem, type RejectedItem } from './judge-item.ts';
import { parseJson } from './parse-json.ts';
import { isPlainJson } from './sanitize.ts';

export interface AcceptDeps {
  reports: Reports;
  alertStates: AlertStates;
  kubernetes: Pick<ClusterReports, 'writeNode'>;
  clock: Clock;
  gate: Gate;
  metrics: Metrics;
  changes: ChangeFeed;
  /** What every collector is told, in seconds. */
  reportIntervalSeconds: number;
  log: Pick<Logger, 'error'>;
}
export interface Delivery {
  agent: Reporter;
  body: WireBody;
  encoding: string | null;
}
type Envelope = z.output<typeof reportEnvelope>;

/** Settled seqs above `upto` that fit into an answer of 64 KiB beside 120 verdicts. */
const MOST_ALSO = 2000;

/**
 * Takes one reports request from a known, rate-checked agent: inflate, parse, judge each item, write all good ones in
 * one durable transaction. Throws coded errors for the request as a whole; single bad items are named in the answer.
 */
export async function acceptReport(deps: AcceptDeps, delivery: Delivery): Promise<ReportAnswer> {
  const { gate, metrics } = deps;
  try {
    return await gate.pass(async () => {
      metrics.ingestInFlight.set(gate.inFlight);
      const { batch, rejected } = await read(deps, delivery);
      const stop = metrics.ingestSeconds.startTimer({ step: 'write' });
      const accepted = await deps.reports.accept(batch);
      stop();
      const result = requireStored(accepted);
      await writeNodeParts(deps, batch);
      tell(deps, batch, rejected, result);
      await evaluateAlerts(deps, batch, result);
      return answerOf(deps, rejected, result);
    });
  } catch (error) {
    if (error instanceof CodedError) metrics.ingestRefused.inc({ why: error.code });
    throw error;
  } finally {
    metrics.ingestInFlight.set(gate.inFlight);
  }
}

/**
 * What a node agent says of its kubelet. Also for items stored before: the write may be repeated, and a crash between the
 * two must not lose it. The answer acknowledges both.
 */
async function writeNodeParts({ kubernetes }: AcceptDeps, { agent, items }: AcceptedBatch): Promise<void> {
  for (const { report, sampleAt } of items)
    if (report.kubernetes) await kubernetes.writeNode(agent.serverId, sampleAt, report.kubernetes);
}

async function read(
  deps: AcceptDeps,
  { agent, body, encoding }: Delivery,
): Promise<{ batch: AcceptedBatch; rejected: RejectedItem[] }> {
  const bytes = await inflateBody(body, encoding);
  const receivedAt = deps.clock.now();
  const stop = deps.metrics.ingestSeconds.startTimer({ step: 'parse' });
  const envelope = parseEnvelope(parseJson(bytes, REPORT_LIMITS.depth), agent);
  const measured = receivedAt / 1000 - envelope.sent_at;
  const skewSeconds = hasEarlierBoot(envelope) ? ((await deps.reports.clockSkew(agent)) ?? measured) : measured;
  const arrival = { receivedAt, bootId: envelope.boot_id, upNow: envelope.up_now, skewSeconds };
  const { items, rejected } = judge(envelope.reports, arrival, isPlainJson(bytes));
  stop();
  const taken = new Set(items.map(({ seq }) => seq));
  const settled = rejected.flatMap(({ seq, code }) => (seq === null || taken.has(seq) ? [] : [{ seq, code }]));
  return {
    rejected,
    batch: {
      agent,
      streamId: envelope.stream_id,
      bootId: envelope.boot_id,
      receivedAt,
      items,
      dropped: envelope.dropped,
      rejected: settled,
      clockSkewSeconds: Math.abs(measured) < MOST_SKEW_SECONDS ? measured : null,
    },
  };
}

/** A wall clock further off than this (100 years) is not worth remembering. */
const MOST_SKEW_SECONDS = 3.2e9;

function parseEnvelope(body: unknown, agent: Reporter): Envelope {
  const version = typeof body === 'object' && body !== null && 'v' in body ? body.v : undefined;
  if (typeof version === 'number' && !PROTOCOL_VERSIONS_SPOKEN.includes(version))
    throw new CodedError('version_not_spoken', `v: this server speaks ${PROTOCOL_VERSIONS_SPOKEN.join(', ')}`, {
      field: 'v',
      remedy: 'Update the older of the two, server or agent.',
    });
  const parsed = reportEnvelope.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.map(String).join('.') || 'body';
    throw new CodedError('invalid_parameter', `${field}: ${issue?.message ?? 'not valid'}`, { field });
  }
  if (parsed.data.server_id.toLowerCase() !== agent.serverId)
    throw new CodedError('server_mismatch', 'server_id: this token reports for another server', { field: 'server_id' });
  return parsed.data;
}

const hasEarlierBoot = ({ reports, boot_id: bootId, up_now: upNow }: Envelope): boolean =>
  reports.some((item) => {
    if (typeof item !== 'object' || item === null) return false;
    const { boot_id: own, up } = item as { boot_id?: unknown; up?: unknown };
    return (own !== undefined && own !== bootId) || (typeof up === 'number' && up > upNow + 1);
  });

function judge(
  raw: unknown[],
  arrival: Parameters<typeof judgeItem>[2],
  isPlain: boolean,
): { items: AcceptedItem[]; rejected: RejectedItem[] } {
  const items = new Map<number, AcceptedItem>();
  const rejected: RejectedItem[] = [];
  raw.forEach((item, index) => {
    const verdict = judgeItem(item, index, arrival, isPlain);
    if ('rejected' in verdict) rejected.push(verdict.rejected);
    else if (items.has(verdict.accepted.seq))
      rejected.push({ seq: verdict.accepted.seq, index, code: 'seq_repeated', detail: 'seq: twice in this request' });
    else items.set(verdict.accepted.seq, verdict.accepted);
  });
  return { items: [...items.values()], rejected };
}

function requireStored(result: AcceptedResult): StoredResult {
  if (result.outcome === 'stored') return result;
  if (result.outcome === 'server_deleted') throw serverDeleted();
  if (result.outcome === 'token_unknown') throw agentTokenUnknown();
  throw new CodedError('stream_conflict', 'A report of this stream is known with other content: a cloned machine?', {
    remedy: 'Begin a new stream and enrol again.',
  });
}

export const agentTokenUnknown = (): CodedError =>
  new CodedError('agent_token_unknown', 'Agent token is unknown or revoked. Enrol again: plimsoll enrol --token …');

export const serverDeleted = (): CodedError =>
  new CodedError('server_deleted', 'This server was deleted from the dashboard', {
    remedy: 'Enrol again to bring it back: plimsoll enrol --token …',
  });

function tell(
  { metrics, changes }: AcceptDeps,
  batch: AcceptedBatch,
  rejected: RejectedItem[],
  result: StoredResult,
): void {
  metrics.reportsAccepted.inc(result.storedSeqs.length);
  metrics.reportsReplayed.inc(batch.items.length - result.storedSeqs.length);
  for (const { code } of rejected) metrics.reportsRejected.inc({ code });
  if (result.storedSeqs.length === 0) return;
  const { accountId } = result;
  const { serverId } = batch.agent;
  changes.publish(accountId, { topic: 'metrics', serverId });
  if (batch.items.some(({ report }) => (report.events?.length ?? 0) > 0))
    changes.publish(accountId, { topic: 'activity', serverId });
}

/** The reports are committed: a failure here must not make the agent send them again, the next report is judged again. */
async function evaluateAlerts(deps: AcceptDeps, batch: AcceptedBatch, result: StoredResult): Promise<void> {
  const { alertStates, metrics, changes, reportIntervalSeconds } = deps;
  const stop = metrics.ingestSeconds.startTimer({ step: 'alerts' });
  try {
    const changed = await watch(alertStates, batch, result, reportIntervalSeconds);
    for (const { kind } of changed) metrics.alertChanges.inc({ kind });
    if (changed.length > 0) changes.publish(result.accountId, { topic: 'alerts', serverId: batch.agent.serverId });
  } catch (error) {
    metrics.alertFailures.inc();
    deps.log.error({ err: error, serverId: batch.agent.serverId }, 'evaluating alerts failed');
  }
  stop();
}

const answerOf = (
  { clock, reportIntervalSeconds }: AcceptDeps,
  rejected: RejectedItem[],
  result: StoredResult,
): ReportAnswer => ({
  ack: { upto: result.ackUpto, also: result.ackAlso.slice(0, MOST_ALSO) },
  rejected,
  server_time: clock.now() / 1000,
  next: { interval: reportIntervalSeconds, delay: 0 },
  config_rev: 0,
});
