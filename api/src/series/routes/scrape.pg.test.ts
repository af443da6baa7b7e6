import { beforeEach, expect, test } from 'vitest';
import { hashToken, newToken } from '../../accounts/tokens.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
let agent: TestAgent;

const REPORT = {
  cpu: {
    percent: 40,
    io_wait_percent: 2,
    steal_percent: 0,
    user_percent: 30,
    system_percent: 10,
    per_core_percent: [],
  },
  filesystems: [
    {
      mount: '/srv/"data"',
      device: '/dev/sda1',
      type: 'ext4',
      size_bytes: 1000,
      used_bytes: 250,
      available_bytes: 750,
      inodes_total: null,
      inodes_used: null,
    },
  ],
};

beforeEach(async () => {
  app = testApp(db.storage());
  user = await app.newUser();
  agent = await app.newAgent(user, 'web-1');
  const body = reportsBody(agent, app.clock.now(), [REPORT]);
  await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  const update = { display_name: 'web', tags: { role: 'shop', env: 'prod' } };
  await app.call('PUT', `/api/servers/${agent.serverId}`, { token: user.token, body: update });
});

const apiToken = async (scopes: readonly ('read' | 'write')[]): Promise<string> => {
  const token = newToken('api');
  const entry = {
    name: scopes.join(),
    scopes,
    tokenHash: hashToken(token),
    lastFour: token.slice(-4),
    expiresAt: null,
  };
  await db.storage().identity.apiTokens.replace(user.personId, entry, app.clock.now());
  return token;
};
const scrape = async (token: string): Promise<string[]> => {
  const answer = await app.call('GET', '/api/metrics', { token });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return answer.text.split('\n').filter((line) => line.startsWith('plimsoll_'));
};

test('returns the current figures with name, id and tags of each server', async () => {
  const lines = await scrape(await apiToken(['read']));
  const labels = `server="web",server_id="${agent.serverId}",tags="env=prod,role=shop"`;
  expect(lines).toContain(`plimsoll_server_up{${labels}} 1`);
  expect(lines).toContain(`plimsoll_server_cpu_usage_ratio{${labels}} 0.4`);
  expect(lines).toContain(
    `plimsoll_server_filesystem_used_bytes{${labels},mount="/srv/\\"data\\"",device="/dev/sda1"} 250`,
  );
});

test('a silent server is down and has no figures', async () => {
  app.clock.pass(181);
  const names = (await scrape(user.token)).map((line) => line.replace(/\{.*/, ''));
  expect(names).toEqual(['plimsoll_server_up', 'plimsoll_server_last_report_timestamp_seconds']);
  expect((await scrape(user.token))[0]).toMatch(/ 0$/);
});

test('an uninstalled server and those of another account are absent', async () => {
  expect(await scrape((await app.newUser()).token)).toEqual([]);
  app.clock.pass(1);
  await app.call('POST', '/api/agent/v1/bye', { token: agent.token, body: { reason: 'uninstall' } });
  expect(await scrape(user.token)).toEqual([]);
});

test('a token without the scope read is refused', async () => {
  const answer = await app.call('GET', '/api/metrics', { token: await apiToken(['write']) });
  expect([answer.status, answer.json.code]).toEqual([403, 'scope_missing']);
});
