import type { Owner } from '../tenancy/owner.ts';
import type { Page } from '../page.ts';
import type { StoredConversation, StoredMessage, StoredSettings } from './types.ts';
import type { PersonId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds. */

export interface AiSettingsStore {
  get(owner: Owner): Promise<StoredSettings | null>;
  /** `sealedKey` undefined: the stored key stays. */
  put(
    owner: Owner,
    settings: { provider: string; baseUrl: string; model: string },
    key: { sealed: Buffer; end: string } | null | undefined,
    now: number,
  ): Promise<void>;
  /** Returns false if there were none. */
  delete(owner: Owner): Promise<boolean>;
}

/** Conversations belong to one person in one organisation (`owner`). */
export interface Asker {
  personId: PersonId;
  owner: Owner;
}

export interface Conversations {
  /** Newest first. */
  list(
    asker: Asker,
    page: Page,
  ): Promise<{ conversations: (Omit<StoredConversation, 'messages'> & { count: number })[]; total: number }>;
  /** Null: the asker has no such conversation. */
  get(asker: Asker, id: string): Promise<StoredConversation | null>;
  /** Begins the conversation where there is none of that id. False: the id is somebody else's. */
  append(asker: Asker, id: string, title: string, messages: readonly StoredMessage[]): Promise<boolean>;
  rename(asker: Asker, id: string, title: string): Promise<boolean>;
  delete(asker: Asker, id: string): Promise<boolean>;
  /** Deletes what had no message since. Returns how many. */
  prune(before: number): Promise<number>;
}

export interface Ai {
  settings: AiSettingsStore;
  conversations: Conversations;
}
