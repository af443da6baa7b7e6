import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { FleetEntry, Server, ServersAnswer, ServersSummary } from '@plimsoll/contract/wire/servers';
import { POLL } from '../../api/polling.ts';
import { paths } from '../../paths.ts';
import { drawApp, emptied, filled } from '../../testing/draw-app.tsx';
import type { Answers } from '../../testing/draw-page.tsx';
import { everyAnswer, ID } from '../../testing/every-answer.ts';
import { LINES } from '../../testing/parts-samples.ts';

const LIST = everyAnswer('/api/servers/list', Date.now()) as ServersAnswer;
const nearest = (resource: 'cpu' | 'memory' | 'disk', value: number) => ({
  resource,
  value,
  line: 80,
  points: 80 - value,
  subject: null,
});
/** As the API lists them: least headroom first, then those without fresh figures. */
const FLEET: readonly Pick<Server, 'hostname' | 'status' | 'headroom'>[] = [
  { hostname: 'over-01', status: 'active', headroom: nearest('cpu', 91) },
  { hostname: 'near-01', status: 'active', headroom: nearest('memory', 66) },
  { hostname: 'calm-01', status: 'active', headroom: nearest('disk', 30) },
  { hostname: 'calm-02', status: 'active', headroom: nearest('disk', 25) },
  { hostname: 'late-01', status: 'offline', headroom: nearest('cpu', 60) },
  { hostname: 'new-01', status: 'installing', headroom: null },
];
const SERVERS = FLEET.map((given, index): Server => ({
  ...(LIST.servers[0] as Server),
  display_name: null,
  lines: LINES,
  ...given,
  id: `${ID.slice(0, -1)}${String(index)}`,
}));
const SUMMARY: ServersSummary = {
  ...LIST.summary,
  total: 6,
  online: 4,
  offline: 1,
  installing: 1,
  refused: 0,
  uninstalled: 0,
  kubernetes_nodes: 0,
  uptime_percent: 66.666,
  total_cpu_cores: 56,
  total_storage_gb: 3048,
  avg_cpu: 35.5,
  avg_memory: null,
  avg_io_wait: 1,
  avg_iops: 900,
  used_memory_gb: 46,
  servers_with: { iops: 4, io_wait: 4, cpu: 4, memory: 0, disk: 4, used_memory: 1, used_storage: 4 },
  peak_iops: { value: 2400, server_id: ID, hostname: 'over-01' },
  over_line: 1,
  near_line: 1,
  clear: 2,
};
const fleet: FleetEntry[] = SERVERS.map(({ id, hostname, status, headroom, region, tags }) => ({
  server_id: id,
  hostname,
  status,
  headroom,
  region,
  tags,
}));
const listed = (summary: Partial<ServersSummary> = {}) => ({
  data: { servers: SERVERS, fleet, total: SERVERS.length, summary: { ...SUMMARY, ...summary } },
});
const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const solid = (text: string) => text.replaceAll(/\s/g, '');
const textOf = (element: Element | null | undefined) => flat((element as HTMLElement | null)?.innerText ?? '');
const cards = () =>
  [...document.querySelectorAll('article a[href^="/servers/"]')].map(({ textContent }) => solid(textContent));
const overview = (given: object) => filled('/api/kubernetes/cluster/overview', given);

async function show(answers: Answers = {}, width = 1440) {
  const drawn = await drawApp(paths.dashboard, { answers: { 'GET /api/servers/list': listed(), ...answers }, width });
  await drawn.settled();
  return drawn;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the load line of the fleet', () => {
  it('answers who is over, who is near, and ranks the rest behind', async () => {
    await show();
    await expect.element(page.getByText(/^1 of 4 online servers is over its line\./)).toBeVisible();
    const panel = page.getByRole('region', { name: 'Load line' });
    expect(textOf(panel.element())).toContain('1 over, 1 within 20 points, 2 clear');
    const rows = [...panel.element().querySelectorAll('ol > li[data-band]')];
    expect(rows.map((row) => solid(row.textContent))).toEqual([
      'over-01CPU11over',
      'near-01Memory14below',
      'calm-01Disk50below',
      'calm-02Disk55below',
    ]);
    // A silent server is a trouble of its own: it stands before all that report.
    await expect.poll(cards).toEqual(['late-01', 'over-01', 'near-01', 'calm-01', 'calm-02', 'new-01']);
  });

  it('is walked by the arrow keys and told in words', async () => {
    await show();
    const strip = page.getByRole('list', { name: 'Nearest resource of each server' });
    const bars = () => strip.getByRole('link').elements() as HTMLElement[];
    const nameOf = (bar: Element | null) => bar?.querySelector('span')?.textContent;
    await expect
      .poll(() => bars().map(nameOf))
      .toEqual([
        'late-01: offline, last known CPU 60 %',
        'over-01: CPU · 11 over',
        'near-01: Memory · 14 below',
        'calm-01: Disk · 50 below',
        'calm-02: Disk · 55 below',
        'new-01: no report yet',
      ]);
    // Tab enters the strip once, at its worst, and leaves it at once.
    expect(bars().map((bar) => bar.tabIndex)).toEqual([0, -1, -1, -1, -1, -1]);
    expect(bars().map((bar) => bar.dataset['kind'])).toEqual(['late', 'live', 'live', 'live', 'live', 'new']);
    const focused = () => nameOf(document.activeElement)?.split(':')[0];
    bars()[0]?.focus();
    for (const [key, name] of [
      ['ArrowRight', 'over-01'],
      ['End', 'new-01'],
      ['ArrowRight', 'new-01'],
      ['Home', 'late-01'],
      ['ArrowLeft', 'late-01'],
    ] as const) {
      await userEvent.keyboard(`{${key}}`);
      await expect.poll(focused).toBe(name);
    }
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => window.location.pathname).toBe(paths.server(SERVERS[4]?.id ?? ''));
  });
});

describe('the figures of the fleet', () => {
  it('stand with their units and facts, and N/A with its reason', async () => {
    await show();
    const tiles = [...page.getByRole('group', { name: 'Fleet' }).element().children];
    const told = (label: string) => textOf(tiles.find((tile) => tile.textContent.startsWith(label)));
    expect(told('Total Servers')).toBe('Total Servers 6 6 hosts');
    expect(told('Online Servers')).toBe('Online Servers 4 1 offline, 1 installing');
    expect(told('Uninstalled')).toBe('Uninstalled 0 none');
    expect(told('Uptime')).toMatch(/^Uptime 66\.7 ?% 4 of 6 online$/);
    expect(told('Avg CPU')).toMatch(/35\.5 ?%$/);
    expect(told('Avg Memory')).toContain('N/A');
    expect(told('Avg IO Wait')).toMatch(/1\.0 ?%$/);
    expect(told('Avg IOPS')).toBe('Avg IOPS 900 peak 2,400, over-01');
    // The figures of the past are those that are stored; a sum of some servers says of how many.
    expect(told('Total Memory')).toMatch(/46 ?GB in use of 1 of 4 servers$/);
    expect(told('Total CPU Cores')).toContain('Total CPU Cores 56');
    expect(told('Total Storage')).toMatch(/3\.0 ?TB/);
  });
});

describe('a pause', () => {
  it('asks nothing while it lasts, shows the age of what it shows, and catches up when it ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    let over = 1;
    const { callsTo } = await show({ 'GET /api/servers/list': () => listed({ over_line: over }) });
    await expect.element(page.getByText('Live', { exact: true })).toBeVisible();
    await expect.element(page.getByRole('banner').getByText(/ago$/)).toBeVisible();
    await page.getByRole('button', { name: 'Pause updates' }).click();
    await expect.element(page.getByText('Paused', { exact: true })).toBeVisible();
    over = 2;
    const asked = () => callsTo('GET', '/api/servers/list').length;
    const before = asked();
    await vi.advanceTimersByTimeAsync(2 * POLL.servers);
    expect(asked()).toBe(before);
    await expect.element(page.getByText(/^1 of 4 online servers is over its line\./)).toBeVisible();
    await page.getByRole('button', { name: 'Resume updates' }).click();
    await expect.element(page.getByText(/^2 of 4 online servers are over their line\./)).toBeVisible();
    await expect.element(page.getByText('Live', { exact: true })).toBeVisible();
  });
});

describe('a small screen', () => {
  it('shows four cards until asked for the rest, and alerts before figures', async () => {
    await show({ 'GET /api/data/notifications': emptied('/api/data/notifications', { total: 0 }) }, 390);
    await expect.poll(() => cards().length).toBe(4);
    const top = (name: string) => page.getByText(name, { exact: true }).first().element().getBoundingClientRect().top;
    expect(top('Active Alerts')).toBeLessThan(top('Total Servers'));
    await page.getByRole('button', { name: 'Show 2 more' }).click();
    await expect.poll(() => cards().length).toBe(6);
    await page.getByRole('group', { name: 'Sort servers' }).getByRole('button', { name: 'Name' }).click();
    await expect.poll(() => cards()[0]).toBe('calm-01');
  });
});

describe('the card of Kubernetes', () => {
  const card = () =>
    [...document.querySelectorAll('section')].find((section) =>
      section.querySelector('h2')?.textContent.trim().startsWith('Kubernetes'),
    );

  it('is not there before there is a cluster', async () => {
    await show();
    expect(card()).toBeUndefined();
  });

  it('stands beside a short list of alerts, with the activity below both instead of a hole', async () => {
    await show({ 'GET /api/servers/list': listed({ kubernetes_nodes: 1 }) });
    const box = (title: string) =>
      page.getByRole('heading', { level: 2, name: title }).element().closest('section')?.getBoundingClientRect();
    const [alerts, activity] = [box('Active Alerts'), box('Recent Activity')];
    expect(card()?.getBoundingClientRect().top).toBe(alerts?.top);
    expect(activity?.top).toBeGreaterThanOrEqual(alerts?.bottom ?? Infinity);
    expect(activity?.left).toBe(alerts?.left);
  });

  it('sums the cluster up and leads to it', async () => {
    await show({
      'GET /api/servers/list': listed({ kubernetes_nodes: 1 }),
      'GET /api/kubernetes/cluster/overview': overview({
        total_nodes: 1,
        ready_nodes: 1,
        running_pods: 1,
        failed_pods: 1,
      }),
    });
    for (const said of ['Critical', '1 / 1', 'Running', 'Failed'])
      await expect.poll(() => textOf(card())).toContain(said);
    card()?.querySelector('a')?.click();
    await expect.element(page.getByRole('heading', { name: 'Kubernetes Cluster', level: 1 })).toBeVisible();
  });
});

it('requests the alerts once for the badge and the panel while the list has room for all', async () => {
  const path = '/api/data/notifications';
  const { alerts } = everyAnswer(path, Date.now()) as AlertsAnswer;
  const drawn = await drawApp(paths.dashboard, {
    answers: { [`GET ${path}`]: filled(path, { total: alerts.length }) },
  });
  await drawn.settled();
  const asked = drawn.callsTo('GET', path).map((call) => call.path);
  expect(asked.filter((one) => !one.includes('start_date'))).toEqual([`${path}?limit=100&folded=false`]);
});

it.each([
  ['no list of the track while the lists of the page are whole', 0, []],
  [
    'the alerts and events of the track if there are more than the lists of the page hold',
    999,
    ['/api/data/notifications', '/api/data/activity'],
  ],
])('requests %s', async (_, more, lists) => {
  const [alerts, activity] = ['/api/data/notifications', '/api/data/activity'] as const;
  const list = (path: string, entries: 'alerts' | 'events') => {
    const { [entries]: all = [] } = everyAnswer(path, Date.now()) as Record<string, unknown[]>;
    return { [`GET ${path}`]: filled(path, { total: all.length + more }) };
  };
  const drawn = await drawApp(paths.dashboard, { answers: { ...list(alerts, 'alerts'), ...list(activity, 'events') } });
  await drawn.settled();
  const asked = [alerts, activity].flatMap((path) => drawn.callsTo('GET', path).map((call) => call.path));
  const ofTrack = asked.filter((one) => one.includes('?limit=100&start_date='));
  expect(ofTrack.map((one) => one.split('?')[0])).toEqual(lists);
});
