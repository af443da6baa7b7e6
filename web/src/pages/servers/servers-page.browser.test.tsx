import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server, ServersSummary } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drawPage } from '../../testing/draw-page.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { Component } from './servers-page.tsx';

type Figures = Record<'cpu_usage' | 'memory_usage' | 'disk_usage' | 'io_wait', number | null>;
const NOTHING: Figures = { cpu_usage: null, memory_usage: null, disk_usage: null, io_wait: null };
const figures = (cpu: number, memory: number, disk: number, ioWait: number | null = 1): Figures => ({
  cpu_usage: cpu,
  memory_usage: memory,
  disk_usage: disk,
  io_wait: ioWait,
});
const nearest = (resource: 'cpu' | 'memory' | 'disk', value: number) => ({
  resource,
  value,
  line: 80,
  points: 80 - value,
  subject: null,
});
const seen = (minute: number) => `2026-11-22T20:${String(minute).padStart(2, '0')}:00.000Z`;

/** Each server with its latest figures; the API orders them otherwise. */
const FLEET: readonly [Partial<Server>, Figures][] = [
  [{ hostname: 'calm-01', region: 'us-east-1', headroom: nearest('disk', 40) }, figures(20, 30, 40, 3)],
  [{ hostname: 'hot-01', region: 'hel1', headroom: nearest('cpu', 91) }, figures(91, 35, 10, 2)],
  [{ hostname: 'near-01', region: 'hel1', tags: { team: 'web' }, headroom: nearest('disk', 76) }, figures(10, 50, 76)],
  [
    { hostname: 'mac-01', region: 'us-west-2', platform: 'darwin', headroom: nearest('memory', 45) },
    figures(40, 45, 31, null),
  ],
  [
    {
      hostname: 'late-01',
      region: 'us-east-1',
      status: 'offline',
      last_seen_at: seen(20),
      headroom: nearest('disk', 62),
    },
    figures(60, 61, 62),
  ],
  [{ hostname: 'new-01', region: null, status: 'installing', last_seen_at: null }, NOTHING],
  // It was the most loaded of all before its agent was removed.
  [
    { hostname: 'gone-01', region: 'sin', status: 'uninstalled', last_seen_at: seen(59), headroom: nearest('cpu', 99) },
    figures(99, 98, 97),
  ],
];
const SERVERS = FLEET.map(([server], index) =>
  sampleServer({
    id: `00000000-0000-4000-8000-00000000000${String(index)}`,
    last_seen_at: seen(50 - index),
    uptime_seconds: server.hostname === 'mac-01' ? 900 : 100,
    ...server,
  }),
);
const SUMMARY: Partial<ServersSummary> = {
  total: 7,
  online: 4,
  offline: 1,
  installing: 1,
  uninstalled: 1,
  kubernetes_nodes: 0,
  newest_report_age_seconds: 5,
};
/** Load and rates rank other servers first than the figures above. */
const WIDE = { load_1m: 'calm-01', inbound_bytes_per_sec: 'hot-01', outbound_bytes_per_sec: 'near-01' } as const;
const METRICS = SERVERS.map(({ id, hostname, platform }, index) => ({
  server_id: id,
  timestamp: 1,
  age_seconds: 5,
  metrics: Object.fromEntries([
    ...Object.entries(FLEET[index]?.[1] ?? NOTHING).map(([name, value]) => [
      name,
      { value, reason: value === null && platform === 'darwin' ? 'Not available on macOS' : null },
    ]),
    ...Object.entries(WIDE).map(([name, first]) => [name, { value: hostname === first ? 9 : 1, reason: null }]),
  ]) as LatestMetricsItem['metrics'],
}));

/** Least headroom first, then those without fresh figures. */
const RANKED = ['late-01', 'hot-01', 'near-01', 'mac-01', 'calm-01', 'new-01', 'gone-01'];
const namesOf = (elements: Iterable<Element>) =>
  [...elements].map(({ textContent }) => textContent.replaceAll(/\s/g, ''));
const rows = () => namesOf(page.getByRole('rowheader').elements());
const cards = () => namesOf(document.querySelectorAll('article a[href^="/servers/"]'));
const search = () => window.location.search.slice(1);
const textOf = (row: string) =>
  page
    .getByRole('row')
    .filter({ hasText: row.slice(0, 4) })
    .element().textContent;

async function servers(at: string, width = 1440) {
  await page.viewport(width, 900);
  return drawPage(
    <Component />,
    {
      'GET /api/servers/list': { data: { servers: SERVERS, total: 7, summary: SUMMARY, fleet: [] } },
      'GET /api/data/metrics': { data: { metrics: METRICS, total: 7 } },
    },
    { at: `/servers${at}` },
  );
}
/** Chooses from one of the lists of the toolbar. */
async function choose(list: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: new RegExp(`^${list}: `) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await expect.element(page.getByRole('combobox', { name: `${list}: ${option}`, exact: true })).toBeInTheDocument();
}

describe('the Servers page', () => {
  it('heads the groups of the cards one level below its title', async () => {
    await servers('');
    await expect.element(page.getByRole('heading', { level: 2, name: /^Offline/ })).toBeVisible();
    await expect.element(page.getByRole('heading', { level: 2, name: /^Reporting/ })).toBeVisible();
    expect(page.getByRole('heading', { level: 3 }).elements()).toEqual([]);
  });

  it('counts by status and ranks the offline first, then the most loaded, those without figures last', async () => {
    await servers('?view=table');
    await expect.poll(rows).toEqual(RANKED);
    const tiles = page.getByRole('group', { name: 'Servers' }).element().children;
    expect([...tiles].map(({ textContent }) => textContent)).toEqual([
      'Total7',
      'Online41 offline, 1 installing',
      'Uninstalled1',
      'Kubernetes Nodes0',
    ]);
    await expect.element(page.getByText('7 servers in 4 regions')).toBeVisible();
    expect(textOf('hot-01')).toMatch(/CPU 11\s+over/);
    expect(textOf('near-01')).toMatch(/Disk 4\s+below/);
    expect(textOf('new-01')).toMatch(/no report yet[\s\S]*N\/A[\s\S]*never/);
    expect(textOf('gone-01')).toContain('agent removed');
    expect(textOf('gone-01')).not.toMatch(/9[789]\s*%/);
    await expect.element(page.getByTitle('Not available on macOS')).toMatchTextContent(/N\/A/);
  });

  it.each([
    ['Server', 'name', 'calm-01'],
    ['CPU', 'cpu', 'hot-01'],
    ['Memory', 'memory', 'late-01'],
    ['Disk', 'disk', 'near-01'],
    ['IO wait', 'io_wait', 'calm-01'],
    ['Load', 'load', 'calm-01'],
    ['In MB/s', 'inbound', 'hot-01'],
    ['Out MB/s', 'outbound', 'near-01'],
    ['Region', 'region', 'hot-01'],
    ['Uptime', 'uptime', 'mac-01'],
    ['Last seen', 'last_seen', 'gone-01'],
  ])('sorts by the column %s, both ways, in the address', async (label, sort, first) => {
    // Wide enough for every column: a narrower table drops some.
    await servers('?view=table', 1960);
    const heading = page.getByRole('columnheader', { name: label, exact: true });
    await heading.getByRole('button').click();
    await expect.poll(search).toBe(`view=table&sort=${sort}`);
    await expect.element(heading).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(() => rows()[0]).toBe(first);
    const up = rows();
    await userEvent.keyboard('{Enter}');
    await expect.poll(search).toBe(`view=table&sort=${sort}&order=desc`);
    await expect.poll(rows).toEqual(up.toReversed());
    await expect.element(heading).toHaveAttribute('aria-sort', 'descending');
  });

  it('sorts what shows no figure behind what does, whatever it last reported', async () => {
    await servers('?view=table&sort=cpu');
    await expect.poll(rows).toEqual(['hot-01', 'late-01', 'mac-01', 'calm-01', 'near-01', 'gone-01', 'new-01']);
  });

  it('filters by words, status, region and load, and keeps them when the view changes', async () => {
    await servers('');
    const field = page.getByRole('searchbox');
    await field.fill('TEAM=web');
    await expect.poll(search).toBe('search=TEAM%3Dweb');
    await expect.poll(cards).toEqual(['near-01']);
    await field.fill('01');
    await choose('Region', 'hel1');
    await choose('Over the line', 'Over');
    await expect.poll(search).toBe('search=01&region=hel1&load=over');
    await expect.poll(cards).toEqual(['hot-01']);
    await page.getByRole('button', { name: 'Table' }).click();
    await expect.poll(search).toBe('view=table&search=01&region=hel1&load=over');
    await expect.poll(rows).toEqual(['hot-01']);
    await page.getByRole('button', { name: 'Cards' }).click();
    await choose('Over the line', 'Any');
    await choose('Region', 'All');
    await choose('Status', 'Offline');
    await expect.poll(cards).toEqual(['late-01']);
    await choose('Status', 'Uninstalled');
    await expect.poll(cards).toEqual(['gone-01']);
  });

  it('takes its filters from the address', async () => {
    await servers('?view=table&search=01&region=hel1&load=over');
    await expect.poll(rows).toEqual(['hot-01']);
    await expect.element(page.getByRole('searchbox')).toHaveValue('01');
  });

  it('offers the way out of a filter nothing matches, and stays in the view it was in', async () => {
    await servers('?view=table&sort=name&search=nothing+like+it&status=active');
    await expect.element(page.getByText('No servers match your filters')).toBeVisible();
    await expect.element(page.getByRole('group', { name: 'Servers' })).toMatchTextContent(/7/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(search).toBe('view=table&sort=name');
    await expect.poll(rows).toHaveLength(7);
    await expect.element(page.getByRole('searchbox')).toHaveValue('');
  });

  it('is a list of two-line rows on a small screen, in the same order', async () => {
    await servers('?view=table', 390);
    const items = page.getByRole('list', { name: 'Servers' }).getByRole('listitem');
    const links = () => namesOf(document.querySelectorAll('ul[aria-label="Servers"] a[href^="/servers/"]'));
    await expect.poll(links).toEqual(RANKED);
    expect(page.getByRole('table').elements()).toEqual([]);
    const heights = items.elements().map((item) => Math.round(item.getBoundingClientRect().height));
    // One height, but for the hairline above all but the first.
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(2);
    // Two lines, and room for the 40 px target that ticks the server.
    expect(heights[0]).toBeLessThan(90);
    expect(items.first().getByRole('meter').elements()).toHaveLength(3);
    expect(items.nth(5).element().textContent).toContain('N/A');
    expect(items.nth(6).element().textContent).not.toMatch(/9[789]\s*%/);
    expect(document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0);
  });

  it('has a heat grid of a large fleet beside its table on a wide screen', async () => {
    const many = Array.from({ length: 70 }, (_, index) =>
      sampleServer({
        id: `00000000-0000-4000-8000-0000000001${String(index).padStart(2, '0')}`,
        hostname: `many-${index}`,
        region: index % 2 === 0 ? 'hel1' : 'us-east-1',
        headroom: nearest('cpu', index + 20),
      }),
    );
    const fleet = many.map((server) => ({ ...server, server_id: server.id }));
    const grid = page.getByRole('group', { name: 'Nearest resource of each server' });
    await page.viewport(2560, 1440);
    await drawPage(
      <Component />,
      {
        'GET /api/servers/list': { data: { servers: many, total: 70, summary: { ...SUMMARY, total: 70 }, fleet } },
        'GET /api/data/metrics': { data: { metrics: [], total: 0 } },
      },
      { at: '/servers?view=table' },
    );
    await expect.poll(() => grid.getByRole('link').elements()).toHaveLength(70);
    const table = page.getByRole('table').element().getBoundingClientRect();
    const cells = grid.element().getBoundingClientRect();
    expect(table.left).toBeGreaterThan(cells.right);
    expect(table.right).toBeGreaterThan(2500);
  });
});
