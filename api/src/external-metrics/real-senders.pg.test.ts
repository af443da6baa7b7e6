/** The real senders, configured as docs/bring-your-agent.md says, until the server has figures that need two samples. */
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, hostname, totalmem } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hashToken, newToken } from '../accounts/tokens.ts';
import { ownerOf } from '../accounts/owner.ts';
import { createApp } from '../app.ts';
import { listen, type Listening } from '../http/listen.ts';
import { testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { type DebianProgram, startProgram } from '../testing/debian-programs.ts';
import { freePort } from '../testing/free-port.ts';
import { testStorage } from '../testing/postgres.ts';
import { startPrometheus } from '../testing/prometheus.ts';
import { externalMetricsJob } from './jobs.ts';

const db = testStorage();
const folder = mkdtempSync('/tmp/plimsoll-senders-');
const DOCS = readFileSync(join(import.meta.dirname, '../../../docs/bring-your-agent.md'), 'utf8');
let app: TestApp;
let user: TestUser;
let tokenFile: string;
let api: Listening;
let exporterPort: number;
const stops: (() => Promise<void>)[] = [];

const start = (program: DebianProgram, args: string[]): void => {
  const child = startProgram(program, args);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  stops.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
};

beforeAll(async () => {
  app = testApp(db.storage(), {
    clock: { now: () => Date.now() },
    settings: { PLIMSOLL_REPORT_INTERVAL_SECONDS: '10' },
  });
  api = await listen(createApp(app.deps).fetch, { host: '127.0.0.1', port: 0 });
  exporterPort = await freePort();
  start('node-exporter', [
    `--web.listen-address=127.0.0.1:${String(exporterPort)}`,
    '--no-collector.systemd',
    '--no-collector.textfile',
    '--log.level=error',
  ]);
  tokenFile = join(folder, 'token');
});
/** Each sender has an account of its own, because all of them send the same machine. */
const newOwner = async (): Promise<void> => {
  user = await app.newUser();
  const token = newToken('api');
  const entry = { name: 'sender', scopes: ['write'] as const, tokenHash: hashToken(token), lastFour: 'abcd' };
  await db.storage().identity.apiTokens.replace(ownerOf(user.accountId), { ...entry, expiresAt: null }, Date.now());
  writeFileSync(tokenFile, token);
};
afterAll(async () => {
  for (const stop of stops) await stop();
  await api.close();
  rmSync(folder, { recursive: true });
});

/** Returns the block of code below a heading, with the addresses and files of this test. */
const documented = (heading: string): string => {
  const section = DOCS.split(`\n## ${heading}\n`)[1] ?? '';
  const lines = section.split('\n');
  const begin = lines.findIndex((line) => line.startsWith('    '));
  const end = lines.findIndex((line, index) => index > begin && line !== '' && !line.startsWith('    '));
  return lines
    .slice(begin, end === -1 ? undefined : end)
    .map((line) => line.slice(4))
    .join('\n')
    .replaceAll('https://plimsoll.example.com', `http://127.0.0.1:${String(api.port)}`)
    .replaceAll(/\/etc\/[a-z]+\/plimsoll-token/g, tokenFile);
};
const scrapeConfigs = (): string => `
scrape_configs:
  - job_name: node
    scrape_interval: 2s
    static_configs: [{ targets: ['127.0.0.1:${String(exporterPort)}'] }]
`;

interface Row {
  hostname: string;
  cpu: number;
  memory: number;
  disk: number;
  receive: number;
  total: number;
  cores: number;
}
const LATEST = `SELECT s.hostname, l.cpu_percent AS cpu, l.memory_percent AS memory, l.disk_percent AS disk,
    l.receive_bytes_per_second AS receive, m.value::float8 AS total, (y.value->>'cpu_cores')::int AS cores
  FROM server s JOIN server_latest l ON l.server_key = s.key
  JOIN server_fact m ON m.server_key = s.key AND m.name = 'memory_total_bytes'
  JOIN server_fact y ON y.server_key = s.key AND y.name = 'system'
  WHERE s.account_id = $1 AND l.cpu_percent IS NOT NULL`;

/** Runs the job until a report of the machine has rates. */
const reported = (): Promise<Row> => {
  const { storage, alertRules, changes, metrics, clock, log } = app.deps;
  const { externalReadings, agents, reports, alertStates } = storage;
  const of = { externalReadings, agents, reports, alertStates, alertRules, changes, metrics, clock, log };
  const job = externalMetricsJob({ ...of, reportIntervalSeconds: 10, planLimits: null });
  return vi.waitFor(
    async () => {
      await job.run(Date.now());
      const [found] = await db.sql<Row & Record<string, unknown>>(LATEST, [user.accountId]);
      if (found === undefined) throw new Error('no report with rates yet');
      return found;
    },
    { timeout: 90_000, interval: 1000 },
  );
};
/** What Node says of the machine. Percentages are 0–100; of an idle machine CPU may be 0. */
const share: unknown = expect.toSatisfy((value: number) => value >= 0 && value <= 100, 'is a percentage');
const MACHINE = {
  hostname: hostname(),
  cores: cpus().length,
  cpu: share,
  memory: share,
  disk: share,
  receive: expect.any(Number) as unknown,
  total: expect.toSatisfy((bytes: number) => Math.abs(bytes - totalmem()) < 2 ** 20, 'is the memory') as unknown,
};

test('Prometheus sends node_exporter', async () => {
  await newOwner();
  const prometheus = await startPrometheus(`${documented('Prometheus')}\n${scrapeConfigs()}`);
  stops.push(() => prometheus.stop());
  expect(await reported()).toEqual(MACHINE);
});

test('vmagent sends node_exporter', async () => {
  await newOwner();
  const file = join(folder, 'vmagent.yml');
  writeFileSync(file, scrapeConfigs());
  const args = documented('vmagent')
    .replace('prometheus.yml', file)
    .split(/[\s\\]+/)
    .filter((word) => word !== '')
    .slice(1);
  start('vmagent', [
    ...args,
    `-httpListenAddr=127.0.0.1:${String(await freePort())}`,
    `-remoteWrite.tmpDataPath=${folder}/vm`,
    '-loggerLevel=ERROR',
  ]);
  expect(await reported()).toEqual(MACHINE);
});
