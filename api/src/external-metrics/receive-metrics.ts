import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import type { Clock } from '../clock.ts';
import type { ConcurrencyLimit, SenderLimits } from '../concurrency-limit.ts';
import { inflatedBytes, smallBody } from '../http/inflate.ts';
import { INLINE, type ReadThread, type ThreadLimits } from '../reports/read-thread.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { readMetrics, type MetricsBody, type MetricsHead, type MetricsJobs, type ReadMetrics } from './read-metrics.ts';
import { snappySize } from './snappy-block.ts';
import type { ExternalReadings } from './store.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/**
 * The thread that reads large requests. It is another than that of reports, so that neither waits for the other. An
 * account has at most as many requests in it as may be in flight.
 */
export const METRICS_THREAD: ThreadLimits & { file: URL } = {
  waiting: 32,
  timeoutMs: 20_000,
  heapMb: 384,
  ofSender: 8,
  refusesForGood: true,
  file: new URL('read-worker.ts', import.meta.url),
};

export interface ReceiveDeps {
  externalReadings: ExternalReadings;
  clock: Clock;
  metrics: Metrics;
  reportIntervalSeconds: number;
  memoryLimit: ConcurrencyLimit;
  metricsMemory: SenderLimits;
  metricsThread: ReadThread<MetricsJobs>;
}

/**
 * The thread inflates one body at a time, so a larger one holds no more until it is stored. Half of what all may hold,
 * so that collectors have the other half.
 */
const MOST_BYTES_HELD = 8 * 2 ** 20;

/** Stores what a request says of hosts. It is durable when this returns. */
export async function receiveMetrics(
  deps: ReceiveDeps,
  organisationId: OrganisationId,
  body: MetricsBody,
): Promise<MetricsHead> {
  const { metricsMemory, memoryLimit } = deps;
  const bytes = Math.min(bytesOf(body), MOST_BYTES_HELD);
  return metricsMemory.run(
    organisationId,
    () => memoryLimit.run(async () => store(deps, organisationId, await read(deps, organisationId, body)), bytes),
    bytes,
  );
}

const isRemoteWrite = ({ protocol }: MetricsBody): boolean => protocol.startsWith('remote-write');

/** Bytes of a body when it is inflated. */
const bytesOf = (body: MetricsBody): number =>
  isRemoteWrite(body)
    ? Math.max(body.wire.length, snappySize(body.wire))
    : inflatedBytes(body.wire, body.isGzip, EXTERNAL_METRICS_LIMITS.inflatedBytes);

/** Reads a small request at once, and any other in the thread for them. */
function read(
  { clock, reportIntervalSeconds, metricsThread }: ReceiveDeps,
  organisationId: OrganisationId,
  body: MetricsBody,
): ReadMetrics | Promise<ReadMetrics> {
  const at = { receivedAt: clock.now(), reportIntervalSeconds };
  const small = isRemoteWrite(body)
    ? bytesOf(body) <= INLINE.bytes && body.wire
    : smallBody(body.wire, body.isGzip, INLINE.bytes);
  if (small) return readMetrics({ protocol: body.protocol, ...at, wire: small });
  return metricsThread.read('metrics', { ...body, ...at }, organisationId);
}

async function store(
  { externalReadings, clock, metrics }: ReceiveDeps,
  organisationId: OrganisationId,
  { head, items }: ReadMetrics,
): Promise<MetricsHead> {
  const beyond = items.length > 0 ? await externalReadings.add(organisationId, items, clock.now()) : 0;
  const stored = { ...head, taken: head.taken - beyond, leftOut: head.leftOut + beyond };
  const { taken, ignored, refused, unreadable, leftOut } = stored;
  for (const [outcome, samples] of Object.entries({ taken, ignored, refused, unreadable, left_out: leftOut }))
    metrics.externalSamples.inc({ outcome }, Math.max(0, samples));
  return stored;
}
