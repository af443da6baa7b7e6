import type { ChangeTopic } from '@plimsoll/contract/wire/events';
import type { OrganisationId } from '../tenancy/ids.ts';

export interface Change {
  topic: ChangeTopic;
  serverId: string | null;
}
type Listener = (change: Change) => void;
type Relay = (organisationId: OrganisationId, change: Change) => void;

/** Tells the open event streams of an account what changed: those of this process, and through `relay` the others'. */
export class ChangeFeed {
  readonly #listeners = new Map<string, Set<Listener>>();
  #relay: Relay = () => {};

  publish(organisationId: OrganisationId | null, change: Change): void {
    if (organisationId === null) return;
    this.publishHere(organisationId, change);
    this.#relay(organisationId, change);
  }

  /** To the streams of this process only: what another one published. */
  publishHere(organisationId: OrganisationId, change: Change): void {
    for (const listener of this.#listeners.get(organisationId) ?? []) listener(change);
  }

  relayTo(relay: Relay): void {
    this.#relay = relay;
  }

  /** Returns what ends the subscription. */
  subscribe(organisationId: OrganisationId, listener: Listener): () => void {
    const listeners = this.#listeners.get(organisationId) ?? new Set();
    this.#listeners.set(organisationId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(organisationId);
    };
  }
}
