import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/checks/status-page-limits';
import {
  statusPageAnswer,
  statusPageRequest,
  statusPagesAnswer,
  type StatusPageOnWire,
  type StatusPageRequest,
} from '@plimsoll/contract/wire/checks/status-pages';
import { z } from 'zod';
import { peopleOf, shapeCreator } from '../../tenancy/creator.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso, isoOrNull } from '../../http/units.ts';
import { nameOf } from '../../servers/fleet.ts';
import { changePage } from '../change-page.ts';
import { createPage } from '../create-page.ts';
import { deletePage } from '../delete-page.ts';
import { serversOf, visibilityOf, type StatusPage, type StatusPageDraft } from '../types.ts';

const tag = 'Status pages';
const path = '/api/status-pages';
const params = { id: z.uuid('must be the id of a status page (a UUID)').toLowerCase() };

interface Names {
  servers: ReadonlyMap<string, string>;
  checks: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
}

const shapePage = (page: StatusPage, names: Names, now: number): StatusPageOnWire => ({
  page_id: page.id,
  path: `/status/${page.slug}`,
  title: page.title,
  message: page.message,
  // The page shows no server that moved to another account. Neither does this list.
  servers: page.servers.flatMap(({ serverId, label, group }) => {
    const hostname = names.servers.get(serverId);
    return hostname === undefined ? [] : [{ server_id: serverId, hostname, label, group }];
  }),
  checks: page.checks.flatMap(({ checkId, label, group }) => {
    const name = names.checks.get(checkId);
    return name === undefined ? [] : [{ check_id: checkId, name, label, group }];
  }),
  shows_names: page.showsNames,
  shows_figures: page.showsFigures,
  shows_maintenance: page.showsMaintenance,
  is_indexable: page.isIndexable,
  is_published: page.isPublished,
  expires_at: isoOrNull(page.expiresAt),
  status: visibilityOf(page, now),
  created_by: shapeCreator(page.createdBy, names.people),
  created_at: iso(page.createdAt),
  updated_at: iso(page.updatedAt),
});

/** Returns the names of the owner's own servers and checks on these pages, and of the creators. */
async function namesOf({ storage }: Deps, owner: Owner, pages: readonly StatusPage[]): Promise<Names> {
  const ids = serversOf(pages);
  const selection = { ids, limit: ids.length, offset: 0 };
  const servers = ids.length === 0 ? [] : (await storage.servers.list(owner, selection)).servers;
  const hasChecks = pages.some((page) => page.checks.length > 0);
  const checks = hasChecks ? await storage.checks.list(owner) : [];
  return {
    servers: new Map(servers.map(({ server }) => [server.id, nameOf(server)])),
    checks: new Map(checks.map(({ id, name }) => [id, name])),
    people: await storage.tenancy.teams.findNames(peopleOf(pages)),
  };
}

const draftOf = (body: StatusPageRequest): StatusPageDraft => ({
  title: body.title,
  message: body.message,
  servers: body.servers.map(({ server_id: serverId, label, group }) => ({ serverId, label, group })),
  checks: body.checks.map(({ check_id: checkId, label, group }) => ({ checkId, label, group })),
  showsNames: body.shows_names,
  showsFigures: body.shows_figures,
  showsMaintenance: body.shows_maintenance,
  isIndexable: body.is_indexable,
  isPublished: body.is_published,
  expiresAt: body.expires_at,
});

async function answerOf(deps: Deps, owner: Owner, page: StatusPage): Promise<{ status_page: StatusPageOnWire }> {
  const names = await namesOf(deps, owner, [page]);
  return { status_page: shapePage(page, names, deps.clock.now()) };
}

export const statusPageRoutes = (deps: Deps): Route[] => [
  listPages(deps),
  createRoute(deps),
  updateRoute(deps),
  deleteRoute(deps),
];

const listPages = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      summary: 'Lists the status pages with their addresses',
      tag,
      answer: statusPagesAnswer,
    },
    async ({ actor }) => {
      const pages = await deps.storage.statusPages.list(actor.owner);
      const names = await namesOf(deps, actor.owner, pages);
      const now = deps.clock.now();
      return { status_pages: pages.map((page) => shapePage(page, names, now)), total: pages.length };
    },
  );

const createRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      role: 'admin',
      summary: 'Creates a status page: anyone with its address can read the states of the chosen servers and checks',
      audit: 'status_page_created',
      tag,
      body: statusPageRequest,
      bodyBytes: STATUS_PAGE_LIMITS.bodyBytes,
      answer: statusPageAnswer,
    },
    async ({ actor, body }) => answerOf(deps, actor.owner, await createPage(deps, actor, draftOf(body))),
  );

const updateRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:id`,
      actor: 'user',
      role: 'admin',
      summary: 'Replaces a status page; its address stays',
      audit: 'status_page_changed',
      tag,
      params,
      body: statusPageRequest,
      bodyBytes: STATUS_PAGE_LIMITS.bodyBytes,
      answer: statusPageAnswer,
    },
    async ({ actor, params: { id }, body }) =>
      answerOf(deps, actor.owner, await changePage(deps, actor, id, draftOf(body))),
  );

const deleteRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:id`,
      actor: 'user',
      role: 'admin',
      summary: 'Deletes a status page; its address stops working at once',
      audit: 'status_page_deleted',
      tag,
      params,
      answer: z.object({}),
    },
    async ({ actor, params: { id } }) => {
      await deletePage(deps, actor, id);
      return {};
    },
  );
