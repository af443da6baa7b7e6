import type { Clock } from '../clock.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { parseJson } from '../http/parse-json.ts';
import { ReadingCollector } from './collect-readings.ts';
import { collectNodeExporter, isNodeExporterMetric } from './node-exporter.ts';
import { collectHostMetrics, isHostMetric } from './host-metrics.ts';
import { type OtlpEncoding, readOtlpJson, readOtlpProtobuf } from './otlp.ts';
import { readWriteRequest, type RemoteWriteVersion, type WriteRequest } from './remote-write.ts';
import { inflateSnappy } from './snappy-block.ts';
import type { ExternalReadings } from './store.ts';
import type { Received } from './types.ts';

export interface ReceiveDeps {
  externalReadings: ExternalReadings;
  clock: Clock;
  metrics: Metrics;
  reportIntervalSeconds: number;
}

/** Stores what a remote write request says of hosts. It is durable when this returns. */
export async function receiveRemoteWrite(
  deps: ReceiveDeps,
  accountId: string,
  { body, version }: { body: Uint8Array; version: RemoteWriteVersion },
): Promise<{ request: WriteRequest; received: Received }> {
  const request = readWriteRequest(inflateSnappy(body), version, isNodeExporterMetric);
  const into = collector(deps);
  collectNodeExporter(request, into);
  return { request, received: await store(deps, accountId, into) };
}

/** Stores what an OTLP request says of hosts. `nameless`: points of a resource that names no host. */
export async function receiveOtlp(
  deps: ReceiveDeps,
  accountId: string,
  { body, encoding }: { body: Uint8Array; encoding: OtlpEncoding },
): Promise<Received & { nameless: number }> {
  const request =
    encoding === 'json'
      ? readOtlpJson(parseJson(body, OTLP_JSON_DEPTH), isHostMetric)
      : readOtlpProtobuf(body, isHostMetric);
  const into = collector(deps);
  const nameless = collectHostMetrics(request, into);
  return { ...(await store(deps, accountId, into)), nameless };
}
/** Down to the values of lists in attributes, which are not read. */
const OTLP_JSON_DEPTH = 20;

const collector = ({ clock, reportIntervalSeconds }: ReceiveDeps): ReadingCollector =>
  new ReadingCollector(clock.now(), reportIntervalSeconds);

async function store(
  { externalReadings, clock, metrics }: ReceiveDeps,
  accountId: string,
  into: ReadingCollector,
): Promise<Received> {
  const received = into.finish();
  if (received.readings.length > 0) await externalReadings.add(accountId, received.readings, clock.now());
  for (const outcome of ['taken', 'ignored', 'refused'] as const)
    metrics.externalSamples.inc({ outcome }, received[outcome]);
  return received;
}
