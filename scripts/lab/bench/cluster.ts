import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { places } from '../airgap/places.ts';
import { compile } from '../airgap/compile.ts';
import { clusterTools } from '../airgap/tools.ts';
import { type ApiServer, startApiServer } from './cluster/api-server.ts';
import { measureStateMetrics } from './cluster/kube-state-metrics.ts';
import { measureNodeAgent } from './cluster/node-agent.ts';
import { NAMESPACE, patchStatus, writeObjects } from './cluster/objects.ts';
import { cpuSeconds, memoryMb } from './cluster/process.ts';

const ROOT = join(import.meta.dirname, '../../..');
const STEADY_SECONDS = 60;
const CHANGES_PER_SECOND = 50;
/** As the chart sets them: on a machine of many gigabytes V8 would let garbage stand. */
const HEAP = ['--max-semi-space-size=2', '--optimize-for-size'];

export const help = `The cluster collector, bundled as in its image, against a real kube-apiserver on etcd that holds so many objects.
Reach: RSS 160 MB at 10,000 pods, longest event-loop block 0.2 s, 12 watches.
kube-state-metrics on the same objects and changes, for comparison.
The node agent, compiled as in its image, with a stand-in kubelet of 110 pods. Reach: RSS 64 MB.
  --nodes N  (default 1000)
  --pods N   (default 10000)`;

/** Stands for the dashboard: takes every report and counts what is in it. */
async function acceptor() {
  const seen = { requests: 0, wireBytes: 0, pods: new Set<string>(), ends: 0, listings: 0 };
  const server = createServer((incoming, answer) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const packed = Buffer.concat(parts);
      seen.requests += 1;
      seen.wireBytes += packed.length;
      const sent = incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(packed) : packed;
      // Custom resources are sent to the same place, and have no reports.
      const { reports = [] } = JSON.parse(sent.toString()) as { reports?: Item[] };
      for (const { pods = [], ends = [], listing } of reports) {
        for (const { uid } of pods) seen.pods.add(uid);
        seen.ends += ends.length;
        if (listing?.complete) seen.listings += 1;
      }
      const accepted = { accepted: [], rejected: [], listing_wanted: false, server_time: Date.now() / 1000 };
      answer.end(JSON.stringify({ ...accepted, next: { interval: 60 } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { seen, port: (server.address() as AddressInfo).port, close: () => server.close() };
}
interface Item {
  pods?: { uid: string }[];
  ends?: unknown[];
  listing?: { complete: boolean };
}

/** As collector/Dockerfile does it. */
function bundle(folder: string): string {
  const options = [
    '--platform',
    'node',
    '--format',
    'esm',
    '--minify',
    '--dir',
    folder,
    '--entry-file-names',
    'cluster.mjs',
  ];
  const run = spawnSync(join(ROOT, 'node_modules/.bin/rolldown'), ['collector/src/kubernetes/main.ts', ...options], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`rolldown: ${run.stdout}${run.stderr}`);
  return join(folder, 'cluster.mjs');
}

/** Sum over all series of a metric whose labels match. */
function sumOf(text: string, name: string, labels: RegExp): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && labels.test(line));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
async function ofApiServer(api: ApiServer): Promise<{ watches: number; requests: number }> {
  const text = await api.send('GET', '/metrics');
  const watches = sumOf(text, 'apiserver_longrunning_requests', /verb="WATCH"/);
  return { watches, requests: sumOf(text, 'apiserver_request_total', /verb="(LIST|WATCH|GET|PUT|POST)"/) };
}

interface Measured {
  collector: ChildProcess;
  pid: number;
  metricsPort: number;
}
function startCollector(file: string, api: ApiServer, port: number): Measured {
  const metricsPort = port + 1 > 65_000 ? port - 1 : port + 1;
  const [command, args] = alone(process.execPath, [...HEAP, file]);
  const collector = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      // As the image sets it.
      MALLOC_ARENA_MAX: '1',
      PLIMSOLL_URL: `http://127.0.0.1:${port}`,
      PLIMSOLL_CLUSTER_TOKEN: 'bench',
      PLIMSOLL_SERVICE_ACCOUNT_DIR: api.serviceAccountDir,
      PLIMSOLL_METRICS_PORT: String(metricsPort),
      PLIMSOLL_LOG_LEVEL: 'warn',
      KUBERNETES_SERVICE_HOST: api.host,
      KUBERNETES_SERVICE_PORT: String(api.port),
      POD_NAMESPACE: NAMESPACE,
      POD_NAME: 'bench',
    },
  });
  if (collector.pid === undefined) throw new Error('the collector did not start');
  return { collector, pid: collector.pid, metricsPort };
}

/** Ahead of everything else on the machine, where we may: what others hold up is no block of ours. */
function alone(command: string, args: string[]): [string, string[]] {
  const may = spawnSync('chrt', ['-f', '1', 'true']).status === 0;
  if (!may) console.log('the collector has no priority here: the longest block holds what else the machine does');
  return may ? ['chrt', ['-f', '1', command, ...args]] : [command, args];
}

/** One container of one pod starts again; pods take turns. */
const restart = (api: ApiServer, change: number, pods: number): Promise<string> =>
  patchStatus(api, change % pods, 1 + Math.floor(change / pods));

/** Restarts containers for a minute, so many a second, others in each round; `each` runs once a second. */
async function change(api: ApiServer, pods: number, round: number, each: () => Promise<void>): Promise<void> {
  const from = Date.now();
  const first = round * STEADY_SECONDS * CHANGES_PER_SECOND;
  for (let second = 0; second < STEADY_SECONDS; second += 1) {
    for (let index = 0; index < CHANGES_PER_SECOND; index += 1)
      await restart(api, first + second * CHANGES_PER_SECOND + index, pods);
    await setTimeout(Math.max(0, from + (second + 1) * 1000 - Date.now()));
    await each();
  }
}

/** Scraping resets the library's histogram, so the longest block is the largest of all scrapes. */
async function longestBlock(port: number): Promise<number> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1] ?? 0);
}

export async function main(argv: string[]): Promise<void> {
  const option = (name: string, otherwise: number): number => {
    const at = argv.indexOf(name);
    return at === -1 ? otherwise : Number(argv[at + 1]);
  };
  const [nodes, pods] = [option('--nodes', 1000), option('--pods', 10_000)];
  if (!(nodes > 0 && pods > 0)) throw new Error(help);
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  const { bin } = places(process.env);
  const needed = clusterTools.filter(({ module }) => ['kubernetes', 'etcd', 'kube-state-metrics'].includes(module));
  await compile(needed, join(ROOT, 'scripts/lab/airgap/tools'), bin);
  const api = await startApiServer(bin, folder);
  const dashboard = await acceptor();
  let running: Measured | null = null;
  try {
    const writing = Date.now();
    await writeObjects(api, nodes, pods);
    console.log(`written: ${nodes} nodes, ${pods} pods in ${((Date.now() - writing) / 1000).toFixed(0)} s`);
    const before = await ofApiServer(api);
    const file = bundle(join(folder, 'bundle'));
    const started = Date.now();
    running = startCollector(file, api, dashboard.port);
    const { pid, metricsPort } = running;
    let block = 0;
    while (dashboard.seen.listings === 0) {
      if (Date.now() - started > 180_000) throw new Error('no full listing within three minutes');
      await setTimeout(500);
      block = Math.max(block, await longestBlock(metricsPort));
    }
    const listedSeconds = (Date.now() - started) / 1000;
    const [atStart, steadyFrom] = [cpuSeconds(pid), Date.now()];
    await change(api, pods, 0, async () => {
      block = Math.max(block, await longestBlock(metricsPort));
    });
    const steady = (Date.now() - steadyFrom) / 1000;
    const after = await ofApiServer(api);
    const { seen } = dashboard;
    console.log(
      [
        `load of the machine: ${loadavg()
          .map((load) => load.toFixed(1))
          .join(' ')}`,
        `full listing at the dashboard after ${listedSeconds.toFixed(1)} s (${seen.pods.size} pods)`,
        `RSS ${memoryMb(pid, 'VmRSS').toFixed(0)} MB now, ${memoryMb(pid, 'VmHWM').toFixed(0)} MB at most (reach: 160)`,
        `CPU ${atStart.toFixed(1)} s to list, then ${(((cpuSeconds(pid) - atStart) / steady) * 100).toFixed(1)} % of one core at ${CHANGES_PER_SECOND} changes/s`,
        `longest event-loop block ${(block * 1000).toFixed(0)} ms (reach: 200)`,
        `watches ${after.watches - before.watches} (reach: 12)`,
        `reports: ${seen.requests} requests, ${(seen.wireBytes / 2 ** 20).toFixed(1)} MB gzipped, ${seen.ends} ends of containers`,
      ].join('\n'),
    );
    running.collector.kill('SIGTERM');
    const beside = await measureStateMetrics({ bin, folder, api, pods }, () =>
      change(api, pods, 1, () => Promise.resolve()),
    );
    console.log(
      `kube-state-metrics for the same objects: RSS ${beside.rssMb.toFixed(0)} MB now, ${beside.mostRssMb.toFixed(0)} MB at most; all pods after ${beside.listedSeconds.toFixed(1)} s; CPU ${beside.listCpuSeconds.toFixed(1)} s to list, then ${beside.cpuPercent.toFixed(1)} % of one core at ${CHANGES_PER_SECOND} changes/s and one scrape of ${beside.scrapeMb.toFixed(1)} MB a minute`,
    );
    const agent = await measureNodeAgent(folder, join(folder, 'certs'), api.serviceAccountDir);
    console.log(
      `node agent: RSS ${agent.rssMb.toFixed(0)} MB, ${agent.privateMb.toFixed(0)} MB of it private, after ${agent.reports} reports (reach: 64)`,
    );
  } finally {
    running?.collector.kill('SIGTERM');
    dashboard.close();
    api.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
