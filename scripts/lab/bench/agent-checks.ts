import type { CollectorCheck } from '@plimsoll/contract/wire/check-probes';
import { makeAuthority } from '@plimsoll/contract/testing/check-targets';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createPlain } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { collectorRuntime } from '../../lib/collector-runtime.ts';
import { acceptor } from './agent/acceptor.ts';
import { buildProgram } from './agent/measure.ts';
import { cpuMs, endTree, memoryOf, treeOf } from './agent/process-tree.ts';
import { quantile } from './ingest/load.ts';

const PATIENCE_MS = 3000;
const SETTLE_MS = 25_000;
/** A usual set: what a page needs, and a part of it without encryption. */
const KINDS = { https: 60, http: 20, tcp: 20 } as const;

interface Ports {
  plain: number;
  secure: number;
}

/** `many` sends as many as a collector accepts, as often as it accepts them. */
type State = 'without' | 'usual' | 'many';
const STATES: Record<State, { checks: number; everySeconds: number; words: string }> = {
  without: { checks: 0, everySeconds: 60, words: 'no opt-in' },
  usual: { checks: 100, everySeconds: 60, words: '100 checks a minute' },
  many: { checks: 200, everySeconds: 20, words: '200 checks each 20 s' },
};

function checksOf(state: State, { plain, secure }: Ports): CollectorCheck[] {
  const { checks, everySeconds } = STATES[state];
  const every = { timeout_ms: 5000, ip_version: '4' } as const;
  const web = (url: string): CollectorCheck['probe'] => ({
    ...every,
    kind: 'http',
    url,
    method: 'GET',
    headers: {},
    body: null,
    statuses: [[200, 299]],
    expect: null,
    follow_redirects: true,
    ignore_certificate: true,
  });
  const probeOf = (index: number): CollectorCheck['probe'] => {
    const share = ((index % 100) * 37) % 100;
    if (share < KINDS.https) return web(`https://127.0.0.1:${String(secure)}/health`);
    if (share < KINDS.https + KINDS.http) return web(`http://127.0.0.1:${String(plain)}/health`);
    return { ...every, kind: 'tcp', host: '127.0.0.1', port: plain, expect: null };
  };
  return Array.from({ length: checks }, (_, index) => ({
    check_id: randomUUID(),
    check_rev: 1,
    interval_seconds: everySeconds,
    probe: probeOf(index),
  }));
}

interface Measured {
  state: State;
  cpuMsPerMinute: number;
  privateMb: number;
  rssMb: number;
  resultsPerMinute: number;
}

async function measure(program: string, state: State, ports: Ports, seconds: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-checks-'));
  const api = await acceptor(checksOf(state, ports));
  const env = {
    ...collectorRuntime(),
    PATH: '/usr/bin:/bin:/usr/sbin',
    HOME: folder,
    PLIMSOLL_URL: `http://127.0.0.1:${String(api.port)}`,
    PLIMSOLL_STATE_DIR: folder,
    PLIMSOLL_ENROLMENT_TOKEN: 'bench',
    PLIMSOLL_CLOUD_METADATA: 'false',
    PLIMSOLL_CHECKS: String(state !== 'without'),
    PLIMSOLL_CHECK_NETWORKS: '127.0.0.0/8',
  };
  const child: ChildProcess = spawn(program, ['run'], { env, stdio: 'ignore' });
  const pid = child.pid ?? 0;
  try {
    await delay(SETTLE_MS);
    const [before, results] = [cpuMs(treeOf(pid)), api.results()];
    const begun = performance.now();
    await delay(seconds * 1000);
    const minutes = (performance.now() - begun) / 60_000;
    if (child.exitCode !== null) throw new Error(`the collector ended with ${String(child.exitCode)}`);
    const cpuMsPerMinute = (cpuMs(treeOf(pid)) - before) / minutes;
    return { state, cpuMsPerMinute, ...memoryOf([pid]), resultsPerMinute: (api.results() - results) / minutes };
  } finally {
    await endTree(pid, PATIENCE_MS);
    api.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

const show = (values: readonly number[], digits: number): string => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string => quantile(sorted, share).toFixed(digits);
  return `${at(0.5)} (${at(0)}–${at(1)})`.padStart(24);
};

function print(rows: readonly Measured[]): void {
  const columns = ['CPU ms a minute', 'private MB', 'RSS MB', 'results a minute'];
  console.log(`${''.padEnd(22)}${columns.map((name) => name.padStart(24)).join('')}`);
  for (const [state, { words }] of Object.entries(STATES)) {
    const own = rows.filter((row) => row.state === state);
    const cells = [
      show(
        own.map((row) => row.cpuMsPerMinute),
        0,
      ),
      show(
        own.map((row) => row.privateMb),
        1,
      ),
      show(
        own.map((row) => row.rssMb),
        1,
      ),
      show(
        own.map((row) => row.resultsPerMinute),
        0,
      ),
    ];
    console.log(words.padEnd(22) + cells.join(''));
  }
  console.log('Median (least–most). 600 ms of CPU a minute are 1 % of a core.');
}

export const help = `CPU and memory of the shipped collector without checks, with 100 checks a minute, and with as many as it takes, in turn.
  --rounds N      how often each is measured (default 3)
  --seconds N     how long (default 60)
  --program FILE  a collector built before, instead of building one`;

export async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string): string | null => argv[argv.indexOf(name) + 1 || argv.length] ?? null;
  const folder = mkdtempSync(join(tmpdir(), 'bench-agent-build-'));
  const authority = makeAuthority();
  const answer = (_request: unknown, response: { end: (text: string) => void }): void => response.end('well');
  const servers = { plain: createPlain(answer), secure: createSecure(authority.issue('DNS:shop.test'), answer) };
  console.log(`load before: ${loadavg()[0]?.toFixed(1) ?? ''}`);
  try {
    const program = option('--program') ?? buildProgram(folder);
    const ports = { plain: await listen(servers.plain), secure: await listen(servers.secure) };
    const rows: Measured[] = [];
    for (let round = 0; round < Number(option('--rounds') ?? 3); round += 1)
      for (const state of Object.keys(STATES) as State[])
        rows.push(await measure(program, state, ports, Number(option('--seconds') ?? 60)));
    print(rows);
    console.log(`load after: ${loadavg()[0]?.toFixed(1) ?? ''}`);
  } finally {
    for (const server of Object.values(servers)) {
      server.closeAllConnections();
      server.close();
    }
    authority.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
