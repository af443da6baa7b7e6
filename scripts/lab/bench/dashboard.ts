import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { nodePart } from '../../../api/src/testing/kubernetes.ts';
import { signIn, startApi, type ApiProcess } from '../faults/api-process.ts';
import { callsOfUsers, type Polled, USER_COUNT } from './dashboard/screens.ts';
import { type Line, linesOf, printLines, repeat, type Run, timed } from './dashboard/timed-calls.ts';
import { cpuSeconds, cpuSecondsOfPostgres } from './ingest/load.ts';
import { bodyOf, gzipped } from './ingest/report-body.ts';
import { connectionOf, enrolFleet, fillFleet } from './web/fleet.ts';

const SERVERS = 500;
const REPORT_MS = 60_000;
/** p95 of every call, and processor of the whole server, in per cent of one core. */
const REACH = { ms: 100, percent: 10 } as const;
/** Code is compiled, statements are prepared and caches are full by then. */
const WARM_UP_MS = 60_000;

interface Host {
  id: string;
  token: string;
  pods: { uid: string; namespace: string; name: string }[];
}

async function hostsOf(pool: Pool): Promise<Host[]> {
  const { rows } = await pool.query<{ id: string; pods: Host['pods'] }>(
    `SELECT s.id, array_agg(json_build_object('uid', p.uid, 'namespace', p.namespace, 'name', p.name)) AS pods
     FROM server s JOIN kube_pod p ON p.node_name = s.hostname GROUP BY s.id`,
  );
  const pods = new Map(rows.map((row) => [row.id, row.pods]));
  return (await enrolFleet(pool, REPORT_MS / 1000)).map((host) => ({ ...host, pods: pods.get(host.id) ?? [] }));
}

/** The report of a node agent: its host, and the usage of its pods. */
function reportOf({ id, pods }: Host, seq: number): Buffer {
  const body = JSON.parse(bodyOf(id, seq, randomBytes(4).readUInt32LE()).toString()) as { reports: object[] };
  const kubernetes = nodePart(pods as unknown as Parameters<typeof nodePart>[0]);
  return gzipped(Buffer.from(JSON.stringify({ ...body, reports: [{ ...body.reports[0], kubernetes }] })));
}

const nameOf = (path: string): string => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'ID');

function load(api: ApiProcess, session: string, hosts: readonly Host[], run: Run): Promise<unknown> {
  const asUser = { headers: { authorization: `Bearer ${session}`, 'accept-encoding': 'gzip' } };
  const user = ({ path, everyMs }: Polled) =>
    repeat(run, everyMs, () => timed(run, nameOf(path), () => fetch(api.url + path, asUser)));
  const host = (one: Host) =>
    repeat(run, REPORT_MS, (round) => {
      const body = new Uint8Array(reportOf(one, round));
      const headers = {
        authorization: `Bearer ${one.token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      };
      return timed(run, 'a report', () => fetch(`${api.url}/api/agent/v1/reports`, { method: 'POST', headers, body }));
    });
  const baseline = repeat(run, 500, () => timed(run, BASELINE, () => fetch(`${api.url}/healthz`)));
  return Promise.all([...callsOfUsers(hosts.map(({ id }) => id)).map(user), ...hosts.map(host), baseline]);
}

const BASELINE = '/healthz';

function print(lines: readonly Line[], cpu: Record<string, number>): void {
  printLines(lines, { baseline: BASELINE, reachMs: REACH.ms });
  const all = Object.values(cpu).reduce((sum, percent) => sum + percent, 0);
  const parts = Object.entries(cpu).map(([name, percent]) => `${name} ${percent.toFixed(1)} %`);
  console.log(`processor: ${all.toFixed(1)} % of one core (${parts.join(', ')}); to reach: ${String(REACH.percent)} %`);
}

export const help = `500 servers and 5,000 pods that report each minute, while 20 users look: every call they make, and the processor of the
whole server. The baseline is /healthz in the same run. Browsers ask as often as they do while something changes all the time.
  --seconds N  how long to measure, after a minute of warming up (default 180)
  --json       the rows as JSON`;

export async function main(argv: readonly string[]): Promise<void> {
  const seconds = Number(argv[argv.indexOf('--seconds') + 1 || argv.length] ?? 180);
  console.error(`load before: ${loadavg()[0]?.toFixed(1) ?? '?'}`);
  const api = await startApi();
  const pool = new Pool({ ...connectionOf(api.dataDir), max: 8 });
  try {
    await fillFleet(api.dataDir, SERVERS, (line) => console.error(line));
    const hosts = await hostsOf(pool);
    const session = await signIn(api.url);
    const cpu: Record<string, () => number> = {
      API: () => cpuSeconds(api.pid()),
      PostgreSQL: () => cpuSecondsOfPostgres(api.postmaster()),
    };
    const start = performance.now() + WARM_UP_MS;
    const run: Run = {
      until: start + seconds * 1000,
      times: new Map(),
      measures: () => performance.now() >= start,
      refused: 0,
    };
    console.error(
      `${String(USER_COUNT)} users and ${String(hosts.length)} hosts; warming up, then ${String(seconds)} s …`,
    );
    const working = load(api, session, hosts, run);
    await Promise.race([working, delay(WARM_UP_MS)]);
    const before = Object.fromEntries(Object.entries(cpu).map(([name, read]) => [name, read()]));
    const measured = performance.now();
    await Promise.race([working, delay(seconds * 1000)]);
    const took = (performance.now() - measured) / 1000;
    const used = Object.fromEntries(
      Object.entries(cpu).map(([name, read]) => [name, (100 * (read() - (before[name] ?? 0))) / took]),
    );
    await working;
    const lines = linesOf(run.times);
    if (run.refused > 0) console.error(`refused with 503: ${String(run.refused)}`);
    if (argv.includes('--json')) console.log(JSON.stringify({ lines, cpu: used }));
    else print(lines, used);
  } finally {
    await pool.end();
    await api.remove();
  }
}
