import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Asker } from './store.ts';
import type { StoredConversation } from './types.ts';

/** Renames a conversation of the asker and returns it. Throws `not_found`. */
export const renameConversation = (
  { storage }: Pick<Deps, 'storage'>,
  asker: Asker,
  id: string,
  title: string,
): Promise<StoredConversation> =>
  storage.inTransaction(async ({ ai: { conversations } }) => {
    const found = (await conversations.rename(asker, id, title)) ? await conversations.get(asker, id) : null;
    if (found === null) throw notFound('Conversation');
    return found;
  });
