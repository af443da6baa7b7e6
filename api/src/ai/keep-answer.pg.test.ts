import { randomUUID } from 'node:crypto';
import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import { expect, test } from 'vitest';
import { ownerOf } from '../tenancy/owner.ts';
import { testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { keepAnswer } from './keep-answer.ts';
import type { StoredMessage } from './types.ts';

const db = testStorage();
const answer = { answer: 'No.', mode: 'analyser', sources: [], charts: [], unmatched: [] } as const;
const question = 'Is anything over its line?';
const message: StoredMessage = { role: 'user', content: question, at: 1000, sources: [], charts: [] };

async function world() {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const asker = { personId: user.personId, owner: ownerOf(user.organisationId) };
  const { conversations } = db.storage().ai;
  const keepTen = async (idOf: () => string) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => keepAnswer(app.deps, asker, idOf(), { question, answer })),
    );
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  };
  return { app, user, asker, conversations, keepTen };
}

test('ten answers at once never overfill a conversation', async () => {
  const { asker, conversations, keepTen } = await world();
  const id = randomUUID();
  const stored = Array.from({ length: AI_LIMITS.conversationMessages - 4 }, () => message);
  await conversations.append(asker, id, 'x', stored);
  expect(await keepTen(() => id)).toBe(2);
  expect((await conversations.get(asker, id))?.messages).toHaveLength(AI_LIMITS.conversationMessages);
});

test('ten new conversations at once never pass the limit, and a question beyond it asks no model', async () => {
  const { app, user, asker, conversations, keepTen } = await world();
  for (let count = 2; count < AI_LIMITS.conversations; count += 1)
    await conversations.append(asker, randomUUID(), 'x', [message]);
  expect(await keepTen(randomUUID)).toBe(2);
  const body = { question, conversation_id: randomUUID() };
  const refused = await app.call('POST', '/api/ai/chat', { ...user, body });
  expect([refused.status, refused.json.code, refused.json.field]).toEqual([422, 'plan_limit', 'conversation_id']);
  expect((await conversations.list(asker, { limit: 1, offset: 0 })).total).toBe(AI_LIMITS.conversations);
});
