import type { Period } from '../maintenance/types.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { PersonId } from '../tenancy/ids.ts';
import type { DayFacts } from './day-sums.ts';
import type {
  Availability,
  IncidentDraft,
  PageCheck,
  PartDay,
  StatusIncident,
  StatusPage,
  StatusPageDraft,
  UpdateDraft,
} from './types.ts';

/** Times are epoch milliseconds. */

interface Made {
  by: PersonId | null;
  now: number;
}

export interface StatusPages {
  /** Oldest first. */
  list(owner: Owner): Promise<StatusPage[]>;
  /** Null: the owner has no such page. */
  get(owner: Owner, id: string): Promise<StatusPage | null>;
  create(
    owner: Owner,
    draft: StatusPageDraft,
    made: Pick<StatusPage, 'slug' | 'createdBy'>,
    now: number,
  ): Promise<StatusPage>;
  /** Replaces all but the address. Null: the owner has no such page. */
  update(owner: Owner, id: string, draft: StatusPageDraft, now: number): Promise<StatusPage | null>;
  /** Switches a page off. Returns false if the owner has no such page. */
  unpublish(owner: Owner, id: string, now: number): Promise<boolean>;
  /** Returns false if the owner has no such page. */
  delete(owner: Owner, id: string): Promise<boolean>;
  /** Returns the page of an address, public or not, with its owner as a viewer: the address stands for a reader. */
  find(slug: string): Promise<{ owner: Owner; page: StatusPage } | null>;
  incidents: StatusIncidents;
}

/** Incidents of a page that the owner has. A change also changes the page's `updatedAt`, so that readers see it at once. */
export interface StatusIncidents {
  /** Open ones first, then newest first. */
  list(page: StatusPage, limit: number): Promise<StatusIncident[]>;
  count(page: StatusPage): Promise<number>;
  /** Null: the page has no such incident. */
  get(page: StatusPage, id: string): Promise<StatusIncident | null>;
  create(page: StatusPage, draft: IncidentDraft, first: UpdateDraft, made: Made): Promise<StatusIncident>;
  update(page: StatusPage, id: string, draft: IncidentDraft, now: number): Promise<StatusIncident | null>;
  addUpdate(
    page: StatusPage,
    id: string,
    update: UpdateDraft & { nextUpdateAt: number | null },
    made: Made,
  ): Promise<StatusIncident | null>;
  /** Corrects the text of an update. Null: there is none. */
  setText(
    page: StatusPage,
    id: string,
    update: { id: string; text: string },
    now: number,
  ): Promise<StatusIncident | null>;
  delete(page: StatusPage, id: string, now: number): Promise<boolean>;
}

/** Days of the servers that stand on a status page. */
export interface ServerDays {
  /** Runs the work unless another replica is at it: then null. */
  exclusively<T>(work: (writer: DayWriter) => Promise<T>): Promise<T | null>;
  /** By server id; `from` is the first day. A server without data is absent. */
  of(serverIds: readonly string[], from: number): Promise<ReadonlyMap<string, Availability>>;
}

/** Checks that stand on a status page. */
export interface PageChecks {
  /**
   * By check id, with the days from `from`, the beginning of a UTC day, to `now`. `planned` counts as neither good nor down.
   * A check that the owner does not have is absent.
   */
  of(
    owner: Owner,
    checkIds: readonly string[],
    range: { from: number; now: number },
    planned: ReadonlyMap<string, readonly Period[]>,
  ): Promise<ReadonlyMap<string, PageCheck>>;
}

export interface DayWriter {
  /** Returns the newest day of each server on a page by its key; null: it has none yet. */
  newest(): Promise<{ serverKey: number; day: number | null }[]>;
  /** Facts of each of the servers for each of the days from `from` (inclusive) to `to` (exclusive). */
  facts(
    serverKeys: readonly number[],
    range: { from: number; to: number },
  ): Promise<{ serverKey: number; facts: DayFacts }[]>;
  /** Writes the days that changed, and returns their number. */
  write(days: readonly (PartDay & { serverKey: number })[]): Promise<number>;
}
