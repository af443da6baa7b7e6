import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Report } from '@plimsoll/contract/wire/report';
import { Pool } from 'pg';
import { hashToken, newToken } from '../../../api/src/accounts/tokens.ts';
import { migrate } from '../../../api/src/database/migrate.ts';
import type { Agent } from '../../../api/src/servers/types.ts';
import { valuesOf } from '../../../api/src/processes/list-entries.ts';
import type { Storage } from '../../../api/src/storage.ts';
import { createPostgresStorage } from '../../../api/src/postgres-storage.ts';
import { enrolledAgent, itemOf, newAccount, batchOf } from '../../../api/src/testing/batches.ts';
import { clusterOf, DURABLE, serverBinaries, stopClusters } from '../../../api/src/testing/postgres-clusters.ts';
import type { Cluster, ClusterKind } from '../../../api/src/testing/postgres-clusters.ts';
import { startApi } from './ingest/api-process.ts';
import { Connection, readyRequest } from './ingest/connection.ts';
import { cpuSeconds, cpuSecondsOfPostgres, quantile, runLoad } from './ingest/load.ts';
import { bodyOf, gzipped } from './ingest/report-body.ts';
import { measureSteps } from './ingest/steps.ts';
import { awaitUsualMinute } from './ingest/usual-minute.ts';

/** Each agent may send ten at once and one a second; six keeps every one of them inside its limit. */
const AGENTS = 1600;
const REPORTS_EACH = 5;
/** Before the clock starts each agent sends one more: servers are known, statements prepared, code compiled. */
const WARM_UP = AGENTS;
/** Statements in flight, and connections of the bare INSERT: as many as the API's own pool has. */
const WIDTH = 16;
/** Requests in flight over HTTP: agents send whether or not a database connection is free. The API lets in 64. */
const REQUEST_WIDTH = 32;
const REPORTS = AGENTS * REPORTS_EACH;

export interface Row {
  what: string;
  perSecond: number;
  p50: number;
  p99: number;
  cpu: Record<string, number>;
}

/** The 19 figures of a sample, in the order of the columns. */
const FIGURES = '37.5, 1.2, 43.75, 5, 7e9, 41.6, 8e11, 25, 160.5, 2.5e6, 1.8e6, 1.5, 100, 90, 10, 0, 0, 0, 0';

const databaseOn = async (cluster: Cluster, name: string) => {
  const admin = new Pool({ ...cluster, database: 'postgres', max: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const connection = { host: cluster.host, port: cluster.port, user: cluster.user, database: name };
  await migrate(connection);
  return connection;
};
type Database = Awaited<ReturnType<typeof databaseOn>>;

const postmasterOf = (cluster: Cluster): number =>
  Number(readFileSync(join(cluster.host, '..', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);

type CpuReaders = Record<string, () => number>;
const thisProcess = (): number => cpuSeconds(process.pid);
const postgresOf = (cluster: Cluster): (() => number) => {
  const postmaster = postmasterOf(cluster);
  return () => cpuSecondsOfPostgres(postmaster);
};

/** Works the first items off before it measures the rest. */
const measure = async <T>(
  what: string,
  items: readonly T[],
  cpuReaders: CpuReaders,
  work: (item: T, lane: number) => Promise<void>,
  { width = WIDTH, warmUp = WARM_UP, afterWarmUp = () => Promise.resolve() } = {},
): Promise<Row> => {
  await runLoad(items.slice(0, warmUp), width, work);
  await afterWarmUp();
  const before = Object.entries(cpuReaders).map(([name, read]) => ({ name, read, used: read() }));
  const measured = items.slice(warmUp);
  const { seconds, latencies } = await runLoad(measured, width, work);
  const cpu = before.map(({ name, read, used }) => [name, ((read() - used) * 1000) / measured.length] as const);
  return {
    what,
    perSecond: measured.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpu: Object.fromEntries(cpu),
  };
};

/** Every row a report leaves behind, ready-made, in one statement and one transaction; nothing is looked up or compared. */
const BARE_INSERT = `WITH stream AS (
    INSERT INTO report_stream (server_key, stream_id, settled, last_received_at) VALUES ($1, gen_random_uuid(), '{[1,2)}', $2)
  ), ledger AS (
    INSERT INTO report_ledger VALUES ($1, 7, 1, $2, $2, 100000, $3)
  ), latest AS (
    INSERT INTO server_latest VALUES ($1, $2, ${FIGURES})
  ), parts AS (
    INSERT INTO server_parts VALUES ($1, $2, $4, $5, $6, $7, $8, $15)
  ), facts AS (
    INSERT INTO server_fact VALUES ($1, 'system', $2, $9), ($1, 'memory_total_bytes', $2, '16e9'),
      ($1, 'storage_total_bytes', $2, '2e12')
  ), lists AS (
    INSERT INTO server_list VALUES ($1, 'processes', $2, $10, $12, $13), ($1, 'connections', $2, $11, $14, '{}')
  )
  INSERT INTO host_sample VALUES ($2, $1, ${FIGURES})`;
const MAKE_SERVERS = `INSERT INTO server (key, machine_hash, hostname, created_at)
  SELECT n, decode(md5(n::text), 'hex'), 'bench', now() FROM generate_series(1, ${WARM_UP + REPORTS}) n`;

/** Reports that differ in their figures, for what is measured without HTTP. */
const VARIANTS = 64;
const NOBODY = '00000000-0000-4000-8000-000000000000';
const variantReports = (): Report[] =>
  Array.from({ length: VARIANTS }, (_, variant) => {
    const body = JSON.parse(bodyOf(NOBODY, 1, variant).toString()) as { reports: [Report] };
    return body.reports[0];
  });
/** Returns the parameters of BARE_INSERT from $4 on: the parts, the lists, and the values that rank the lists. */
const bareValues = (report: Report): unknown[] => {
  const { cpu, filesystems, disks, interfaces, agent, system, processes = [], connections = [] } = report;
  const { load, pressure, temperatures, containers, units } = report;
  const lists = [valuesOf.processes(processes), valuesOf.connections(connections)];
  const parts = [cpu?.per_core_percent, filesystems, disks, interfaces, agent, system, ...lists];
  return [
    ...parts.map((part) => JSON.stringify(part)),
    processes.map(({ cpu_percent: percent }) => percent),
    processes.map(({ memory_bytes: bytes }) => bytes),
    connections.map(({ importance_score: score }) => score),
    JSON.stringify({ load, pressure, temperatures, containers, units }),
  ];
};

const bareInsert = async (cluster: Cluster): Promise<Row> => {
  const connection = await databaseOn(cluster, 'bare');
  const storage = createPostgresStorage({ connection });
  await storage.maintenance.makePartitions(Date.now());
  await storage.close();
  const pool = new Pool({ ...connection, max: WIDTH });
  await pool.query(MAKE_SERVERS);
  const variants = variantReports().map(bareValues);
  const hash = Buffer.alloc(32, 1);
  const keys = Array.from({ length: WARM_UP + REPORTS }, (_, index) => index + 1);
  const cpu = { generator: thisProcess, PostgreSQL: postgresOf(cluster) };
  const row = await measure('bare INSERT of the rows', keys, cpu, async (key) => {
    const values = [key, new Date(), hash, ...(variants[key % VARIANTS] ?? [])];
    await pool.query({ name: 'bare', text: BARE_INSERT, values });
  });
  await pool.end();
  return row;
};

/** No more at once than there are connections: those that wait for one give up after 5 s. */
const enrolAgents = async (storage: Storage): Promise<Agent[]> => {
  const organisationId = await newAccount(storage);
  const agents: Agent[] = [];
  await runLoad([...Array(AGENTS).keys()], WIDTH, async () => {
    agents.push(await enrolledAgent(storage, organisationId));
  });
  return agents;
};

const acceptOnly = async (cluster: Cluster): Promise<Row> => {
  const storage = createPostgresStorage({ connection: await databaseOn(cluster, 'accept') });
  await storage.maintenance.makePartitions(Date.now());
  const agents = await enrolAgents(storage);
  const work = Array.from({ length: WARM_UP + REPORTS }, (_, index) => ({
    agent: agents[index % AGENTS],
    seq: Math.floor(index / AGENTS) + 1,
  }));
  const reports = variantReports();
  const cpu = { 'generator and storage': thisProcess, PostgreSQL: postgresOf(cluster) };
  const row = await measure('accept statement alone', work, cpu, async ({ agent, seq }, lane) => {
    const report = reports[(seq * WIDTH + lane) % VARIANTS];
    if (agent) await storage.reports.accept(batchOf(agent, [itemOf(seq, Date.now(), report)]));
  });
  await storage.close();
  return row;
};

interface Sender {
  token: string;
  serverId: string;
}
const enrolSenders = async (database: Database): Promise<Sender[]> => {
  const storage = createPostgresStorage({ connection: database });
  const senders: Sender[] = [];
  await runLoad(await enrolAgents(storage), WIDTH, async (agent) => {
    const token = newToken('agent');
    await storage.agents.offerToken(agent, hashToken(token), Date.now());
    senders.push({ token, serverId: agent.serverId });
  });
  await storage.close();
  return senders;
};

interface Load {
  /** Name of the database that it creates. */
  name?: string;
  reportsEach?: number;
  /** Reports of each agent before it is measured, and the pause after them. */
  reportsBefore?: number;
  pauseMs?: number;
  settings?: Record<string, string>;
}
/** Sends `reportsEach` reports of each agent to the product's own API, which has these settings beside its database. */
export const fullPath = async (
  cluster: Cluster,
  what: string,
  { name = 'full_path', reportsEach = REPORTS_EACH, reportsBefore = 1, pauseMs = 0, settings = {} }: Load = {},
): Promise<Row> => {
  const database = await databaseOn(cluster, name);
  const senders = await enrolSenders(database);
  const api = await startApi(`postgresql://${database.user}@localhost/${name}?host=${database.host}`, settings);
  const requests = Array.from({ length: reportsBefore + reportsEach }, (_, round) => round + 1).flatMap((seq) =>
    senders.map(({ token, serverId }, index) =>
      readyRequest(api.port, token, seq, gzipped(bodyOf(serverId, seq, seq * AGENTS + index))),
    ),
  );
  const open = () => Promise.all(Array.from({ length: REQUEST_WIDTH }, () => Connection.open(api.port)));
  let connections = await open();
  const cpu = { generator: thisProcess, API: () => cpuSeconds(api.pid), PostgreSQL: postgresOf(cluster) };
  const send = async (ready: (typeof requests)[number], lane: number): Promise<void> => {
    await connections[lane]?.send(ready);
  };
  const row = await measure(what, requests, cpu, send, {
    width: REQUEST_WIDTH,
    warmUp: reportsBefore * AGENTS,
    afterWarmUp: async () => {
      if (pauseMs === 0) return;
      await delay(pauseMs);
      // The API closes connections that nobody uses.
      for (const connection of connections) connection.close();
      connections = await open();
    },
  });
  for (const connection of connections) connection.close();
  await api.stop();
  const pool = new Pool({ ...database, max: 1 });
  const { rows } = await pool.query<{ stored: number }>('SELECT count(*)::integer AS stored FROM report_ledger');
  await pool.end();
  if (rows[0]?.stored !== requests.length)
    throw new Error(`${requests.length} acknowledged, ${rows[0]?.stored} stored`);
  return row;
};

/** The first row is what the others are compared with. */
export const print = (kind: ClusterKind, rows: Row[]): void => {
  const bare = rows[0]?.perSecond ?? 1;
  console.log(`\n${kind === 'bundled' ? 'bundled PostgreSQL 18' : "the machine's PostgreSQL"}, fsync on`);
  console.log(
    `${'what'.padEnd(28)}${'reports/s'.padStart(10)}${'× first'.padStart(8)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}  CPU ms a report`,
  );
  for (const { what, perSecond, p50, p99, cpu } of rows) {
    const cells = [perSecond.toFixed(0).padStart(10), (perSecond / bare).toFixed(2).padStart(8)];
    const times = [p50, p99].map((ms) => ms.toFixed(1).padStart(9));
    const used = Object.entries(cpu).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
    console.log(`${what.padEnd(28)}${cells.join('')}${times.join('')}  ${used.join(', ')}`);
  }
};

export const help = `Reports a second over the full path, beside a bare INSERT of the same rows on the same database.
  --json  the rows as JSON`;

export async function main(argv: readonly string[]): Promise<void> {
  const kinds: ClusterKind[] = serverBinaries() === null ? ['bundled'] : ['bundled', 'server'];
  const size = bodyOf(NOBODY, 1);
  console.log(
    `${REPORTS} reports of ${AGENTS} agents, ${(size.length / 1024).toFixed(1)} KiB each (${(gzipped(size).length / 1024).toFixed(1)} KiB gzip), ${WIDTH} statements or ${REQUEST_WIDTH} requests in flight; load before: ${loadavg()[0]?.toFixed(1)}`,
  );
  const folder = mkdtempSync('/tmp/plimsoll-bench-');
  chmodSync(folder, 0o755);
  const results: Partial<Record<ClusterKind, Row[]>> = {};
  try {
    for (const kind of kinds) {
      const cluster = await clusterOf(kind, folder, DURABLE);
      const bare = await bareInsert(cluster);
      await awaitUsualMinute();
      const accepted = await acceptOnly(cluster);
      await awaitUsualMinute();
      results[kind] = [bare, accepted, await fullPath(cluster, 'full path over HTTP')];
      print(kind, results[kind]);
    }
  } finally {
    await stopClusters(folder);
  }
  const steps = await measureSteps();
  console.log('\nwhere the API spends its time, CPU ms a report');
  for (const [step, ms] of Object.entries(steps)) console.log(`  ${step.padEnd(40)}${ms.toFixed(3)}`);
  if (argv.includes('--json')) console.log(JSON.stringify({ results, steps }));
}
