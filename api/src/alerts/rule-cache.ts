import type { Clock } from '../clock.ts';
import type { Change, ChangeFeed } from '../live/change-feed.ts';
import { RuleBook } from './rules/rule-book.ts';
import type { AlertRules } from './store.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/** A change that another process published may be lost; after this the rules are read again. */
const MOST_AGE_MS = 60_000;
const MOST_ACCOUNTS = 10_000;

interface Entry {
  loadedAt: number;
  book: Promise<RuleBook>;
  unsubscribe: () => void;
}

/** Keeps the rules of accounts in memory, so that a report costs no query for them. */
export class RuleCache {
  readonly #entries = new Map<OrganisationId, Entry>();
  readonly #rules: Pick<AlertRules, 'ofAccount'>;
  readonly #changes: ChangeFeed;
  readonly #clock: Clock;
  readonly #defaults: RuleBook;
  readonly #intervalMs: number;

  constructor(given: {
    rules: Pick<AlertRules, 'ofAccount'>;
    changes: ChangeFeed;
    clock: Clock;
    reportIntervalSeconds: number;
  }) {
    this.#rules = given.rules;
    this.#changes = given.changes;
    this.#clock = given.clock;
    this.#intervalMs = given.reportIntervalSeconds * 1000;
    this.#defaults = new RuleBook({ rules: [], tags: new Map() }, this.#intervalMs);
  }

  /** A server without an account has the default rules. */
  async of(organisationId: OrganisationId | null): Promise<RuleBook> {
    if (organisationId === null) return this.#defaults;
    const known = this.#entries.get(organisationId);
    const age = known === undefined ? Infinity : this.#clock.now() - known.loadedAt;
    // A clock that jumped back would otherwise keep an entry for as long as it jumped.
    if (known !== undefined && age >= 0 && age < MOST_AGE_MS) return known.book;
    return this.#load(organisationId);
  }

  #load(organisationId: OrganisationId): Promise<RuleBook> {
    this.#drop(organisationId);
    const book = this.#rules.ofAccount(organisationId).then((found) => new RuleBook(found, this.#intervalMs));
    const unsubscribe = this.#changes.subscribe(organisationId, (change) => {
      if (changesRules(change)) this.#drop(organisationId);
    });
    this.#entries.set(organisationId, { loadedAt: this.#clock.now(), book, unsubscribe });
    book.catch(() => this.#drop(organisationId));
    if (this.#entries.size > MOST_ACCOUNTS) this.#drop(this.#entries.keys().next().value ?? organisationId);
    return book;
  }

  #drop(organisationId: OrganisationId): void {
    this.#entries.get(organisationId)?.unsubscribe();
    this.#entries.delete(organisationId);
  }
}

/** A rule changes "alerts" without a server; the tags of a server change "servers". */
const changesRules = ({ topic, serverId }: Change): boolean =>
  topic === 'servers' || (topic === 'alerts' && serverId === null);
