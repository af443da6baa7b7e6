import type { ClusterState, ClusterStatesAnswer } from '@plimsoll/contract/wire/kubernetes';
import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage, type Answer } from '../../testing/draw-page.tsx';
import { everyAnswer } from '../../testing/every-answer.ts';
import { Component } from './clusters-page.tsx';

const PATH = '/api/kubernetes/clusters/states';
const SUMMARY: ClusterStatesAnswer['summary'] = {
  clusters: 3,
  silent: 1,
  over: 1,
  nodes: 24,
  ready_nodes: 23,
  pods: 826,
  broken_pods: 4,
  behind: 1,
  most_behind: 3,
  newest_version: '1.34',
  versions: ['1.34', '1.31'],
  over_names: ['prod-iad'],
};
const cluster = (name: string, parts: Partial<ClusterState> = {}): ClusterState => ({
  cluster_id: `id-${name}`,
  name,
  version: '1.34.1',
  versions_behind: 0,
  last_seen_at: new Date(Date.now() - 6000).toISOString(),
  age_seconds: 6,
  silent: false,
  nodes: 6,
  ready_nodes: 6,
  pods: 214,
  broken_pods: 0,
  requested: { cpu_percent: 56, memory_percent: 42 },
  used: { cpu_percent: null, memory_percent: null },
  headroom: { resource: 'cpu', points: 24, value: 56, line: 80 },
  alerts: { total: 0, critical: 0 },
  ...parts,
});
const CLUSTERS = [
  cluster('prod-iad', {
    version: '1.31.4',
    versions_behind: 3,
    nodes: 18,
    ready_nodes: 17,
    pods: 612,
    broken_pods: 4,
    requested: { cpu_percent: 58, memory_percent: 86 },
    headroom: { resource: 'memory', points: -6, value: 86, line: 80 },
    alerts: { total: 3, critical: 1 },
  }),
  cluster('prod-fra'),
  cluster('dev-waw', {
    silent: true,
    age_seconds: 2820,
    last_seen_at: new Date(Date.now() - 2_820_000).toISOString(),
    alerts: { total: 2, critical: 2 },
  }),
];
const full = { data: { clusters: CLUSTERS, total: 3, summary: SUMMARY } satisfies ClusterStatesAnswer };

async function drawn(answer: Answer = full, search = '', width = 1440) {
  await page.viewport(width, 900);
  onTestFinished(() => page.viewport(1280, 800));
  return drawPage(
    <Component />,
    {
      [`GET ${PATH}`]: answer,
      'GET /api/kubernetes/cluster/overview': { data: everyAnswer('/api/kubernetes/cluster/overview', Date.now()) },
      'GET /api/kubernetes/clusters': { data: everyAnswer('/api/kubernetes/clusters', Date.now()) },
    },
    { at: `/kubernetes/clusters${search}` },
  );
}
const rowText = (name: string) =>
  (page.getByRole('row', { name: new RegExp(name) }).element() as HTMLElement).innerText.replaceAll(/\s+/g, ' ');

it('says what is wrong in one sentence, and shows it in words and figures of each row', async () => {
  const { screen } = await drawn();
  await expect
    .element(
      screen.getByText(
        '3 clusters, 2 report. prod-iad is over its line, 1 node not ready, 4 broken pods, 1 is silent.',
      ),
    )
    .toBeVisible();
  expect(rowText('prod-iad')).toMatch(/Memory · 6 over 58\.0 ?% 86\.0 ?% 17 of 18 4 of 612 1\.31\.4 3 behind 3/);
  expect(rowText('prod-fra')).toMatch(/CPU · 24 below 56\.0 ?% 42\.0 ?% 6 of 6 0 of 214 1\.34\.1 none/);
  await expect
    .element(screen.getByRole('link', { name: 'prod-fra' }))
    .toHaveAttribute('href', '/kubernetes?cluster=id-prod-fra');
  await expect.element(screen.getByText('at most 3 versions')).toBeVisible();
});

it('shows a silent cluster in grey with its last known numbers, without any colour of a state', async () => {
  await drawn();
  await expect.element(page.getByRole('link', { name: 'dev-waw' })).toBeVisible();
  expect(rowText('dev-waw')).toMatch(/silent no report for 47 ?min 6 known 214 known 1\.34\.1 2/);
  const row = page.getByRole('row', { name: /dev-waw/ }).element();
  const grey = getComputedStyle(row.querySelector('td[data-name="Nodes"]') as Element).color;
  const alerts = getComputedStyle(row.querySelector('td[data-name="Alerts"] b') as Element).color;
  expect(alerts).toBe(grey);
  expect(row.querySelectorAll('[data-tone="over"], [data-tone="ok"], [role="meter"]')).toHaveLength(0);
});

it('asks for used shares and filters, kept in the address, and says N/A with the reason', async () => {
  const none = { data: { ...full.data, clusters: [cluster('prod-fra', { headroom: null })], total: 1 } };
  const { screen, callsTo } = await drawn(none, '?share=used&version=1.34');
  await expect.element(screen.getByLabelText(/^N\/A: no usage data/).first()).toBeVisible();
  expect(callsTo('GET', PATH)[0]?.path).toContain('share=used');
  expect(callsTo('GET', PATH)[0]?.path).toContain('version=1.34');
  await screen.getByRole('button', { name: 'Requested' }).click();
  await expect.poll(() => window.location.search).toBe('?version=1.34');
});

it('says that nothing matches, that there are none, and what failed', async () => {
  const empty = (clusters: number) => ({
    data: { clusters: [], total: 0, summary: { ...SUMMARY, clusters } },
  });
  const filtered = await drawn(empty(3));
  await expect.element(filtered.screen.getByText('No clusters match your filters')).toBeVisible();
  await filtered.screen.unmount();
  const none = await drawn(empty(0));
  await expect.element(none.screen.getByText('No clusters found')).toBeVisible();
  await none.screen.unmount();
  const failed = await drawn({ status: 500, detail: 'the database is away' });
  await expect.element(failed.screen.getByText(/the database is away/)).toBeVisible();
});

it.each([390, 1180, 2560])('scrolls nothing sideways at %s px', async (width) => {
  await drawn(full, '', width);
  await expect.element(page.getByRole('link', { name: 'prod-fra' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
