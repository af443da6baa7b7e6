import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../api/src/database/connection.ts';
import { startEmbedded } from '../../api/src/database/embedded/start-embedded.ts';
import { ROOT } from '../lib/web-build.ts';
import { freePort, until } from './product.ts';
import { query } from './query.ts';

const AGENTS = 50;
const SECONDS = 60;
const VICTIMS = ['postmaster', 'api', 'collectors'] as const;

interface Kept {
  process(): ChildProcess;
  stop(signal: NodeJS.Signals): Promise<void>;
}

/** A process that is started again whenever something kills it. */
function keep(args: string[], env: Record<string, string>): Kept {
  let stopping = false;
  let ended = Promise.resolve();
  const begin = (): ChildProcess => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    });
    child.stdout.resume();
    ended = new Promise((resolve) => {
      child.once('exit', () => {
        if (!stopping) current = begin();
        resolve();
      });
    });
    return child;
  };
  let current = begin();
  return {
    process: () => current,
    async stop(signal) {
      stopping = true;
      current.kill(signal);
      await ended;
    },
  };
}

async function json<T>(url: string, path: string, body: unknown, token?: string): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function enrolAgents(
  url: string,
  admin: { email: string; password: string },
): Promise<{ serverId: string; token: string }[]> {
  const session = await json<{ data: { token: string } }>(url, '/api/auth/local', admin);
  const enrolment = await json<{ data: { token: string } }>(url, '/api/user/enrolment-tokens', {}, session.data.token);
  const agents: { serverId: string; token: string }[] = [];
  for (let n = 0; n < AGENTS; n++) {
    const body = {
      enrolment_token: enrolment.data.token,
      machine_hash: randomBytes(32).toString('hex'),
      hostname: `load-${String(n)}`,
    };
    const answer = await json<{ server_id: string; agent_token: string }>(url, '/api/agent/v1/enrol', body);
    agents.push({ serverId: answer.server_id, token: answer.agent_token });
  }
  return agents;
}

/** Pid of the bundled database's postmaster, from the file it keeps in its cluster. */
function postmaster(dataDir: string): number {
  const [file] = globSync('**/postmaster.pid', { cwd: dataDir });
  if (!file) throw new Error(`no postmaster.pid below ${dataDir}`);
  return Number(readFileSync(join(dataDir, file), 'utf8').split('\n', 1)[0]);
}

const isReady = async (url: string): Promise<boolean> => {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok === true;
};

test(`kill -9 of postmaster, API and collectors in turn under ${String(AGENTS)} reports a second loses nothing acknowledged`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-kill-'));
  chmodSync(dataDir, 0o711);
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  const admin = { email: 'ops@example.com', password: 'correct horse battery' };
  const api = keep([join(ROOT, 'api/src/main.ts')], {
    DATABASE_URL: '',
    PLIMSOLL_PORT: String(port),
    PLIMSOLL_DATA_DIR: dataDir,
    PLIMSOLL_ADMIN_EMAIL: admin.email,
    PLIMSOLL_ADMIN_PASSWORD: admin.password,
    PLIMSOLL_REPORT_INTERVAL_SECONDS: '1',
  });
  onTestFinished(() => api.stop('SIGKILL'));
  await until('the API', () => isReady(url));
  const folder = join(dataDir, 'load');
  const agents = await enrolAgents(url, admin);
  mkdirSync(folder);
  writeFileSync(join(folder, 'agents.json'), JSON.stringify(agents));
  const collectors = keep([join(ROOT, 'scripts/e2e/load-collectors.ts'), folder, url], {});
  onTestFinished(() => collectors.stop('SIGKILL'));

  const kills = { postmaster: 0, api: 0, collectors: 0 };
  const acked = () =>
    existsSync(join(folder, 'acked.log')) ? readFileSync(join(folder, 'acked.log'), 'utf8').trim().split('\n') : [];
  const until60 = Date.now() + SECONDS * 1000;
  // Where a start takes long, each has its turn all the same.
  for (let turn = 0; Date.now() < until60 || turn < VICTIMS.length; turn++) {
    const before = acked().length;
    await until('new acknowledgements', () => acked().length > before + AGENTS);
    const victim = VICTIMS[turn % VICTIMS.length] ?? 'api';
    if (victim === 'postmaster') process.kill(postmaster(dataDir), 'SIGKILL');
    else (victim === 'api' ? api : collectors).process().kill('SIGKILL');
    kills[victim] += 1;
  }
  await until('the API to be back', () => isReady(url));
  await collectors.stop('SIGTERM');
  await api.stop('SIGTERM');

  const database = await startEmbedded({ dataDir, logger: silentLogger });
  onTestFinished(() => database.stop());
  const rows = await query<{ key: string }>(
    database.connection,
    `SELECT v.id || ' ' || replace(r.stream_id::text, '-', '') || ' ' || l.seq AS key
       FROM report_ledger l JOIN report_stream r ON r.key = l.stream_key JOIN server v ON v.key = r.server_key
       JOIN host_sample s ON s.server_key = v.key AND s.ts = l.sample_at`,
  );
  const stored = new Set(rows.map(({ key }) => key));
  const acknowledged = new Set(acked());
  const lost = [...acknowledged].filter((key) => !stored.has(key));
  console.log(
    `kills ${JSON.stringify(kills)}; acknowledged ${String(acknowledged.size)}, stored ${String(stored.size)}, acknowledged but not stored ${String(lost.length)}`,
  );
  expect(Object.values(kills).every((count) => count > 0)).toBe(true);
  expect(lost).toEqual([]);
  expect(stored.size).toBe(rows.length);
});
