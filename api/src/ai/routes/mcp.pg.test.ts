import { expect, test } from 'vitest';
import { reportsBody, testApp, type TestApp } from '../../testing/app.ts';
import { mcpClient } from '../../testing/mcp-client.ts';
import { testStorage } from '../../testing/postgres.ts';
import { TOOLS } from '../tools/all.ts';

const db = testStorage();

const textOf = (result: unknown): string => JSON.stringify(result);

async function readOnlyToken(app: TestApp, session: string): Promise<string> {
  const { json } = await app.call('POST', '/api/user/generate-auth-token', {
    token: session,
    body: { name: 'mcp', scopes: ['read'] },
  });
  return (json.data as unknown as { token: string }).token;
}

test('a read-only token lists and calls the tools', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-1');
  await app.call('POST', '/api/agent/v1/reports', {
    token: agent.token,
    body: reportsBody(agent, app.clock.now(), [{}]),
  });
  const client = await mcpClient(app, await readOnlyToken(app, user.token));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  const listed = await client.callTool({ name: 'list_servers', arguments: {} });
  expect(listed.isError).toBe(false);
  expect(textOf(listed)).toContain('web-1');
  const wrong = await client.callTool({ name: 'top_processes', arguments: { by: 'colour' } });
  expect(wrong.isError).toBe(true);
  expect(textOf(wrong)).toContain('by');
  await expect(client.callTool({ name: 'rm', arguments: {} })).rejects.toThrow('no tool rm');
});

test('servers and active alerts are resources, investigations are prompts', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-1');
  const client = await mcpClient(app, user.token);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(['plimsoll://alerts/active', `plimsoll://servers/${agent.serverId}`]);
  expect(textOf(await client.readResource({ uri: `plimsoll://servers/${agent.serverId}` }))).toContain('web-1');
  expect(textOf(await client.readResource({ uri: 'plimsoll://alerts/active' }))).toContain('total');
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('no such resource');
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['investigate_server', 'investigate_pod']);
  const prompt = await client.getPrompt({ name: 'investigate_server', arguments: { server: 'web-1' } });
  expect(textOf(prompt)).toContain('Investigate the server web-1');
});

test('pages its resources with a cursor until every server is listed once', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agents = [];
  for (let n = 0; n < 103; n += 1) agents.push(await app.newAgent(user, `web-${String(n)}`));
  const client = await mcpClient(app, user.token);
  const first = await client.listResources();
  expect(first.resources).toHaveLength(101);
  const second = await client.listResources({ cursor: first.nextCursor });
  expect([second.resources.length, second.nextCursor]).toEqual([3, undefined]);
  const listed = [...first.resources, ...second.resources].map(({ uri }) => uri);
  expect(listed.toSorted()).toEqual(
    ['plimsoll://alerts/active', ...agents.map(({ serverId }) => `plimsoll://servers/${serverId}`)].toSorted(),
  );
  await expect(client.listResources({ cursor: 'x' })).rejects.toThrow('no such cursor');
});

test('another account sees nothing', async () => {
  const app = testApp(db.storage());
  const agent = await app.newAgent(await app.newUser(), 'foreign-host');
  const client = await mcpClient(app, (await app.newUser()).token);
  expect(textOf(await client.callTool({ name: 'list_servers', arguments: {} }))).not.toContain('foreign-host');
  const detail = await client.callTool({ name: 'server_details', arguments: { server: agent.serverId } });
  expect([detail.isError, textOf(detail).includes('foreign-host')]).toEqual([true, false]);
  await expect(client.readResource({ uri: `plimsoll://servers/${agent.serverId}` })).rejects.toThrow('not found');
});

test('needs a token, keeps no session and refuses what is no message', async () => {
  const app = testApp(db.storage());
  const { token } = await app.newUser();
  expect((await app.call('POST', '/mcp', { body: {} })).status).toBe(401);
  expect((await app.call('GET', '/mcp', { token })).status).toBe(405);
  expect((await app.call('DELETE', '/mcp', { token })).status).toBe(405);
  const headers = { accept: 'application/json, text/event-stream' };
  expect((await app.call('POST', '/mcp', { token, body: '{"a":', headers })).status).toBe(400);
  expect((await app.call('POST', '/mcp', { token, body: 'x'.repeat(70_000), headers })).status).toBe(413);
});
