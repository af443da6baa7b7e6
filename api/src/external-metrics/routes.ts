import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { contentEncoding, readWire } from '../http/inflate.ts';
import { readBytes, wireBody } from '../http/read-body.ts';
import { otlpAnswer, otlpEncoding } from './otlp.ts';
import type { MetricsBody, MetricsHead } from './read-metrics.ts';
import { receiveMetrics, type ReceiveDeps } from './receive-metrics.ts';
import { remoteWriteVersion } from './remote-write.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

const tag = 'Metrics';
const OUT_OF_BOUNDS = 'Samples are out of bounds: more than 26 h in the past, 5 min ahead or of too many servers.';
const UNREADABLE = 'Parts of the body are not valid.';
const LEFT_OUT = 'A server has too many figures in one interval, or the request has too many.';

const receiveDeps = ({ storage, config, ...deps }: Deps): ReceiveDeps => ({
  ...deps,
  externalReadings: storage.externalReadings,
  reportIntervalSeconds: config.reportIntervalSeconds,
});

/** Reads the body and stores its samples in the share of the account: the flood of one takes no place of another. */
const receive = (
  deps: Deps,
  organisationId: OrganisationId,
  readBody: () => Promise<MetricsBody>,
): Promise<MetricsHead> =>
  deps.metricsPlaces.run(organisationId, () =>
    deps.concurrencyLimit.run(async () => receiveMetrics(receiveDeps(deps), organisationId, await readBody())),
  );

/** Prometheus drops what is answered with 429, unless it is configured otherwise; it repeats what is answered with 503. */
function requireRate({ rates, clock }: Deps, organisationId: OrganisationId): void {
  const wait = rates.externalMetrics.take(organisationId, clock.now());
  if (wait !== null)
    throw new CodedError('overloaded', 'Too many requests with metrics', {
      remedy: 'Send more samples in one request.',
      retryAfterSeconds: wait,
    });
}

type Rejected = Pick<MetricsHead, 'refused' | 'unreadable' | 'leftOut' | 'nameless'>;
const rejectedOf = ({ refused, unreadable, leftOut, nameless }: Rejected): number =>
  refused + unreadable + leftOut + nameless;
const explainRejected = ({ refused, unreadable, leftOut, nameless }: Rejected): string =>
  [
    nameless > 0 ? 'The resource has no host.name and no host.id: add the resourcedetection processor.' : '',
    refused > 0 ? OUT_OF_BOUNDS : '',
    unreadable > 0 ? UNREADABLE : '',
    leftOut > 0 ? LEFT_OUT : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');

/** Remote write 2.0 requires the counts. Samples of metrics that Plimsoll has no place for count as written: they are not an error. */
const headersOf = ({ samples, histograms, exemplars, ignored, ...head }: MetricsHead) => ({
  'X-Prometheus-Remote-Write-Samples-Written': String(Math.max(0, samples - rejectedOf(head))),
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
      audit: null,
      notAudited: 'A machine reports about itself.',
      tag,
      operationId: 'writeRemoteMetrics',
      answer: null,
      unlimited: true,
    },
    async ({ actor: { owner }, http }) => {
      requireRate(deps, owner.organisationId);
      const header = (name: string): string | null => http.req.header(name) ?? null;
      const version = remoteWriteVersion(header('content-type'), contentEncoding(header('content-encoding')));
      const head = await receive(deps, owner.organisationId, async () => {
        const wire = await readBytes(http.req.raw, EXTERNAL_METRICS_LIMITS.wireBytes);
        return { wire, protocol: `remote-write-${version}`, isGzip: false };
      });
      for (const [name, value] of Object.entries(headersOf(head))) http.header(name, value);
      const rejected = rejectedOf(head);
      if (rejected > 0)
        throw new CodedError('invalid_parameter', `${String(rejected)} rejected. ${explainRejected(head)}`);
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
      audit: null,
      notAudited: 'A machine reports about itself.',
      tag,
      operationId: 'exportOtlpMetrics',
      answer: null,
      unlimited: true,
    },
    async ({ actor: { owner }, http }) => {
      requireRate(deps, owner.organisationId);
      const encoding = otlpEncoding(http.req.header('content-type') ?? null);
      const head = await receive(deps, owner.organisationId, async () => {
        const compression = contentEncoding(http.req.header('content-encoding'));
        const wire = await readWire(wireBody(http.req.raw), compression, EXTERNAL_METRICS_LIMITS.wireBytes);
        return { wire, protocol: `otlp-${encoding}`, isGzip: compression === 'gzip' };
      });
      http.header('Content-Type', encoding === 'json' ? 'application/json' : 'application/x-protobuf');
      const answer = otlpAnswer(encoding, rejectedOf(head), explainRejected(head));
      return http.body(typeof answer === 'string' ? answer : new Uint8Array(answer));
    },
  );

/** Metrics of other agents, which keep their protocols. */
export const externalMetricsRoutes = (deps: Deps): Route[] => [remoteWriteRoute(deps), otlpRoute(deps)];
