import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { POLL, ROWS } from './api/polling.ts';
import { paths } from './paths.ts';
import { drawApp, rest } from './testing/draw-app.tsx';
import { ID } from './testing/every-answer.ts';

const MINUTE = 60_000;
/** The clock moves in steps no longer than the shortest interval, so that each answer is in before the next question. */
const STEP = 5000;

/** Calls that a page makes in a minute, with how often it makes each. */
async function callsOfAMinute(path: string): Promise<Map<string, number>> {
  const { settled, calls } = await drawApp(path);
  await settled();
  const folded = page.getByRole('button', { name: 'Chart: metrics timeline' });
  if (folded.elements().length > 0) await folded.click();
  await rest();
  const before = calls.length;
  for (let passed = 0; passed < MINUTE; passed += STEP) {
    await vi.advanceTimersByTimeAsync(STEP);
    await rest();
  }
  const counts = new Map<string, number>();
  for (const { path: asked } of calls.slice(before)) {
    const url = new URL(asked, window.location.origin);
    // The sample holds fewer alerts than its total, so pages request the rest as well.
    if (url.searchParams.get('limit') === String(ROWS.openAlerts)) continue;
    const name = url.searchParams.get('status') === 'active' ? `${url.pathname}?status=active` : url.pathname;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('calls of one minute', () => {
  it.each([
    [
      paths.dashboard,
      {
        '/api/data/notifications': POLL.sidebarAlerts,
        '/api/data/activity': POLL.dashboardActivity,
        '/api/data/metrics': POLL.dashboardMetrics,
        '/api/servers/list': POLL.servers,
      },
    ],
    [
      paths.server(ID),
      {
        '/api/data/metrics': POLL.serverMetrics,
        '/api/data/notifications?status=active': POLL.serverAlerts,
        '/api/data/network/metrics': POLL.serverNetwork,
        '/api/data/network/timeseries': POLL.networkTimeseries,
        '/api/data/metrics/timeseries': POLL.metricsTimeseries,
        '/api/data/processes': POLL.processes,
      },
    ],
    [paths.processes, { '/api/data/processes': POLL.processes }],
    [
      paths.network,
      { '/api/data/network/timeseries': POLL.networkTimeseries, '/api/data/network/metrics': POLL.networkMetrics },
    ],
    [paths.alerts, { '/api/data/metrics/timeseries': POLL.metricsTimeseries }],
  ])('%s asks as often as polling.ts says', async (path, expected) => {
    // Before the page: its timers must be ours.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    const calls = await callsOfAMinute(path);
    const counted = Object.keys(expected).map((call) => [call, calls.get(call) ?? 0]);
    expect(counted).toEqual(Object.entries(expected).map(([call, interval]) => [call, MINUTE / interval]));
  });
});
