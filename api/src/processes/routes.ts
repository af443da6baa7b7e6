import { PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import { processesAnswer, processSnapshotAnswer, type Process } from '@plimsoll/contract/wire/processes';
import { dates, moment, page, serverId } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { nameOf } from '../servers/fleet.ts';
import { requireHistory } from '../accounts/plans.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import type { ProcessRecord } from './types.ts';
import { listFilter, requireServer, todayOf } from '../series/range.ts';
import { epochSeconds, rounded } from '../http/units.ts';

const DAY_MS = 86_400_000;

const shapeProcess = (process: ProcessRecord): Process => ({
  server_id: process.serverId,
  hostname: process.hostname,
  pid: process.pid,
  name: process.name,
  command: process.command,
  user: process.user,
  status: process.status,
  cpu_usage: rounded(process.cpu_percent),
  server_cpu_cores: process.serverCpuCores,
  memory_usage: rounded(process.memory_percent),
  memory_kb: Math.round(process.memory_bytes / 1024),
  threads: process.threads,
  start_time: process.started_at,
  timestamp: epochSeconds(process.sampleAt),
});

export const processRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/processes',
      actor: 'user',
      summary: 'Ranks processes by CPU or memory, one row per server and pid',
      tag: 'Processes',
      query: {
        ...page(),
        ...dates,
        server_id: serverId.optional(),
        rank_type: z.enum(['cpu', 'memory']).default('cpu'),
      },
      answer: processesAnswer,
    },
    async ({ actor, query }) => {
      if (query.server_id !== undefined) await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const filter = { ...listFilter(query, todayOf(deps)), rank: query.rank_type };
      const { processes, total } = await deps.storage.lists.processes(actor.owner, filter, query, deps.clock.now());
      return { processes: processes.map(shapeProcess), total };
    },
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/processes/at',
      actor: 'user',
      summary:
        'Returns the processes of a server at a moment: the last list stored before it, at most half an hour older',
      tag: 'Processes',
      query: { server_id: serverId, at: moment },
      answer: processSnapshotAnswer,
    },
    async ({ actor, query }) => {
      const server = await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const now = deps.clock.now();
      requireHistory(deps.config.planLimits, (now - query.at) / DAY_MS);
      const kept = await deps.storage.identity.retention.get(actor.owner);
      const keptSince = now - Math.min(kept?.processes ?? PROCESS_HISTORY.days, PROCESS_HISTORY.days) * DAY_MS;
      const from = Math.max(keptSince, query.at - PROCESS_HISTORY.reachSeconds * 1000);
      const found = await deps.storage.processSnapshots.newest(server, { from, to: query.at });
      const { id, system } = server.server;
      const place = { serverId: id, hostname: nameOf(server.server), serverCpuCores: system?.cpu_cores ?? null };
      return {
        snapshot_at: found && epochSeconds(found.sampleAt),
        kept_since: epochSeconds(keptSince),
        processes: (found?.processes ?? []).map((each) =>
          shapeProcess({ ...each, ...place, sampleAt: found?.sampleAt ?? 0 }),
        ),
      };
    },
  ),
];
