import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { quantile } from './ingest/load.ts';

/** Sockets that send a byte of a header a second and never end it. */
const SOCKETS = 2000;
/** By then every one must be closed. */
const LIMIT_SECONDS = 20;
/** Longer than the limit, so that a failure shows by how much. */
const WATCH_SECONDS = 30;
const PROBE_EVERY_MS = 50;

interface Target {
  port: number;
  stop(): Promise<void>;
}
interface Outcome {
  what: string;
  opened: number;
  /** Seconds after which each socket was closed. */
  closed: number[];
  healthMs: number[];
  healthFailures: number;
}

const MAIN = fileURLToPath(new URL('../../api/src/main.ts', import.meta.url));

async function startProduct(): Promise<Target> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-slow-'));
  const port = 18_000 + (process.pid % 1000);
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      PLIMSOLL_DATA_DIR: dataDir,
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const ready = () =>
    fetch(`http://127.0.0.1:${String(port)}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error(`the API ended with ${String(child.exitCode)}`);
    await delay(100);
  }
  return {
    port,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The baseline: a bare Node server with the defaults of the same Node. */
async function startBare(): Promise<Target> {
  const server = createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Opens one socket; calls `onClose` with the seconds it lived. */
function dribble(port: number, onOpen: () => void, onClose: (seconds: number) => void): () => void {
  const socket = connect(port, '127.0.0.1');
  let opened = 0;
  let timer: NodeJS.Timeout | undefined;
  socket.once('connect', () => {
    opened = performance.now();
    onOpen();
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    timer = setInterval(() => socket.write('a'), 1000);
  });
  socket.on('error', () => {}).resume();
  socket.once('close', () => {
    clearInterval(timer);
    if (opened > 0) onClose((performance.now() - opened) / 1000);
  });
  return () => socket.destroy();
}

async function measure(what: string, target: Target): Promise<Outcome> {
  const outcome: Outcome = { what, opened: 0, closed: [], healthMs: [], healthFailures: 0 };
  let ours = false;
  const ends = Array.from({ length: SOCKETS }, () =>
    dribble(
      target.port,
      () => (outcome.opened += 1),
      (seconds) => {
        if (!ours) outcome.closed.push(seconds);
      },
    ),
  );
  const deadline = performance.now() + WATCH_SECONDS * 1000;
  while (performance.now() < deadline && outcome.closed.length < SOCKETS) {
    const begun = performance.now();
    const ok = await fetch(`http://127.0.0.1:${String(target.port)}/healthz`).then(
      async (answer) => (await answer.text()) !== '' && answer.ok,
      () => false,
    );
    if (ok) outcome.healthMs.push(performance.now() - begun);
    else outcome.healthFailures += 1;
    await delay(PROBE_EVERY_MS);
  }
  ours = true;
  for (const end of ends) end();
  return outcome;
}

function print({ what, opened, closed, healthMs, healthFailures }: Outcome): void {
  const sorted = healthMs.toSorted((a, b) => a - b);
  const last = closed.length === 0 ? 'none' : `${Math.max(...closed).toFixed(1)} s`;
  console.log(
    `${what}: ${String(opened)} opened, ${String(closed.length)} closed by the server, the last after ${last}; ` +
      `/healthz meanwhile p50 ${quantile(sorted, 0.5).toFixed(1)} ms, p99 ${quantile(sorted, 0.99).toFixed(1)} ms, ` +
      `${String(healthFailures)} of ${String(healthMs.length + healthFailures)} failed`,
  );
}

export const help = `2,000 slow clients against the API and, as the baseline, a Node server with its defaults. It takes no options.`;

export async function main(_argv: string[]): Promise<void> {
  for (const [what, start] of [
    ['Plimsoll', startProduct],
    ['bare Node server', startBare],
  ] as const) {
    const target = await start();
    const outcome = await measure(what, target);
    await target.stop();
    print(outcome);
    const late = outcome.closed.some((seconds) => seconds > LIMIT_SECONDS) || outcome.closed.length < outcome.opened;
    if (what === 'Plimsoll' && late) {
      console.error(`not all sockets were closed within ${String(LIMIT_SECONDS)} s`);
      process.exitCode = 1;
    }
  }
}
