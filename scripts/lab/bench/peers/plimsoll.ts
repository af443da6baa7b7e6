import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { until } from '../../../e2e/product.ts';
import { send, signIn, startApi, type ApiProcess } from '../../faults/api-process.ts';
import { collectorRuntime } from '../../../lib/collector-runtime.ts';
import { endTree } from '../agent/process-tree.ts';
import { LEDGER } from '../api/seed.ts';
import { cpuSeconds, cpuSecondsOfPostgres } from '../ingest/load.ts';
import { bodyOf, gzipped } from '../ingest/report-body.ts';
import { connectionOf, enrolFleet, fillFleet } from '../web/fleet.ts';
import { DAY_MS, FLEET, INTERVAL_SECONDS, type ServerFigures, timesOf } from './figures.ts';

/** Columns of host_sample: the figures of a minute that charts read. */
const SAMPLE_FIGURES = 19;
/** Ten by CPU and ten by memory of every minute, with CPU, memory in per cent and in bytes, and threads. */
const PROCESS_FIGURES = 20 * 4;
const DAY_MINUTES = 1440;

interface First {
  any: number;
  cpu: number;
}

/** Seconds from the start of an installed collector until the dashboard shows its server, and its CPU. */
async function timeToFirst(api: ApiProcess, session: string, program: string): Promise<First> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-peers-'));
  const { data } = await send<{ data: { token: string } }>('POST', `${api.url}/api/user/enrolment-tokens`, {}, session);
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1000;
  const child = spawn(program, ['run'], {
    stdio: 'ignore',
    env: {
      ...collectorRuntime(),
      PATH: '/usr/bin:/bin:/usr/sbin',
      HOME: folder,
      PLIMSOLL_URL: api.url,
      PLIMSOLL_STATE_DIR: folder,
      PLIMSOLL_ENROLMENT_TOKEN: data.token,
    },
  });
  try {
    const summary = () =>
      send<{ data: { summary: { avg_memory: number | null; avg_cpu: number | null } } }>(
        'GET',
        `${api.url}/api/servers/list?limit=10`,
        undefined,
        session,
      ).then((answer) => answer.data.summary);
    await until('the first figure', async () => typeof (await summary()).avg_memory === 'number', 180);
    const any = seconds();
    await until('the first CPU', async () => typeof (await summary()).avg_cpu === 'number', 180);
    return { any, cpu: seconds() };
  } finally {
    await endTree(child.pid ?? 0, 3000);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends a report of each host each minute until the time is over, spread over the minute. */
async function report(api: ApiProcess, hosts: readonly { id: string; token: string }[], endsAt: number): Promise<void> {
  const everyMs = INTERVAL_SECONDS * 1000;
  await Promise.all(
    hosts.map(async ({ id, token }, index) => {
      await delay((everyMs * index) / hosts.length);
      for (let seq = 1, next = performance.now(); next < endsAt; seq += 1) {
        const body = new Uint8Array(gzipped(bodyOf(id, seq, index * 1000 + seq)));
        const headers = {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        };
        const answer = await fetch(`${api.url}/api/agent/v1/reports`, { method: 'POST', headers, body });
        if (!answer.ok) throw new Error(`a report: ${String(answer.status)} ${await answer.text()}`);
        await answer.body?.cancel();
        next += everyMs;
        await delay(Math.max(0, next - performance.now()));
      }
    }),
  );
}

/** The ledger has no partitions. */
const SIZE = `SELECT (pg_total_relation_size('report_ledger') + (SELECT sum(pg_total_relation_size(relid))
  FROM unnest(ARRAY['host_sample', 'host_rollup_5m', 'host_rollup_1h']::regclass[]) root,
    LATERAL pg_partition_tree(root) WHERE isleaf))::float8 AS bytes`;

async function cpuMsPerHost(api: ApiProcess, pool: Pool, minutes: number): Promise<number> {
  const hosts = await enrolFleet(pool, INTERVAL_SECONDS);
  const minuteMs = INTERVAL_SECONDS * 1000;
  const cpu = (): number => cpuSeconds(api.pid()) + cpuSecondsOfPostgres(api.postmaster());
  const sending = report(api, hosts, performance.now() + (minutes + 1) * minuteMs);
  await Promise.race([sending, delay(minuteMs)]);
  const [before, begun] = [cpu(), performance.now()];
  await Promise.race([sending, delay(minutes * minuteMs)]);
  const used = (cpu() - before) * 1000;
  const hostMinutes = (hosts.length * (performance.now() - begun)) / minuteMs;
  await sending;
  return used / hostMinutes;
}

/** The API with its embedded database. `program`: the collector as it is shipped. */
export async function measurePlimsoll(
  program: string,
  minutes: number,
  say: (line: string) => void,
): Promise<ServerFigures> {
  const api = await startApi();
  const pool = new Pool({ ...connectionOf(api.dataDir), max: 8 });
  try {
    const session = await signIn(api.url);
    say('plimsoll: time to the first figure');
    const first = await timeToFirst(api, session, program);
    await send('POST', `${api.url}/api/auth/logout`, {}, session);
    await pool.query('DELETE FROM server');
    say(`plimsoll: a day of ${String(FLEET)} hosts`);
    await fillFleet(api.dataDir, FLEET, say, { rawHours: DAY_MS / 3_600_000 });
    const now = Date.now();
    await pool.query(LEDGER, [new Date(now - DAY_MS), new Date(now)]);
    await pool.query('VACUUM ANALYZE');
    const { rows } = await pool.query<{ bytes: number }>(SIZE);
    const again = await signIn(api.url);
    const asUser = { headers: { authorization: `Bearer ${again}` } };
    const { rows: servers } = await pool.query<{ id: string }>('SELECT id FROM server ORDER BY key LIMIT 1');
    const ask = (path: string) => timesOf(() => fetch(api.url + path, asUser));
    const oneHost = await ask(`/api/data/metrics/timeseries?hours=24&server_id=${servers[0]?.id ?? ''}`);
    const fleet = await ask('/api/data/metrics/timeseries?hours=24');
    say(`plimsoll: ${String(minutes)} minutes of reports, after one to warm up`);
    return {
      name: 'plimsoll',
      firstSeconds: first.any,
      firstCpuSeconds: first.cpu,
      cpuMsPerHost: await cpuMsPerHost(api, pool, minutes),
      figuresPerHost: SAMPLE_FIGURES + PROCESS_FIGURES,
      bytesPerFigure: (rows[0]?.bytes ?? 0) / (FLEET * DAY_MINUTES * SAMPLE_FIGURES),
      oneHost,
      fleet,
    };
  } finally {
    await pool.end();
    await api.remove();
  }
}
