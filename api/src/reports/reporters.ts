import type { Reporter } from '../servers/types.ts';

/** Some 200 bytes each. */
const MOST_REPORTERS = 50_000;

/**
 * Which server a token reports for, so that a report costs one round trip to the database instead of two. What is
 * remembered here grants nothing: `Reports.accept` looks the token up in the statement that writes, so one that was
 * revoked a moment ago, here or on another replica, is refused all the same.
 */
export class Reporters {
  readonly #known = new Map<string, Reporter>();
  readonly #most: number;

  constructor(most: number = MOST_REPORTERS) {
    this.#most = most;
  }

  find(tokenHash: Buffer): Reporter | null {
    return this.#known.get(keyOf(tokenHash)) ?? null;
  }

  /** Past the bound the oldest goes. */
  remember({ serverId, serverKey, tokenHash }: Reporter): void {
    this.#known.set(keyOf(tokenHash), { serverId, serverKey, tokenHash });
    if (this.#known.size <= this.#most) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }

  forget(tokenHash: Buffer): void {
    this.#known.delete(keyOf(tokenHash));
  }
}

const keyOf = (tokenHash: Buffer): string => tokenHash.toString('latin1');
