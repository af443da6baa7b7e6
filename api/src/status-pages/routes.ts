import { createHash } from 'node:crypto';
import { STATUS_PAGE_SLUG } from '@plimsoll/contract/rules/status-page-limits';
import {
  publicStatusPageAnswer,
  statusPageAnswer,
  statusPageRequest,
  statusPagesAnswer,
  statusPageSlug,
  type StatusPageOnWire,
  type StatusPageRequest,
} from '@plimsoll/contract/wire/status-pages';
import type { MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { peopleOf, shapeCreator } from '../tenancy/creator.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { defineRoute, type HttpEnv, type Route } from '../http/define-route.ts';
import { iso, isoOrNull } from '../http/units.ts';
import { nameOf } from '../servers/fleet.ts';
import { changePage } from './change-page.ts';
import { createPage } from './create-page.ts';
import { deletePage } from './delete-page.ts';
import { PUBLIC_VIEW_SECONDS } from './published-pages.ts';
import { serversOf, visibilityOf, type StatusPage, type StatusPageDraft } from './types.ts';

const tag = 'Status pages';
const path = '/api/status-pages';
const params = { id: z.uuid('must be the id of a status page (a UUID)').toLowerCase() };
const ETAG_CHARACTERS = 16;

interface Names {
  servers: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
}

const shapePage = (page: StatusPage, names: Names, now: number): StatusPageOnWire => ({
  page_id: page.id,
  path: `/status/${page.slug}`,
  title: page.title,
  message: page.message,
  // The page shows no server that moved to another account. Neither does this list.
  servers: page.servers.flatMap(({ serverId, label }) => {
    const hostname = names.servers.get(serverId);
    return hostname === undefined ? [] : [{ server_id: serverId, hostname, label }];
  }),
  shows_names: page.showsNames,
  shows_figures: page.showsFigures,
  is_indexable: page.isIndexable,
  is_published: page.isPublished,
  expires_at: isoOrNull(page.expiresAt),
  status: visibilityOf(page, now),
  created_by: shapeCreator(page.createdBy, names.people),
  created_at: iso(page.createdAt),
  updated_at: iso(page.updatedAt),
});

/** Returns the names of the owner's own servers on these pages, and of the creators. */
async function namesOf({ storage }: Deps, owner: Owner, pages: readonly StatusPage[]): Promise<Names> {
  const ids = serversOf(pages);
  const selection = { ids, limit: ids.length, offset: 0 };
  const servers = ids.length === 0 ? [] : (await storage.servers.list(owner, selection)).servers;
  return {
    servers: new Map(servers.map(({ server }) => [server.id, nameOf(server)])),
    people: await storage.tenancy.teams.findNames(peopleOf(pages)),
  };
}

const draftOf = (body: StatusPageRequest): StatusPageDraft => ({
  title: body.title,
  message: body.message,
  servers: body.servers.map(({ server_id: serverId, label }) => ({ serverId, label })),
  showsNames: body.shows_names,
  showsFigures: body.shows_figures,
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
  readPublicPage(deps),
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
      summary: 'Creates a status page: anyone with its address can read the states of the chosen servers',
      audit: 'status_page_created',
      tag,
      body: statusPageRequest,
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

const HIDDEN = 'noindex, nofollow';

const readPublicPage = ({ publishedPages, rates, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/public/status-pages/:slug',
      actor: 'anyone',
      summary: 'Returns a public status page by the last part of its address, without a session',
      tag,
      params: { slug: statusPageSlug },
      answer: publicStatusPageAnswer,
    },
    async ({ http, params: { slug } }) => {
      rates.statusPage.requireFrom(http.get('clientAddress'), clock.now());
      const found = STATUS_PAGE_SLUG.test(slug) ? await publishedPages.read(slug) : null;
      http.header('X-Robots-Tag', HIDDEN);
      if (found === null) throw notFound('Status page');
      // Parsed, not cast: a field that the schema does not list fails the request instead of leaving.
      const data = publicStatusPageAnswer.parse({ status_page: found.view });
      const text = JSON.stringify({ success: true, data });
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, ETAG_CHARACTERS)}"`;
      const headers = { ETag: etag, 'Cache-Control': `public, max-age=${String(PUBLIC_VIEW_SECONDS)}` };
      if (http.req.header('if-none-match')?.split(/, */).includes(etag)) return http.body(null, 304, headers);
      return http.body(text, 200, { ...headers, 'Content-Type': 'application/json' });
    },
  );

/** Asks search engines not to list the HTML of a status page, unless its owner allows it. */
export const statusPageRobots =
  ({ storage, rates, clock, log }: Deps): MiddlewareHandler<HttpEnv> =>
  async (http, next) => {
    const slug = http.req.param('slug') ?? '';
    await next();
    const isListed = async (): Promise<boolean> => {
      if (!STATUS_PAGE_SLUG.test(slug)) return false;
      rates.statusPage.requireFrom(http.get('clientAddress'), clock.now());
      const found = await storage.statusPages.find(slug);
      return found !== null && found.page.isIndexable && visibilityOf(found.page, clock.now()) === 'public';
    };
    const listed = await isListed().catch((error: unknown) => {
      // The page itself shows what is wrong; it stays unlisted until then.
      log.debug({ err: error }, 'status page not read');
      return false;
    });
    if (!listed) http.res.headers.set('X-Robots-Tag', HIDDEN);
  };
