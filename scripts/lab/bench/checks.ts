import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { createPostgresStorage } from '../../../api/src/postgres-storage.ts';
import { organisationIdOf } from '../../../api/src/tenancy/ids.ts';
import { ownerOf } from '../../../api/src/tenancy/owner.ts';
import { openPage } from '../../../api/src/testing/status-page.ts';
import { signIn, startApi, type ApiProcess } from '../faults/api-process.ts';
import { type Block, measureBlocks, printBoth } from './checks/blocks.ts';
import { measureHeartbeats } from './checks/heartbeats.ts';
import { placeReport } from './checks/place-report.ts';
import { seedChecks, type SeededPlace, switchChecks } from './checks/seed.ts';
import { linesOf, printLines, repeat, type Run, timed } from './dashboard/timed-calls.ts';
import { cpuSeconds, cpuSecondsOfPostgres, quantile } from './ingest/load.ts';
import { connectionOf, enrolFleet, fillFleet } from './web/fleet.ts';

const SERVERS = 500;
const PLACES = 50;
const CHECKS_A_PLACE = 100;
const PAGE_CHECKS = 100;
const REPORT_MS = 60_000;
const WARM_UP_MS = 75_000;
const SETTLE_MS = 15_000;
const REACH_MS = 100;
const SLUG = 'A'.repeat(22);
const BASELINE = '/healthz';
const OTHERS = 'a report of a server without checks';
const PLACE = 'a report of a place';

/** Calls of open pages, and how often each is asked, ms. */
const callsOf = (checkId: string): [string, number][] => [
  ['/api/checks?limit=500', 7500],
  ['/api/checks?limit=120', 3000],
  [`/api/checks/${checkId}`, 5000],
  [`/api/checks/${checkId}/series?hours=6`, 10_000],
  [`/api/checks/${checkId}/series?hours=24`, 10_000],
  ['/api/servers/list?limit=1000', 3000],
  ['/api/data/metrics/timeseries?hours=24', 5000],
  // The states of a public page are shared for 15 s: each of these computes them anew.
  [`/status/${SLUG}`, 15_500],
  [`/api/public/status-pages/${SLUG}`, 5000],
  [BASELINE, 500],
];

interface Host {
  id: string;
  token: string;
  checks: SeededPlace['checks'];
}

type State = Run & { isMeasuring: boolean; withChecks: boolean };

/** All that goes on until the run ends: 500 servers report, and pages are open. */
function work(api: ApiProcess, session: string, hosts: readonly Host[], run: State): Promise<unknown> {
  const report = ({ id, token, checks }: Host) =>
    repeat(run, REPORT_MS, (round) => {
      const variant = randomBytes(4).readUInt32LE();
      const body = new Uint8Array(placeReport(id, round, variant, run.withChecks ? checks : []));
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      };
      const what = checks.length > 0 ? PLACE : OTHERS;
      return timed(run, what, () => fetch(`${api.url}/api/agent/v1/reports`, { method: 'POST', headers, body }));
    });
  const asUser = { headers: { authorization: `Bearer ${session}`, 'accept-encoding': 'gzip' } };
  const nameOf = (path: string): string => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'ID').replace(SLUG, 'PAGE');
  const page = ([path, everyMs]: [string, number]) =>
    repeat(run, everyMs, () => timed(run, nameOf(path), () => fetch(api.url + path, asUser)));
  const checkId = hosts.find(({ checks }) => checks.length > 0)?.checks[0]?.id ?? '';
  return Promise.all([...hosts.map(report), ...callsOf(checkId).map(page)]);
}

async function makePage(api: ApiProcess, places: readonly SeededPlace[]): Promise<void> {
  const storage = createPostgresStorage({ connection: connectionOf(api.dataDir), poolSize: 2 });
  const pool = new Pool({ ...connectionOf(api.dataDir), max: 1 });
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM account');
  const checks = places.flatMap((place) => place.checks).slice(0, PAGE_CHECKS);
  const draft = {
    ...openPage('Shop', ''),
    servers: [],
    checks: checks.map(({ id }, index) => ({
      checkId: id,
      label: `Part ${String(index)}`,
      group: `Group ${String(index % 10)}`,
    })),
  };
  const owner = ownerOf(organisationIdOf(rows[0]?.id ?? ''));
  await storage.statusPages.create(owner, draft, { slug: SLUG, createdBy: null }, Date.now());
  await storage.close();
  await pool.end();
}

const p50Of =
  (what: string, share: number) =>
  ({ times }: Block): number =>
    quantile(
      (times.get(what) ?? []).toSorted((a, b) => a - b),
      share,
    );

function print(blocks: readonly Block[]): void {
  for (const what of [OTHERS, PLACE])
    for (const share of [0.5, 0.95]) printBoth(`${what}, p${String(share * 100)}`, blocks, 'ms', p50Of(what, share));
  for (const name of Object.keys(blocks[0]?.cpu ?? {}))
    printBoth(`processor of ${name}, of one core`, blocks, '%', ({ cpu }) => cpu[name] ?? 0);
  for (const state of [true, false]) {
    const times: Run['times'] = new Map();
    for (const block of blocks.filter(({ withChecks }) => withChecks === state))
      for (const [what, all] of block.times) times.set(what, [...(times.get(what) ?? []), ...all]);
    console.log(`\nall blocks ${state ? 'with' : 'without'} checks`);
    printLines(linesOf(times), { baseline: BASELINE, reachMs: REACH_MS });
  }
}

export const help = `5,000 checks a minute from 50 places beside 500 servers that report each minute: reports with and without the checks in
turn, the pages of checks, and 10,000 heartbeats that are called once a minute. About 25 minutes; the baseline is /healthz.
  --pairs N       how often both states are measured (default 7; 0: only heartbeats)
  --seconds N     how long each is measured (default 60)
  --heartbeats N  keys (default 10000; 0: only checks)
  --minutes N     how long they are called (default 4)`;

const load = (): string => loadavg()[0]?.toFixed(1) ?? '?';

export async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string, otherwise: number): number =>
    Number(argv[argv.indexOf(name) + 1 || argv.length] ?? otherwise);
  const pairs = option('--pairs', 7);
  const heartbeats = option('--heartbeats', 10_000);
  const say = (line: string): void => console.error(line);
  console.log(`load before: ${load()}`);
  const api = await startApi();
  const pool = new Pool({ ...connectionOf(api.dataDir), max: 4 });
  try {
    await fillFleet(api.dataDir, SERVERS, say);
    const places = await seedChecks(pool, PLACES, CHECKS_A_PLACE);
    await makePage(api, places);
    const checksOf = new Map(places.map(({ serverId, checks }) => [serverId, checks]));
    const fleet = await enrolFleet(pool, REPORT_MS / 1000);
    const hosts = fleet.map((host) => ({ ...host, checks: checksOf.get(host.id) ?? [] }));
    if (pairs > 0) await measurePairs(api, pool, hosts, { pairs, measureMs: option('--seconds', 60) * 1000, say });
    console.log(`load between: ${load()}`);
    if (heartbeats > 0) await measureHeartbeats(api.url, pool, heartbeats, option('--minutes', 4));
    console.log(`load after: ${load()}`);
  } finally {
    await pool.end();
    await api.remove();
  }
}

async function measurePairs(
  api: ApiProcess,
  pool: Pool,
  hosts: readonly Host[],
  { pairs, measureMs, say }: { pairs: number; measureMs: number; say: (line: string) => void },
): Promise<void> {
  const session = await signIn(api.url);
  const run: State = {
    until: performance.now() + WARM_UP_MS + 2 * pairs * (SETTLE_MS + measureMs),
    times: new Map(),
    isMeasuring: false,
    withChecks: true,
    measures: () => run.isMeasuring,
    refused: 0,
  };
  const working = work(api, session, hosts, run);
  say(`${String(hosts.length)} servers report; warming up …`);
  await Promise.race([working, delay(WARM_UP_MS)]);
  const cpu = {
    'the API': () => cpuSeconds(api.pid()),
    PostgreSQL: () => cpuSecondsOfPostgres(api.postmaster()),
  };
  const change = async (withChecks: boolean): Promise<void> => {
    run.withChecks = withChecks;
    await switchChecks(pool, withChecks);
  };
  const measured = measureBlocks(run, { pairs, settleMs: SETTLE_MS, measureMs, cpu, change, say });
  const blocks = await Promise.race([measured, working.then(() => measured)]);
  await working;
  await switchChecks(pool, true);
  print(blocks);
  console.log(`calls and reports refused with 503, warming up included: ${String(run.refused)}`);
}
