import { CHANGE_LIMITS } from '@plimsoll/contract/rules/changes';
import { createHash } from 'node:crypto';
import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import { maskIp } from '@plimsoll/contract/rules/servers/mask-ip';
import type { Storage } from '../../storage.ts';
import { SpreadLimit } from './spread-limit.ts';
import { tooMany } from './too-many.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/** Token bucket per key, in this process: each replica has its own. Keys are forgotten when full again; past `maxKeys` the oldest go, so memory is bounded. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #maxKeys: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: { perSecond: number; burst: number; maxKeys?: number }) {
    if (!(options.perSecond > 0) || !(options.burst >= 1)) throw new RangeError('rate and burst must be positive');
    this.#perSecond = options.perSecond;
    this.#burst = options.burst;
    this.#maxKeys = options.maxKeys ?? 50_000;
  }

  /** Takes one token; null when there was one, else seconds until there is. `now` in milliseconds. */
  take(key: string, now: number): number | null {
    const bucket = this.#buckets.get(key);
    const refilled = bucket ? bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * this.#perSecond : this.#burst;
    const tokens = Math.min(this.#burst, refilled);
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > this.#maxKeys) this.#forget();
    return tokens >= 1 ? null : (1 - tokens) / this.#perSecond;
  }

  /** Throws `too_many_requests` with Retry-After. */
  require(key: string, now: number): void {
    const wait = this.take(key, now);
    if (wait !== null) throw tooMany(wait);
  }

  /**
   * As `require`, for one known by an address alone. Of IPv6 the first 64 bits count: whoever has a line has all the
   * addresses below them (RFC 6177), and would have as many tries.
   */
  requireFrom(address: string, now: number): void {
    this.require(networkOf(address), now);
  }

  #forget(): void {
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#maxKeys) return;
      this.#buckets.delete(key);
    }
  }
}

/** A rate that all replicas count together, so that a guesser gains nothing from their number. */
export interface SharedLimit {
  /** Throws `too_many_requests` with Retry-After. */
  require(key: string, now: number): Promise<void>;
  /** As `require`, for one known by an address alone; see `RateLimit`. */
  requireFrom(address: string, now: number): Promise<void>;
}

/** `name` keeps the keys of rates apart. */
export function createSharedLimit(
  limits: Storage['rateLimits'],
  name: string,
  { perSecond, burst }: { perSecond: number; burst: number },
): SharedLimit {
  const spacingMs = Math.round(1000 / perSecond);
  const require = async (key: string, now: number): Promise<void> => {
    const hash = createHash('sha256').update(`${name} ${key}`).digest();
    const waitMs = await limits.take(hash, { spacingMs, burst }, now);
    if (waitMs !== null) throw tooMany(waitMs / 1000);
  };
  return { require, requireFrom: (address, now) => require(networkOf(address), now) };
}

/** Returns what of an address is counted: all of IPv4, the first 64 bits of IPv6. */
export const networkOf = (address: string): string => (address.includes(':') ? maskIp(address) : address);

/** Rates of the security rules, per key. */
export const RATES = {
  agent: { perSecond: 1, burst: 10 },
  user: { perSecond: 20, burst: 100 },
  /** Bodies above `USER_JSON_BYTES`, which a few calls take, per person: each leaves megabytes of garbage. */
  largeBody: { perSecond: 1, burst: 20 },
  /** Codes and sign-ins elsewhere, per network. */
  signIn: { perSecond: 10 / 60, burst: 10 },
  /** Passwords, whatever the account: an office behind one address has several people. */
  signInNetwork: { perSecond: 30 / 60, burst: 30 },
  /** Passwords per account and network. */
  signInAccount: { perSecond: 10 / 60, burst: 10 },
  /** Passwords per account over all networks, so that many networks together guess no faster than this. */
  signInEverywhere: { perSecond: 100 / 3600, burst: 100 },
  device: { perSecond: 10 / 60, burst: 10 },
  /** Codes of the authenticator per account: 480 of a million in a day. */
  totp: { perSecond: 20 / 3600, burst: 10 },
  /** Enrolments with a token that is not known to be good, per network. */
  enrol: { perSecond: 5, burst: 50 },
  /** Enrolments per token that has enrolled a machine: a fleet behind one address starts at once. */
  enrolToken: { perSecond: 20, burst: 200 },
  /** Requests of other agents with metrics, per account: Prometheus sends 2,000 samples in one. */
  externalMetrics: { perSecond: 100, burst: 1000 },
  /** Reads of public status pages, per network. */
  statusPage: { perSecond: 2, burst: 60 },
  /** Deploy marks, per organisation. */
  deployMarks: { perSecond: CHANGE_LIMITS.marksPerMinute / 60, burst: CHANGE_LIMITS.marksPerMinute },
  /** Calls of one heartbeat: start and end may follow each other at once. */
  heartbeat: { perSecond: 1, burst: 5 },
  /** Calls of heartbeats, per network: all jobs of a site, and no room for guessing. */
  heartbeatNetwork: { perSecond: 50, burst: 500 },
  /** Questions to the assistant, per account. */
  ai: { perSecond: AI_LIMITS.questionsPerMinute / 60, burst: AI_LIMITS.questionsPerMinute },
} as const;

/**
 * Rates against guessing, and the one that costs money, are shared by the replicas. The others keep a process from being
 * overwhelmed, so each has its own.
 */
type SharedName = 'signIn' | 'signInNetwork' | 'signInAccount' | 'signInEverywhere' | 'device' | 'totp' | 'ai';

export type Rates = Record<Exclude<keyof typeof RATES, SharedName | 'enrolToken'>, RateLimit> &
  Record<SharedName, SharedLimit> & { enrolToken: SpreadLimit };

export function createRates(limits: Storage['rateLimits']): Rates {
  const shared = (name: SharedName): SharedLimit => createSharedLimit(limits, name, RATES[name]);
  return {
    agent: new RateLimit(RATES.agent),
    user: new RateLimit(RATES.user),
    largeBody: new RateLimit(RATES.largeBody),
    signIn: shared('signIn'),
    signInNetwork: shared('signInNetwork'),
    signInAccount: shared('signInAccount'),
    signInEverywhere: shared('signInEverywhere'),
    device: shared('device'),
    totp: shared('totp'),
    enrol: new RateLimit(RATES.enrol),
    enrolToken: new SpreadLimit(RATES.enrolToken),
    externalMetrics: new RateLimit(RATES.externalMetrics),
    statusPage: new RateLimit(RATES.statusPage),
    deployMarks: new RateLimit(RATES.deployMarks),
    heartbeat: new RateLimit(RATES.heartbeat),
    heartbeatNetwork: new RateLimit(RATES.heartbeatNetwork),
    ai: shared('ai'),
  };
}
