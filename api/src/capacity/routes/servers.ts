import { serverFitsAnswer } from '@plimsoll/contract/wire/capacity';
import { idleServersAnswer } from '@plimsoll/contract/wire/idle-servers';
import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { page, scope } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { isoOrNull, rounded } from '../../http/units.ts';
import { nameOf } from '../../servers/fleet.ts';
import { serversInScope } from '../../servers/scope.ts';
import { serverStatus } from '../../servers/server-status.ts';
import { byRoom, placeOnServer } from '../place-on-server.ts';
import { IDLE, idlenessOf } from '../server-usage.ts';
import { amount, MOST } from './amount.ts';

export const serverFitRoutes = (deps: Deps): Route[] => [serverFits(deps), idleServers(deps)];

const serverFits = ({ storage, clock, alertRules }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/servers/fits',
      actor: 'user',
      summary: 'Which servers take a load of a size, with their headroom before and after',
      tag: 'Capacity',
      query: {
        cores: amount('Cores that the load uses', MOST.cores),
        memory_bytes: amount('Bytes of memory that the load uses', MOST.bytes),
        scope: scope.optional(),
        ...page(PAGE_LIMITS.servers),
      },
      answer: serverFitsAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const { owner } = actor;
      const [listed, within, rules] = await Promise.all([
        storage.servers.listAll(owner),
        serversInScope(storage.servers, owner, query.scope, now),
        alertRules.of(owner.organisationId),
      ]);
      const chosen = within && new Set(within);
      const wanted = { cores: query.cores, memoryBytes: query.memory_bytes };
      const rows = listed
        // The scheduler of a cluster decides what runs on its nodes.
        .filter(({ server }) => !server.isKubernetesNode && (chosen?.has(server.key) ?? true))
        .map(({ server, latest: { sample } }) => {
          const cores = server.system?.cpu_cores ?? null;
          const load = {
            cores,
            memoryTotalBytes: server.memoryTotalBytes,
            cpuPercent: sample?.cpuPercent ?? null,
            memoryPercent: sample?.memoryPercent ?? null,
            diskPercent: sample?.diskPercent ?? null,
            isActive: serverStatus(server, now) === 'active',
            lines: rules.of(server.id).lines,
          };
          return { server, cores, load, ...placeOnServer(load, wanted) };
        })
        .toSorted(byRoom);
      return {
        servers: rows.slice(query.offset, query.offset + query.limit).map(({ server, cores, load, ...placing }) => ({
          server_id: server.id,
          hostname: nameOf(server),
          cores,
          cpu_percent: rounded(load.cpuPercent, 1),
          cpu_percent_after: rounded(placing.cpuPercentAfter, 1),
          memory_percent: rounded(load.memoryPercent, 1),
          memory_percent_after: rounded(placing.memoryPercentAfter, 1),
          headroom: rounded(placing.headroom, 1),
          headroom_after: rounded(placing.headroomAfter, 1),
          fits: placing.fits,
          reason: placing.reason,
        })),
        total: rows.length,
      };
    },
  );

/** Servers whose use is not known that an answer names. */
const MOST_UNKNOWN = 100;
const idleServers = ({ storage, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/servers/idle',
      actor: 'user',
      summary: 'Servers that can be given back: idle for two weeks, with what speaks against it',
      tag: 'Capacity',
      query: { scope: scope.optional(), ...page(PAGE_LIMITS.servers) },
      answer: idleServersAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const { owner } = actor;
      const [listed, within, usages] = await Promise.all([
        storage.servers.listAll(owner),
        serversInScope(storage.servers, owner, query.scope, now),
        storage.serverUsages.list(owner),
      ]);
      const chosen = within && new Set(within);
      const usageOf = new Map(usages.map((usage) => [usage.serverKey, usage]));
      const judged = listed
        // A node of a cluster is given back by its scheduler: the Capacity page says what its loss does.
        .filter(({ server }) => !server.isKubernetesNode && (chosen?.has(server.key) ?? true))
        .map(({ server }) => {
          const usage = usageOf.get(server.key) ?? null;
          return { server, usage, ...idlenessOf(usage, serverStatus(server, now) === 'active', now) };
        });
      const spare = judged
        .filter(({ verdict }) => verdict === 'idle' || verdict === 'connected')
        .toSorted(
          (a, b) =>
            Number(b.verdict === 'idle') - Number(a.verdict === 'idle') ||
            (b.server.memoryTotalBytes ?? 0) - (a.server.memoryTotalBytes ?? 0) ||
            nameOf(a.server).localeCompare(nameOf(b.server)),
        );
      const unknown = judged.filter(({ verdict }) => verdict === 'unknown');
      const oldest = usages.length === 0 ? null : Math.min(...usages.map(({ computedAt }) => computedAt));
      return {
        servers: spare.slice(query.offset, query.offset + query.limit).map(({ server, usage, verdict, reason }) => ({
          server_id: server.id,
          hostname: nameOf(server),
          cores: server.system?.cpu_cores ?? null,
          memory_bytes: server.memoryTotalBytes,
          cpu_percent_p95: rounded(usage?.cpuP95 ?? null, 1),
          memory_percent_max: rounded(usage?.memoryMax ?? null, 1),
          connections_mean: rounded(usage?.connectionsMean ?? null, 1),
          connections_max: rounded(usage?.connectionsMax ?? null, 0),
          is_connected: verdict === 'connected',
          reason,
        })),
        total: spare.length,
        judged: judged.length,
        unknown: unknown
          .slice(0, MOST_UNKNOWN)
          .map(({ server, reason }) => ({ server_id: server.id, hostname: nameOf(server), reason: reason ?? '' })),
        unknown_total: unknown.length,
        days: IDLE.days,
        computed_at: isoOrNull(oldest),
        age_seconds: oldest === null ? null : Math.max(0, Math.round((now - oldest) / 1000)),
      };
    },
  );
