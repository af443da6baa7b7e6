import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Server, ServersAnswer } from '@plimsoll/contract/wire/servers';
import { paths } from './paths.ts';
import { drawApp, emptied, filled } from './testing/draw-app.tsx';
import type { Answers } from './testing/draw-page.tsx';
import { everyAnswer, ID } from './testing/every-answer.ts';
import { nextFrame } from './testing/next-frame.ts';

const SILENT = paths.server(ID);
const NO_SERVERS = filled('/api/servers/list', {
  servers: [],
  fleet: [],
  total: 0,
  summary: { ...(everyAnswer('/api/servers/list', Date.now()) as ServersAnswer).summary, total: 0 },
});
/** Every list of the API without a row. */
const NOTHING: Answers = {
  'GET /api/servers/list': NO_SERVERS,
  ...Object.fromEntries(
    [
      '/api/data/metrics',
      '/api/data/metrics/timeseries',
      '/api/data/network/timeseries',
      '/api/data/network/metrics',
      '/api/data/network/connections',
      '/api/data/notifications',
      '/api/data/activity',
      '/api/data/activity/timeline',
      '/api/data/processes',
      '/api/kubernetes/clusters',
      '/api/kubernetes/nodes',
      '/api/kubernetes/pods',
    ].map((path) => [`GET ${path}`, emptied(path, { total: 0, folded: 0 })]),
  ),
  [`GET /api/kubernetes/nodes/${ID}/pods`]: emptied(`/api/kubernetes/nodes/${ID}/pods`, { total: 0 }),
};
/** Text of each screen when the API has no data for it. */
const EMPTY = [
  { path: paths.dashboard, texts: ['No servers connected yet'] },
  { path: paths.servers, texts: ['No servers connected yet'] },
  { path: paths.alerts, texts: ['No alerts in this time range'] },
  { path: paths.activity, texts: ['No activity in this time range'] },
  { path: paths.network, texts: ['No bandwidth data available', 'No connection data available'] },
  {
    path: paths.processes,
    texts: ['No process data available', 'Data will appear when your servers start sending metrics.'],
  },
  {
    path: SILENT,
    texts: [
      'No metrics available',
      'No metrics data available',
      'No network data available',
      'No connection data available',
    ],
  },
  { path: paths.kubernetesNode(ID), texts: ['No pods found on this node', 'Resource history'] },
];
const SCREENS = [paths.dashboard, paths.servers, paths.alerts, paths.activity, paths.network, paths.processes];
const said = () => document.body.innerText.replaceAll(/\s+/g, ' ');

describe('a screen without data', () => {
  it.each(EMPTY)('says so on $path', async ({ path, texts }) => {
    const { settled } = await drawApp(path, { answers: NOTHING });
    await settled();
    await expect.poll(() => texts.filter((text) => !said().includes(text))).toEqual([]);
  });

  it('leads from the dashboard to Setup', async () => {
    await drawApp(paths.dashboard, { answers: NOTHING });
    await page.getByRole('link', { name: 'Install Agent' }).click();
    await expect.element(page.getByRole('heading', { name: 'Setup', level: 1 })).toBeVisible();
    expect(window.location.pathname).toBe(paths.setup);
  });
});

describe('a screen whose data is on its way', () => {
  it.each(SCREENS)('keeps its place on %s, then fills it', async (path) => {
    const held = Promise.withResolvers<null>();
    const late: Answers = Object.fromEntries(
      Object.keys(NOTHING).map((call) => [call, () => held.promise.then(() => filled(call.slice('GET '.length)))]),
    );
    const { settled } = await drawApp(path, { answers: late });
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect
      .poll(() => document.querySelectorAll('main .MuiSkeleton-root, main [role="progressbar"]').length)
      .toBeGreaterThan(0);
    held.resolve(null);
    await settled();
  });
});

describe('a failure', () => {
  it('of a server names it and leads back to the list', async () => {
    await drawApp(SILENT, { answers: { [`GET /api${SILENT}`]: { status: 500, detail: 'broken' } } });
    await expect.element(page.getByRole('heading', { name: 'Failed to load server details' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to Servers' }).click();
    await expect.poll(() => window.location.pathname).toBe(paths.servers);
  });

  it.each([404, 400])('tells nothing of a server that the API answers with %d', async (status) => {
    await drawApp(SILENT, { answers: { [`GET /api${SILENT}`]: { status, detail: 'db-04 is of another account' } } });
    await expect.element(page.getByRole('heading', { name: 'Server not found', level: 1 })).toBeVisible();
    expect(page.getByRole('main').element().textContent).not.toMatch(/db-04|Retry/);
    await expect.element(page.getByRole('link', { name: 'Back to Servers' })).toHaveAttribute('href', paths.servers);
  });

  it('of the profile does not sign out, and a retry goes on where it was', async () => {
    let isDown = true;
    await drawApp(paths.servers, {
      answers: {
        'GET /api/auth/profile': () => (isDown ? { status: 503, detail: 'later' } : filled('/api/auth/profile')),
      },
    });
    await expect.element(page.getByText('Failed to load profile')).toBeVisible();
    isDown = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.element(page.getByRole('heading', { name: 'Servers', level: 1 })).toBeVisible();
    expect(window.location.pathname).toBe(paths.servers);
  });

  it('of the session signs out, and remembers the page that asked', async () => {
    await drawApp(`${paths.servers}?view=table`, {
      answers: { 'GET /api/auth/profile': { status: 401, detail: 'Sign in' } },
    });
    await expect.element(page.getByRole('heading', { name: 'Sign in to Plimsoll' })).toBeVisible();
    expect(localStorage.getItem('plimsoll.token')).toBeNull();
    expect(window.history.state).toMatchObject({ usr: { from: `${paths.servers}?view=table` } });
  });
});

describe('a fleet of more servers than the dashboard lists', () => {
  const answer = everyAnswer('/api/servers/list', Date.now()) as ServersAnswer;
  const servers: Server[] = Array.from({ length: 101 }, (_, index) => ({
    ...(answer.servers[0] as Server),
    display_name: null,
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    hostname: `node-${String(index).padStart(4, '0')}`,
  }));
  const answers: Answers = {
    'GET /api/servers/list': ({ path }) => {
      const limit = Number(new URLSearchParams(path.split('?')[1]).get('limit') ?? 100);
      const summary = { ...answer.summary, total: 101, online: 101, offline: 0, kubernetes_nodes: 0 };
      return { data: { ...answer, servers: servers.slice(0, limit), total: 101, summary } };
    },
  };
  const drawn = () => document.querySelectorAll('article').length;
  /** Goes from the top to the end, a screen at a time: a long grid draws those in sight. */
  async function names(): Promise<Set<string>> {
    const found = new Set<string>();
    for (let top = 0; ; top += window.innerHeight) {
      window.scrollTo(0, top);
      await nextFrame(); // Tells the grid that the window has scrolled.
      await nextFrame();
      for (const link of document.querySelectorAll('article a[href^="/servers/"]'))
        found.add(link.textContent.replaceAll(/\s/g, ''));
      if (top + window.innerHeight >= document.documentElement.scrollHeight) return found;
    }
  }

  it('is counted whole, and the rest stands on the Servers page', async () => {
    const { settled } = await drawApp(paths.dashboard, { answers, width: 1440 });
    await settled();
    await expect.element(page.getByText('101', { exact: true }).first()).toBeVisible();
    expect(await names()).toHaveLength(100);
    const rest = page.getByRole('link', { name: '1 more server on the Servers page' });
    await expect.element(rest).toHaveAttribute('href', paths.servers);
  });

  it('is on the Servers page whole, and only what is in sight is drawn', async () => {
    const { settled } = await drawApp(paths.servers, { answers, width: 1440 });
    await settled();
    await expect.element(page.getByRole('heading', { name: 'Servers', level: 1 })).toBeVisible();
    expect(drawn()).toBeLessThan(60);
    expect(await names()).toHaveLength(101);
  });
});
