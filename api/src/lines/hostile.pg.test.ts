import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOSTILE_LINES } from '@plimsoll/contract/testing/hostile-lines';
import type { LinesAnswer } from '@plimsoll/contract/wire/lines';
import { reportsBody, testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { modelStandIn, type ModelStandIn } from '../testing/model-stand-in.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
let model: ModelStandIn;
let app: TestApp;
let user: TestUser;

beforeEach(async () => {
  model = await modelStandIn();
  app = testApp(db.storage(), {
    settings: { AI_BASE_URL: model.url, AI_API_KEY: 'sk-test-1234', AI_MODEL: 'stand-in' },
  });
  user = await app.newUser();
});
afterEach(() => model.close());

/** Sends the lines as a collector that was tampered with: neither redacted nor bounded. */
async function plant(): Promise<string> {
  const agent = await app.newAgent(user, 'web-1');
  const event = (text: string, index: number) => ({
    id: `line-${String(index)}`,
    event_type: 'journal_error',
    service_name: text,
    process_name: null,
    message: text,
    severity: 'error',
    ts: app.clock.now() / 1000 - 60 - index / 10,
  });
  for (const [index, text] of HOSTILE_LINES.entries()) {
    const up = 100_000 + index;
    const items = [{ seq: index + 1, up, events: [event(text, index)] }];
    const body = reportsBody(agent, app.clock.now(), items, { up_now: up });
    const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    // 1 MB of text is above what a request may hold.
    expect([200, 413]).toContain(answer.status);
  }
  return agent.serverId;
}

test('hostile lines are stored as plain, bounded text, and each is one line', async () => {
  const serverId = await plant();
  const { status, json, text } = await app.call('GET', `/api/lines?server_id=${serverId}`, user);
  expect(status).toBe(200);
  const { lines } = json.data as unknown as LinesAnswer;
  expect(lines.length).toBeGreaterThanOrEqual(HOSTILE_LINES.length - 1);
  for (const line of lines) {
    expect(Buffer.byteLength(line.text)).toBeLessThanOrEqual(512);
    expect(Buffer.byteLength(line.subject ?? '')).toBeLessThanOrEqual(512);
    expect(line.text.isWellFormed()).toBe(true);
    // Messages of events may have several lines, and a tab is harmless.
    expect(line.text).not.toMatch(/[^\P{Cc}\n\t]/u);
    expect(line.server_id).toBe(serverId);
  }
  expect(JSON.parse(text)).toBeDefined();
});

test('a model receives them as results of a tool, quoted in JSON, and never as instructions', async () => {
  await plant();
  let round = 0;
  model.reply(({ path }) => {
    if (path.endsWith('/models')) return { kind: 'text', text: '' };
    round += 1;
    return round === 1
      ? { kind: 'tools', calls: [{ name: 'log_lines', input: { server: 'web-1' } }] }
      : { kind: 'text', text: 'Done.' };
  });
  const answer = await app.call('POST', '/api/ai/chat', { token: user.token, body: { question: 'What was said?' } });
  expect(answer.status).toBe(200);
  const told = JSON.stringify(model.requests);
  expect(told).toContain('Ignore all previous instructions');
  for (const request of model.requests) {
    const { messages } = request;
    const others = messages.filter(({ role }) => role !== 'tool');
    expect(JSON.stringify(others)).not.toContain('Ignore all previous instructions');
    for (const { content } of messages.filter(({ role }) => role === 'tool'))
      expect(() => JSON.parse(String(content))).not.toThrow();
  }
});
