/**
 * Many collectors in one process, each with the real spool on disk and the real sender. Every seq the API acknowledged is
 * written to `acked.log` before the spool forgets it. Run: load-collectors.ts FOLDER URL [SECONDS]; SECONDS is the time
 * between two reports, 1 unless given. FOLDER holds agents.json, a list of {serverId, token}, and perhaps `hot`, the
 * number of agents at the start of the list whose CPU is busy, `silent`, the number at its end that do not report, and
 * `processes`, the number of processes in each report.
 * SIGTERM: no new reports, ends when all spools are empty and all losses declared.
 * Each report has a number of its own as its load, so that one that is stored twice is found.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskAt } from '../../../collector/src/runtime/disk.ts';
import { apiAt } from '../../../collector/src/send/http.ts';
import { Sender } from '../../../collector/src/send/sender.ts';
import { Spool } from '../../../collector/src/send/spool.ts';

const [folder = '.', url = '', seconds = '1'] = process.argv.slice(2);
const intervalMs = Number(seconds) * 1000;
const agents = JSON.parse(readFileSync(join(folder, 'agents.json'), 'utf8')) as { serverId: string; token: string }[];
const upAtStart = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) - performance.now() / 1000;
const clock = { wall: () => Date.now() / 1000, up: () => upAtStart + performance.now() / 1000 };
const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

const STARTS = join(folder, 'starts.log');
/** Reports between two starts, at most. A load is stored as a float4, which holds 2^24 of them: 838 starts. */
const REPORTS_A_START = 20_000;
let nextReport = (existsSync(STARTS) ? readFileSync(STARTS, 'utf8').length : 0) * REPORTS_A_START;
appendFileSync(STARTS, '.');

let stopping = false;
process.on('SIGTERM', () => (stopping = true));

const numberIn = (name: string): number => {
  const file = join(folder, name);
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
};
let [hot, silent] = [numberIn('hot'), numberIn('silent')];
setInterval(() => ([hot, silent] = [numberIn('hot'), numberIn('silent')]), 500).unref();
/** As a busy host sends them: about 240 bytes each. */
const processes = Array.from({ length: numberIn('processes') }, (_, index) => ({
  pid: index + 1,
  name: `worker-${String(index)}`,
  command: `/usr/bin/worker-${String(index)} --queue=${randomBytes(4).toString('hex')} --shard ${String(index)}`,
  user: 'www-data',
  status: 'S',
  cpu_percent: index,
  memory_percent: 0.5,
  memory_bytes: 1_000_000 + index * 4096,
  threads: 4,
  started_at: Math.floor(clock.wall()) - 1000,
}));
const cpuOf = (index: number) => ({
  percent: index < hot ? 97 : 5,
  io_wait_percent: 0,
  steal_percent: 0,
  user_percent: 0,
  system_percent: 0,
  per_core_percent: [],
});

function collectorOf({ serverId, token }: { serverId: string; token: string }) {
  const place = join(folder, serverId);
  mkdirSync(place, { recursive: true });
  const spool = new Spool({ disk: diskAt(place), newStream: () => randomBytes(16).toString('hex') });
  const settle = spool.settle.bind(spool);
  spool.settle = (stream, upto, also) => {
    const acked = spool.entries.filter((one) => one.stream === stream && (one.seq <= upto || also.includes(one.seq)));
    appendFileSync(
      join(folder, 'acked.log'),
      acked.map((one) => `${serverId} ${stream} ${String(one.seq)}\n`).join(''),
    );
    settle(stream, upto, also);
  };
  const sender = new Sender(
    {
      api: apiAt(url, (address, init) => fetch(address, init), 'load'),
      spool,
      clock,
      random: Math.random,
      log: () => undefined,
      bootId,
      credentials: { server_id: serverId, agent_token: token },
      keep: () => undefined,
      reload: () => null,
      enrolAsClone: () => Promise.reject(new Error('no clone here')),
      onInterval: () => undefined,
    },
    Number(seconds),
  );
  return { spool, sender };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Longest wait before a collector looks at `stopping`. */
const LOOK_MS = 5000;

async function run({ spool, sender }: ReturnType<typeof collectorOf>, index: number): Promise<void> {
  for (let next = Date.now() + Math.random() * intervalMs; ;) {
    if (!stopping && Date.now() >= next) {
      next += intervalMs;
      if (index >= agents.length - silent) continue;
      const load = { one: nextReport++, five: 1, fifteen: 1 };
      const taken = { ts: clock.wall(), up: clock.up(), kind: 'host' as const, window_seconds: 1 };
      const lists = processes.length > 0 ? { processes } : {};
      await spool.append({ ...taken, load, cpu: cpuOf(index), ...lists }, bootId);
    }
    // A gap or a backoff that is due within this interval must not cost another one.
    sender.dueAt = Math.min(sender.dueAt, clock.up() + intervalMs / 1000);
    await sender.step();
    if (stopping && spool.entries.length === 0 && spool.dropped.streams().length === 0) return;
    const dueMs = spool.entries.length === 0 ? Infinity : (sender.dueAt - clock.up()) * 1000;
    await pause(Math.min(LOOK_MS, Math.max(10, Math.min(dueMs, next - Date.now()))));
  }
}

await Promise.all(agents.map((agent, index) => run(collectorOf(agent), index)));
