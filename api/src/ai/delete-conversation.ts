import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Asker } from './store.ts';

/** Deletes a conversation of the asker. Throws `not_found`. */
export async function deleteConversation({ storage }: Pick<Deps, 'storage'>, asker: Asker, id: string): Promise<void> {
  await storage.inTransaction(async ({ ai: { conversations } }) => {
    if (!(await conversations.delete(asker, id))) throw notFound('Conversation');
  });
}
