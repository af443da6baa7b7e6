import type { ChangeTopic } from '@plimsoll/contract/wire/events';

export interface Change {
  topic: ChangeTopic;
  serverId: string | null;
}
type Listener = (change: Change) => void;
type Relay = (accountId: string, change: Change) => void;

/** Tells the open event streams of an account what changed: those of this process, and through `relay` the others'. */
export class ChangeFeed {
  readonly #listeners = new Map<string, Set<Listener>>();
  #relay: Relay = () => {};

  publish(accountId: string | null, change: Change): void {
    if (accountId === null) return;
    this.publishHere(accountId, change);
    this.#relay(accountId, change);
  }

  /** To the streams of this process only: what another one published. */
  publishHere(accountId: string, change: Change): void {
    for (const listener of this.#listeners.get(accountId) ?? []) listener(change);
  }

  relayTo(relay: Relay): void {
    this.#relay = relay;
  }

  /** Returns what ends the subscription. */
  subscribe(accountId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(accountId) ?? new Set();
    this.#listeners.set(accountId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(accountId);
    };
  }
}
