import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { HttpEnv } from './define-route.ts';

/** Label of an unmatched path. Paths are input and must not become labels. */
const UNMATCHED = 'unmatched';

/** Gives the request its id, then counts and logs it by route pattern: never the query, which may hold anything. */
export const requestLog =
  (log: Logger, metrics: Metrics): MiddlewareHandler<HttpEnv> =>
  async (http, next) => {
    const started = performance.now();
    http.set('requestId', randomUUID());
    http.set('route', UNMATCHED);
    await next();
    const seconds = (performance.now() - started) / 1000;
    const route = http.get('route');
    const status = http.res.status;
    http.res.headers.set('X-Request-Id', http.get('requestId'));
    metrics.requestSeconds.observe({ method: http.req.method, route, status: String(status) }, seconds);
    const line = {
      method: http.req.method,
      route,
      status,
      ms: Math.round(seconds * 1e4) / 10,
      id: http.get('requestId'),
    };
    // 503 comes by the thousand while the database is away or collectors come back; metrics count it.
    if (status >= 500 && status !== 503) log.warn(line, 'request');
    else log.debug(line, 'request');
  };
