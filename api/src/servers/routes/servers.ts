import { PAGE_LIMITS, SERVER_SORTS, SERVER_STATUSES } from '@plimsoll/contract/rules/limits';
import { at, page, scope, serverId, serverNames } from '@plimsoll/contract/wire/query';
import { deleteServerRequest, serverAnswer, serversAnswer, updateServerRequest } from '@plimsoll/contract/wire/servers';
import { z } from 'zod';
import type { Owner } from '../../tenancy/owner.ts';
import type { Deps } from '../../deps.ts';
import { serverAsOf, serversAsOf } from '../as-of.ts';
import { selectFleet, summarise, toFleetServer } from '../fleet.ts';
import { changeServer } from '../change-server.ts';
import { deleteServer } from '../delete-server.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { given } from '@plimsoll/contract/rules/given';
import { requireMoment } from '../../series/range.ts';
import { requireServer } from '../require-server.ts';
import { serversInScope } from '../scope.ts';
import type { ServerRecord, ServerWithLatest } from '../types.ts';
import { shapeFleetEntry, shapeServer, shapeServerDetail, shapeSummary } from './server-shape.ts';

const tag = 'Servers';
/** Bars of the fleet strip. */
const MOST_FLEET_ENTRIES = 1000;

/** `key=value`, or `key` for any value. */
function readTag(tagText: string): { key: string; value: string } {
  const at = tagText.indexOf('=');
  return at === -1 ? { key: tagText, value: '' } : { key: tagText.slice(0, at), value: tagText.slice(at + 1) };
}

const isNamed = ({ id, hostname, displayName }: ServerRecord, names: ReadonlySet<string>): boolean =>
  [id, hostname, displayName].some((name) => name !== null && names.has(name));

/** Returns the servers of now, or as they were at a moment. */
async function serversOf(deps: Deps, owner: Owner, moment: number | undefined): Promise<ServerWithLatest[]> {
  const servers = await deps.storage.servers.listAll(owner);
  if (moment === undefined) return servers;
  await requireMoment(deps, owner, moment, 'metrics');
  return serversAsOf(servers, await deps.storage.history.samplesAt(owner, moment), moment);
}

export const serverRoutes = (deps: Deps): Route[] => [...readRoutes(deps), ...changeRoutes(deps)];

const readRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/servers/list',
      actor: 'user',
      summary: 'Lists your servers, with counts and averages over all matches',
      tag,
      query: {
        ...page(PAGE_LIMITS.servers),
        at,
        scope: scope.optional(),
        status: z.enum(SERVER_STATUSES).optional(),
        search: z.string().max(200).optional(),
        /** Whole names: a search for host-1 also finds host-10. */
        names: serverNames.optional(),
        platform: z.string().max(64).optional(),
        tag: z.string().max(330).optional(),
        enrolment_token_id: z.uuid('must be the id of an enrolment token (a UUID)').optional(),
        sort: z.enum(SERVER_SORTS).default('headroom'),
      },
      answer: serversAnswer,
    },
    async ({ actor, query }) => {
      const now = query.at ?? deps.clock.now();
      const rules = await deps.alertRules.of(actor.owner.organisationId);
      const [listed, within] = await Promise.all([
        serversOf(deps, actor.owner, query.at),
        serversInScope(deps.storage.servers, actor.owner, query.scope, deps.clock.now()),
      ]);
      const chosen = within && new Set(within);
      const names = query.names && new Set(query.names);
      const all = listed
        .filter(({ server }) => chosen?.has(server.key) ?? true)
        .filter(({ server }) => names === undefined || isNamed(server, names))
        .map((entry) => toFleetServer(entry, now, rules.of(entry.server.id)));
      const matching = selectFleet(all, {
        sort: query.sort,
        ...given('status', query.status),
        ...given('search', query.search),
        ...given('platform', query.platform),
        ...given('enrolmentTokenId', query.enrolment_token_id?.toLowerCase()),
        ...given('tag', query.tag === undefined ? undefined : readTag(query.tag)),
      });
      return {
        servers: matching.slice(query.offset, query.offset + query.limit).map(shapeServer),
        total: matching.length,
        summary: shapeSummary(summarise(matching), now),
        fleet: selectFleet(matching, { sort: 'headroom' }).slice(0, MOST_FLEET_ENTRIES).map(shapeFleetEntry),
      };
    },
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/api/servers/:id',
      actor: 'user',
      summary: 'Returns one server with its last report',
      tag,
      params: { id: serverId },
      query: { at },
      answer: serverAnswer,
    },
    async ({ actor, params, query }) => {
      const found = await requireServer(deps.storage.servers, actor.owner, params.id);
      const rules = (await deps.alertRules.of(actor.owner.organisationId)).of(params.id);
      const identity = await deps.storage.servers.getIdentity(found, deps.clock.now());
      if (query.at === undefined)
        return { server: shapeServerDetail(toFleetServer(found, deps.clock.now(), rules), identity) };
      await requireMoment(deps, actor.owner, query.at, 'metrics');
      const samples = await deps.storage.history.samplesAt(actor.owner, query.at, params.id);
      return {
        server: shapeServerDetail(toFleetServer(serverAsOf(found, samples, query.at), query.at, rules), identity),
      };
    },
  ),
];

const changeRoutes = (deps: Deps): Route[] => {
  const { storage, clock, alertRules } = deps;
  return [
    defineRoute(
      {
        method: 'DELETE',
        path: '/api/servers/delete',
        actor: 'user',
        role: 'admin',
        summary: 'Delete a server and everything it reported; its agent stops',
        audit: 'server_deleted',
        tag,
        body: deleteServerRequest,
        answer: z.object({}),
      },
      async ({ actor, body }) => {
        await deleteServer(deps, actor, body.server_id.toLowerCase());
        return {};
      },
    ),
    defineRoute(
      {
        method: 'PUT',
        path: '/api/servers/:id',
        actor: 'user',
        summary: 'Changes the name and tags of a server',
        audit: 'server_changed',
        tag,
        params: { id: serverId },
        body: updateServerRequest,
        answer: serverAnswer,
      },
      async ({ actor, params, body }) => {
        await changeServer(deps, actor, params.id, { displayName: body.display_name, tags: body.tags });
        const changed = await requireServer(storage.servers, actor.owner, params.id);
        const rules = (await alertRules.of(actor.owner.organisationId)).of(params.id);
        const identity = await storage.servers.getIdentity(changed, clock.now());
        return { server: shapeServerDetail(toFleetServer(changed, clock.now(), rules), identity) };
      },
    ),
  ];
};
