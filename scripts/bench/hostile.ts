import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { quantile } from './ingest/load.ts';

const AGENTS = 10;
/** Requests of each agent, one after the other, each with texts of its own. */
const ROUNDS = 3;
const PROBE_EVERY_MS = 20;
/** `/healthz` at the 99th percentile. */
const LIMIT_MS = 250;
const REPORTS_A_REQUEST = 120;
const EMAIL = 'hostile@example.com';
const PASSWORD = 'a password of the benchmark';

const MAIN = fileURLToPath(new URL('../../api/src/main.ts', import.meta.url));

interface Api {
  origin: string;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The product's own API with its embedded database, in a process of its own. */
async function startApi(): Promise<Api> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-hostile-'));
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      PLIMSOLL_DATA_DIR: dataDir,
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_LOG_LEVEL: 'error',
      PLIMSOLL_ADMIN_EMAIL: EMAIL,
      PLIMSOLL_ADMIN_PASSWORD: PASSWORD,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const origin = `http://127.0.0.1:${String(port)}`;
  const isReady = (): Promise<boolean> =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the API ended with ${String(child.exitCode)}`);
    await delay(100);
  }
  return {
    origin,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function post(url: string, body: unknown, token?: string): Promise<Record<string, unknown>> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(answer)}`);
  return (answer['data'] ?? answer) as Record<string, unknown>;
}

interface Agent {
  serverId: string;
  token: string;
}

async function enrolAgents(origin: string): Promise<Agent[]> {
  const session = await post(`${origin}/api/auth/local`, { email: EMAIL, password: PASSWORD });
  const issued = await post(`${origin}/api/user/enrolment-tokens`, {}, String(session['token']));
  const agents: Agent[] = [];
  for (let index = 0; index < AGENTS; index += 1) {
    const enrolled = await post(`${origin}/api/agent/v1/enrol`, {
      enrolment_token: issued['token'],
      machine_hash: index.toString(16).padStart(64, '0'),
      hostname: `hostile-${String(index)}`,
    });
    agents.push({ serverId: String(enrolled['server_id']), token: String(enrolled['agent_token']) });
  }
  return agents;
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Parts of one report, each near the limit of 8 MiB a request. `id` makes its texts differ from all others. */
const WORST: Record<string, (id: string) => Record<string, unknown>> = {
  'distinct command lines': (id) => ({
    processes: times(97, (index) => ({
      pid: index,
      name: `worker-${String(index)}`,
      command: `${id}.${String(index)} ${'--a '.repeat(128)}`.slice(0, 512),
      user: 'root',
      status: 'S',
      cpu_percent: 1,
      memory_percent: 1,
      memory_bytes: 1,
      threads: 1,
      started_at: 1,
    })),
  }),
  'distinct events': (id) => ({
    events: times(330, (index) => ({
      id: `${id}.${String(index)}`,
      event_type: 'process_start',
      service_name: null,
      process_name: null,
      message: `${id}.${String(index)} token=a `,
      severity: 'info',
      ts: 1_700_000_000,
    })),
  }),
  'many small values': (id) => ({
    filesystems: times(200, (index) => ({
      mount: `/${id}/${String(index)}`,
      device: `\u00e4${id}`,
      type: 'x',
      size_bytes: 2,
      used_bytes: 1,
      available_bytes: 1,
      inodes_total: 1,
      inodes_used: 1,
    })),
    cpu: {
      percent: 1,
      io_wait_percent: 1,
      steal_percent: 1,
      user_percent: 1,
      system_percent: 1,
      per_core_percent: times(4096, () => 1.5),
    },
  }),
};
const KINDS = Object.keys(WORST);

function bodyOf({ serverId }: Agent, round: number): Uint8Array {
  const parts = WORST[KINDS[round % KINDS.length] ?? ''] ?? (() => ({}));
  const up = 1e6;
  const now = Date.now() / 1000;
  const reports = times(REPORTS_A_REQUEST, (index) => ({
    seq: round * REPORTS_A_REQUEST + index + 1,
    ts: now,
    up: up - index,
    kind: 'host',
    window_seconds: 60,
    ...parts(`${serverId.slice(0, 8)}.${String(round)}.${String(index)}`),
  }));
  const head = { v: 1, server_id: serverId, stream_id: serverId.replaceAll('-', ''), boot_id: 'bench', sent_at: now };
  return new Uint8Array(gzipSync(JSON.stringify({ ...head, up_now: up, reports })));
}

interface Outcome {
  status: string;
  seconds: number;
}

async function send(origin: string, { token }: Agent, body: Uint8Array<ArrayBuffer>): Promise<Outcome> {
  const begun = performance.now();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  };
  const status = await fetch(`${origin}/api/agent/v1/reports`, { method: 'POST', headers, body }).then(
    async (response) => {
      const { code } = (await response.json()) as { code?: string };
      return `${String(response.status)}${code === undefined ? '' : ` ${code}`}`;
    },
    () => 'connection lost',
  );
  return { status, seconds: (performance.now() - begun) / 1000 };
}

async function probe(origin: string, isOver: () => boolean): Promise<{ sorted: number[]; failures: number }> {
  const latencies: number[] = [];
  let failures = 0;
  while (!isOver()) {
    const begun = performance.now();
    const ok = await fetch(`${origin}/healthz`).then(
      async (response) => (await response.text()) !== '' && response.ok,
      () => false,
    );
    if (ok) latencies.push(performance.now() - begun);
    else failures += 1;
    await delay(PROBE_EVERY_MS);
  }
  return { sorted: latencies.toSorted((a, b) => a - b), failures };
}

async function attack(origin: string): Promise<boolean> {
  const agents = await enrolAgents(origin);
  const requests = agents.map((agent) => times(ROUNDS, (round) => Uint8Array.from(bodyOf(agent, round))));
  const largest = Math.max(...requests.flat().map(({ length }) => length));
  console.log(`${String(AGENTS)} agents, ${String(ROUNDS)} requests each, at most ${String(largest)} bytes of gzip`);
  let isOver = false;
  const probing = probe(origin, () => isOver);
  const outcomes = await Promise.all(
    agents.map(async (agent, index) => {
      const own: Outcome[] = [];
      for (const body of requests[index] ?? []) own.push(await send(origin, agent, body));
      return own;
    }),
  );
  isOver = true;
  const { sorted, failures } = await probing;
  KINDS.forEach((kind, round) => {
    const ofKind = outcomes.flatMap((own) => own.filter((_, index) => index % KINDS.length === round));
    const counts = Map.groupBy(ofKind, ({ status }) => status);
    const statuses = [...counts].map(([status, { length }]) => `${String(length)} × ${status}`).join(', ');
    console.log(`${kind}: ${statuses}; longest ${Math.max(...ofKind.map(({ seconds }) => seconds)).toFixed(1)} s`);
  });
  const p99 = quantile(sorted, 0.99);
  console.log(
    `/healthz meanwhile: ${String(sorted.length)} answers, p50 ${quantile(sorted, 0.5).toFixed(1)} ms, ` +
      `p99 ${p99.toFixed(1)} ms, max ${(sorted.at(-1) ?? 0).toFixed(1)} ms, ${String(failures)} failed`,
  );
  return p99 <= LIMIT_MS && failures === 0;
}

export const help = `Ten agents that send the costliest requests within the limits, and /healthz meanwhile. It takes no options.`;

export async function main(_argv: string[]): Promise<void> {
  const api = await startApi();
  try {
    if (await attack(api.origin)) return;
    console.error(`/healthz took longer than ${String(LIMIT_MS)} ms at the 99th percentile`);
    process.exitCode = 1;
  } finally {
    await api.stop();
  }
}
