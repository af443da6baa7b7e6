import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from '../../bench/ingest/load.ts';
import { ROOT } from '../../../lib/web-build.ts';
import { until } from '../../../e2e/product.ts';
import { enrolAgents, isReady, send, signIn, startApi, type ApiProcess } from '../api-process.ts';
import type { Fault } from '../fault.ts';
import { startCollectors } from '../load.ts';
import { acknowledgedIn, judge, readStored } from '../oracle.ts';
import { residentBytes } from '../process-memory.ts';
import { DOORS, type Caller, type Door } from './doors.ts';

const HOSTILE = 10;
const GOOD = 100;
/** Each good machine reports every so many seconds, so that a minute holds a thousand reports. */
const GOOD_SECONDS = 6;
/** Limit of the delay of the API's event loop, as the 99th percentile of a door's minute. */
const LIMIT_MS = 250;
const MEMORY_LIMIT = 150 * 2 ** 20;
const SAMPLE_MS = 200;
/** Settings of memory that `npm start` gives the API (scripts/start.mjs). */
const AS_STARTED = {
  NODE_OPTIONS: '--max-semi-space-size=2',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
};

interface Measured {
  door: string;
  p99: number;
  memory: number;
  statuses: Record<string, number>;
}

/** Reads the event loop's delay since the last reading, in milliseconds. */
async function loopP99(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds ([\d.e-]+)/m.exec(text)?.[1] ?? NaN) * 1000;
}

async function callersOf(api: ApiProcess, session: string): Promise<Record<Door['takes'], Caller[]>> {
  const agents = await enrolAgents(api.url, HOSTILE);
  const metrics = await send<{ data: { token: string } }>(
    'POST',
    `${api.url}/api/user/generate-auth-token`,
    { name: 'hostile', scopes: ['metrics'], expires_in_days: null },
    session,
  );
  const cluster = await send<{ data: { token: string } }>('POST', `${api.url}/api/user/cluster-tokens`, {}, session);
  const same = (token: string): Caller[] => agents.map(() => ({ token, serverId: randomUUID() }));
  return {
    agent: agents,
    metrics: same(metrics.data.token),
    cluster: same(cluster.data.token),
    session: same(session),
  };
}

/** Runs the senders of one door. Resolves with the counts of their answers. */
function attack(url: string, door: Door, callers: readonly Caller[], seconds: number): Promise<Record<string, number>> {
  const script = join(ROOT, 'scripts/lab/faults/intake/sender.ts');
  const child = spawn('nice', ['-n', '19', process.execPath, script, url, door.name, String(seconds)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(callers));
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0
        ? resolve(JSON.parse(text) as Record<string, number>)
        : reject(new Error(`the senders of ${door.name} ended with ${String(code)}`)),
    );
  });
}

async function measure(api: ApiProcess, door: Door, callers: readonly Caller[], seconds: number): Promise<Measured> {
  const before = residentBytes(api.pid());
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, residentBytes(api.pid()))), SAMPLE_MS);
  await loopP99(api.url);
  try {
    const statuses = await attack(api.url, door, callers, seconds);
    return { door: door.name, p99: await loopP99(api.url), memory: most - before, statuses };
  } finally {
    clearInterval(sampling);
  }
}

const megabytes = (size: number): string => (size / 2 ** 20).toFixed(0);
const described = ({ door, p99, memory, statuses }: Measured): string =>
  `${door}: event loop p99 ${p99.toFixed(0)} ms, +${megabytes(memory)} MB, ${Object.entries(statuses)
    .map(([status, count]) => `${String(count)} × ${status}`)
    .join(', ')}`;

/** A door that answers 500, loses a connection, or holds the loop or memory for longer than others may wait. */
const isBroken = ({ p99, memory, statuses }: Measured): boolean =>
  !(p99 <= LIMIT_MS) ||
  memory > MEMORY_LIMIT ||
  Object.keys(statuses).some((status) => status === '500' || status === 'lost');

/** Ten hostile senders at one door after the other, beside a hundred machines that report as they should. */
export const intake: Fault = {
  name: 'intake',
  does: '10 senders at nice 19 send the costliest bodies known through one door after the other, a minute each, beside 100 machines that report every 6 s',
  minutes: 12,
  run: async ({ isQuick, log }) => {
    const api = await startApi(AS_STARTED);
    try {
      const session = await signIn(api.url);
      const callers = await callersOf(api, session);
      const folder = join(api.dataDir, 'load');
      mkdirSync(folder);
      writeFileSync(join(folder, 'agents.json'), JSON.stringify(await enrolAgents(api.url, GOOD)));
      const good = startCollectors(folder, api.url, GOOD_SECONDS);
      await until('the first reports', () => acknowledgedIn(folder).length >= GOOD, 120);
      const measured: Measured[] = [];
      for (const door of DOORS) {
        const one = await measure(api, door, callers[door.takes], isQuick ? 5 : 60);
        measured.push(one);
        log(described(one));
      }
      await until('the API', () => isReady(api.url));
      await good.end('SIGTERM');
      await api.halt();
      const { isHeld, figures } = judge(
        acknowledgedIn(folder),
        await readStored(
          api.dataDir,
          callers.agent.map(({ serverId }) => serverId),
        ),
      );
      const broken = measured.filter(isBroken).map(({ door }) => door);
      const worst = quantile(
        measured.map(({ p99 }) => p99).toSorted((a, b) => a - b),
        1,
      );
      const memory = Math.max(...measured.map((one) => one.memory));
      return {
        isHeld: isHeld && broken.length === 0,
        figures: `${figures}; event loop p99 at most ${worst.toFixed(0)} ms, memory at most +${megabytes(memory)} MB${broken.length === 0 ? '' : `; over a limit: ${broken.join(', ')}`}`,
      };
    } finally {
      await api.remove();
    }
  },
};
