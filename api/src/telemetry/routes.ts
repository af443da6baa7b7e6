import { healthAnswer } from '@plimsoll/contract/wire/health';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { isFailing } from './job-health.ts';
import type { BucketSetAside } from '../series/types.ts';

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
const setAsideOf = ({ level, subject, at, attempts, failedAt, retryAt, error }: BucketSetAside) => ({
  level,
  subject,
  bucket_at: iso(at),
  attempts,
  failed_at: iso(failedAt),
  retry_at: iso(retryAt),
  error,
});

const ok = z.object({ status: z.literal('ok') });

/** Serves on the port of the dashboard, or alone on PLIMSOLL_METRICS_PORT. */
export const metricsRoute = ({ metrics }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/metrics',
      actor: 'anyone',
      summary: 'Returns the metrics of the API in the Prometheus text format',
      tag: 'Operations',
      answer: null,
    },
    async ({ http }) => http.body(await metrics.expose(), 200, { 'Content-Type': metrics.registry.contentType }),
  );

export const healthRoutes = (deps: Deps): Route[] => [
  ...instanceRoutes(deps),
  ...(deps.config.metricsPort === null ? [metricsRoute(deps)] : []),
];

const instanceRoutes = ({ storage, jobHealth }: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/healthz',
      actor: 'anyone',
      summary: 'Reports that the process runs',
      tag: 'Operations',
      answer: ok,
      bare: true,
    },
    () => Promise.resolve({ status: 'ok' as const }),
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/readyz',
      actor: 'anyone',
      summary: 'The database answers',
      tag: 'Operations',
      answer: ok,
      bare: true,
    },
    async () => {
      try {
        await storage.ping();
      } catch (cause) {
        throw new CodedError('storage_unavailable', 'The database does not answer', { cause, retryAfterSeconds: 5 });
      }
      return { status: 'ok' as const };
    },
  ),
  /**
   * Everybody with an account may read it, and all accounts share the jobs. So a job's failure is a time and a code: its
   * text may quote what another account sent, and stands in the operator's log only. Buckets set aside are the caller's own.
   * /metrics, which the operator scrapes without an account, counts all of them by level and names no account.
   */
  defineRoute(
    {
      method: 'GET',
      path: '/api/health',
      actor: 'user',
      summary: 'Lists background jobs of this installation and the failed rollup buckets of your account',
      tag: 'Operations',
      answer: healthAnswer,
    },
    async ({ actor }) => {
      const aside = await storage.setAside.ofOwner(actor.owner);
      const jobs = jobHealth.list();
      return {
        status: aside.length > 0 || jobs.some(isFailing) ? ('degraded' as const) : ('ok' as const),
        jobs: jobs.map(({ name, lastSuccessAt, lastFailureAt, lastErrorCode }) => ({
          name,
          last_success_at: isoOrNull(lastSuccessAt),
          last_failure_at: isoOrNull(lastFailureAt),
          last_error: lastErrorCode,
        })),
        buckets_set_aside: aside.map(setAsideOf),
      };
    },
  ),
];
