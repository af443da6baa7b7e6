import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram, startProgram } from '../../../../api/src/testing/debian-programs.ts';
import { freePort, until } from '../../../e2e/product.ts';
import { endTree } from '../agent/process-tree.ts';
import { cpuSeconds } from '../ingest/load.ts';
import {
  bytesIn,
  DAY_MS,
  FLEET,
  INTERVAL_SECONDS,
  type ServerFigures,
  STEP_SECONDS,
  timesOf,
  waveAt,
} from './figures.ts';

/** As many as a sample of ours has. */
const HISTORY_FIGURES = 19;
/** Between two looks at the exporter, to see which of its figures move and how fast. */
const LOOK_SECONDS = 15;

interface Prometheus {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts Debian's Prometheus on a folder of its own with these targets (`host:port/path`). */
async function start(folder: string, targets: readonly string[]): Promise<Prometheus> {
  const port = await freePort();
  const jobs = targets.map((target, index) => {
    const [address = '', path = 'metrics'] = target.split('/');
    return `  - job_name: host-${String(index)}\n    metrics_path: /${path}\n    static_configs: [{ targets: ['${address}'] }]\n`;
  });
  const config = `global: { scrape_interval: ${String(INTERVAL_SECONDS)}s }\nscrape_configs:\n${jobs.join('')}`;
  writeFileSync(join(folder, 'prometheus.yml'), targets.length === 0 ? 'global: {}\n' : config);
  const child = startProgram('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${String(port)}`,
    '--log.level=error',
  ]);
  const url = `http://127.0.0.1:${String(port)}`;
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  await until('Prometheus', isReady);
  return { url, pid: child.pid ?? 0, stop: () => endTree(child.pid ?? 0, 5000) };
}

async function query({ url }: Prometheus, expression: string): Promise<number | null> {
  const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
  const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } };
  const value = data.result[0]?.value[1];
  return value === undefined ? null : Number(value);
}

type Line = [name: string, value: number];
const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => /^[^#]/.test(line))
    .map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    });

interface Exporter {
  target: string;
  read(): Promise<Line[]>;
  child: ChildProcess;
}
async function startExporter(): Promise<Exporter> {
  const program = findProgram('node-exporter');
  if (program === null) throw new Error('node_exporter is not unpacked: run npm test once');
  const target = `127.0.0.1:${String(await freePort())}`;
  const argv = [`--web.listen-address=${target}`, '--collector.processes', '--collector.tcpstat', '--log.level=error'];
  const child = spawn(program, argv, { stdio: 'ignore' });
  return { target, child, read: async () => linesOf(await (await fetch(`http://${target}/metrics`)).text()) };
}

/** Answers as `FLEET` exporters: every figure moves as it did between the two looks at the real one. */
async function startFleet(
  before: readonly Line[],
  after: readonly Line[],
): Promise<{ server: Server; targets: string[] }> {
  const next = new Map(after);
  const moves = before.map(([name, value]) => ({ name, value, step: (next.get(name) ?? value) - value }));
  const begun = performance.now();
  const server = createServer((request, response) => {
    const host = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    const steps = host + (performance.now() - begun) / 1000 / LOOK_SECONDS;
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(moves.map(({ name, value, step }) => `${name} ${String(value + step * steps)}\n`).join(''));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    targets: Array.from({ length: FLEET }, (_, host) => `127.0.0.1:${String(port)}/host${String(host)}`),
  };
}

/** Writes a day of the fleet as blocks, as if Prometheus had scraped it. Returns their bytes. */
function writeDay(folder: string): number {
  const file = join(folder, 'day.txt');
  const out = openSync(file, 'w');
  const end = Math.floor(Date.now() / 1000 / INTERVAL_SECONDS) * INTERVAL_SECONDS;
  for (let host = 0; host < FLEET; host += 1) {
    let text = '';
    for (let figure = 1; figure <= HISTORY_FIGURES; figure += 1)
      for (let at = end - DAY_MS / 1000; at < end; at += INTERVAL_SECONDS)
        text += `figure_${String(figure)}{host="${String(host)}"} ${String(waveAt(host, figure, at))} ${String(at)}\n`;
    writeSync(out, text);
  }
  writeSync(out, '# EOF\n');
  closeSync(out);
  const promtool = join(dirname(findProgram('prometheus') ?? ''), 'promtool');
  const options = ['--max-block-duration=32h', file, join(folder, 'data')];
  execFileSync(promtool, ['tsdb', 'create-blocks-from', 'openmetrics', ...options], { stdio: 'ignore' });
  rmSync(file);
  return bytesIn(join(folder, 'data'));
}

interface Live {
  cpuMsPerHost: number;
  figuresPerHost: number;
}

async function live(folder: string, targets: readonly string[], minutes: number): Promise<Live> {
  const prometheus = await start(folder, targets);
  try {
    const minuteMs = INTERVAL_SECONDS * 1000;
    await delay(minuteMs);
    const appended = async () => {
      const text = await (await fetch(`${prometheus.url}/metrics`)).text();
      return linesOf(text)
        .filter(([name]) => name.startsWith('prometheus_tsdb_head_samples_appended_total'))
        .reduce((sum, [, value]) => sum + value, 0);
    };
    const [cpu, samples, begun] = [cpuSeconds(prometheus.pid), await appended(), performance.now()];
    await delay(minutes * minuteMs);
    const hostMinutes = (targets.length * (performance.now() - begun)) / minuteMs;
    return {
      cpuMsPerHost: ((cpuSeconds(prometheus.pid) - cpu) * 1000) / hostMinutes,
      figuresPerHost: ((await appended()) - samples) / hostMinutes,
    };
  } finally {
    await prometheus.stop();
  }
}

async function timeToFirst(folder: string, exporter: Exporter): Promise<{ any: number; cpu: number }> {
  const prometheus = await start(folder, [exporter.target]);
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1000;
  try {
    await until('the first figure', async () => (await query(prometheus, 'node_load1')) !== null, 180);
    const any = seconds();
    const use = 'rate(node_cpu_seconds_total[5m])';
    await until('the first CPU', async () => (await query(prometheus, use)) !== null, 180);
    return { any, cpu: seconds() };
  } finally {
    await prometheus.stop();
  }
}

/** Debian's Prometheus with Debian's node_exporter. */
export async function measurePrometheus(minutes: number, say: (line: string) => void): Promise<ServerFigures> {
  const folders = Array.from({ length: 3 }, () => mkdtempSync(join(tmpdir(), 'bench-peers-')));
  const [firstFolder = '', liveFolder = '', dayFolder = ''] = folders;
  const exporter = await startExporter();
  try {
    await until('node_exporter', () =>
      exporter.read().then(
        () => true,
        () => false,
      ),
    );
    say('prometheus: time to the first figure');
    const before = await exporter.read();
    const first = await timeToFirst(firstFolder, exporter);
    await delay(LOOK_SECONDS * 1000);
    const { server, targets } = await startFleet(before, await exporter.read());
    say(`prometheus: ${String(minutes)} minutes of scrapes, after one to warm up`);
    const figures = await live(liveFolder, targets, minutes);
    server.close();
    say(`prometheus: a day of ${String(FLEET)} hosts`);
    const bytes = writeDay(dayFolder);
    const prometheus = await start(dayFolder, []);
    const end = Date.now() / 1000;
    const ask = (expression: string) => {
      const search = new URLSearchParams({
        query: expression,
        start: String(end - DAY_MS / 1000),
        end: String(end),
        step: String(STEP_SECONDS),
      });
      return timesOf(() => fetch(`${prometheus.url}/api/v1/query_range?${search.toString()}`));
    };
    const oneHost = await ask('{__name__=~"figure_[1-6]",host="7"}');
    const fleet = await ask('avg by (__name__) ({__name__=~"figure_[1-6]"})');
    await prometheus.stop();
    return {
      name: 'prometheus + node_exporter',
      firstSeconds: first.any,
      firstCpuSeconds: first.cpu,
      ...figures,
      bytesPerFigure: bytes / (FLEET * (DAY_MS / 1000 / INTERVAL_SECONDS) * HISTORY_FIGURES),
      oneHost,
      fleet,
    };
  } finally {
    await endTree(exporter.child.pid ?? 0, 3000);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}
