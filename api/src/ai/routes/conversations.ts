import {
  conversationAnswer,
  conversationEntry,
  conversationsAnswer,
  renameConversationRequest,
  type ConversationAnswer,
  type ConversationEntry,
} from '@plimsoll/contract/wire/ai';
import { page } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, type Route, type SignedIn } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { deleteConversation } from '../delete-conversation.ts';
import { renameConversation } from '../rename-conversation.ts';
import type { Asker } from '../store.ts';
import type { StoredConversation } from '../types.ts';

const tag = 'Assistant';
const path = '/api/ai/conversations';
const id = z.uuid('must be the id of a conversation (a UUID)').toLowerCase();

const askerOf = ({ owner, personId }: SignedIn): Asker => ({ owner, personId });

const shapeEntry = (entry: Omit<StoredConversation, 'messages'> & { count: number }): ConversationEntry => ({
  id: entry.id,
  title: entry.title,
  created_at: iso(entry.createdAt),
  updated_at: iso(entry.updatedAt),
  messages: entry.count,
});
const shape = (found: StoredConversation): ConversationAnswer => ({
  ...shapeEntry({ ...found, count: found.messages.length }),
  messages: found.messages.map(({ role, content, at, sources, charts }) => ({
    role,
    content,
    at: iso(at),
    sources: [...sources],
    charts: [...charts],
  })),
});

/** Markdown of the whole conversation, to keep or to send on. */
const asMarkdown = ({ title, messages }: StoredConversation): string =>
  [
    `# ${title}`,
    ...messages.map(
      ({ role, content, at }) => `## ${role === 'user' ? 'You' : 'AI Assistant'}, ${iso(at)}\n\n${content}`,
    ),
  ].join('\n\n');

type Require = (actor: SignedIn, wanted: string) => Promise<StoredConversation>;

/** Throws 404 for a conversation that is not there or another user's. */
const requireFrom =
  ({ storage }: Deps): Require =>
  async (actor, wanted) => {
    const found = await storage.ai.conversations.get(askerOf(actor), wanted);
    if (found === null) throw notFound('Conversation');
    return found;
  };

export const conversationRoutes = (deps: Deps): Route[] => {
  const require = requireFrom(deps);
  return [...readingRoutes(deps, require), ...changingRoutes(deps)];
};

function readingRoutes({ storage }: Deps, require: Require): Route[] {
  const { conversations } = storage.ai;
  return [
    defineRoute(
      {
        method: 'GET',
        path,
        actor: 'user',
        summary: 'Lists your conversations with the assistant, newest first',
        tag,
        query: page(),
        answer: conversationsAnswer,
      },
      async ({ actor, query }) => {
        const found = await conversations.list(askerOf(actor), query);
        return { conversations: found.conversations.map(shapeEntry), total: found.total };
      },
    ),
    defineRoute(
      {
        method: 'GET',
        path: `${path}/:id`,
        actor: 'user',
        summary: 'Returns a conversation with its messages',
        tag,
        params: { id },
        answer: conversationAnswer,
      },
      async ({ actor, params }) => shape(await require(actor, params.id)),
    ),
    defineRoute(
      {
        method: 'GET',
        path: `${path}/:id/export`,
        actor: 'user',
        summary: 'Returns a conversation as markdown',
        tag,
        params: { id },
        answer: null,
      },
      async ({ actor, params }) => {
        const found = await require(actor, params.id);
        return new Response(asMarkdown(found), {
          headers: {
            'Content-Type': 'text/markdown; charset=utf-8',
            'Content-Disposition': `attachment; filename="plimsoll-conversation-${found.id}.md"`,
          },
        });
      },
    ),
  ];
}

function changingRoutes(deps: Deps): Route[] {
  return [
    defineRoute(
      {
        method: 'PUT',
        path: `${path}/:id`,
        actor: 'user',
        role: 'viewer',
        summary: 'Renames a conversation',
        audit: null,
        notAudited: 'A conversation belongs to one person.',
        tag,
        params: { id },
        body: renameConversationRequest,
        answer: conversationEntry,
      },
      async ({ actor, params, body }) => {
        const { messages, ...entry } = shape(await renameConversation(deps, askerOf(actor), params.id, body.title));
        return { ...entry, messages: messages.length };
      },
    ),
    defineRoute(
      {
        method: 'DELETE',
        path: `${path}/:id`,
        actor: 'user',
        role: 'viewer',
        summary: 'Deletes a conversation',
        audit: null,
        notAudited: 'A conversation belongs to one person.',
        tag,
        params: { id },
        answer: z.object({}),
      },
      async ({ actor, params }) => {
        await deleteConversation(deps, askerOf(actor), params.id);
        return {};
      },
    ),
  ];
}
