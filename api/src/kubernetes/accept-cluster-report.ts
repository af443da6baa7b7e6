import type { ClusterAnswer } from '@plimsoll/contract/wire/cluster-report';
import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import { nameAddresses } from './rival.ts';
import type { ClusterAgent, OpenedCluster } from './types.ts';
import type { ClusterReports, PodLogs } from './store.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { evaluateCluster, type EvaluateClusterDeps } from '../alerts/evaluation/evaluate-cluster.ts';
import type { ConcurrencyLimit } from '../concurrency-limit.ts';
import { readWire, smallBody, type WireBody } from '../http/inflate.ts';
import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { readCluster, type ReadCluster } from '../reports/read-cluster.ts';
import { INLINE, noteWithheld, type ReadThread } from '../reports/read-thread.ts';
import { Redactor } from '../reports/redactor.ts';

export interface AcceptClusterDeps extends EvaluateClusterDeps {
  reports: ClusterReports;
  logs: PodLogs;
  clock: Clock;
  concurrencyLimit: ConcurrencyLimit;
  readThread: ReadThread;
  metrics: Metrics;
  log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Takes one request of a cluster's collector. Objects are judged one by one and written by items, each in a transaction of
 * its own: every one of them may be sent again without effect, so what comes after a failure is simply sent again.
 */
export async function acceptCluster(
  deps: AcceptClusterDeps,
  delivery: { agent: ClusterAgent; body: WireBody; encoding: string | null },
): Promise<ClusterAnswer> {
  const { reports, clock, concurrencyLimit, changes } = deps;
  return concurrencyLimit.run(async () => {
    const { head, items } = await read(deps, delivery);
    const { rejected, lostListings, withheld, ...envelope } = head;
    noteWithheld(deps, withheld, { cluster: envelope.cluster.uid });
    const now = clock.now();
    const opened = await reports.open(delivery.agent, envelope, now);
    if (opened.state === 'other_cluster')
      throw new CodedError('cluster_mismatch', 'cluster.uid: this token belongs to another cluster', {
        field: 'cluster.uid',
        remedy: 'Make a token for this cluster on the Kubernetes tab of Setup.',
      });
    if (opened.state === 'older_term')
      throw new CodedError('collector_superseded', 'collector.term: a collector with a later term is the leader', {
        field: 'collector.term',
      });
    if (opened.state !== 'open') throw contended(opened, envelope);
    const accepted: number[] = [];
    let isListed = !opened.listingWanted;
    if (lostListings.length > 0) await reports.loseListings(opened.clusterKey, lostListings);
    for (const judged of items) {
      await reports.write(opened.clusterKey, judged.item, now, judged);
      accepted.push(judged.item.seq);
      isListed ||= judged.item.listing !== undefined;
    }
    await evaluateAlerts(deps, opened.clusterKey, now);
    const logRequests = envelope.collector.reads_pod_logs === true ? await deps.logs.take(opened.clusterKey, now) : [];
    if (accepted.length > 0) changes.publish(delivery.agent.organisationId, { topic: 'kubernetes', serverId: null });
    return {
      accepted,
      rejected,
      listing_wanted: !isListed,
      history_wanted: opened.historyWanted,
      server_time: now / 1000,
      next: { interval: deps.reportIntervalSeconds },
      ...(opened.refusedRival ? { refused_collector_at: opened.refusedRival.addresses } : {}),
      ...(logRequests.length > 0 ? { log_requests: logRequests } : {}),
    };
  });
}

const WAIT_SECONDS = 15;
/** Both clusters are named, so that the log of either collector leads to the other. */
function contended(
  { state, addresses, rival }: Extract<OpenedCluster, { state: 'wait' | 'refused' }>,
  { cluster }: Pick<ReadCluster['head'], 'cluster'>,
): CodedError {
  const both =
    `a collector at ${nameAddresses(addresses)} reports for the cluster ${cluster.uid}, ` +
    `and this one is at ${nameAddresses(rival.addresses)}`;
  if (state === 'wait')
    return new CodedError('overloaded', `cluster.uid: ${both}. The report is not stored until one of them stops`, {
      field: 'cluster.uid',
      retryAfterSeconds: WAIT_SECONDS,
    });
  return new CodedError('another_collector_reports', `cluster.uid: ${both}`, {
    field: 'cluster.uid',
    remedy:
      'Stop one of them. If this is a copy, press "This is another cluster" on the Kubernetes page of the dashboard, and ' +
      'put the new token into the Secret of its collectors.',
  });
}

/** A report is stored by now: a failure here must not make the collector send it again. The next one evaluates. */
async function evaluateAlerts(deps: AcceptClusterDeps, clusterKey: number, now: number): Promise<void> {
  try {
    for (const { kind } of await evaluateCluster(deps, clusterKey, now)) deps.metrics.alertChanges.inc({ kind });
  } catch (error) {
    deps.metrics.alertFailures.inc();
    deps.log.error({ err: error, clusterKey }, 'evaluating alerts of a cluster failed');
  }
}

/** Reads a small request at once, and any other in the thread for them. */
async function read(
  { readThread }: AcceptClusterDeps,
  { agent, body, encoding }: Parameters<typeof acceptCluster>[1],
): Promise<ReadCluster> {
  const wire = await readWire(body, encoding, REPORT_LIMITS.wireBytes);
  const isGzip = encoding === 'gzip';
  const bytes = smallBody(wire, isGzip, INLINE.bytes);
  if (bytes !== null) {
    const read = readCluster(bytes, new Redactor(INLINE.redactBytes));
    if (read.head.withheld === 0) return read;
  }
  return readThread.read('cluster', { wire, isGzip }, `cluster ${agent.tokenId}`);
}
