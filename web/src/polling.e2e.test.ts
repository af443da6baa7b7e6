import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POLL } from './api/polling.ts';
import { paths } from './paths.ts';
import { launchChromium } from './testing/chromium.ts';
import { enrol, enrolmentToken } from './testing/fleet.ts';
import { openPage, settled } from './testing/open-page.ts';
import type { OwnCalls } from './testing/own-calls.ts';
import { startProduct } from './testing/product.ts';
import type { Product } from './testing/product.ts';
import { manyServers } from './testing/sample-fleet.ts';

const MINUTE = 60_000;
/** The clock moves in steps no longer than the shortest interval, so that each answer is in before the next question. */
const STEP = 5000;

const ownCalls = (page: Page): Promise<OwnCalls> =>
  page.evaluate(() => (globalThis as unknown as { ownCalls: OwnCalls }).ownCalls);

/** Paths of the calls of a minute, with how often each was made. */
async function callsOfAMinute(page: Page, path: string): Promise<Map<string, number>> {
  await page.clock.install();
  const calls = new Map<string, number>();
  let logged = 0;
  page.on('request', (request) => {
    if (request.resourceType() !== 'fetch') return;
    const { pathname, searchParams } = new URL(request.url());
    const asked = searchParams.get('status') === 'active' ? `${pathname}?status=active` : pathname;
    logged++;
    calls.set(asked, (calls.get(asked) ?? 0) + 1);
  });
  /** Every call is answered, and the log has them all. */
  const answered = () =>
    expect
      .poll(async () => ({ ...(await ownCalls(page)), logged }), { timeout: 60_000, interval: 20 })
      .toSatisfy(({ made, open, logged }: OwnCalls & { logged: number }) => open === 0 && made === logged);
  await page.goto(path);
  await settled(page);
  // Requests of the opening page do not count, but they must be over before the minute begins.
  await answered();
  // From here on the clock stands still but for our steps: the time an answer takes must not stretch the intervals.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await answered();
  calls.clear();
  for (let passed = 0; passed < MINUTE; passed += STEP) {
    await page.clock.runFor(STEP);
    // An answer still on its way would swallow the next question.
    await answered();
  }
  return calls;
}

describe('calls of one minute', () => {
  let product: Product;
  let browser: Browser;
  let serverPath = '';
  beforeAll(async () => {
    product = await startProduct();
    browser = await launchChromium();
    const token = await enrolmentToken(product.origin, product.token);
    const [server] = manyServers(1);
    serverPath = paths.server((await enrol(product.origin, token, server!)).id);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it.each([
    [
      'dashboard',
      () => paths.dashboard,
      {
        '/api/data/notifications': POLL.sidebarAlerts,
        '/api/data/activity': POLL.dashboardActivity,
        '/api/data/metrics': POLL.dashboardMetrics,
        '/api/servers/list': POLL.servers,
      },
    ],
    [
      'server',
      () => serverPath,
      {
        '/api/data/metrics': POLL.serverMetrics,
        '/api/data/notifications?status=active': POLL.serverAlerts,
        '/api/data/network/metrics': POLL.serverNetwork,
        '/api/data/network/timeseries': POLL.networkTimeseries,
        '/api/data/metrics/timeseries': POLL.metricsTimeseries,
        '/api/data/processes': POLL.processes,
      },
    ],
    ['processes', () => paths.processes, { '/api/data/processes': POLL.processes }],
    [
      'network',
      () => paths.network,
      { '/api/data/network/timeseries': POLL.networkTimeseries, '/api/data/network/metrics': POLL.networkMetrics },
    ],
    ['alerts', () => paths.alerts, { '/api/data/metrics/timeseries': POLL.metricsTimeseries }],
  ])('%s asks as often as polling.ts says', async (_, path, expected) => {
    const { page, context } = await openPage(browser, product);
    // Changes told by the server would add calls of their own.
    await page.route('**/api/events', (route) => route.abort());
    const calls = await callsOfAMinute(page, path());
    const counted = Object.keys(expected).map((call) => [call, calls.get(call) ?? 0]);
    expect(counted).toEqual(Object.entries(expected).map(([call, interval]) => [call, MINUTE / interval]));
    await context.close();
  });
});
