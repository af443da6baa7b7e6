import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import { DEFAULT_HOURS, PROCESS_HISTORY, PROCESS_MINUTES, REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import {
  fleetSnapshotAnswer,
  processesAnswer,
  processHistoryAnswer,
  processSnapshotAnswer,
  type Process,
} from '@plimsoll/contract/wire/processes';
import { dates, moment, page, scope, serverId, wholeNumber } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Authorized, Owner } from '../tenancy/owner.ts';
import type { Sample } from '../series/types.ts';
import type { ServerWithLatest } from '../servers/types.ts';
import type { Deps } from '../deps.ts';
import { nameOf } from '../servers/fleet.ts';
import { requireHistory } from '../accounts/plans.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { createFleetSnapshot, minuteOf } from './fleet-snapshot.ts';
import { nearestLists } from './nearest-lists.ts';
import { processHistory } from './process-history.ts';
import type { ProcessRecord } from './types.ts';
import { given } from '@plimsoll/contract/rules/given';
import { listFilter, scopedFilter } from '../servers/list-filter.ts';
import { requireServer } from '../servers/require-server.ts';
import { serversInScope } from '../servers/scope.ts';
import { epochSeconds, rounded } from '../http/units.ts';

/** PID_MAX_LIMIT of Linux. */
const MOST_PID = 4_194_304;

const REACH_MS = PROCESS_HISTORY.reachSeconds * 1000;

const keptDays = async (deps: Deps, owner: Owner): Promise<number> => {
  const kept = await deps.storage.identity.retention.get(owner);
  return Math.min(kept?.processes ?? PROCESS_HISTORY.days, PROCESS_HISTORY.days);
};

/** Returns the sample of the report that a list came with; null if it is no longer stored. */
async function sampleOf({ storage }: Deps, server: Authorized<ServerWithLatest>, at: number): Promise<Sample | null> {
  // Times pass through floating-point numbers.
  const range = { from: at - 1, to: at + 1 };
  const { samples } = await storage.history.listSamples(server, range, { limit: 1, offset: 0 });
  return samples[0] ?? null;
}

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

const named = ({ id, hostname }: { id: string; hostname: string }) => ({ server_id: id, hostname });

const fleetAtRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/processes/fleet-at',
      actor: 'user',
      summary:
        'Ranks the processes of every server in scope at a moment: by the list of that minute, else by the nearest one of each server',
      tag: 'Processes',
      query: {
        ...page(),
        at: moment,
        scope: scope.optional(),
        rank_type: z.enum(['cpu', 'memory']).default('cpu'),
      },
      answer: fleetSnapshotAnswer,
    },
    async ({ actor, query: { at, rank_type: rank, scope: chosen, ...asked } }) => {
      const now = deps.clock.now();
      requireHistory(deps.config.planLimits, (now - at) / DAY_MS);
      const keptSince = now - (await keptDays(deps, actor.owner)) * DAY_MS;
      const within = await serversInScope(deps.storage.servers, actor.owner, chosen, now);
      const merged = createFleetSnapshot(rank, asked, at);
      const around = { at, from: Math.max(keptSince, at - REACH_MS), to: Math.min(now, at + REACH_MS) };
      for await (const list of deps.storage.fleetSnapshots.listNearest(actor.owner, {
        ...around,
        ...given('within', within),
      }))
        merged.add(list);
      const { processes, total, servers, inMinute, nearest, nearestTotal, without, withoutTotal } = merged.result();
      return {
        processes: processes.map(shapeProcess),
        total,
        minute: epochSeconds(minuteOf(at)),
        servers,
        in_minute: inMinute,
        nearest: nearest.map((one) => ({ ...named(one), snapshot_at: epochSeconds(one.sampleAt) })),
        nearest_total: nearestTotal,
        without: without.map(named),
        without_total: withoutTotal,
        kept_since: epochSeconds(keptSince),
      };
    },
  );

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
        scope: scope.optional(),
        rank_type: z.enum(['cpu', 'memory']).default('cpu'),
      },
      answer: processesAnswer,
    },
    async ({ actor, query }) => {
      if (query.server_id !== undefined) await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const filter = { ...(await scopedFilter(deps, actor.owner, query, listFilter)), rank: query.rank_type };
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
        'Returns the processes of a server at a moment: the last list stored before it, at most half an hour older, and the time of the next one',
      tag: 'Processes',
      query: { server_id: serverId, at: moment },
      answer: processSnapshotAnswer,
    },
    async ({ actor, query }) => {
      const server = await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const now = deps.clock.now();
      requireHistory(deps.config.planLimits, (now - query.at) / DAY_MS);
      const keptSince = now - (await keptDays(deps, actor.owner)) * DAY_MS;
      const from = Math.max(keptSince, query.at - REACH_MS);
      const to = Math.min(now, query.at + REACH_MS);
      const [snapshot, nextSnapshot, minutes] = await Promise.all([
        deps.storage.processSnapshots.newest(server, { from, to: query.at }),
        deps.storage.processSnapshots.next(server, { from: Math.max(from, query.at), to }),
        deps.storage.processMinutes.lists(server, { from, to }),
      ]);
      const { found, nextAt } = nearestLists(query.at, minutes, { snapshot, nextAt: nextSnapshot });
      const sample = found && (await sampleOf(deps, server, found.sampleAt));
      const { id, system } = server.server;
      const place = { serverId: id, hostname: nameOf(server.server), serverCpuCores: system?.cpu_cores ?? null };
      return {
        snapshot_at: found && epochSeconds(found.sampleAt),
        list: found?.list ?? null,
        next_at: nextAt && epochSeconds(nextAt),
        kept_since: epochSeconds(keptSince),
        server_cpu_usage: rounded(sample?.cpuPercent ?? null),
        processes: (found?.processes ?? []).map((each) =>
          shapeProcess({ ...each, ...place, sampleAt: found?.sampleAt ?? 0 }),
        ),
      };
    },
  ),
  fleetAtRoute(deps),
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/processes/history',
      actor: 'user',
      summary: 'Returns CPU and memory of one command on a server over time, across its restarts',
      tag: 'Processes',
      query: {
        server_id: serverId,
        command: z.string().min(1).max(REPORT_LIMITS.stringBytes),
        pid: wholeNumber(0, MOST_PID).optional(),
        hours: wholeNumber(1, PROCESS_HISTORY.days * 24).default(DEFAULT_HOURS),
      },
      answer: processHistoryAnswer,
    },
    async ({ actor, query }) => {
      const server = await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const now = deps.clock.now();
      requireHistory(deps.config.planLimits, query.hours / 24);
      const keptSince = now - (await keptDays(deps, actor.owner)) * DAY_MS;
      const from = Math.max(keptSince, now - query.hours * HOUR_MS);
      const sinceMinutes = Math.max(from, now - PROCESS_MINUTES.days * DAY_MS);
      const [quarters, minutes] = await Promise.all([
        deps.storage.processSnapshots.lists(server, { from, to: now }),
        deps.storage.processMinutes.lists(server, { from: sinceMinutes, to: now }),
      ]);
      // Quarters only for the time before the first minute: an upgrade has no minutes of yesterday.
      const firstMinute = minutes[0]?.at ?? now;
      const older = quarters.filter(({ at }) => at < firstMinute);
      const lists = [...older, ...minutes];
      const leastStepMs = (older.length === 0 ? PROCESS_MINUTES : PROCESS_HISTORY).stepSeconds * 1000;
      const { stepMs, points, starts } = processHistory(lists, query, { from, to: now, leastStepMs });
      return {
        server_id: server.server.id,
        hostname: nameOf(server.server),
        command: query.command,
        step_seconds: stepMs / 1000,
        starts,
        points: points.map(({ at, cpuPercent, memoryBytes, processes }) => ({
          timestamp: epochSeconds(at),
          cpu_usage: rounded(cpuPercent),
          memory_kb: memoryBytes === null ? null : Math.round(memoryBytes / 1024),
          processes,
        })),
        kept_since: epochSeconds(keptSince),
      };
    },
  ),
];
