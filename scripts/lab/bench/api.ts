import { SPARK_LIMITS } from '@plimsoll/contract/rules/limits';
import { chmodSync, mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Pool } from 'pg';
import { createApp } from '../../../api/src/app.ts';
import { SecretBox, SEALING_KEY_BYTES } from '../../../api/src/accounts/secret-encryption.ts';
import { openSession } from '../../../api/src/accounts/session.ts';
import type { Clock } from '../../../api/src/clock.ts';
import { recentBuckets } from '../../../api/src/series/buckets.ts';
import { ownerOf } from '../../../api/src/tenancy/owner.ts';
import { loadConfig } from '../../../api/src/config.ts';
import { createDeps, type Deps } from '../../../api/src/deps.ts';
import { noLimits } from '../../../api/src/testing/no-limits.ts';
import type { Storage } from '../../../api/src/storage.ts';
import { migrate } from '../../../api/src/database/migrate.ts';
import type { Database } from '../../../api/src/database/database.ts';
import { createSeriesStore } from '../../../api/src/series/postgres/series.ts';
import { createPostgresStorage } from '../../../api/src/postgres-storage.ts';
import { createLogger } from '../../../api/src/telemetry/logger.ts';
import { createMetrics } from '../../../api/src/telemetry/metrics.ts';
import { clusterOf, DURABLE, serverBinaries, stopClusters } from '../../../api/src/testing/postgres-clusters.ts';
import type { Cluster, ClusterKind } from '../../../api/src/testing/postgres-clusters.ts';
import { type History, seed, WEEK } from './api/seed.ts';
import { pathsFor } from './api/paths.ts';
import { PODS_A_NODE } from './api/seed-kubernetes.ts';
import { quantile } from './ingest/load.ts';
import { founderOf, type OrganisationId } from '../../../api/src/tenancy/ids.ts';

const RUNS = 40;
/** Plans and code are compiled by then. */
const WARM_UP_RUNS = 8;
/** p95 on an idle machine. */
const REACH_MS = 100;
/** As a browser on another machine asks: its answers come compressed. */
const FROM_AFAR = { 'accept-encoding': 'gzip', 'x-forwarded-for': '203.0.113.9' };
/** Points that a chart requests. */
const CHART_POINTS = 300;

/** An answer, and its length on the wire. */
interface Asked {
  status: number;
  text: string;
  bytes: number;
}

interface AlertsAnswer {
  data: { alerts: { alert_id: string }[] };
}
export interface Line {
  path: string;
  /** Status and code of an answer that was refused; there are no times then. */
  failure: string | null;
  p50: number;
  p95: number;
  /** Rows of the answer's longest list. */
  rows: number;
  bytes: number;
}

export async function databaseOn(cluster: Cluster, name: string) {
  const admin = new Pool({ ...cluster, database: 'postgres', max: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const connection = { host: cluster.host, port: cluster.port, user: cluster.user, database: name };
  await migrate(connection);
  return connection;
}

/** Entries of the longest list anywhere near the top of an answer; 0 for one that holds none. */
const rowsOf = (text: string): number => {
  const { data } = JSON.parse(text) as { data?: object };
  return Math.max(0, ...Object.values(data ?? {}).map((value) => (Array.isArray(value) ? value.length : 0)));
};

async function measure(ask: (path: string) => Promise<Asked>, path: string, runs: number): Promise<Line> {
  const times: number[] = [];
  let text = '';
  let bytes = 0;
  for (let i = 0; i < WARM_UP_RUNS + runs; i += 1) {
    const begun = performance.now();
    const answer = await ask(path);
    if (answer.status !== 200) return { path, failure: failureOf(answer), p50: 0, p95: 0, rows: 0, bytes: 0 };
    ({ text, bytes } = answer);
    if (i >= WARM_UP_RUNS) times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { path, failure: null, p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), rows: rowsOf(text), bytes };
}
const failureOf = ({ status, text }: Asked): string => {
  const { code } = JSON.parse(text) as { code?: string };
  return `${String(status)} ${code ?? ''}`;
};

export interface Choice {
  /** Only paths that hold it. */
  only: string;
  gzip: boolean;
  history: History;
  /** Times that each path is asked. */
  runs: number;
  /** Looks at the database when the paths have been asked. */
  look?: (pool: Pool) => Promise<void>;
}

/** Fills a database with the history of `servers` and times every GET that reads it. */
export async function benchmark(cluster: Cluster, servers: number, choice: Choice): Promise<Line[]> {
  const connection = await databaseOn(cluster, `api_${String(servers)}_${String(choice.history.podsANode)}`);
  // As if the reports went on: for servers that fell silent the reason is looked up, too.
  const clock = { ms: 0, now: () => clock.ms };
  const storage = createPostgresStorage({ connection, clock });
  const pool = new Pool({ ...connection, max: 2 });
  const begun = performance.now();
  const { organisationId, serverId, now } = await seed(storage, pool, servers, choice.history, (line) =>
    console.error(line),
  );
  console.log(`\n${String(servers)} servers seeded in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  clock.ms = now + 1000;
  const lines = await timeCalls({ storage, clock, organisationId, serverId, choice });
  const inDatabase = await databaseTimes(pool, organisationId, clock);
  console.log(
    `24 h of ${String(servers)} servers in the database: p50 ${inDatabase.p50.toFixed(1)} ms, p95 ${inDatabase.p95.toFixed(1)} ms`,
  );
  await choice.look?.(pool);
  await pool.end();
  await storage.close();
  return lines;
}

interface Seeded {
  storage: Storage;
  clock: Clock;
  organisationId: OrganisationId;
  serverId: string;
  choice: Pick<Choice, 'only' | 'gzip' | 'runs'>;
}
/** Makes each call as a browser of the account. */
async function timeCalls({ storage, clock, organisationId, serverId, choice }: Seeded): Promise<Line[]> {
  const app = createApp(depsOn(storage, clock));
  const { token } = await openSession({ sessions: storage.sessions, clock }, founderOf(organisationId));
  const headers = { authorization: `Bearer ${token}`, ...(choice.gzip ? FROM_AFAR : {}) };
  const ask = async (path: string): Promise<Asked> => {
    const answer = await app.request(path, { headers });
    const body = Buffer.from(await answer.arrayBuffer());
    const text = (answer.headers.get('content-encoding') === 'gzip' ? gunzipSync(body) : body).toString();
    return { status: answer.status, text, bytes: body.length };
  };
  const listed = JSON.parse((await ask('/api/servers/list?limit=1000')).text) as {
    data: { servers: { id: string }[] };
  };
  const ids = listed.data.servers.map(({ id }) => id);
  const most = ids.slice(0, SPARK_LIMITS.servers).join(',');
  const [alert] = (JSON.parse((await ask('/api/data/notifications?limit=1')).text) as AlertsAnswer).data.alerts;
  const paths = [
    ...pathsFor(serverId),
    `/api/alerts/${alert?.alert_id ?? ''}`,
    `/api/data/metrics/sparks?hours=24&server_ids=${most}`,
  ];
  const chosen = paths.filter((one) => one.includes(choice.only));
  const lines: Line[] = [];
  for (const [index, path] of chosen.entries()) {
    const name = shown(path.replace(most, `${String(SPARK_LIMITS.servers)} IDS`), serverId);
    const line = { ...(await measure(ask, path, choice.runs)), path: name };
    console.error(`  ${String(index + 1)}/${String(chosen.length)} ${name}: ${line.p50.toFixed(1)} ms`);
    lines.push(line);
  }
  return lines;
}

/** Planning and execution, as PostgreSQL tells them, of what the chart of all servers over 24 h asks it. */
async function databaseTimes(
  pool: Pool,
  organisationId: OrganisationId,
  clock: Clock,
): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  interface Explained {
    'QUERY PLAN': [{ 'Planning Time': number; 'Execution Time': number }];
  }
  const asking = {
    query: async (question: { text: string; values: unknown[] }) => {
      const { rows } = await pool.query<Explained>(`EXPLAIN (ANALYZE, FORMAT JSON) ${question.text}`, question.values);
      const plan = rows[0]?.['QUERY PLAN'][0];
      if (plan) times.push(plan['Planning Time'] + plan['Execution Time']);
      return { rows: [] };
    },
  } as unknown as Pool;
  const series = createSeriesStore({ pool: asking } as Database, clock);
  const buckets = recentBuckets(clock.now(), 24, CHART_POINTS);
  for (let i = 0; i < RUNS; i += 1) await series.hostSeries(ownerOf(organisationId), null, buckets);
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}

export const depsOn = (storage: Storage, clock: Clock, environment: Record<string, string> = {}): Deps => {
  return createDeps({
    config: loadConfig({ PLIMSOLL_WEB_DIR: '/nonexistent', ...environment }, false),
    clock,
    log: createLogger({ level: 'silent', format: 'json' }),
    metrics: createMetrics(),
    secretBox: new SecretBox(Buffer.alloc(SEALING_KEY_BYTES)),
    rates: noLimits(),
    storage,
    sharedAnswers: null,
  });
};
const shown = (path: string, serverId: string): string => path.replace(serverId, 'ID').replace(/(?<=alerts\/).*/, 'ID');

/** More servers than rows of an answer: what one server adds to a call must not grow with their number. */
const growth = (small: Line, large: Line): string => (small.p50 > 0 ? `×${(large.p50 / small.p50).toFixed(1)}` : '');

/** `what`: the database, and how much it holds. */
export function print(what: string, lines: readonly Line[], fewer: readonly Line[] | undefined): void {
  console.log(`${what}, load ${loads()}`);
  console.log(
    `${'p50 ms'.padStart(8)}${'p95 ms'.padStart(8)}${'growth'.padStart(8)}${'rows'.padStart(7)}${'bytes'.padStart(9)}  call`,
  );
  for (const [index, line] of lines.entries()) {
    const { path, failure, p50, p95, rows, bytes } = line;
    if (failure !== null) {
      console.log(`${failure.padStart(39)}    ${path}`);
      continue;
    }
    const before = fewer?.[index];
    console.log(
      [
        p50.toFixed(1).padStart(8),
        p95.toFixed(1).padStart(8),
        (before ? growth(before, line) : '').padStart(8),
        String(rows).padStart(7),
        String(bytes).padStart(9),
        `  ${path}${p95 > REACH_MS ? `  over ${String(REACH_MS)} ms` : ''}`,
      ].join(''),
    );
  }
}
const loads = (): string =>
  loadavg()
    .map((n) => n.toFixed(1))
    .join(' ');

export const help = `Every call of the dashboard over seven days of stored history; growth is that of the p50 from the number of servers before.
  --servers 50,500  how many servers (default 50,100,500)
  --pods 10,100     pods on each server; the growth is then from the number of pods before (default 10)
  --kind KIND       one database only: bundled or server
  --call TEXT       only paths that hold it
  --gzip            answers compressed, as over a network`;

export async function main(argv: string[]): Promise<void> {
  const option = (name: string, fallback: string): string => argv[argv.indexOf(name) + 1 || argv.length] ?? fallback;
  const counts = option('--servers', '50,100,500').split(',').map(Number);
  const pods = option('--pods', String(PODS_A_NODE)).split(',').map(Number);
  const all: ClusterKind[] = serverBinaries() === null ? ['bundled'] : ['bundled', 'server'];
  const only = option('--kind', '');
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  chmodSync(folder, 0o755);
  console.log(`load before: ${loads()}`);
  try {
    for (const kind of all.filter((name) => only === '' || name === only)) {
      const cluster = await clusterOf(kind, folder, DURABLE);
      let fewer: Line[] | undefined;
      for (const servers of counts)
        for (const podsANode of pods) {
          const history = { ...WEEK, podsANode };
          const choice = { only: option('--call', ''), gzip: argv.includes('--gzip'), history, runs: RUNS };
          const lines = await benchmark(cluster, servers, choice);
          const database = kind === 'bundled' ? 'bundled PostgreSQL' : "the machine's PostgreSQL";
          const held = `${String(servers)} servers with ${String(podsANode)} pods each × ${String(WEEK.days)} days`;
          print(`${database}, ${held}`, lines, fewer);
          fewer = lines;
        }
    }
  } finally {
    await stopClusters(folder);
  }
}
