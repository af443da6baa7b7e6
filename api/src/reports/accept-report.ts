import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import type { ReportAnswer } from '@plimsoll/contract/wire/report';
import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import type { AcceptedBatch, AcceptedResult, Refusal, StoredResult } from './types.ts';
import { agentTokenUnknown, serverDeleted } from '../servers/agent-errors.ts';
import type { ConfigRevs } from '../checks/config-revs.ts';
import type { HiddenMounts } from '../hidden-parts/hidden-mounts.ts';
import type { SharedMachineIds } from '../servers/shared-machine-ids.ts';
import type { Reporter } from '../servers/types.ts';
import { noteRefusal } from './note-refusal.ts';
import type { Refusals, Reports } from './store.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { watch } from '../alerts/evaluation/evaluate-batch.ts';
import type { RuleCache } from '../alerts/rule-cache.ts';
import type { AlertStates } from '../alerts/store.ts';
import type { ChangeFeed } from '../live/change-feed.ts';
import type { ConcurrencyLimit } from '../concurrency-limit.ts';
import { inflatedBytes, readWire, smallBody, type WireBody } from '../http/inflate.ts';
import type { RejectedItem } from './judge-item.ts';
import { hasEarlierBoot, judgeReport, parseReport, type ReadReport } from './read-report.ts';
import { INLINE, noteWithheld, type ReadThread } from './read-thread.ts';
import { Redactor } from './redactor.ts';

export interface AcceptDeps {
  reports: Reports;
  refusals: Refusals;
  alertStates: AlertStates;
  alertRules: RuleCache;
  hiddenMounts: HiddenMounts;
  clock: Clock;
  concurrencyLimit: ConcurrencyLimit;
  memoryLimit: ConcurrencyLimit;
  readThread: ReadThread;
  metrics: Metrics;
  changes: ChangeFeed;
  sharedMachineIds: SharedMachineIds;
  configRevs: ConfigRevs;
  /** Report interval in seconds, sent to every collector. */
  reportIntervalSeconds: number;
  log: Pick<Logger, 'error' | 'warn'>;
}
export interface Delivery {
  agent: Reporter;
  body: WireBody;
  encoding: string | null;
}

/** Settled seqs above `upto` that fit into an answer of 64 KiB beside 120 verdicts. */
const MOST_ALSO = 2000;
/** Names of other servers in an answer; each has at most 253 characters. */
const MOST_NAMES = 10;

/**
 * Takes one reports request from a known, rate-checked agent: inflate, parse, judge each item, write all good ones in
 * one durable transaction. Throws coded errors for the request as a whole; single bad items are named in the answer.
 */
export async function acceptReport(deps: AcceptDeps, delivery: Delivery): Promise<ReportAnswer> {
  const { concurrencyLimit, memoryLimit, metrics } = deps;
  try {
    return await concurrencyLimit.run(async () => {
      metrics.ingestInFlight.set(concurrencyLimit.inFlight);
      const wire = await readWire(delivery.body, delivery.encoding, REPORT_LIMITS.wireBytes);
      const bytes = inflatedBytes(wire, delivery.encoding === 'gzip', REPORT_LIMITS.inflatedBytes);
      return memoryLimit.run(async () => {
        const { batch, rejected, refusal } = await read(deps, delivery, wire);
        const result = await acceptBatch(deps, batch, rejected);
        await settleRefusal(deps, batch, refusal, result);
        const sharesWith = await deps.sharedMachineIds.of(batch.agent.serverKey);
        return answerOf(deps, rejected, result, { sharesWith, rev: await deps.configRevs.of(result.organisationId) });
      }, bytes);
    });
  } catch (error) {
    if (error instanceof CodedError) metrics.ingestRefused.inc({ why: error.code });
    throw error;
  } finally {
    metrics.ingestInFlight.set(concurrencyLimit.inFlight);
  }
}

/** The first stored report ends the refusal of its server. Its alert is resolved by then. */
async function settleRefusal(
  deps: AcceptDeps,
  { agent }: AcceptedBatch,
  refusal: Refusal | null,
  { storedSeqs, wasRefused, organisationId }: StoredResult,
): Promise<void> {
  if (refusal !== null) await noteRefusal(deps, agent, refusal);
  else if (wasRefused && storedSeqs.length > 0) {
    await deps.refusals.end(agent.serverKey);
    deps.changes.publish(organisationId, { topic: 'servers', serverId: agent.serverId });
  }
}

export type AcceptBatchDeps = Pick<
  AcceptDeps,
  'reports' | 'alertStates' | 'alertRules' | 'hiddenMounts' | 'metrics' | 'changes' | 'log'
>;

/** Writes judged reports of one server in one durable transaction and evaluates its alerts. */
export async function acceptBatch(
  deps: AcceptBatchDeps,
  batch: AcceptedBatch,
  rejected: RejectedItem[],
): Promise<StoredResult> {
  const stop = deps.metrics.ingestSeconds.startTimer({ step: 'write' });
  const hiddenMounts = await deps.hiddenMounts.of(batch.agent.serverKey);
  const accepted = await deps.reports.accept(hiddenMounts ? { ...batch, hiddenMounts } : batch);
  stop();
  const result = requireStored(accepted);
  tell(deps, batch, rejected, result);
  await evaluateAlerts(deps, batch, result);
  return result;
}

async function read(
  deps: AcceptDeps,
  { agent, encoding }: Delivery,
  wire: Buffer,
): Promise<{ batch: AcceptedBatch; rejected: RejectedItem[]; refusal: Refusal | null }> {
  const receivedAt = deps.clock.now();
  const stop = deps.metrics.ingestSeconds.startTimer({ step: 'parse' });
  const { head, items } = await readItems(deps, agent, { wire, isGzip: encoding === 'gzip', receivedAt });
  stop();
  noteWithheld(deps, head.withheld, { serverId: agent.serverId });
  const { rejected, refusal, measuredSkewSeconds } = head;
  const taken = new Set(items.map(({ seq }) => seq));
  const settled = rejected.flatMap(({ seq, code }) => (seq === null || taken.has(seq) ? [] : [{ seq, code }]));
  return {
    rejected,
    refusal,
    batch: {
      agent,
      streamId: head.streamId,
      bootId: head.bootId,
      receivedAt,
      items,
      dropped: head.dropped,
      rejected: settled,
      clockSkewSeconds: Math.abs(measuredSkewSeconds) < MOST_SKEW_SECONDS ? measuredSkewSeconds : null,
    },
  };
}

/** Reads a small request at once, and any other in the thread for them. */
async function readItems(
  { reports, readThread }: AcceptDeps,
  agent: Reporter,
  { wire, isGzip, receivedAt }: { wire: Buffer; isGzip: boolean; receivedAt: number },
): Promise<ReadReport> {
  const bytes = smallBody(wire, isGzip, INLINE.bytes);
  if (bytes !== null) {
    const parsed = parseReport(bytes, agent.serverId);
    const knownSkewSeconds = hasEarlierBoot(parsed.envelope) ? await reports.clockSkew(agent) : null;
    const read = judgeReport(parsed, { receivedAt, knownSkewSeconds }, new Redactor(INLINE.redactBytes));
    if (read.head.withheld === 0) return read;
  }
  const knownSkewSeconds = await reports.clockSkew(agent);
  const { serverId } = agent;
  return readThread.read('report', { wire, isGzip, serverId, receivedAt, knownSkewSeconds }, serverId);
}

/** A wall clock further off than this (100 years) is not worth remembering. */
const MOST_SKEW_SECONDS = 3.2e9;

function requireStored(result: AcceptedResult): StoredResult {
  if (result.outcome === 'stored') return result;
  if (result.outcome === 'server_deleted') throw serverDeleted();
  if (result.outcome === 'token_unknown') throw agentTokenUnknown();
  throw new CodedError(
    'stream_conflict',
    'A report of this stream was stored with other content: the machine was probably cloned',
    {
      remedy: 'Start a new stream and enrol again.',
    },
  );
}

function tell(
  { metrics, changes }: AcceptBatchDeps,
  batch: AcceptedBatch,
  rejected: RejectedItem[],
  result: StoredResult,
): void {
  metrics.reportsAccepted.inc(result.storedSeqs.length);
  metrics.reportsReplayed.inc(batch.items.length - result.storedSeqs.length);
  for (const { code } of rejected) metrics.reportsRejected.inc({ code });
  if (result.storedSeqs.length === 0) return;
  const { organisationId } = result;
  const { serverId } = batch.agent;
  changes.publish(organisationId, { topic: 'metrics', serverId });
  if (batch.items.some(({ report }) => (report.events?.length ?? 0) > 0))
    changes.publish(organisationId, { topic: 'activity', serverId });
}

/**
 * The reports are committed: a failure here must not make the agent send them again, the next report is judged again.
 */
async function evaluateAlerts(deps: AcceptBatchDeps, batch: AcceptedBatch, result: StoredResult): Promise<void> {
  const { alertStates, alertRules, metrics, changes } = deps;
  const stop = metrics.ingestSeconds.startTimer({ step: 'alerts' });
  try {
    const rules = (await alertRules.of(result.organisationId)).of(batch.agent.serverId);
    const changed = await watch(alertStates, batch, result, rules);
    for (const { kind } of changed) metrics.alertChanges.inc({ kind });
    if (changed.length > 0) changes.publish(result.organisationId, { topic: 'alerts', serverId: batch.agent.serverId });
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
  { sharesWith, rev }: { sharesWith: string[]; rev: number },
): ReportAnswer => ({
  ack: { upto: result.ackUpto, also: result.ackAlso.slice(0, MOST_ALSO) },
  rejected,
  server_time: clock.now() / 1000,
  next: { interval: reportIntervalSeconds, delay: 0 },
  config_rev: rev,
  ...(sharesWith.length > 0 ? { shares_machine_id_with: sharesWith.slice(0, MOST_NAMES) } : {}),
});
