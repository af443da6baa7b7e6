import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { inflateBody } from '../http/inflate.ts';
import { readBytes, wireBody } from '../http/read-body.ts';
import { otlpAnswer, otlpEncoding } from './otlp.ts';
import { receiveOtlp, receiveRemoteWrite, type ReceiveDeps } from './receive-metrics.ts';
import { remoteWriteVersion, type WriteRequest } from './remote-write.ts';
import type { Received } from './types.ts';

const tag = 'Metrics';
const OUT_OF_BOUNDS = 'Samples are out of bounds: more than 26 h in the past, 5 min ahead or of too many servers.';

const receiveDeps = ({ storage, clock, metrics, config }: Deps): ReceiveDeps => ({
  externalReadings: storage.externalReadings,
  clock,
  metrics,
  reportIntervalSeconds: config.reportIntervalSeconds,
});

/** Prometheus drops what is answered with 429, unless it is configured otherwise; it repeats what is answered with 503. */
function requireRate({ rates, clock }: Deps, accountId: string): void {
  const wait = rates.externalMetrics.take(accountId, clock.now());
  if (wait !== null)
    throw new CodedError('overloaded', 'Too many requests with metrics', {
      remedy: 'Send more samples in one request.',
      retryAfterSeconds: wait,
    });
}

/** Remote write 2.0 requires the counts. Samples of metrics that Plimsoll has no place for count as written: they are not an error. */
const headersOf = ({ samples, histograms, exemplars }: WriteRequest, { ignored, refused }: Received) => ({
  'X-Prometheus-Remote-Write-Samples-Written': String(samples - refused),
  'X-Prometheus-Remote-Write-Histograms-Written': String(histograms),
  'X-Prometheus-Remote-Write-Exemplars-Written': String(exemplars),
  'X-Plimsoll-Samples-Ignored': String(ignored),
});

const remoteWriteRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/v1/write',
      actor: 'user',
      scope: 'metrics',
      summary: 'Accepts metrics of node_exporter by Prometheus remote write 1.0 and 2.0',
      tag,
      operationId: 'writeRemoteMetrics',
      answer: null,
      unlimited: true,
    },
    async ({ actor: { owner }, http }) => {
      requireRate(deps, owner.accountId);
      const header = (name: string): string | null => http.req.header(name) ?? null;
      const version = remoteWriteVersion(header('content-type'), header('content-encoding'));
      const { request, received } = await deps.concurrencyLimit.run(async () => {
        const body = await readBytes(http.req.raw, EXTERNAL_METRICS_LIMITS.wireBytes);
        return receiveRemoteWrite(receiveDeps(deps), owner.accountId, { body, version });
      });
      for (const [name, value] of Object.entries(headersOf(request, received))) http.header(name, value);
      if (received.refused > 0)
        throw new CodedError('invalid_parameter', `${String(received.refused)} rejected. ${OUT_OF_BOUNDS}`);
      return http.body(null, 204);
    },
  );

const otlpRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/v1/metrics',
      actor: 'user',
      scope: 'metrics',
      summary: 'Accepts host metrics of OpenTelemetry by OTLP over HTTP, in protobuf and JSON',
      tag,
      operationId: 'exportOtlpMetrics',
      answer: null,
      unlimited: true,
    },
    async ({ actor: { owner }, http }) => {
      requireRate(deps, owner.accountId);
      const encoding = otlpEncoding(http.req.header('content-type') ?? null);
      const { nameless, refused } = await deps.concurrencyLimit.run(async () => {
        const compression = http.req.header('content-encoding') ?? null;
        const body = await inflateBody(wireBody(http.req.raw), compression, EXTERNAL_METRICS_LIMITS);
        return receiveOtlp(receiveDeps(deps), owner.accountId, { body, encoding });
      });
      http.header('Content-Type', encoding === 'json' ? 'application/json' : 'application/x-protobuf');
      const answer = otlpAnswer(encoding, nameless + refused, explainRejected(nameless, refused));
      return http.body(typeof answer === 'string' ? answer : new Uint8Array(answer));
    },
  );

const explainRejected = (nameless: number, refused: number): string =>
  [
    nameless > 0 ? 'The resource has no host.name and no host.id: add the resourcedetection processor.' : '',
    refused > 0 ? OUT_OF_BOUNDS : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');

/** Metrics of other agents, which keep their protocols. */
export const externalMetricsRoutes = (deps: Deps): Route[] => [remoteWriteRoute(deps), otlpRoute(deps)];
