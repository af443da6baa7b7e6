import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { compile } from '../../../agent-build/compile.ts';
import { targetsNamed } from '../../../agent-build/targets.ts';
import { collectorRuntime } from '../../../lib/collector-runtime.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const KUBELET_PORT = 10_250;
/** The kubelet's default ceiling of a node. */
const PODS = 110;
const REPORTS = 60;

export interface AgentFigures {
  rssMb: number;
  privateMb: number;
  reports: number;
}

interface Stats {
  node: { cpu: Usage };
  pods: { podRef: { name: string; uid: string }; cpu?: Usage }[];
}
interface Usage {
  time: string;
  usageCoreNanoSeconds: number;
}

/** Answers what a real kubelet answered, for as many pods as a node may have. `tls` holds apiserver.crt and .key. */
async function startKubelet(tls: string): Promise<Server> {
  const fixture = join(ROOT, 'collector/fixtures/kubernetes/stats-summary.json');
  const stats = JSON.parse(readFileSync(fixture, 'utf8')) as Stats;
  const captured = stats.pods;
  stats.pods = Array.from({ length: PODS }, (_, index) => {
    const pod = structuredClone(captured[index % captured.length]) as Stats['pods'][number];
    return {
      ...pod,
      podRef: { ...pod.podRef, name: `${pod.podRef.name}-${index}`, uid: `${pod.podRef.uid}-${index}` },
    };
  });
  const pair = { cert: readFileSync(join(tls, 'apiserver.crt')), key: readFileSync(join(tls, 'apiserver.key')) };
  const server = createTlsServer(pair, (_request, answer) => {
    for (const cpu of [stats.node.cpu, ...stats.pods.flatMap((pod) => pod.cpu ?? [])]) {
      cpu.time = new Date().toISOString();
      cpu.usageCoreNanoSeconds += 1e8;
    }
    answer.end(JSON.stringify(stats));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(KUBELET_PORT, '127.0.0.1', resolve);
  });
  return server;
}

/** Enrols the node, takes every report and requests the next a second later. */
async function startDashboard() {
  const seen = { reports: 0, pods: 0 };
  const server = createServer((incoming, answer) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      if (incoming.url?.endsWith('/enrol')) {
        answer.end(
          JSON.stringify({ server_id: '5b4a3c2d-0000-8000-8000-000000000000', agent_token: 't', interval: 1 }),
        );
        return;
      }
      const { reports = [] } = JSON.parse(gunzipSync(Buffer.concat(parts)).toString()) as { reports?: Report[] };
      seen.reports += reports.length;
      seen.pods = reports.at(-1)?.kubernetes?.pods.length ?? seen.pods;
      const ack = { upto: Math.max(0, ...reports.map(({ seq }) => seq)), also: [] };
      const next = { interval: 1, delay: 0 };
      answer.end(JSON.stringify({ ack, rejected: [], server_time: Date.now() / 1000, next }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { seen, port: (server.address() as AddressInfo).port, close: () => server.close() };
}
interface Report {
  seq: number;
  kubernetes?: { pods: unknown[] };
}

function startAgent(program: string, folder: string, port: number, serviceAccountDir: string): ChildProcess {
  const state = join(folder, 'agent-state');
  mkdirSync(state);
  return spawn(program, ['node'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...collectorRuntime(),
      PLIMSOLL_URL: `http://127.0.0.1:${port}`,
      PLIMSOLL_CLUSTER_TOKEN: 'bench',
      PLIMSOLL_SERVICE_ACCOUNT_DIR: serviceAccountDir,
      PLIMSOLL_STATE_DIR: state,
      PLIMSOLL_HOST_ROOT: '/',
      PLIMSOLL_LOG_LEVEL: 'error',
      NODE_NAME: 'bench',
      NODE_IP: '127.0.0.1',
    },
  });
}

const sizeMb = (pid: number, field: 'Rss' | 'Private_Dirty'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) /
  1024;

/**
 * The node agent as in its image, reporting this machine and a kubelet of 110 pods once a second for a minute: sixty
 * times as often as it does, so that what it piles up shows. `tls`: folder of the API server's own certificate.
 */
export async function measureNodeAgent(folder: string, tls: string, serviceAccountDir: string): Promise<AgentFigures> {
  const program = join(folder, 'plimsoll');
  const [target] = targetsNamed([`linux-${process.arch}`]);
  if (!target) throw new Error(`no target for ${process.arch}`);
  writeFileSync(program, compile(join(ROOT, 'collector/src/main.ts'), target, console.log), { mode: 0o755 });
  const [kubelet, dashboard] = [await startKubelet(tls), await startDashboard()];
  const agent = startAgent(program, folder, dashboard.port, serviceAccountDir);
  try {
    for (let waited = 0; dashboard.seen.reports < REPORTS; waited += 1) {
      if (agent.exitCode !== null || waited > 180)
        throw new Error(`${dashboard.seen.reports} reports of the node agent`);
      await setTimeout(1000);
    }
    if (dashboard.seen.pods !== PODS) throw new Error(`the node agent reports ${dashboard.seen.pods} pods of ${PODS}`);
    const pid = agent.pid ?? 0;
    return { rssMb: sizeMb(pid, 'Rss'), privateMb: sizeMb(pid, 'Private_Dirty'), reports: dashboard.seen.reports };
  } finally {
    agent.kill('SIGKILL');
    kubelet.closeAllConnections();
    kubelet.close();
    dashboard.close();
  }
}
