import { HOUR_MS, DAY_MS } from '@plimsoll/contract/rules/durations';
import { LINE_LIMITS } from '@plimsoll/contract/rules/lines';
import { linesAnswer, type LogLine } from '@plimsoll/contract/wire/lines';
import { moment, serverId } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import { requireHistory } from '../accounts/plans.ts';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { iso, isoOrNull } from '../http/units.ts';
import { given } from '@plimsoll/contract/rules/given';
import { requireServer } from '../servers/require-server.ts';
import type { ServerRecord } from '../servers/types.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { LineRecord } from './types.ts';
import { hostReason, POD_LOGS_OFF } from './unavailable.ts';

const shape = ({ at, serverId: server, clusterId, endedAt, ...line }: LineRecord): LogLine => ({
  ...line,
  at: iso(at),
  ended_at: isoOrNull(endedAt),
  server_id: server,
  cluster_id: clusterId,
});

interface Asked {
  server: ServerRecord | null;
  cluster: string | undefined;
  from: number;
}

/** Returns why the asked place can have no lines. */
async function reasonOf({ storage }: Deps, owner: Owner, { server, cluster, from }: Asked): Promise<string | null> {
  if (server !== null) {
    const sources = (await storage.servers.sourcesOf(owner, [server.id])).get(server.id);
    return hostReason({ sources, lastSeenAt: server.lastSeenAt }, from);
  }
  if (cluster === undefined) return null;
  return (await storage.logLines.hasPodLogs(owner, cluster)) === false ? POD_LOGS_OFF : null;
}

export const lineRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/lines',
      actor: 'user',
      summary:
        'Lists log lines that explain a bad minute: of the kernel, errors of the journal, last words of containers',
      tag: 'Activity',
      query: {
        server_id: serverId.optional().meta({ description: 'Lines of this server and of the containers on it' }),
        cluster_id: z.string().min(1).max(128).optional(),
        namespace: z.string().min(1).max(253).optional(),
        pod: z.string().min(1).max(253).optional(),
        from: moment.optional(),
        to: moment.optional(),
      },
      answer: linesAnswer,
    },
    async ({ actor: { owner }, query }) => {
      const { server_id: server, cluster_id: cluster, namespace, pod } = query;
      const found = server === undefined ? null : await requireServer(deps.storage.servers, owner, server);
      const now = deps.clock.now();
      const to = query.to ?? now + 1;
      const from = query.from ?? to - HOUR_MS;
      if (from >= to)
        throw new CodedError('invalid_parameter', 'from: must be before to', {
          field: 'from',
          remedy: 'Swap them or omit one.',
        });
      requireHistory(deps.config.planLimits, (now - from) / DAY_MS);
      const place = {
        ...given('serverId', server),
        ...given('clusterId', cluster),
        ...given('namespace', namespace),
        ...given('pod', pod),
      };
      const lines = await deps.storage.logLines.list(owner, { ...place, from, to }, LINE_LIMITS.answer);
      const unavailable =
        lines.length > 0 ? null : await reasonOf(deps, owner, { server: found?.server ?? null, cluster, from });
      return { lines: lines.map(shape), unavailable };
    },
  ),
];
