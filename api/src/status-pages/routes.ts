import { createHash, randomBytes } from 'node:crypto';
import { STATUS_PAGE_LIMITS, STATUS_PAGE_SLUG } from '@plimsoll/contract/rules/status-page-limits';
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
import type { Owner } from '../accounts/owner.ts';
import type { Deps } from '../deps.ts';
import { CodedError, notFound } from '../errors.ts';
import { audit, type AuditAction } from '../http/audit.ts';
import { defineRoute, type Http, type HttpEnv, type Route, type SignedIn } from '../http/define-route.ts';
import { iso, isoOrNull } from '../http/units.ts';
import { nameOf } from '../servers/fleet.ts';
import { PUBLIC_VIEW_SECONDS } from './published-pages.ts';
import { visibilityOf, type StatusPage, type StatusPageDraft } from './types.ts';

const tag = 'Status pages';
const path = '/api/status-pages';
const params = { id: z.uuid('must be the id of a status page (a UUID)').toLowerCase() };
const SLUG_BYTES = 16;

const shapePage = (page: StatusPage, names: ReadonlyMap<string, string>, now: number): StatusPageOnWire => ({
  page_id: page.id,
  path: `/status/${page.slug}`,
  title: page.title,
  message: page.message,
  // The page shows no server that moved to another account. Neither does this list.
  servers: page.servers.flatMap(({ serverId, label }) => {
    const hostname = names.get(serverId);
    return hostname === undefined ? [] : [{ server_id: serverId, hostname, label }];
  }),
  shows_names: page.showsNames,
  shows_figures: page.showsFigures,
  is_indexable: page.isIndexable,
  is_published: page.isPublished,
  expires_at: isoOrNull(page.expiresAt),
  status: visibilityOf(page, now),
  created_at: iso(page.createdAt),
  updated_at: iso(page.updatedAt),
});

/** Returns the names of the owner's own servers among these. */
async function namesOf({ storage }: Deps, owner: Owner, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { servers } = await storage.servers.list(owner, { ids, limit: ids.length, offset: 0 });
  return new Map(servers.map(({ server }) => [server.id, nameOf(server)]));
}

const idsOf = (pages: readonly Pick<StatusPageDraft, 'servers'>[]): string[] => [
  ...new Set(pages.flatMap(({ servers }) => servers.map(({ serverId }) => serverId))),
];

function draftOf(body: StatusPageRequest, now: number): StatusPageDraft {
  const expiresAt = body.expires_at;
  if (expiresAt !== null && expiresAt <= now)
    throw new CodedError('invalid_parameter', 'expires_at: must be in the future', {
      field: 'expires_at',
      remedy: 'Send a later time, or null for a page that does not expire.',
    });
  return {
    title: body.title,
    message: body.message,
    servers: body.servers.map(({ server_id: serverId, label }) => ({ serverId, label })),
    showsNames: body.shows_names,
    showsFigures: body.shows_figures,
    isIndexable: body.is_indexable,
    isPublished: body.is_published,
    expiresAt,
  };
}

/** The log says what a page shows to strangers, so that it can be read later who published a name. */
const record = (deps: Deps, call: { actor: SignedIn; http: Http }, action: AuditAction, page: StatusPage) =>
  audit(deps, call.http, call.actor.owner.accountId, action, {
    id: page.id,
    by: call.actor.accountId,
    title: page.title,
    servers: String(page.servers.length),
    shows: ['states', ...(page.showsNames ? ['names'] : []), ...(page.showsFigures ? ['figures'] : [])].join(' '),
    status: visibilityOf(page, deps.clock.now()),
  });

export const statusPageRoutes = (deps: Deps): Route[] => [
  listPages(deps),
  createPage(deps),
  updatePage(deps),
  deletePage(deps),
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
      const names = await namesOf(deps, actor.owner, idsOf(pages));
      const now = deps.clock.now();
      return { status_pages: pages.map((page) => shapePage(page, names, now)), total: pages.length };
    },
  );

/** Checks a request and returns the page to store; a server of another account answers as an unknown one. */
async function checkedDraft(deps: Deps, owner: Owner, body: StatusPageRequest) {
  const draft = draftOf(body, deps.clock.now());
  const names = await namesOf(deps, owner, idsOf([draft]));
  if (draft.servers.some(({ serverId }) => !names.has(serverId))) throw notFound('Server');
  return { draft, names };
}

const createPage = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      role: 'admin',
      summary: 'Creates a status page: anyone with its address can read the states of the chosen servers',
      tag,
      body: statusPageRequest,
      answer: statusPageAnswer,
    },
    async ({ actor, http, body }) => {
      const { statusPages } = deps.storage;
      const { draft, names } = await checkedDraft(deps, actor.owner, body);
      if ((await statusPages.list(actor.owner)).length >= STATUS_PAGE_LIMITS.perAccount)
        throw new CodedError('plan_limit', `An account has at most ${String(STATUS_PAGE_LIMITS.perAccount)} pages`, {
          remedy: 'Delete a status page.',
        });
      const slug = randomBytes(SLUG_BYTES).toString('base64url');
      const now = deps.clock.now();
      const page = await statusPages.create(actor.owner, draft, slug, now);
      await record(deps, { actor, http }, 'status_page_created', page);
      return { status_page: shapePage(page, names, now) };
    },
  );

const updatePage = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:id`,
      actor: 'user',
      role: 'admin',
      summary: 'Replaces a status page; its address stays',
      tag,
      params,
      body: statusPageRequest,
      answer: statusPageAnswer,
    },
    async ({ actor, http, params: { id }, body }) => {
      const { statusPages } = deps.storage;
      if ((await statusPages.get(actor.owner, id)) === null) throw notFound('Status page');
      const { draft, names } = await checkedDraft(deps, actor.owner, body);
      const now = deps.clock.now();
      const page = await statusPages.update(actor.owner, id, draft, now);
      if (page === null) throw notFound('Status page');
      await record(deps, { actor, http }, 'status_page_changed', page);
      return { status_page: shapePage(page, names, now) };
    },
  );

const deletePage = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:id`,
      actor: 'user',
      role: 'admin',
      summary: 'Deletes a status page; its address stops working at once',
      tag,
      params,
      answer: z.object({}),
    },
    async ({ actor, http, params: { id } }) => {
      const { statusPages } = deps.storage;
      const page = await statusPages.get(actor.owner, id);
      if (page === null || !(await statusPages.delete(actor.owner, id))) throw notFound('Status page');
      await record(deps, { actor, http }, 'status_page_deleted', { ...page, isPublished: false });
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
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, SLUG_BYTES)}"`;
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
