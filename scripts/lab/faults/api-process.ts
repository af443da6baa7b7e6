import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { freePort, until } from '../../e2e/product.ts';
import { ROOT } from '../../lib/web-build.ts';

export const ADMIN = { email: 'ops@example.com', password: 'correct horse battery' };

export interface AgentCredentials {
  serverId: string;
  token: string;
}

/** The API with its embedded database, in processes of its own. It is started again whenever something kills it. */
export interface ApiProcess {
  url: string;
  port: number;
  dataDir: string;
  /** Process id of the API that runs now. */
  pid(): number;
  /** Process id of the database's postmaster. */
  postmaster(): number;
  /** Ends the API and does not start it again. */
  halt(signal?: NodeJS.Signals): Promise<void>;
  /** Starts the API that was halted. */
  start(): Promise<void>;
  /** Ends everything and removes the folder. */
  remove(): Promise<void>;
}

export async function startApi(env: Record<string, string> = {}): Promise<ApiProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-faults-'));
  // As root the embedded database runs as another user, who must be able to pass through.
  chmodSync(dataDir, 0o711);
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  let isHalted = false;
  let child: ChildProcess;
  let ended: Promise<void>;
  const begin = (): void => {
    child = spawn(process.execPath, [join(ROOT, 'api/src/main.ts')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        PLIMSOLL_PORT: String(port),
        PLIMSOLL_DATA_DIR: dataDir,
        PLIMSOLL_LOG_LEVEL: 'fatal',
        PLIMSOLL_ADMIN_EMAIL: ADMIN.email,
        PLIMSOLL_ADMIN_PASSWORD: ADMIN.password,
        ...env,
      },
    });
    ended = new Promise((resolve) => {
      child.once('exit', () => {
        if (!isHalted) begin();
        resolve();
      });
    });
  };
  const start = async (): Promise<void> => {
    isHalted = false;
    begin();
    await until('the API', () => isReady(url));
  };
  const halt = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    isHalted = true;
    child.kill(signal);
    await ended;
  };
  await start();
  return {
    url,
    port,
    dataDir,
    pid: () => child.pid ?? 0,
    postmaster: () => postmasterIn(dataDir),
    halt,
    start,
    remove: async () => {
      await halt();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok === true;
}

/** Reads the process id of the postmaster from the file that it keeps in its cluster. */
function postmasterIn(dataDir: string): number {
  const [file] = globSync('**/postmaster.pid', { cwd: dataDir });
  if (file === undefined) throw new Error(`there is no postmaster.pid below ${dataDir}`);
  return Number(readFileSync(join(dataDir, file), 'utf8').split('\n', 1)[0]);
}

/** Sends a request and waits as long as the API says when it limits the rate. Throws on any other refusal. */
export async function send<T>(
  method: string,
  url: string,
  body: unknown,
  token?: string,
  more: Record<string, string> = {},
): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...more,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  for (;;) {
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text) as T;
    if (answer.status !== 429) throw new Error(`${url} answered ${String(answer.status)}: ${text.slice(0, 300)}`);
    await new Promise((next) => setTimeout(next, Number(answer.headers.get('retry-after') ?? 1) * 1000));
  }
}
const post = <T>(url: string, body: unknown, token?: string): Promise<T> => send('POST', url, body, token);

export async function signIn(url: string): Promise<string> {
  const { data } = await post<{ data: { token: string } }>(`${url}/api/auth/local`, ADMIN);
  return data.token;
}

/** Enrols servers as their collectors do. */
export async function enrolAgents(url: string, count: number): Promise<AgentCredentials[]> {
  const session = await signIn(url);
  const { data } = await post<{ data: { token: string } }>(`${url}/api/user/enrolment-tokens`, {}, session);
  const agents: AgentCredentials[] = [];
  for (let index = 0; index < count; index += 1) {
    const answer = await post<{ server_id: string; agent_token: string }>(`${url}/api/agent/v1/enrol`, {
      enrolment_token: data.token,
      machine_hash: randomBytes(32).toString('hex'),
      hostname: `faults-${String(index)}`,
    });
    agents.push({ serverId: answer.server_id, token: answer.agent_token });
  }
  return agents;
}
