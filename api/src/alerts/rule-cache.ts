import type { Clock } from '../clock.ts';
import type { Change, ChangeFeed } from '../live/change-feed.ts';
import { RuleBook } from './rules/rule-book.ts';
import type { AlertRules } from './store.ts';

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
  readonly #entries = new Map<string, Entry>();
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
  async of(accountId: string | null): Promise<RuleBook> {
    if (accountId === null) return this.#defaults;
    const known = this.#entries.get(accountId);
    const age = known === undefined ? Infinity : this.#clock.now() - known.loadedAt;
    // A clock that jumped back would otherwise keep an entry for as long as it jumped.
    if (known !== undefined && age >= 0 && age < MOST_AGE_MS) return known.book;
    return this.#load(accountId);
  }

  #load(accountId: string): Promise<RuleBook> {
    this.#drop(accountId);
    const book = this.#rules.ofAccount(accountId).then((found) => new RuleBook(found, this.#intervalMs));
    const unsubscribe = this.#changes.subscribe(accountId, (change) => {
      if (changesRules(change)) this.#drop(accountId);
    });
    this.#entries.set(accountId, { loadedAt: this.#clock.now(), book, unsubscribe });
    book.catch(() => this.#drop(accountId));
    if (this.#entries.size > MOST_ACCOUNTS) this.#drop(this.#entries.keys().next().value ?? accountId);
    return book;
  }

  #drop(accountId: string): void {
    this.#entries.get(accountId)?.unsubscribe();
    this.#entries.delete(accountId);
  }
}

/** A rule changes "alerts" without a server; the tags of a server change "servers". */
const changesRules = ({ topic, serverId }: Change): boolean =>
  topic === 'servers' || (topic === 'alerts' && serverId === null);
