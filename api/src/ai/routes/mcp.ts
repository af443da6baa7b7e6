import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { createReadCall } from '../../http/call-route.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';

const path = '/mcp';
const tag = 'Assistant';

/** Sessions and server-sent streams of our own are not kept: each POST is answered by itself, by any replica. */
const notKept = (): Promise<never> => {
  throw new CodedError('method_not_allowed', 'This endpoint keeps no session and sends no events of its own', {
    remedy: 'Send each message as a POST.',
  });
};

/** `routes`: every call the tools may read. */
export const mcpRoutes = (deps: Deps, routes: readonly Route[]): Route[] => [
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      scope: 'read',
      role: 'viewer',
      summary: 'Speaks the Model Context Protocol (Streamable HTTP, JSON-RPC): the tools of the assistant',
      audit: null,
      notAudited: 'The tools only read.',
      tag,
      answer: null,
    },
    async ({ actor, http }) => {
      const context = {
        read: createReadCall(routes, actor, http),
        now: deps.clock.now() / 1000,
        serverId: null,
        rangeMinutes: AI_LIMITS.defaultRangeMinutes,
      };
      // Read when it is needed: few installations have a client of it, and its library takes 4 MB.
      const { answerMcp } = await import('../mcp-server.ts');
      return answerMcp(http.req.raw, context);
    },
  ),
  ...(['GET', 'DELETE'] as const).map((method) =>
    defineRoute(
      {
        method,
        path,
        actor: 'user',
        scope: 'read',
        role: 'viewer',
        summary: 'Is refused: this endpoint keeps no sessions',
        audit: null,
        notAudited: 'The tools only read.',
        tag,
        answer: null,
      },
      notKept,
    ),
  ),
];
