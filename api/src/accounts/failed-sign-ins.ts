import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { Clock } from '../clock.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { AuditLog, Teams } from '../tenancy/store.ts';
import type { PersonId } from '../tenancy/ids.ts';

/** The part of a sign-in that was wrong. */
export type FailedPart = 'password' | 'code';

interface Failures {
  password: number;
  code: number;
  /** Time of the first failure not yet recorded; null: all are recorded. */
  since: number | null;
  lastAddress: string;
  /** Addresses of failures not yet recorded, at most `MOST_ADDRESSES`. */
  addresses: Set<string>;
  recordedAt: number;
}

const MOST_ADDRESSES = 100;
const MOST_ACCOUNTS = 10_000;

export interface FailedSignInDeps {
  tenancy: { audit: Pick<AuditLog, 'record'>; teams: Pick<Teams, 'memberOf'> };
  clock: Clock;
}

/**
 * Counts failed sign-ins by account and writes at most one audit entry per account and hour, so an attacker cannot
 * fill the log. Counting takes no I/O: an answer takes as long for an account that exists as for one that does not.
 */
export class FailedSignIns {
  readonly #accounts = new Map<PersonId, Failures>();

  note(personId: PersonId, part: FailedPart, address: string, now: number): void {
    const failures = this.#accounts.get(personId) ?? this.#begin(personId);
    failures[part] += 1;
    failures.since ??= now;
    failures.lastAddress = address;
    if (failures.addresses.size < MOST_ADDRESSES) failures.addresses.add(address);
  }

  #begin(personId: PersonId): Failures {
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size >= MOST_ACCOUNTS && oldest !== undefined) this.#accounts.delete(oldest);
    const failures: Failures = {
      password: 0,
      code: 0,
      since: null,
      lastAddress: '',
      addresses: new Set(),
      recordedAt: -Infinity,
    };
    this.#accounts.set(personId, failures);
    return failures;
  }

  /**
   * Records what is due: the first failures at once, later ones an hour after the entry before. Returns the entries.
   */
  async record(deps: FailedSignInDeps, options: { all: boolean } = { all: false }): Promise<number> {
    const now = deps.clock.now();
    let entries = 0;
    for (const [personId, failures] of this.#accounts) {
      if (!options.all && now - failures.recordedAt < HOUR_MS) continue;
      if (failures.since === null) this.#accounts.delete(personId);
      else {
        const member = await deps.tenancy.teams.memberOf(personId);
        if (member === null) {
          this.#accounts.delete(personId);
          continue;
        }
        const { organisationId, name } = member;
        const by = { organisationId, person: { id: personId, name }, token: null, address: failures.lastAddress };
        await deps.tenancy.audit.record(by, 'sign_in_failed', detailOf(failures), now);
        Object.assign(failures, { password: 0, code: 0, since: null, addresses: new Set(), recordedAt: now });
        entries += 1;
      }
    }
    return entries;
  }
}

function detailOf({ password, code, since, addresses }: Failures): Record<string, string> {
  const count = addresses.size < MOST_ADDRESSES ? String(addresses.size) : `${String(MOST_ADDRESSES)} or more`;
  return {
    passwords: String(password),
    codes: String(code),
    addresses: count,
    since: new Date(since ?? 0).toISOString(),
  };
}

export const failedSignInJob = (failures: FailedSignIns, deps: FailedSignInDeps): Job => ({
  name: 'record-failed-sign-ins',
  everySeconds: 60,
  run: async () => {
    const entries = await failures.record(deps);
    return entries === 0 ? null : { entries };
  },
});
