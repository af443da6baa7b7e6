import { serverFitsAnswer } from '@plimsoll/contract/wire/capacity';
import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { page, scope } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { rounded } from '../../http/units.ts';
import { nameOf } from '../../servers/fleet.ts';
import { serversInScope } from '../../servers/scope.ts';
import { serverStatus } from '../../servers/server-status.ts';
import { byRoom, placeOnServer } from '../place-on-server.ts';
import { amount, MOST } from './amount.ts';

export const serverFitRoutes = (deps: Deps): Route[] => [serverFits(deps)];

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
