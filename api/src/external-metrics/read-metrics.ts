import { CodedError } from '../errors.ts';
import { countContainers, parseJson } from '../http/parse-json.ts';
import { ReadingCollector } from './collect-readings.ts';
import { collectHostMetrics, HOST_METRICS } from './host-metrics.ts';
import { collectNodeExporter, NODE_EXPORTER } from './node-exporter.ts';
import { readOtlpJson } from './otlp-json.ts';
import { readOtlpProtobuf } from './otlp-protobuf.ts';
import { readWriteRequest } from './remote-write.ts';
import { inflateSnappy } from './snappy-block.ts';
import type { Received } from './types.ts';
import { piecesOf, type ReadingsPiece } from './readings-piece.ts';

/** A request of another agent, as it is on the wire. Remote write is in a snappy block. */
export interface MetricsBody {
  wire: Buffer;
  protocol: 'remote-write-1' | 'remote-write-2' | 'otlp-protobuf' | 'otlp-json';
  isGzip: boolean;
}
export interface MetricsJob extends Omit<MetricsBody, 'wire'> {
  wire: Uint8Array;
  receivedAt: number;
  reportIntervalSeconds: number;
}
/** Everything the thread reads. */
export interface MetricsJobs {
  metrics: { job: MetricsJob; result: ReadMetrics };
}
export interface MetricsHead extends Omit<Received, 'readings'> {
  /** All of a request of remote write, also those that are ignored. */
  samples: number;
  histograms: number;
  exemplars: number;
  /** Points of a resource that names no host. */
  nameless: number;
}
export interface ReadMetrics {
  head: MetricsHead;
  items: ReadingsPiece[];
}

/** Down to lists in lists in the values of attributes, which are not read. */
const OTLP_JSON_DEPTH = 64;

/** Reads what a request without gzip says of hosts, ready to be stored. Throws coded errors for the request as a whole. */
export function readMetrics({
  wire,
  protocol,
  receivedAt,
  reportIntervalSeconds,
}: Omit<MetricsJob, 'isGzip'>): ReadMetrics {
  const into = new ReadingCollector(receivedAt, reportIntervalSeconds);
  const body = protocol === 'remote-write-1' || protocol === 'remote-write-2' ? inflateSnappy(wire) : wire;
  const counts = collect(protocol, body, into);
  const { readings, ...received } = into.finish();
  return { head: { ...received, ...counts }, items: piecesOf(readings) };
}

/** A point with eight attributes has 18. Their objects take 60 MB. */
const MOST_CONTAINERS = 1_000_000;

function parseOtlpJson(body: Uint8Array): unknown {
  if (countContainers(body) <= MOST_CONTAINERS) return parseJson(body, OTLP_JSON_DEPTH);
  throw new CodedError('body_too_large', 'Too many objects and lists in one request', {
    remedy: 'Send fewer data points in one request.',
  });
}

type Counts = Pick<MetricsHead, 'samples' | 'histograms' | 'exemplars' | 'nameless'>;

function collect(protocol: MetricsBody['protocol'], body: Uint8Array, into: ReadingCollector): Counts {
  if (protocol === 'remote-write-1' || protocol === 'remote-write-2') {
    const request = readWriteRequest(body, protocol === 'remote-write-1' ? 1 : 2, NODE_EXPORTER);
    collectNodeExporter(request, into);
    const { samples, histograms, exemplars } = request;
    return { samples, histograms, exemplars, nameless: 0 };
  }
  const request =
    protocol === 'otlp-json' ? readOtlpJson(parseOtlpJson(body), HOST_METRICS) : readOtlpProtobuf(body, HOST_METRICS);
  return { samples: request.points, histograms: 0, exemplars: 0, nameless: collectHostMetrics(request, into) };
}
