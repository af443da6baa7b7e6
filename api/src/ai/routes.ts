import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { defineRoute, type Route } from '../http/define-route.ts';

const aiHealthAnswer = z.object({ api_key_valid: z.boolean() });

/** False until an assistant is configured and was reached. */
export const aiRoutes = (_deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/ai/health',
      actor: 'user',
      summary: 'Reports whether the AI assistant is available',
      tag: 'Assistant',
      answer: aiHealthAnswer,
    },
    () => Promise.resolve({ api_key_valid: false }),
  ),
];
