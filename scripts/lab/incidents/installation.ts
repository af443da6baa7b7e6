import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { AlertRulesAnswer } from '@plimsoll/contract/wire/alert-rules';

/** Seconds between two reports; the default is 60. */
export const REPORT_SECONDS = 10;
/** The rules of the lab wait this part of the defaults. */
export const WAIT_DIVISOR = 6;
const ACCOUNT = { email: 'operator@example.com', password: 'a long password for the lab' };
const READY_SECONDS = 120;

/** The API of the working tree with a database of its own, used over HTTP as a person with a token does. */
export interface Installation {
  url: string;
  /** Commit that runs. */
  commit: string;
  /** Returns `data` of an answer; null if the path is not there. Throws with the answer when it failed. */
  get<T>(path: string): Promise<T | null>;
  post<T>(path: string, body: object): Promise<T>;
  remove(path: string, body?: object): Promise<void>;
  stop: () => Promise<void>;
}

export interface Place {
  /** The product whose API runs: the folder of a checkout. */
  app: string;
  /** Address that hosts and clusters of the lab reach. */
  host: string;
  port: number;
  /** Keeps the database between two runs. */
  folder: string;
  /** Folder of the install kits. */
  agentDir?: string;
  /** Networks that checks may reach. */
  checkNetworks: string;
}

async function call(
  url: string,
  token: string | null,
  init: RequestInit = {},
): Promise<{ status: number; text: string }> {
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    'content-type': 'application/json',
  };
  const send = () => fetch(url, { headers, signal: AbortSignal.timeout(30_000), ...init });
  // The server may close an idle socket at the moment that the client uses it again.
  const answer = await send().catch(send);
  return { status: answer.status, text: await answer.text() };
}

const TRIES = 6;
const PAUSE_MS = 8000;

/** Repeats a GET while the API answers that it is busy, as the page of an incident does. */
async function read(url: string, token: string): Promise<{ status: number; text: string }> {
  for (let tries = 1; ; tries++) {
    const answer = await call(url, token);
    if (answer.status !== 503 || tries === TRIES) return answer;
    await setTimeout(PAUSE_MS);
  }
}

/** Returns `data` of an answer as JSON. Throws with the answer when it failed. */
function dataOf(what: string, { status, text }: { status: number; text: string }): unknown {
  if (status >= 400) throw new Error(`${what}: ${String(status)} ${text.slice(0, 500)}`);
  return (JSON.parse(text) as { data: unknown }).data;
}

/** Starts the API and signs in. Its log goes to `api.log` in the folder. */
export async function startInstallation(place: Place): Promise<Installation> {
  const { host, port, folder } = place;
  mkdirSync(folder, { recursive: true });
  // The database's own user passes through.
  chmodSync(folder, 0o711);
  const url = `http://${host}:${String(port)}`;
  const child = startApi(place);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  await untilReady(url, child);
  const signedIn = await call(`${url}/api/auth/local`, null, { method: 'POST', body: JSON.stringify(ACCOUNT) });
  const { token } = dataOf('sign-in', signedIn) as { token: string };
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: place.app, encoding: 'utf8' }).trim();
  return {
    url,
    commit,
    stop,
    async get<T>(path: string) {
      const answer = await read(url + path, token);
      return answer.status === 404 ? null : (dataOf(path, answer) as T);
    },
    async remove(path, body) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      dataOf(path, await call(url + path, token, { method: 'DELETE', ...sent }));
    },
    async post<T>(path: string, body: object) {
      return dataOf(path, await call(url + path, token, { method: 'POST', body: JSON.stringify(body) })) as T;
    },
  };
}

function startApi({ app, host, port, folder, agentDir, checkNetworks }: Place): ChildProcess {
  const log = createWriteStream(join(folder, 'api.log'), { flags: 'a' });
  const child = spawn(process.execPath, [join(app, 'api/src/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PLIMSOLL_HOST: host,
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_DATA_DIR: join(folder, 'state'),
      PLIMSOLL_REPORT_INTERVAL_SECONDS: String(REPORT_SECONDS),
      PLIMSOLL_CHECK_NETWORKS: checkNetworks,
      PLIMSOLL_ADMIN_EMAIL: ACCOUNT.email,
      PLIMSOLL_ADMIN_PASSWORD: ACCOUNT.password,
      ...(agentDir === undefined ? {} : { PLIMSOLL_AGENT_DIR: agentDir }),
    },
  });
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  return child;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_SECONDS * 1000;
  for (;;) {
    if (child.exitCode !== null) throw new Error('the API ended; its reason is in api.log of the folder');
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (Date.now() > deadline) throw new Error(`the API was not ready after ${String(READY_SECONDS)} s`);
    await setTimeout(500);
  }
}

/** Writes each default rule anew with a sixth of its waits, once. `without`: metrics that the lab switches off. */
export async function shortenRules(installation: Installation, without: readonly string[] = []): Promise<number> {
  const answer = await installation.get<AlertRulesAnswer>('/api/alerts/rules');
  if (answer === null) throw new Error('GET /api/alerts/rules is not there');
  const written = new Set(answer.rules.map(({ metric }) => metric));
  const wanted = answer.defaults.filter(({ metric, enabled }) => enabled && !written.has(metric));
  for (const { metric, lines, for_seconds, keep_firing_for_seconds, hysteresis_points } of wanted)
    await installation.post('/api/alerts/rules', {
      metric,
      target: 'all',
      lines,
      for_seconds: Math.ceil(for_seconds / WAIT_DIVISOR),
      keep_firing_for_seconds: Math.ceil(keep_firing_for_seconds / WAIT_DIVISOR),
      hysteresis_points,
      enabled: !without.includes(metric),
    });
  return wanted.length;
}
