import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { defineRoute, type Route } from '../http/define-route.ts';

const ok = z.object({ status: z.literal('ok') });

export const healthRoutes = ({ storage, metrics }: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/healthz',
      actor: 'anyone',
      summary: 'The process runs',
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
  defineRoute(
    {
      method: 'GET',
      path: '/metrics',
      actor: 'anyone',
      summary: 'What the API counts about itself, in the Prometheus text format',
      tag: 'Operations',
      answer: null,
    },
    async ({ http }) =>
      http.body(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType }),
  ),
];
