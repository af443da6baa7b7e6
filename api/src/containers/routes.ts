import { CONTAINER_HISTORY, PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { CONTAINER_FILTERS, CONTAINER_SORTS, type ContainerGrouping } from '@plimsoll/contract/rules/container-states';
import {
  containerGroupsAnswer,
  containersAnswer,
  type Container,
  type ContainerGroupsAnswer,
} from '@plimsoll/contract/wire/containers';
import { page, scope, serverId } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { iso, rounded } from '../http/units.ts';
import { nameOf } from '../servers/fleet.ts';
import { serversInScope } from '../servers/scope.ts';
import { serverStatus } from '../servers/server-status.ts';
import type { Owner } from '../tenancy/owner.ts';
import { placeContainer, selectContainers, summariseContainers } from './container-list.ts';
import { groupContainers, type Groups } from './group-containers.ts';
import type { ContainerPoint, PlacedContainer } from './types.ts';

const STEP_MS = CONTAINER_HISTORY.stepSeconds * 1000;
const STEPS = (CONTAINER_HISTORY.hours * 3600) / CONTAINER_HISTORY.stepSeconds;
const PER_CENT_OF_A_CORE = 100;

/** Returns the containers of the owner's servers in the scope, and the number of these servers. */
async function containersOf(
  { storage, alertRules, clock }: Deps,
  owner: Owner,
  within: readonly number[] | undefined,
): Promise<{ all: PlacedContainer[]; servers: number }> {
  const [latest, listed, rules] = await Promise.all([
    storage.containers.listLatest(owner, within),
    storage.servers.listAll(owner),
    alertRules.of(owner.organisationId),
  ]);
  const now = clock.now();
  const chosen = within && new Set(within);
  const servers = listed.map(({ server }) => server).filter(({ key }) => chosen?.has(key) ?? true);
  const byKey = new Map(servers.map((server) => [server.key, server]));
  const all = latest.flatMap(({ serverKey, sampleAt, containers }) => {
    const server = byKey.get(serverKey);
    if (server === undefined) return [];
    const { lines, hidden } = rules.of(server.id);
    const place = {
      serverKey,
      serverId: server.id,
      hostname: nameOf(server),
      status: serverStatus(server, now),
      sampleAt,
      linePercent: lines.memory.warning,
      hidden: hidden.container,
    };
    return containers.map((part) => placeContainer(part, place));
  });
  return { all, servers: servers.length };
}

/** Returns the CPU in cores of each step up to now; null where nothing is stored. */
function cpuHistory(points: readonly ContainerPoint[] | undefined, now: number): (number | null)[] | null {
  if (points === undefined) return null;
  const newest = Math.floor(now / STEP_MS);
  const values: (number | null)[] = Array.from({ length: STEPS }, () => null);
  for (const { at, cpuPercent } of points) {
    const index = STEPS - 1 - (newest - Math.floor(at / STEP_MS));
    if (index >= 0 && index < STEPS)
      values[index] = cpuPercent === null ? null : rounded(cpuPercent / PER_CENT_OF_A_CORE, 3);
  }
  return values;
}

const shapeContainer = (one: PlacedContainer, history: (number | null)[] | null): Container => {
  const { part } = one;
  return {
    server_id: one.serverId,
    hostname: one.hostname,
    server_status: one.status,
    id: part.id,
    name: part.name,
    image: part.image,
    runtime: part.runtime,
    project: part.project ?? null,
    state: part.state ?? null,
    is_broken: one.isBroken,
    since: part.since ?? null,
    exit_code: part.exit_code ?? null,
    oom_killed: part.oom_killed ?? false,
    oom_kills: part.oom_kills ?? null,
    restarts: part.restarts ?? null,
    restarts_last_hour: part.restarts_last_hour ?? 0,
    cpu_cores: part.cpu_percent === null ? null : rounded(part.cpu_percent / PER_CENT_OF_A_CORE, 3),
    memory_bytes: part.memory_bytes,
    memory_limit_bytes: part.memory_limit_bytes,
    memory_percent: rounded(one.memoryPercent, 1),
    memory_line: one.linePercent,
    is_hidden: one.isHidden,
    sampled_at: iso(one.sampleAt),
    cpu_history: history,
  };
};

const shapeGroups = ({ groups, total, ungrouped }: Groups): ContainerGroupsAnswer['host'] => ({
  total,
  ungrouped,
  groups: groups.map(({ cpuPercent, memoryBytes, restartsLastHour, ...group }) => ({
    ...group,
    restarts_last_hour: restartsLastHour,
    cpu_cores: cpuPercent === null ? null : rounded(cpuPercent / PER_CENT_OF_A_CORE, 3),
    memory_bytes: memoryBytes,
  })),
});

const groupsRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/containers/groups',
      actor: 'user',
      summary: 'Sums the containers of your servers by host, by image and by Compose project',
      tag: 'Containers',
      query: { scope: scope.optional() },
      answer: containerGroupsAnswer,
    },
    async ({ actor: { owner }, query }) => {
      const within = await serversInScope(deps.storage.servers, owner, query.scope, deps.clock.now());
      const { all } = await containersOf(deps, owner, within);
      const of = (by: ContainerGrouping) => shapeGroups(groupContainers(all, by));
      return { host: of('host'), image: of('image'), project: of('project') };
    },
  );

export const containerRoutes = (deps: Deps): Route[] => [
  groupsRoute(deps),
  defineRoute(
    {
      method: 'GET',
      path: '/api/containers',
      actor: 'user',
      summary: 'Lists the containers of your servers with their state, CPU and memory against the limit',
      tag: 'Containers',
      query: {
        ...page(PAGE_LIMITS.other),
        scope: scope.optional(),
        server_id: serverId.optional(),
        search: z.string().max(200).default(''),
        state: z.enum(CONTAINER_FILTERS).optional(),
        image: z.string().max(500).optional(),
        project: z.string().max(500).optional(),
        /** The hidden ones, and no others. */
        hidden: z.enum(['true', 'false']).default('false'),
        sort: z.enum(CONTAINER_SORTS).default('worst'),
      },
      answer: containersAnswer,
    },
    async ({ actor: { owner }, query }) => {
      const now = deps.clock.now();
      const within = await serversInScope(deps.storage.servers, owner, query.scope, now);
      const { all, servers } = await containersOf(deps, owner, within);
      const asked = query.server_id === undefined ? all : all.filter((one) => one.serverId === query.server_id);
      const { search, sort, state: filter, image, project } = query;
      const matching = selectContainers(asked, {
        search,
        sort,
        filter,
        image,
        project,
        hidden: query.hidden === 'true',
      });
      const shown = matching.slice(query.offset, query.offset + query.limit);
      const keys = [...new Set(shown.map(({ serverKey }) => serverKey))];
      const history = await deps.storage.containers.listHistory(owner, keys, now - STEPS * STEP_MS);
      return {
        containers: shown.map((one) =>
          shapeContainer(one, cpuHistory(history.get(one.serverKey)?.get(one.part.id), now)),
        ),
        total: matching.length,
        summary: { ...summariseContainers(asked), servers },
        history_step_seconds: CONTAINER_HISTORY.stepSeconds,
      };
    },
  ),
];
