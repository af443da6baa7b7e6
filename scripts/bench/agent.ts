import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const ROOT = join(import.meta.dirname, '../..');
const TICKS_PER_SECOND = 100;

interface Load {
  name: string;
  processes: number;
  sockets: number;
}
const LOADS: readonly Load[] = [
  { name: '200 processes', processes: 200, sockets: 0 },
  { name: '2,000 processes', processes: 2000, sockets: 0 },
  { name: '5,000 sockets', processes: 0, sockets: 5000 },
];
/** A program under test: started, then asked or left to collect once a second. */
interface Candidate {
  name: string;
  /** File that must be there, and how to get it. */
  needs: string;
  get: string;
  start: (folder: string, port: number) => { file: string; argv: string[]; env?: Record<string, string> };
  /** Makes it collect once, for those that wait to be asked. */
  ask?: (port: number) => Promise<unknown>;
}
interface Row {
  load: string;
  name: string;
  rssMb: number;
  privateMb: number;
  collections: number;
  cpuMsPerCollection: number;
}

/** Takes every report; counts them. */
async function acceptor(): Promise<{ port: number; count: () => number; close: () => void }> {
  let count = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(gunzipSync(Buffer.concat(parts)).toString()) as { reports?: { seq: number }[] };
      count += body.reports?.length ?? 0;
      const also = (body.reports ?? []).map(({ seq }) => seq);
      const next = { interval: 60, delay: 0 };
      const enrolled = { server_id: '00000000-0000-4000-8000-000000000001', agent_token: 'bench', interval: 60 };
      const settled = { ack: { upto: 0, also }, rejected: [], server_time: Date.now() / 1000, next, config_rev: 0 };
      response.end(JSON.stringify(request.url?.endsWith('/enrol') === true ? enrolled : settled));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, count: () => count, close };
}

const ours = (name: string, file: string, argv: string[], needs: string, get: string): Candidate => ({
  name,
  needs,
  get,
  start: (folder, port) => ({
    file,
    argv,
    env: {
      PLIMSOLL_URL: `http://127.0.0.1:${port}`,
      PLIMSOLL_STATE_DIR: folder,
      PLIMSOLL_ENROLMENT_TOKEN: 'bench',
      PLIMSOLL_INTERVAL: '1',
      BUN_JSC_useJIT: '0',
      BUN_JSC_useConcurrentGC: '0',
    },
  }),
});

const COLLECTD = `Interval 1
LoadPlugin cpu
LoadPlugin memory
LoadPlugin df
LoadPlugin disk
LoadPlugin interface
LoadPlugin load
LoadPlugin processes
LoadPlugin tcpconns
LoadPlugin csv
<Plugin tcpconns>
  AllPortsSummary true
</Plugin>
`;

function candidates(program: string | null): Candidate[] {
  const bun = join(ROOT, 'node_modules/@oven/bun-linux-x64/bin/bun');
  const main = join(ROOT, 'collector/src/main.ts');
  return [
    ...(program === null ? [] : [ours('plimsoll (one file)', program, ['run'], program, 'npm run build')]),
    ours('plimsoll (bun, source)', bun, [main, 'run'], bun, 'npm ci'),
    ours('plimsoll (node, source)', process.execPath, [main, 'run'], main, ''),
    {
      name: 'node_exporter',
      needs: '/usr/bin/prometheus-node-exporter',
      get: 'apt-get install prometheus-node-exporter',
      start: (_folder, port) => ({
        file: '/usr/bin/prometheus-node-exporter',
        argv: [`--web.listen-address=127.0.0.1:${port + 1}`, '--collector.processes', '--collector.tcpstat'],
      }),
      ask: (port) => fetch(`http://127.0.0.1:${port + 1}/metrics`).then((response) => response.text()),
    },
    {
      name: 'collectd (1 s)',
      needs: '/usr/sbin/collectd',
      get: 'apt-get install collectd-core',
      start: (folder) => {
        writeFileSync(join(folder, 'collectd.conf'), `BaseDir "${folder}"\nPIDFile "${folder}/pid"\n${COLLECTD}`);
        return { file: '/usr/sbin/collectd', argv: ['-f', '-C', join(folder, 'collectd.conf')] };
      },
    },
    {
      name: 'glances (1 s)',
      needs: '/usr/bin/glances',
      get: 'apt-get install glances',
      start: (folder) => ({
        file: '/usr/bin/glances',
        argv: ['--quiet', '--time', '1', '--export', 'csv', '--export-csv-file', join(folder, 'out.csv')],
      }),
    },
    {
      name: 'netdata (1 s)',
      needs: '/usr/sbin/netdata',
      get: 'apt-get install netdata-core',
      start: (folder, port) => {
        const places = ['cache', 'lib', 'log'].map((name) => `${name} = ${folder}`).join('\n');
        const text = `[global]\nrun as user = root\n[directories]\n${places}\n[web]\nbind to = 127.0.0.1:${port + 2}\n`;
        writeFileSync(join(folder, 'netdata.conf'), text);
        return { file: '/usr/sbin/netdata', argv: ['-D', '-c', join(folder, 'netdata.conf')] };
      },
    },
  ];
}

/** Processes that sleep, and one that holds connections to itself. */
async function makeLoad({ processes, sockets }: Load): Promise<() => void> {
  const children: ChildProcess[] = [];
  if (processes > 0) {
    const script = `for i in $(seq ${processes}); do sleep 1000 & done; echo ready; trap 'kill $(jobs -p); exit' TERM; wait`;
    children.push(await ready(spawn('/bin/bash', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })));
  }
  if (sockets > 0) {
    const script = `const net = require('node:net'); let open = 0;
      const server = net.createServer(() => (open += 1) === ${sockets / 2} && console.log('ready'));
      server.listen(0, '127.0.0.1', 5000, () => {
        for (let i = 0; i < ${sockets / 2}; i += 1) net.connect(server.address().port, '127.0.0.1');
      });`;
    children.push(await ready(spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })));
  }
  return () => children.forEach((child) => child.kill('SIGTERM'));
}

const ready = (child: ChildProcess): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve(child));
    child.once('exit', (status) => reject(new Error(`the load ended with ${String(status)}`)));
  });

/** CPU of the process and of the children it has waited for, in milliseconds. */
function cpuMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
  return (fields.reduce((sum, ticks) => sum + ticks, 0) * 1000) / TICKS_PER_SECOND;
}

/** Private: what no other process shares and no file backs, so what ending the program would free. */
function memoryMb(pid: number): { rss: number; own: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return { rss: kib('Rss') / 1024, own: kib('Private_Dirty') / 1024 };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(candidate: Candidate, load: Load, seconds: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-agent-'));
  const api = await acceptor();
  const { file, argv, env } = candidate.start(folder, api.port);
  const child = spawn(file, argv, { env: { PATH: '/usr/bin:/bin:/usr/sbin', HOME: folder, ...env }, stdio: 'ignore' });
  try {
    await sleep(5000);
    const pid = child.pid ?? 0;
    const [cpu, reports, started] = [cpuMs(pid), api.count(), performance.now()];
    let asked = 0;
    while (performance.now() - started < seconds * 1000) {
      await candidate.ask?.(api.port);
      asked += 1;
      await sleep(1000);
    }
    const collections = api.count() - reports || asked;
    const { rss, own } = memoryMb(pid);
    const spent = (cpuMs(pid) - cpu) / collections;
    return {
      load: load.name,
      name: candidate.name,
      rssMb: rss,
      privateMb: own,
      collections,
      cpuMsPerCollection: spent,
    };
  } finally {
    child.kill('SIGTERM');
    await Promise.race([new Promise((resolve) => child.once('exit', resolve)), sleep(3000)]);
    child.kill('SIGKILL');
    api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(rows: readonly Row[]): void {
  const head = ['load', 'program', 'RSS MB', 'private MB', 'n', 'CPU ms each', '× node_exporter'];
  console.log(head.map((cell, index) => (index < 2 ? cell.padEnd(26) : cell.padStart(16))).join(''));
  for (const row of rows) {
    const peer = rows.find(({ load, name }) => load === row.load && name === 'node_exporter');
    const ratio = peer ? (row.cpuMsPerCollection / peer.cpuMsPerCollection).toFixed(2) : '–';
    const cells = [
      row.rssMb.toFixed(1),
      row.privateMb.toFixed(1),
      String(row.collections),
      row.cpuMsPerCollection.toFixed(1),
      ratio,
    ];
    console.log(row.load.padEnd(26) + row.name.padEnd(26) + cells.map((cell) => cell.padStart(16)).join(''));
  }
}

/**
 * Memory and CPU of the running collector beside other collectors in the same run, each collecting once a second; at
 * one collection a minute the CPU of a minute is that of one collection. --seconds N, --program FILE (one-file build).
 */
export async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string): string | null => argv[argv.indexOf(name) + 1 || argv.length] ?? null;
  const seconds = Number(option('--seconds') ?? 20);
  const all = candidates(option('--program'));
  const here = all.filter(({ needs }) => existsSync(needs));
  for (const { name, get } of all.filter((one) => !here.includes(one))) console.log(`left out: ${name} (${get})`);
  const rows: Row[] = [];
  for (const load of LOADS) {
    const end = await makeLoad(load);
    for (const candidate of here) {
      try {
        rows.push(await measure(candidate, load, seconds));
      } catch (error) {
        console.log(
          `left out: ${candidate.name} with ${load.name}: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
    end();
  }
  print(rows);
}
