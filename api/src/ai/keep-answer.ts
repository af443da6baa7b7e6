import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import { cutText, printableTree } from '@plimsoll/contract/rules/printable-text';
import type { Deps } from '../deps.ts';
import { CodedError, notFound } from '../errors.ts';
import type { Asker, Conversations } from './store.ts';
import type { CheckedAnswer } from './types.ts';

const TITLE_CHARACTERS = 80;
const FIRST = { limit: 1, offset: 0 };

/**
 * Throws `invalid_parameter` if the conversation is full, `plan_limit` if it would be one too many. Called before a
 * question too: an answer that cannot be kept would be paid for and lost.
 */
export async function requireRoom(
  conversations: Pick<Conversations, 'get' | 'list'>,
  asker: Asker,
  id: string,
): Promise<void> {
  const stored = await conversations.get(asker, id);
  if ((stored?.messages.length ?? 0) >= AI_LIMITS.conversationMessages)
    throw new CodedError('invalid_parameter', 'conversation_id: this conversation is full', {
      field: 'conversation_id',
      remedy: 'Begin a new conversation.',
    });
  if (stored === null && (await conversations.list(asker, FIRST)).total >= AI_LIMITS.conversations)
    throw new CodedError('plan_limit', `A person has at most ${String(AI_LIMITS.conversations)} conversations`, {
      field: 'conversation_id',
      remedy: 'Delete a conversation first.',
    });
}

/**
 * Appends a question and its answer to a conversation of the asker, which begins with it where there is none. Throws
 * `not_found` for an id of somebody else, `invalid_parameter` for a full conversation, `plan_limit` for too many.
 */
export async function keepAnswer(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  asker: Asker,
  id: string,
  { question, answer }: { question: string; answer: CheckedAnswer },
): Promise<void> {
  const at = clock.now();
  const title = cutText(question.replaceAll(/\s+/g, ' '), TITLE_CHARACTERS);
  await storage.inTransaction(async ({ ai: { conversations }, tenancy }) => {
    await tenancy.teams.lock(asker.owner);
    await requireRoom(conversations, asker, id);
    const isOwn = await conversations.append(asker, id, title, [
      { role: 'user', content: question, at, sources: [], charts: [] },
      {
        role: 'assistant',
        at,
        ...printableTree({ content: answer.answer, sources: answer.sources, charts: answer.charts }),
      },
    ]);
    if (!isOwn) throw notFound('Conversation');
  });
}
