import { createHash } from 'node:crypto';
import { STATUS_PAGE_SLUG } from '@plimsoll/contract/rules/checks/status-page-limits';
import { publicStatusPageAnswer, statusPageSlug } from '@plimsoll/contract/wire/checks/public-status-page';
import type { PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, type Http, type Route } from '../../http/define-route.ts';
import { atomFeed } from '../html/feed.ts';
import { NOT_FOUND_HTML, pageHtml } from '../html/page-html.ts';
import { PAGE_POLICY } from '../html/style.ts';
import { PUBLIC_VIEW_SECONDS } from '../published-pages.ts';
import type { StatusPage } from '../types.ts';

const tag = 'Status pages';
const params = { slug: statusPageSlug };
const ETAG_CHARACTERS = 16;
const HIDDEN = 'noindex, nofollow';

interface Text {
  body: string;
  etag: string;
}
/** Texts of a view, which lives as long as its states are cached. */
type Texts = Partial<Record<'json' | 'html' | 'feed', Text>>;

const textOf = (body: string): Text => ({
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, ETAG_CHARACTERS)}"`,
});

/** Responds with a text that readers and proxies may keep as long as the API keeps the states. */
function respond(http: Http, { body, etag }: Text, type: string): Response {
  const headers = { ETag: etag, 'Cache-Control': `public, max-age=${String(PUBLIC_VIEW_SECONDS)}` };
  if (http.req.header('if-none-match')?.split(/, */).includes(etag)) return http.body(null, 304, headers);
  return http.body(body, 200, { ...headers, 'Content-Type': type });
}

export function publicStatusPageRoutes(deps: Deps): Route[] {
  const reader = createReader(deps);
  return [readJson(reader), readHtml(reader), readFeed(deps, reader)];
}

/** Returns the public page of an address and its texts; null: there is none. Throws `too_many_requests`. */
const createReader = ({ publishedPages, rates, clock }: Deps) => {
  const kept = new WeakMap<PublicStatusPage, Texts>();
  return async (http: Http, slug: string) => {
    rates.statusPage.requireFrom(http.get('clientAddress'), clock.now());
    const found = STATUS_PAGE_SLUG.test(slug) ? await publishedPages.read(slug) : null;
    if (found === null || !found.page.isIndexable) http.header('X-Robots-Tag', HIDDEN);
    if (found === null) return null;
    const texts = kept.get(found.view) ?? {};
    kept.set(found.view, texts);
    return { ...found, texts };
  };
};
type Reader = ReturnType<typeof createReader>;

const readJson = (read: Reader): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/public/status-pages/:slug',
      actor: 'anyone',
      summary: 'Returns a public status page by the last part of its address, without a session',
      tag,
      params,
      answer: publicStatusPageAnswer,
    },
    async ({ http, params: { slug } }) => {
      const found = await read(http, slug);
      // Search engines list the page, never the JSON behind it.
      http.header('X-Robots-Tag', HIDDEN);
      if (found === null) throw notFound('Status page');
      const { texts, view } = found;
      // Parsed, not cast: a field that the schema does not list fails the request instead of leaving.
      texts.json ??= textOf(
        JSON.stringify({ success: true, data: publicStatusPageAnswer.parse({ status_page: view }) }),
      );
      return respond(http, texts.json, 'application/json');
    },
  );

const linksOf = (slug: string) => ({ feed: `/status/${slug}/feed.atom`, json: `/api/public/status-pages/${slug}` });

const readHtml = (read: Reader): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/status/:slug',
      actor: 'anyone',
      summary: 'Returns a public status page as HTML without scripts',
      tag,
      params,
      answer: null,
    },
    async ({ http, params: { slug } }) => {
      const found = await read(http, slug);
      http.header('Content-Security-Policy', PAGE_POLICY);
      const type = 'text/html; charset=utf-8';
      if (found === null) return http.body(NOT_FOUND_HTML, 404, { 'Content-Type': type });
      const { texts, view, page } = found;
      texts.html ??= textOf(pageHtml(view, { links: linksOf(slug), isIndexable: page.isIndexable }));
      return respond(http, texts.html, type);
    },
  );

const feedOf = ({ config }: Deps, page: StatusPage, view: PublicStatusPage): string => {
  // Without a public address the links are relative: a feed made from the Host header could name a foreign one.
  const base = `${config.publicUrl ?? ''}/status/${page.slug}`;
  return atomFeed(view, { id: page.slug, pageUrl: base, feedUrl: `${base}/feed.atom` });
};

const readFeed = (deps: Deps, read: Reader): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/status/:slug/feed.atom',
      actor: 'anyone',
      summary: 'Returns the incidents of a public status page as an Atom feed',
      tag,
      params,
      answer: null,
    },
    async ({ http, params: { slug } }) => {
      const found = await read(http, slug);
      if (found === null) throw notFound('Status page');
      found.texts.feed ??= textOf(feedOf(deps, found.page, found.view));
      return respond(http, found.texts.feed, 'application/atom+xml; charset=utf-8');
    },
  );
