import { CodedError } from '../errors.ts';
import type { PersonId } from '../tenancy/ids.ts';

/** `signed_out`: the browser must not reconnect; `restart`: it may reconnect at once and re-authenticates. */
export type StreamEnd = 'signed_out' | 'restart';
type End = (why: StreamEnd) => void;
interface Reader {
  /** The session or the token. */
  id: string;
  personId: PersonId;
}

/** Open streams at most: a browser has one per tab. */
const STREAM_LIMITS = { perReader: 20, perAccount: 200 } as const;
/** Seconds. Pages poll meanwhile. */
const RETRY_AFTER = 60;

/** The open event streams of this process, so that a sign-out or a shutdown ends them at once. */
export class EventStreams {
  readonly #open = new Map<string, Set<End>>();
  readonly #accounts = new Map<string, number>();
  #relay: (sessionId: string) => void = () => {};

  get size(): number {
    let size = 0;
    for (const streams of this.#open.values()) size += streams.size;
    return size;
  }

  /** Throws `too_many_requests` if one more stream is over a limit. */
  requirePlace({ id, personId }: Reader): void {
    const { perReader, perAccount } = STREAM_LIMITS;
    if ((this.#open.get(id)?.size ?? 0) < perReader && (this.#accounts.get(personId) ?? 0) < perAccount) return;
    throw new CodedError('too_many_requests', 'Too many event streams are open', {
      remedy: `Close other tabs of the dashboard. At most ${String(perReader)} streams are open for a session and ${String(perAccount)} for an account.`,
      retryAfterSeconds: RETRY_AFTER,
    });
  }

  /** Returns the function that removes the stream. */
  add({ id, personId }: Reader, end: End): () => void {
    const streams = this.#open.get(id) ?? new Set();
    this.#open.set(id, streams.add(end));
    this.#accounts.set(personId, (this.#accounts.get(personId) ?? 0) + 1);
    return () => {
      if (!streams.delete(end)) return;
      if (streams.size === 0) this.#open.delete(id);
      const left = (this.#accounts.get(personId) ?? 1) - 1;
      if (left === 0) this.#accounts.delete(personId);
      else this.#accounts.set(personId, left);
    };
  }

  /** The session is over: its streams end here and, through `relay`, in the other processes. */
  endSession(sessionId: string): void {
    this.endHere(sessionId);
    this.#relay(sessionId);
  }

  /** In this process only: another one signed the session out. */
  endHere(sessionId: string): void {
    for (const end of this.#open.get(sessionId) ?? []) end('signed_out');
  }

  relayTo(relay: (sessionId: string) => void): void {
    this.#relay = relay;
  }

  /** The sessions live on: browsers connect again by themselves. */
  restartAll(): void {
    for (const streams of this.#open.values()) for (const end of streams) end('restart');
  }
}
