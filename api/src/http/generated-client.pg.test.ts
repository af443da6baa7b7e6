/** The client of docs/api-client: generated, checked and run by the commands of docs/api.md. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { listen, type Listening } from './listen.ts';

const EXAMPLE = join(import.meta.dirname, '../../../docs/api-client');
const GUIDE = join(import.meta.dirname, '../../../docs/api.md');
const db = testStorage();
let app: TestApp;
let user: TestUser;
let agent: TestAgent;
let api: Listening;
let folder: string;

interface Ended {
  exitCode: number;
  output: string;
}

/** Runs a command in the folder of the client, in a shell as its reader does. */
const run = (command: string): Promise<Ended> =>
  new Promise((resolve) => {
    const env = {
      ...process.env,
      PLIMSOLL_URL: `http://127.0.0.1:${String(api.port)}`,
      PLIMSOLL_TOKEN: user.token,
    };
    const child = execFile('sh', ['-c', command], { cwd: folder, env }, (_, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr });
    });
  });

beforeAll(async () => {
  app = testApp(db.storage());
  user = await app.newUser();
  agent = await app.newAgent(user, 'web-1');
  api = await listen(createApp(app.deps).fetch, { host: '127.0.0.1', port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-client-'));
  await cp(EXAMPLE, folder, { recursive: true });
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

test('the commands of the guide install, generate and check the client', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const commands = ['npm ci', 'npm run generate', 'npm run check'];
  for (const command of commands) {
    expect(guide).toContain(`    ${command}\n`);
    expect(await run(command)).toMatchObject({ exitCode: 0 });
  }
});

test('it reads a figure and silences the server', async () => {
  const memory = {
    total_bytes: 8e9,
    available_bytes: 1e9,
    used_bytes: 7e9,
    swap_total_bytes: 0,
    swap_used_bytes: 0,
  };
  const body = reportsBody(agent, app.clock.now(), [{ memory }]);
  expect(await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).toMatchObject({ status: 200 });
  const { exitCode, output } = await run('node silence-server.ts web-1 30');
  expect({ exitCode, lines: output.trim().split('\n') }).toEqual({
    exitCode: 0,
    lines: ['web-1: memory is at 87.5 % of 80 %', expect.stringMatching(/^silent until \d{4}-\d\d-\d\dT/)],
  });
  const { json } = await app.call('GET', '/api/alerts/silences', { token: user.token });
  expect(json.data).toMatchObject({ silences: [{ server_id: agent.serverId, comment: 'deployment' }] });
});

test('it says which value was refused', async () => {
  const { exitCode, output } = await run('node silence-server.ts web-1 0');
  expect(exitCode).toBe(1);
  expect(output).toContain('\nduration_seconds: must be at least 60. Use at least 60.\n');
  expect(await run('node silence-server.ts web-9 5')).toEqual({ exitCode: 1, output: 'No server is called web-9\n' });
});

test('the check fails for a field that the API does not have', async () => {
  const { exitCode, output } = await run('sed -i "s/server[.]id/server.uuid/" silence-server.ts && npm run check');
  expect(exitCode).not.toBe(0);
  expect(output).toContain("Property 'uuid' does not exist");
});
