import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { enrolled, installed, plimsoll } from '../testing/command.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { NO_DASHBOARD, serve, type Told } from '../testing/loopback-api.ts';

const TOKEN = 'plm_api_hunter2';
function tokenFile(text = `${TOKEN}\n`): string[] {
  const file = join(temporaryFolder(), 'token');
  writeFileSync(file, text);
  return ['--token-file', file];
}

it('hands the new owner’s token over in the body, signed with this host’s own', async () => {
  const { url, seen } = await serve(() => ({ status: 200, body: { owner: 'bob@example.com' } }));
  const { config } = enrolled({ url });
  const ran = await plimsoll(['change-owner', ...tokenFile(), ...config]);
  expect(ran).toEqual({ status: 0, out: 'This server now belongs to bob@example.com\n', err: '' });
  expect(seen).toEqual([
    { path: '/api/agent/v1/change-owner', token: 'Bearer plm_agent_secret', body: { api_token: TOKEN } },
  ]);
});

it.each<[string, Told, number, string]>([
  ['an owner without a name', { status: 200, body: {} }, 0, 'This server now belongs to the new owner\n'],
  ['a wrong token', { status: 401, body: { detail: 'Unknown token' } }, 78, 'Not changed: Unknown token\n'],
  ['another kind of token', { status: 403, body: { code: 'wrong_token' } }, 78, 'Not changed: wrong_token\n'],
  ['a deleted server', { status: 410, body: { detail: 'Server deleted' } }, 78, 'Not changed: Server deleted\n'],
  ['a text that is no JSON', { status: 404, body: 'gone' }, 78, 'Not changed: http_404\n'],
  ['a busy server', { status: 429, body: {} }, 1, 'Not changed: http_429\n'],
  ['a server that restarts', { status: 503, body: { code: 'busy' } }, 1, 'Not changed: busy\n'],
  [
    'a redirect',
    { status: 308, body: {}, headers: { location: 'http://127.0.0.1:1/' } },
    1,
    'Not changed: the server cannot be reached (redirected)\n',
  ],
])('%s', async (_what, told, status, text) => {
  const { url } = await serve(() => told);
  const { config } = enrolled({ url });
  const ran = await plimsoll(['change-owner', ...tokenFile(), ...config]);
  expect([ran.status, ran.out + ran.err]).toEqual([status, text]);
});

it('a dashboard that is down leaves the owner as he is', async () => {
  const { config } = enrolled({ url: NO_DASHBOARD });
  expect(await plimsoll(['change-owner', ...tokenFile(), ...config])).toEqual({
    status: 1,
    out: '',
    err: 'Not changed: the server cannot be reached (ECONNREFUSED)\n',
  });
});

it.each([
  ['a file that is empty', tokenFile.bind(null, '\n'), 'no token given: paste the permanent token of the new owner'],
  ['a file that is not there', () => ['--token-file', '/nowhere/token'], '/nowhere/token cannot be read'],
])('%s is wrong use and asks nobody', async (_what, argv, reason) => {
  const { url, seen } = await serve(() => ({ status: 200, body: {} }));
  const { config } = enrolled({ url });
  const ran = await plimsoll(['change-owner', ...argv(), ...config]);
  expect(ran).toMatchObject({ status: 64, err: expect.stringContaining(`plimsoll change-owner: ${reason}`) });
  expect(seen).toEqual([]);
});

it('a host that is not enrolled is told so before it is asked for a token', async () => {
  const { config } = installed({ url: 'https://plimsoll.example' });
  const ran = await plimsoll(['change-owner', '--token-file', '/nowhere/token', ...config]);
  expect(ran).toMatchObject({ status: 64, err: expect.stringContaining('not enrolled: plimsoll enrol --token TOKEN') });
});

it('a damaged secret of this host is named with its remedy', async () => {
  const { state, config } = installed({ url: 'https://plimsoll.example' });
  mkdirSync(state);
  writeFileSync(join(state, 'agent.json'), '{"server_id":');
  const ran = await plimsoll(['change-owner', ...tokenFile(), ...config]);
  expect(ran).toMatchObject({
    status: 1,
    err: expect.stringContaining('agent.json in the state directory is damaged. Remove it and enrol again'),
  });
});
