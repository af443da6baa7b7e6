import { gzipSync } from 'node:zlib';
import { enrolAgents, startApi, type AgentCredentials } from './api-process.ts';
import type { Fault } from './fault.ts';
import { describeProbe, startProbe } from './probe.ts';

const AGENTS = 10;
/** Requests of each agent, one after the other, each with texts of its own. */
const ROUNDS = 3;
/** `/healthz` at the 99th percentile. */
const LIMIT_MS = 250;
const REPORTS_A_REQUEST = 120;

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

function bodyOf({ serverId }: AgentCredentials, round: number): Uint8Array {
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

async function send(origin: string, { token }: AgentCredentials, body: Uint8Array<ArrayBuffer>): Promise<Outcome> {
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

/** Ten agents that send the costliest requests within the limits, and `/healthz` meanwhile. */
export const flood: Fault = {
  name: 'flood',
  does: '10 agents send the costliest requests that the limits allow, at most 8 MiB unpacked each',
  minutes: 2,
  run: async ({ log }) => {
    const api = await startApi();
    try {
      const agents = await enrolAgents(api.url, AGENTS);
      const requests = agents.map((agent) => times(ROUNDS, (round) => Uint8Array.from(bodyOf(agent, round))));
      const probe = startProbe(`${api.url}/healthz`);
      const outcomes = await Promise.all(
        agents.map(async (agent, index) => {
          const own: Outcome[] = [];
          for (const body of requests[index] ?? []) own.push(await send(api.url, agent, body));
          return own;
        }),
      );
      const health = await probe.stop();
      KINDS.forEach((kind, round) => {
        const ofKind = outcomes.flatMap((own) => own.filter((_, index) => index % KINDS.length === round));
        const counts = Map.groupBy(ofKind, ({ status }) => status);
        const statuses = [...counts].map(([status, { length }]) => `${String(length)} × ${status}`).join(', ');
        log(`${kind}: ${statuses}; longest ${Math.max(...ofKind.map(({ seconds }) => seconds)).toFixed(1)} s`);
      });
      const unexpected = outcomes.flat().filter(({ status }) => !/^(?:200|413|429|503)/.test(status)).length;
      return {
        isHeld: health.p99 <= LIMIT_MS && health.failures === 0 && unexpected === 0,
        figures: `/healthz meanwhile: ${describeProbe(health)}; ${String(unexpected)} of ${String(outcomes.flat().length)} answers other than 200, 413, 429 or 503`,
      };
    } finally {
      await api.remove();
    }
  },
};
