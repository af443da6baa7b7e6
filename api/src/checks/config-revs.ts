import type { Clock } from '../clock.ts';
import type { OrganisationId } from '../tenancy/ids.ts';
import type { Checks } from './store.ts';

/** A collector receives a change with its next report, so a cached revision may be this old. */
const MOST_AGE_MS = 5000;
const MOST_ORGANISATIONS = 10_000;

/** Keeps the number of each organisation's configuration, so that a report costs no query for it. */
export class ConfigRevs {
  readonly #checks: Pick<Checks, 'configRev'>;
  readonly #clock: Clock;
  readonly #known = new Map<OrganisationId, { at: number; rev: Promise<number> }>();

  constructor(checks: Pick<Checks, 'configRev'>, clock: Clock) {
    this.#checks = checks;
    this.#clock = clock;
  }

  /** Returns 0 without an organisation, and where the number cannot be read: the reports are stored all the same. */
  of(organisationId: OrganisationId | null): Promise<number> {
    if (organisationId === null) return Promise.resolve(0);
    const known = this.#known.get(organisationId);
    const age = known === undefined ? Infinity : this.#clock.now() - known.at;
    if (known !== undefined && age >= 0 && age < MOST_AGE_MS) return known.rev;
    const rev = this.#checks.configRev(organisationId).catch(() => 0);
    this.#known.delete(organisationId);
    this.#known.set(organisationId, { at: this.#clock.now(), rev });
    if (this.#known.size > MOST_ORGANISATIONS) this.#known.delete(this.#known.keys().next().value ?? organisationId);
    return rev;
  }
}
