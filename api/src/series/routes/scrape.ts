import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Deps } from '../../deps.ts';
import { acceptsEncoding } from '../../http/accepts-encoding.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { accountMetrics } from '../account-metrics.ts';
import { EXPOSITION_TYPE } from '../exposition.ts';

/** Pods of one scrape at most, those with the most memory first: 15,000 samples, about 3 MB. */
const MOST_PODS = 5000;
const toGzip = promisify(gzip);

/** Figures of the caller's account. `/metrics` is another endpoint: figures of the API process itself. */
export const scrapeRoutes = ({ storage, clock }: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/metrics',
      actor: 'user',
      summary: 'Returns every current figure of your servers, nodes and pods in the Prometheus text format',
      tag: 'Metrics',
      operationId: 'getAccountMetrics',
      answer: null,
    },
    async ({ actor: { owner }, http }) => {
      const now = clock.now();
      const { views } = storage.kubernetes;
      const page = { sort: 'memory', order: 'desc', limit: MOST_PODS, offset: 0 } as const;
      const [servers, parts, nodes, { pods, total }] = await Promise.all([
        storage.servers.listAll(owner),
        storage.servers.partsOf(owner),
        views.rankedNodes({ owner }, true),
        views.pods({ owner, ...page }, now),
      ]);
      const text = accountMetrics({ servers, parts, nodes, pods, totalPods: total }, now);
      http.header('Content-Type', EXPOSITION_TYPE);
      http.header('Vary', 'Accept-Encoding');
      if (!acceptsEncoding(http.req.header('accept-encoding'), 'gzip')) return http.body(text);
      http.header('Content-Encoding', 'gzip');
      return http.body(new Uint8Array(await toGzip(text, { level: 1 })));
    },
  ),
];
