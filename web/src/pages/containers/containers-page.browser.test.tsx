import type { Container, ContainerGroup, ContainersAnswer } from '@plimsoll/contract/wire/containers';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage } from '../../testing/draw-page.tsx';
import { historyPath } from './container-parts.tsx';
import { Component } from './containers-page.tsx';

const SERVER = '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11';
const MB = 2 ** 20;
const NOW = Date.now();
const container = (name: string, change: Partial<Container> = {}): Container => ({
  server_id: SERVER,
  hostname: 'web-fra-03',
  server_status: 'active',
  id: `id-${name}`,
  name,
  image: 'shop/web:4.18.2',
  runtime: 'docker',
  project: 'shop',
  state: 'running',
  is_broken: false,
  since: NOW / 1000 - 3600,
  exit_code: null,
  oom_killed: false,
  oom_kills: 0,
  restarts: 0,
  restarts_last_hour: 0,
  cpu_cores: 0.25,
  memory_bytes: 240 * MB,
  memory_limit_bytes: 256 * MB,
  memory_percent: 94,
  memory_line: 80,
  is_hidden: false,
  sampled_at: new Date(NOW).toISOString(),
  cpu_history: null,
  ...change,
});
const ROWS = [
  container('checkout', { state: 'restarting', is_broken: true, restarts: 9, restarts_last_hour: 6 }),
  container('etl', {
    state: 'exited',
    is_broken: true,
    oom_killed: true,
    cpu_cores: null,
    memory_bytes: null,
    memory_limit_bytes: null,
    memory_percent: null,
  }),
  container('buildkit', { memory_limit_bytes: null, memory_percent: null, cpu_history: [0.1, 0.2, null, 0.4] }),
  container('vector', { server_status: 'offline', memory_percent: 38, memory_bytes: 97 * MB }),
  container('stopped', {
    state: 'exited',
    exit_code: 0,
    memory_bytes: null,
    memory_limit_bytes: null,
    memory_percent: null,
  }),
];
const SUMMARY = {
  total: 412,
  hosts: 61,
  servers: 240,
  running: 396,
  broken: 2,
  over_line: 2,
  near_line: 11,
  no_limit: 18,
  late: 1,
  hidden: 0,
};
const answer = (change: Partial<ContainersAnswer> = {}): ContainersAnswer => ({
  containers: ROWS,
  total: ROWS.length,
  summary: SUMMARY,
  history_step_seconds: 900,
  ...change,
});
const group = (name: string, change: Partial<ContainerGroup> = {}): ContainerGroup => ({
  key: name,
  name,
  containers: 4,
  running: 4,
  broken: 0,
  over_line: 0,
  near_line: 0,
  no_limit: 0,
  late: 0,
  restarts_last_hour: 0,
  cpu_cores: 1.5,
  memory_bytes: 2048 * MB,
  ...change,
});
const GROUPS = {
  host: { groups: [group('web-fra-03', { key: SERVER, broken: 2, over_line: 1 })], total: 1, ungrouped: 0 },
  image: {
    groups: [group('shop/web:4.18.2', { near_line: 3 }), group('redis:7', { cpu_cores: null, memory_bytes: null })],
    total: 2,
    ungrouped: 5,
  },
  project: { groups: [group('shop')], total: 1, ungrouped: 2 },
};
const draw = (data: ContainersAnswer, search = '') =>
  drawPage(
    <Component />,
    { 'GET /api/containers': { data }, 'GET /api/containers/groups': { data: GROUPS } },
    { at: `/servers/containers${search}` },
  );

it('answers the question of the page in one sentence, and counts agree with it', async () => {
  const { screen } = await draw(answer());
  await expect
    .element(
      screen.getByText(
        '412 containers on 61 of 240 hosts. 2 broken, 2 over the memory line, 18 without a limit, 1 on hosts that do not report.',
      ),
    )
    .toBeVisible();
  const tabs = screen.getByRole('navigation', { name: 'Lists of servers, containers and checks' });
  await expect.element(tabs.getByRole('link', { name: 'Containers 412' })).toHaveAttribute('aria-current', 'page');
  await expect.element(tabs.getByRole('link', { name: 'Servers 240' })).toHaveAttribute('href', '/servers');
});

it('shows state, headroom, figures and their reasons in each row', async () => {
  await page.viewport(1600, 900);
  const { screen } = await draw(answer());
  const row = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name} `) });
  await expect.element(row('checkout')).toMatchTextContent(/Restarting.*Memory 14 over.*0\.25.*240.*of 256.*9/);
  await expect.element(row('etl')).toMatchTextContent(/OOM-killed.*not running *N\/A *N\/A *0/);
  await expect.element(row('buildkit')).toMatchTextContent(/Running.*no limit set.*no limit/);
  await expect.element(row('vector')).toMatchTextContent(/Late.*Memory 42 below/);
  await expect.element(row('stopped')).toMatchTextContent(/Exited 0.*not running/);
  await expect.element(row('buildkit').getByRole('img', { name: 'CPU of 24 hours, at most 0.40 cores' })).toBeVisible();
  await expect.element(row('checkout').getByTitle('No CPU of the last 24 hours is stored yet')).toBeVisible();
  await expect
    .element(row('checkout').getByRole('link', { name: 'web-fra-03' }))
    .toHaveAttribute('href', `/servers/${SERVER}`);
  await expect.element(row('checkout').getByRole('meter')).toHaveAccessibleName('Memory 94 %, 14 over the line');
});

it('asks the server for search, state, sort and page, and keeps them in the address', async () => {
  const { screen, callsTo } = await draw(answer({ total: 120 }), '?state=broken&sort=cpu');
  await screen.getByRole('searchbox', { name: 'Filter by name, image, host' }).fill('redis');
  const last = () => callsTo('GET', '/api/containers').at(-1)?.path;
  await expect.poll(last).toMatch(/limit=50&offset=0&sort=cpu&search=redis&state=broken/);
  await screen.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(last).toMatch(/offset=50/);
});

it('says why nothing is listed, and clears the filters', async () => {
  const { screen, callsTo } = await draw(answer({ containers: [], total: 0 }), '?state=unhealthy');
  await expect.element(screen.getByText('No containers match your filters')).toBeVisible();
  await screen.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => callsTo('GET', '/api/containers').at(-1)?.path).not.toMatch(/state=/);
  await expect.element(screen.getByText('No containers found')).toBeVisible();
});

it('offers the hidden ones where there are some', async () => {
  const { screen, callsTo } = await draw(answer({ summary: { ...SUMMARY, hidden: 3 } }));
  await screen.getByRole('button', { name: '3 hidden' }).click();
  await expect.poll(() => callsTo('GET', '/api/containers').at(-1)?.path).toMatch(/hidden=true/);
});

it('filters by host, image and Compose project', async () => {
  const { screen, callsTo } = await draw(answer(), `?host=${SERVER}&project=shop`);
  await expect.element(screen.getByRole('combobox', { name: 'Host: web-fra-03' })).toBeVisible();
  await expect.element(screen.getByRole('combobox', { name: 'Compose: shop' })).toBeVisible();
  await screen.getByRole('combobox', { name: 'Image: All' }).click();
  await screen.getByRole('option', { name: 'redis:7' }).click();
  await expect
    .poll(() => callsTo('GET', '/api/containers').at(-1)?.path)
    .toMatch(new RegExp(`server_id=${SERVER}&image=redis%3A7&project=shop`));
});

it('has one row for each host or image, which leads to its containers', async () => {
  const { screen, callsTo } = await draw(answer());
  await screen.getByRole('button', { name: 'By image' }).click();
  const table = screen.getByRole('table', { name: 'Containers by image' });
  await expect
    .element(table.getByRole('row', { name: /^shop\/web/ }))
    .toMatchTextContent(/3 within 20 points.*1\.50.*2GB/);
  await expect.element(table.getByRole('row', { name: /^redis/ })).toMatchTextContent(/none broken.*N\/A.*N\/A/);
  await expect.element(screen.getByText('5 containers without a known image.', { exact: false })).toBeVisible();
  await screen.getByRole('button', { name: 'By host' }).click();
  await expect
    .element(screen.getByRole('table', { name: 'Containers by host' }).getByRole('row', { name: /^web-fra-03/ }))
    .toMatchTextContent('2 broken, 1 over the line');
  await screen.getByRole('link', { name: 'web-fra-03' }).first().click();
  await expect.poll(() => callsTo('GET', '/api/containers').at(-1)?.path).toMatch(new RegExp(`server_id=${SERVER}`));
  await expect.element(screen.getByRole('table', { name: 'Containers', exact: true })).toBeVisible();
});

it('is a list on a phone that scrolls nowhere sideways', async () => {
  await page.viewport(390, 844);
  const { screen } = await draw(answer());
  await expect.element(screen.getByRole('list', { name: 'Containers' })).toBeVisible();
  expect(screen.getByRole('listitem').elements()).toHaveLength(ROWS.length);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

it('says that containers of a past moment are not stored', async () => {
  const { screen, callsTo } = await draw(answer(), '?at=2026-01-31T03:12Z');
  await expect.element(screen.getByText('N/A at this moment')).toBeVisible();
  expect(callsTo('GET', '/api/containers')).toEqual([]);
});

it('draws a gap where nothing is stored', () => {
  expect(historyPath([0, 1, null, 1, 0])).toMatch(/^M0\.0 19\.0L14\.0 1\.0M42\.0 1\.0L56\.0 19\.0$/);
});
