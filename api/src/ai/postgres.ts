import { AI_PROVIDERS } from '@plimsoll/contract/rules/ai-limits';
import type { AnswerChart, AnswerSource } from '@plimsoll/contract/wire/ai';
import { isUuid, type Database } from '../database/database.ts';
import type { AiMessage } from '../database/generated/client.ts';
import type { Ai, Asker } from './store.ts';
import type { StoredMessage } from './types.ts';
import { withModels } from '../database/transaction.ts';

/** Only `append` writes them. */
const messageOf = (row: AiMessage): StoredMessage => ({
  role: row.role === 'user' ? 'user' : 'assistant',
  content: row.content,
  at: row.at.getTime(),
  sources: row.sources as unknown as AnswerSource[],
  charts: row.charts as unknown as AnswerChart[],
});

const of = ({ personId, owner }: Asker) => ({ personId, organisationId: owner.organisationId });

export const createAiStore = (database: Database): Ai => ({
  settings: createSettings(database),
  conversations: createConversations(database),
});

const createSettings = ({ prisma }: Database): Ai['settings'] => ({
  get: async ({ organisationId }) => {
    const row = await prisma.aiSetting.findUnique({ where: { organisationId } });
    if (row === null) return null;
    const { baseUrl, model, keyEnd } = row;
    const provider = AI_PROVIDERS.find((name) => name === row.provider) ?? 'openai-compatible';
    return { provider, baseUrl, model, keyEnd, sealedKey: row.apiKey === null ? null : Buffer.from(row.apiKey) };
  },
  put: async ({ organisationId }, settings, key, now) => {
    const columns = key === undefined ? {} : { apiKey: key && new Uint8Array(key.sealed), keyEnd: key && key.end };
    const data = { ...settings, ...columns, updatedAt: new Date(now) };
    await prisma.aiSetting.upsert({ where: { organisationId }, create: { organisationId, ...data }, update: data });
  },
  delete: async ({ organisationId }) => (await prisma.aiSetting.deleteMany({ where: { organisationId } })).count === 1,
});

const createConversations = (database: Database): Ai['conversations'] => {
  const { prisma } = database;
  return {
    list: async (asker, { limit, offset }) => {
      const where = of(asker);
      const [rows, total] = await Promise.all([
        prisma.aiConversation.findMany({
          where,
          orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
          take: limit,
          skip: offset,
          include: { _count: { select: { messages: true } } },
        }),
        prisma.aiConversation.count({ where }),
      ]);
      const conversations = rows.map(({ id, title, createdAt, updatedAt, _count: { messages } }) => ({
        id,
        title,
        createdAt: createdAt.getTime(),
        updatedAt: updatedAt.getTime(),
        count: messages,
      }));
      return { conversations, total };
    },
    get: async (asker, id) => {
      if (!isUuid(id)) return null;
      const row = await prisma.aiConversation.findFirst({
        where: { id, ...of(asker) },
        include: { messages: { orderBy: { id: 'asc' } } },
      });
      if (row === null) return null;
      const { title, createdAt, updatedAt, messages } = row;
      return {
        id,
        title,
        createdAt: createdAt.getTime(),
        updatedAt: updatedAt.getTime(),
        messages: messages.map(messageOf),
      };
    },
    append: (asker, id, title, messages) =>
      withModels(database, async (transaction) => {
        const at = new Date(messages.at(-1)?.at ?? 0);
        await transaction.aiConversation.createMany({
          data: [{ id, ...of(asker), title, createdAt: at, updatedAt: at }],
          skipDuplicates: true,
        });
        const own = await transaction.aiConversation.updateMany({
          where: { id, ...of(asker) },
          data: { updatedAt: at },
        });
        if (own.count === 0) return false;
        await transaction.aiMessage.createMany({
          data: messages.map((message) => ({
            conversationId: id,
            role: message.role,
            content: message.content,
            sources: message.sources.map((source) => ({ ...source })),
            charts: message.charts.map((chart) => ({ ...chart })),
            at: new Date(message.at),
          })),
        });
        return true;
      }),
    rename: async (asker, id, title) =>
      isUuid(id) &&
      (await prisma.aiConversation.updateMany({ where: { id, ...of(asker) }, data: { title } })).count === 1,
    delete: async (asker, id) =>
      isUuid(id) && (await prisma.aiConversation.deleteMany({ where: { id, ...of(asker) } })).count === 1,
    prune: async (before) =>
      (await prisma.aiConversation.deleteMany({ where: { updatedAt: { lt: new Date(before) } } })).count,
  };
};
