import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChatAnswer } from '@plimsoll/contract/wire/ai';
import { anthropicStandIn, type AnthropicStandIn } from '../../testing/anthropic-stand-in.ts';
import { testApp, type TestApp } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
let model: AnthropicStandIn;
beforeEach(async () => {
  model = await anthropicStandIn();
});
afterEach(() => model.close());

const withModel = (): TestApp =>
  testApp(db.storage(), {
    settings: { AI_PROVIDER: 'anthropic', AI_BASE_URL: model.url, AI_API_KEY: 'sk-ant-test', AI_MODEL: 'stand-in' },
  });

test('two tools at once in fragments, then the answer', async () => {
  const app = withModel();
  const user = await app.newUser();
  await app.newAgent(user, 'web-1');
  let round = 0;
  model.reply(() => {
    round += 1;
    if (round > 1) return { kind: 'text', text: 'You have 1 server, web-1.' };
    const calls = [
      { name: 'list_servers', input: { search: 'web' } },
      { name: 'list_alerts', input: {} },
    ];
    return { kind: 'tools', calls };
  });
  const body = { question: 'How many servers?' };
  const answer = await app.call('POST', '/api/ai/chat', { token: user.token, body });
  expect(answer.json.data as unknown as ChatAnswer).toMatchObject({
    answer: 'You have 1 server, web-1.',
    mode: 'model',
    unmatched: [],
  });
  const [first, second] = model.requests;
  expect(first).toMatchObject({ apiKey: 'sk-ant-test', version: '2023-06-01', model: 'stand-in' });
  expect(first?.tools).toContain('disk_forecast');
  const results = JSON.stringify(second?.messages.at(-1));
  expect(results.match(/tool_result/g)).toHaveLength(2);
  expect(results).toContain('web-1');
  expect(JSON.stringify(second?.system)).not.toContain('web-1');
});

test('health checks the key in its own header', async () => {
  const app = withModel();
  const user = await app.newUser();
  model.reply(() => ({ kind: 'status', status: 401 }));
  const { json } = await app.call('GET', '/api/ai/health', user);
  expect(json.data).toMatchObject({ api_key_valid: false, reason: expect.stringContaining('AI_API_KEY') });
  expect(model.requests).toMatchObject([{ apiKey: 'sk-ant-test' }]);
});

test.each([
  [401, 'refuses the API key'],
  [429, 'limits the rate'],
  [529, 'status 529'],
])('status %d is told in our words, without those of the provider', async (status, words) => {
  const app = withModel();
  model.reply(() => ({ kind: 'status', status }));
  const token = (await app.newUser()).token;
  const answer = await app.call('POST', '/api/ai/chat', { token, body: { question: 'x' } });
  expect([answer.status, answer.json.detail]).toEqual([502, expect.stringContaining(words)]);
  expect(answer.text).not.toContain('canary');
});
