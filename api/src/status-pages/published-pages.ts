import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { STATUS_PAGE_DAYS } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import type { Silences } from '../alerts/store.ts';
import type { RuleCache } from '../alerts/rule-cache.ts';
import type { Clock } from '../clock.ts';
import { toFleetServer } from '../servers/fleet.ts';
import type { Maintenances } from '../maintenance/store.ts';
import type { Servers } from '../servers/store.ts';
import type { Owner } from '../tenancy/owner.ts';
import { ANNOUNCED_MS } from './planned-maintenance.ts';
import { publicView } from './public-view.ts';
import type { PageChecks, ServerDays, StatusPages } from './store.ts';
import { visibilityOf, type PageCheck, type StatusPage } from './types.ts';

/** Reports come once a minute; a crowd of readers costs one read of the servers in this time. */
export const PUBLIC_VIEW_SECONDS = 15;
const MOST_PAGES = 1000;
/** Open incidents and the past ones that readers look for. */
const SHOWN_INCIDENTS = 50;

interface Entry {
  /** Time of the last change of the page. */
  updatedAt: number;
  readAt: number;
  view: Promise<PublicStatusPage>;
}

interface Given {
  pages: Pick<StatusPages, 'find' | 'incidents'>;
  days: Pick<ServerDays, 'of'>;
  checks: PageChecks;
  maintenances: Pick<Maintenances, 'ofChecks'>;
  silences: Pick<Silences, 'planned'>;
  servers: Pick<Servers, 'list'>;
  rules: RuleCache;
  clock: Clock;
}

/**
 * Reads public pages. The page itself is read for every request, so a revoked link is dead at once in every process; the
 * states of its servers are kept for a moment.
 */
export class PublishedPages {
  readonly #entries = new Map<string, Entry>();
  readonly #given: Given;

  constructor(given: Given) {
    this.#given = given;
  }

  /** Null: there is no such page, or it is not public now. */
  async read(slug: string): Promise<{ page: StatusPage; view: PublicStatusPage } | null> {
    const now = this.#given.clock.now();
    const found = await this.#given.pages.find(slug);
    if (found === null || visibilityOf(found.page, now) !== 'public') {
      this.#entries.delete(slug);
      return null;
    }
    const { page } = found;
    const known = this.#entries.get(slug);
    const age = known === undefined ? Infinity : now - known.readAt;
    if (known?.updatedAt === page.updatedAt && age >= 0 && age < PUBLIC_VIEW_SECONDS * 1000)
      return { page, view: await known.view };
    const view = this.#view(found, now);
    this.#entries.delete(slug);
    this.#entries.set(slug, { updatedAt: page.updatedAt, readAt: now, view });
    view.catch(() => this.#entries.delete(slug));
    if (this.#entries.size > MOST_PAGES) this.#entries.delete(this.#entries.keys().next().value ?? slug);
    return { page, view: await view };
  }

  async #view(
    { owner, page }: NonNullable<Awaited<ReturnType<StatusPages['find']>>>,
    now: number,
  ): Promise<PublicStatusPage> {
    const { servers, rules, days, pages, silences } = this.#given;
    const checkIds = page.checks.map(({ checkId }) => checkId);
    const ids = page.servers.map(({ serverId }) => serverId);
    const oldest = Math.floor(now / DAY_MS) * DAY_MS - (STATUS_PAGE_DAYS - 1) * DAY_MS;
    const [listed, book, availability, shownChecks, planned, incidents] = await Promise.all([
      servers.list(owner, { ids, limit: ids.length, offset: 0 }),
      rules.of(owner.organisationId),
      days.of(ids, oldest),
      this.#checks(owner, checkIds, { from: oldest, now }),
      page.showsMaintenance ? silences.planned(owner, { now, until: now + ANNOUNCED_MS }) : [],
      pages.incidents.list(page, SHOWN_INCIDENTS),
    ]);
    const fleet = listed.servers.map((entry) => toFleetServer(entry, now, book.of(entry.server.id)));
    return publicView(
      page,
      {
        fleet: new Map(fleet.map((entry) => [entry.server.id, entry])),
        availability,
        checks: shownChecks,
        silences: planned,
        incidents,
      },
      now,
    );
  }

  async #checks(owner: Owner, ids: readonly string[], range: { from: number; now: number }) {
    const { checks, maintenances } = this.#given;
    if (ids.length === 0) return new Map<string, PageCheck>();
    return checks.of(owner, ids, range, await maintenances.ofChecks(owner, ids, { from: range.from, to: range.now }));
  }
}
