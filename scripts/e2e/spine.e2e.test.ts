import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../web/src/testing/chromium.ts';
import { pendingReports } from '../lab/install/spool.ts';
import { buildLocalKit, builtCollector } from '../lib/kit-build.ts';
import { ROOT } from '../lib/web-build.ts';
import { watchCpu } from './host-cpu.ts';
import { type Product, startProduct, until } from './product.ts';
import { apiSession, type Get, serverWith, signInFirst } from './session.ts';

const INTERVAL_SECONDS = 5;
const env = { PLIMSOLL_REPORT_INTERVAL_SECONDS: String(INTERVAL_SECONDS) };

let browser: Browser;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  // A first start builds the collector, then restarts it, and a restarted one waits its own 60 s after its first report.
  if (builtCollector() === null) await new Promise<void>((resolve) => buildLocalKit(console.log, resolve));
  browser = await launchChromium();
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});
afterAll(() => browser.close());

async function open(
  args: string[] = [],
  more: Record<string, string> = {},
): Promise<{ product: Product; page: Page; get: Get }> {
  const product = await startProduct({ args, env: { ...env, ...more } });
  ends.push(() => product.stop());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  ends.push(() => page.close());
  await signInFirst(page, product);
  return { product, page, get: await apiSession(product) };
}

/** Times of the newest samples, newest first, in epoch seconds. */
const sampleTimes = async (get: Get, serverId: string): Promise<number[]> =>
  (
    await get<{ metrics: { timestamp: number }[] }>(`/api/data/network/metrics?server_id=${serverId}&limit=100`)
  ).metrics.map(({ timestamp }) => timestamp);

interface Latest {
  metrics: { server_id: string; timestamp: number; metrics: { cpu_usage: { value: number } } }[];
}

interface OnScreen {
  timestamp: number;
  answered: number;
  shown: number;
}

/** The server page as it shows one sample: the newest answer, once it is drawn, and what stands in the CPU tile then. */
async function cpuOnScreen(page: Page): Promise<OnScreen> {
  let newest: Latest['metrics'][number] | undefined;
  page.on('response', (answer) => {
    if (!answer.url().includes('/api/data/metrics?')) return;
    answer.json().then(
      ({ data }: { data: Latest }) => ([newest] = data.metrics),
      // A page that is left takes its answers with it.
      () => undefined,
    );
  });
  await page.reload();
  return until(
    'the newest answer on screen',
    async (): Promise<OnScreen | null> => {
      if (!newest) return null;
      const { timestamp, metrics } = newest;
      const answered = metrics.cpu_usage.value;
      // The first of the tiles, from its first figure on: elsewhere it may be part of another.
      const begins = new RegExp(`^${answered.toFixed(1).replace('.', '\\.')}`);
      const tile = page.getByRole('group', { name: 'Metrics' }).getByText(begins).first();
      // Another report may replace it at any moment.
      const text = await tile.innerText({ timeout: 1000 }).catch(() => null);
      return text === null ? null : { timestamp, answered, shown: Number.parseFloat(text) };
    },
    30,
  );
}

test('npm start shows the live figures of this very machine', async () => {
  const started = performance.now();
  const { product, page, get } = await open();
  const { id, hostname, total_memory: memory } = await serverWith(get, 'active', 30);
  await page.getByText(hostname, { exact: true }).first().waitFor();
  await page
    .getByRole('meter', { name: /^CPU \d/ })
    .first()
    .waitFor({ state: 'attached' });
  console.log(
    `ready after ${(product.readyMs / 1000).toFixed(1)} s, first data on screen after ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );

  const memTotal = Number(/^MemTotal:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) / 2 ** 20;
  expect(memory).toBeCloseTo(memTotal, 2);
  await page.goto(`${product.url}/servers/${id}`);
  await page
    .getByText(new RegExp(`of ${memTotal.toFixed(0)}\\s*GB`))
    .first()
    .waitFor();

  const cpu = watchCpu();
  ends.push(() => cpu.stop());
  const burner = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  ends.push(() => burner.kill('SIGKILL'));
  const from = Date.now() / 1000;
  await until(
    'a report whose whole window burned',
    async () => ((await sampleTimes(get, id))[0] ?? 0) > from + 2 * INTERVAL_SECONDS,
  );
  const { timestamp, answered, shown } = await cpuOnScreen(page);
  const before = (await sampleTimes(get, id)).find((at) => at < timestamp - 0.5) ?? Number.NaN;
  const measured = cpu.percentBetween(before, timestamp);
  console.log(
    `CPU on screen ${String(shown)} %, answered ${answered.toFixed(2)} %, /proc/stat over the same ${(timestamp - before).toFixed(1)} s: ${measured.toFixed(2)} %`,
  );
  expect(Math.abs(shown - measured)).toBeLessThan(5);
  expect(shown).toBeGreaterThan(100 / 2 / navigator.hardwareConcurrency);
});

test('a dead collector is stale within 3 intervals; back again, the gap is explained', async () => {
  const { product, page, get } = await open(['--no-collector']);
  const collector = () => {
    const child = spawn(process.execPath, [join(ROOT, 'collector/src/main.ts'), 'run'], {
      stdio: 'ignore',
      env: {
        ...process.env,
        PLIMSOLL_URL: product.url,
        PLIMSOLL_STATE_DIR: join(product.dataDir, 'collector'),
        PLIMSOLL_ENROLMENT_TOKEN_FILE: join(product.dataDir, 'local-enrolment'),
      },
    });
    ends.push(() => child.kill('SIGKILL'));
    return child;
  };
  const first = collector();
  const { id } = await serverWith(get, 'active', 30);
  await until('three samples', async () => (await sampleTimes(get, id)).length >= 3);
  first.kill('SIGKILL');
  await serverWith(get, 'offline', 4 * INTERVAL_SECONDS);
  const offline = Date.now() / 1000;
  // Asked now: a report may have been on its way when its sender was killed.
  const [last = 0] = await sampleTimes(get, id);
  const silent = offline - last;
  console.log(`offline ${silent.toFixed(1)} s after the last sample, interval ${String(INTERVAL_SECONDS)} s`);
  expect(silent).toBeLessThan(3 * INTERVAL_SECONDS + 2);
  await page.goto(product.url);
  await page.getByText('Offline', { exact: true }).first().waitFor();
  await page
    .getByText(/Last report .* ago/)
    .first()
    .waitFor();

  collector();
  await serverWith(get, 'active', 30);
  const { gaps } = await until('the gap', async () => {
    const series = await get<{ gaps: { from: number; to: number; reason: string; detail: string }[] }>(
      `/api/data/metrics/timeseries?hours=1&server_id=${id}`,
    );
    return series.gaps.some(({ reason }) => reason === 'agent_stopped') && series;
  });
  const gap = gaps.find(({ reason }) => reason === 'agent_stopped');
  expect(gap?.from).toBeCloseTo(last, 0);
  expect(gap?.detail).not.toBe('');
});

test('a collector this database does not know is enrolled anew', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-strange-'));
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }));
  chmodSync(dataDir, 0o711);
  mkdirSync(join(dataDir, 'collector'));
  const strange = { server_id: '7d3f5c52-0000-4000-8000-000000000001', agent_token: 'plm_agent_of_another_database' };
  writeFileSync(join(dataDir, 'collector/agent.json'), JSON.stringify(strange), { mode: 0o600 });
  const { product, get } = await open([], { PLIMSOLL_DATA_DIR: dataDir });
  const { id } = await serverWith(get, 'active', 30);
  expect(id).not.toBe(strange.server_id);
  expect(product.lines.join('\n')).toContain('does not know the collector of this machine');
});

test('an API that hangs loses nothing: what was taken meanwhile is backfilled', async () => {
  const { product, get } = await open();
  const { id } = await serverWith(get, 'active', 30);
  await until('two samples', async () => (await sampleTimes(get, id)).length >= 2);
  const pid = Number(readFileSync(join(product.dataDir, 'api.pid'), 'utf8'));
  const spool = join(product.dataDir, 'collector/spool');
  const from = Date.now() / 1000;
  process.kill(pid, 'SIGSTOP');
  await until('four intervals to pass', () => Date.now() / 1000 > from + 4 * INTERVAL_SECONDS, 60);
  const waiting = pendingReports(spool).filter((ts) => ts > from);
  process.kill(pid, 'SIGCONT');
  const to = Date.now() / 1000;
  const settled = (): boolean => {
    const pending = new Set(pendingReports(spool));
    return waiting.every((ts) => !pending.has(ts));
  };
  await until('the backlog to be settled', settled, 90);
  // A report that hung in the API is dated by its arrival, after all of it: so reports are counted.
  const stored = (await sampleTimes(get, id)).filter((at) => at > from);
  console.log(`${String(waiting.length)} samples taken while the API hung for ${(to - from).toFixed(0)} s`);
  expect(waiting.length).toBeGreaterThanOrEqual(3);
  expect(stored.length).toBeGreaterThanOrEqual(waiting.length);
  const { gaps } = await get<{ gaps: { from: number; to: number }[] }>(
    `/api/data/metrics/timeseries?hours=1&server_id=${id}`,
  );
  expect(gaps.filter((gap) => gap.from < to && gap.to > from)).toEqual([]);
});
