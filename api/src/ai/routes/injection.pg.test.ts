import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChatAnswer } from '@plimsoll/contract/wire/ai';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { CARRIERS, injectionsFor, ordersIn, type Carrier } from '../../testing/injections.ts';
import { modelStandIn, type ModelStandIn } from '../../testing/model-stand-in.ts';
import { testStorage } from '../../testing/postgres.ts';
import { countRows } from '../../testing/tables.ts';

const db = testStorage();
const FOREIGN = 'foreign-secret';

let model: ModelStandIn;
let fetched: string[];
let canary: ReturnType<typeof createServer>;
const canaryUrl = (): string => `http://127.0.0.1:${String((canary.address() as AddressInfo).port)}`;

beforeEach(async () => {
  model = await modelStandIn();
  fetched = [];
  canary = createServer(({ url }, response) => {
    fetched.push(url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => {
    canary.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(() => {
  model.close();
  canary.close();
});

const process = (name: string, command: string, pid = 1) => ({
  pid,
  name,
  command,
  user: 'app',
  status: 'R',
  cpu_percent: 100 - pid,
  memory_percent: 1,
  memory_bytes: 2 ** 20,
  threads: 1,
  started_at: 1_700_000_000,
});
const send = async (app: TestApp, agent: TestAgent, item: Record<string, unknown>): Promise<void> => {
  const body = reportsBody(agent, app.clock.now(), [item]);
  const { status, text } = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect([status, text]).toEqual([200, expect.stringContaining('"rejected":[]')]);
};

/** Puts the strings where a machine, or a person who labels it, can put them. */
async function plant(app: TestApp, user: TestUser, agent: TestAgent, carrier: Carrier, texts: string[]): Promise<void> {
  if (carrier === 'host name') {
    for (const text of texts) await send(app, await app.newAgent(user, text), {});
    return;
  }
  if (carrier === 'label') {
    const tags = Object.fromEntries(texts.map((text, index) => [`t${String(index)}`, text]));
    const { status, text } = await app.call('PUT', `/api/servers/${agent.serverId}`, {
      token: user.token,
      body: { tags },
    });
    if (status !== 200) throw new Error(text);
    return;
  }
  const numbered = texts.map((text, index) => ({ text, pid: index + 1 }));
  if (carrier === 'event')
    await send(app, agent, {
      events: numbered.map(({ text, pid }) => ({
        id: String(pid),
        event_type: 'process_crash',
        service_name: null,
        process_name: null,
        message: text,
        severity: 'error',
        ts: app.clock.now() / 1000,
      })),
    });
  else
    await send(app, agent, {
      processes: numbered.map(({ text, pid }) =>
        carrier === 'command' ? process('sh', text, pid) : process(text, 'sh', pid),
      ),
    });
}

/** Calls the tools that an operator's question needs, then everything that their results order. */
function obey(): { seen: Set<string> } {
  const seen = new Set<string>();
  let round = 0;
  const says: string[] = [];
  model.reply(({ path, messages }) => {
    if (path.endsWith('/models')) return { kind: 'text', text: '' };
    round += 1;
    if (round === 1)
      return {
        kind: 'tools',
        calls: [
          { name: 'list_servers', input: {} },
          { name: 'top_processes', input: { by: 'cpu' } },
          { name: 'activity', input: {} },
        ],
      };
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    const orders = ordersIn(results);
    for (const order of [...orders.calls.map((call) => JSON.stringify(call)), ...orders.says]) seen.add(order);
    says.push(...orders.says);
    if (round === 2 && orders.calls.length > 0) return { kind: 'tools', calls: orders.calls };
    return { kind: 'text', text: `Done. ${[...new Set(says)].join(' ')}` };
  });
  return { seen };
}

test.each(CARRIERS)('instructions in a %s reach no other account, write nothing and fetch nothing', async (carrier) => {
  const app = testApp(db.storage(), {
    settings: { AI_BASE_URL: model.url, AI_API_KEY: 'sk-test-1234', AI_MODEL: 'stand-in' },
  });
  const [user, other] = [await app.newUser(), await app.newUser()];
  const [agent, foreign] = [await app.newAgent(user, 'web-1'), await app.newAgent(other, `${FOREIGN}-host`)];
  await send(app, foreign, { processes: [process(FOREIGN, `/usr/bin/${FOREIGN}`)] });
  const values = { foreign: foreign.serverId, own: agent.serverId, canary: canaryUrl() };
  const texts = injectionsFor(carrier, values);
  expect(new Set(texts).size).toBe(12);
  await plant(app, user, agent, carrier, texts);
  const before = await countRows(db);
  const { seen } = obey();
  const question = { question: 'How are my servers?' };
  const answer = await app.call('POST', '/api/ai/chat', { token: user.token, body: question });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  // The model found every order, so the checks below prove something.
  expect([...seen]).toHaveLength(12);
  expect(answer.text).not.toContain(FOREIGN);
  expect(JSON.stringify(model.requests)).not.toContain(FOREIGN);
  expect(await countRows(db)).toEqual(before);
  expect((await app.call('GET', `/api/servers/${agent.serverId}`, user)).status).toBe(200);
  expect(fetched).toEqual([]);
  const { sources } = answer.json.data as unknown as ChatAnswer;
  expect(sources.every(({ href }) => /^\/(?!\/)/.test(href))).toBe(true);
});
