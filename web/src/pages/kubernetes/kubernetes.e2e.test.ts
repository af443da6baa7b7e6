import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { reportCluster } from '../../testing/cluster.ts';
import type { SampleCluster } from '../../testing/cluster.ts';
import { addressed, choose, lookAt, onStage } from '../../testing/stage.ts';

const FRA: SampleCluster = {
  uid: '5f0c3a52-0000-4000-8000-0000000000f1',
  name: 'prod-fra',
  nodes: [
    {
      name: 'fra-1',
      cpu: 40,
      memory: 50,
      pods: [
        { name: 'api-1', namespace: 'shop', cores: 0.412, memory: 488, restarts: 1 },
        { name: 'api-2', namespace: 'shop', cores: 0.2, memory: 100, restarts: 6 },
      ],
    },
  ],
};
const NYC: SampleCluster = {
  uid: '5f0c3a52-0000-4000-8000-0000000000a1',
  name: 'prod-nyc',
  nodes: [
    { name: 'nyc-1', cpu: 92, memory: 60, ready: false, pods: [{ name: 'web-1', namespace: 'web', cores: 2 }] },
    {
      name: 'nyc-2',
      cpu: 84,
      memory: 40,
      pods: [{ name: 'job-1', namespace: 'web', phase: 'Failed', reason: 'Error' }],
    },
  ],
};
const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Kubernetes', exact: true }).getByRole('link');

describe('two clusters', () => {
  /** When the clusters were as old as they say, in seconds. */
  let begun = 0;
  const stage = onStage(async ({ product }) => {
    await reportCluster(product.origin, product.token, FRA);
    begun = Date.now() / 1000;
    await reportCluster(product.origin, product.token, NYC);
  });
  const nodeId = async (name: string) => {
    const { nodes } = await stage.product.get<{ nodes: { server_id: string; node_name: string }[] }>(
      '/api/kubernetes/nodes',
    );
    return nodes.find((node) => node.node_name === name)?.server_id ?? '';
  };

  it('name the causes of their health on the chip and beside it, each for itself and all together', () =>
    stage.visit(paths.kubernetes, async (page) => {
      const chip = (words: string) => page.getByText(words, { exact: true }).and(page.locator('[title]'));
      await chip('Critical').waitFor();
      const told = (await chip('Critical').getAttribute('title')) ?? '';
      expect(told).toMatch(/^1 node not ready: nyc-1 \(KubeletNotReady\)\. 1 pod failed: job-1 \(Error\)\./);
      expect(flat(await page.locator('.aside p').innerText())).toBe(told);
      const tabWords = async () => (await tabs(page).allInnerTexts()).map(flat);
      await expect.poll(tabWords).toEqual(['Overview', 'Nodes 3', 'Pods 4']);
      await page.getByText('1 Not Ready', { exact: true }).waitFor();

      await choose(page, 'Cluster', 'prod-fra');
      await addressed(page, `cluster=${FRA.uid}`);
      await chip('Healthy').waitFor();
      await expect.poll(() => page.getByText('Not Ready').count()).toBe(0);
      await expect.poll(() => page.getByText('Failed', { exact: false }).count()).toBe(0);
      await page.getByText('1 node(s) in cluster').waitFor();
      await page.getByText('2 pod(s) running').waitFor();
      // The cluster goes along to the other tabs and back.
      await expect.poll(tabWords).toEqual(['Overview', 'Nodes 1', 'Pods 2']);
      await page.getByRole('link', { name: 'View All Pods' }).first().click();
      await page.getByText('2 pods on 1 node').waitFor();
      await addressed(page, `cluster=${FRA.uid}`);
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Kubernetes' }).click();
      await page.getByRole('heading', { name: 'Kubernetes Cluster' }).waitFor();
      await addressed(page, `cluster=${FRA.uid}`);
      await choose(page, 'Cluster', 'All');
      await addressed(page, '');
    }));

  it('rank who restarts most, and lead from there to the pod', () =>
    stage.visit(`${paths.kubernetes}?cluster=${FRA.uid}`, async (page) => {
      const ranked = page.getByRole('listitem').filter({ hasText: /^#\d/ });
      await expect
        .poll(async () => (await ranked.allInnerTexts()).map(flat))
        .toEqual([
          expect.stringMatching(/^#1 api-2 shop Running 0\.200 ?cores 100 ?MB 6 restarts$/),
          expect.stringMatching(/^#2 api-1 shop Running 0\.412 ?cores 488 ?MB 1 restarts$/),
        ]);
      // Red from five on.
      expect(await ranked.evaluateAll((all) => all.map((row) => row.hasAttribute('data-many')))).toEqual([true, false]);
      await ranked.first().getByRole('link').click();
      await page.getByRole('complementary', { name: 'Pod api-2' }).waitFor();
    }));

  it('list nodes least headroom first, with N/A and its reason where no agent tells', () =>
    stage.visit(`${paths.kubernetesNodes}?view=table`, async (page) => {
      const rows = page.getByRole('table').locator('tbody tr');
      await expect
        .poll(async () => (await rows.locator('a').allInnerTexts()).map(flat))
        .toEqual(['nyc-1', 'nyc-2', 'fra-1']);
      await page.getByText('Total: 3', { exact: true }).waitFor();
      await page.getByText('Running: 3', { exact: true }).waitFor();
      await page.getByText('Not Ready: 1', { exact: true }).waitFor();
      const missing = rows.filter({ hasText: 'nyc-2' }).getByLabel(/^N\/A: ./);
      expect(await missing.count()).toBeGreaterThan(0);
      expect(await missing.first().getAttribute('title')).not.toBe('');
      await choose(page, 'Cluster', 'prod-nyc');
      await addressed(page, `view=table&cluster=${NYC.uid}`);
      await expect.poll(() => rows.count()).toBe(2);
      // A pressed view stays pressed.
      await page.getByRole('button', { name: 'Table' }).click();
      await addressed(page, `view=table&cluster=${NYC.uid}`);
      await page.getByRole('button', { name: 'Grid' }).click();
      await addressed(page, `cluster=${NYC.uid}`);
      await expect.poll(async () => flat(await page.locator('main').innerText())).toContain('linux · 1 pod');
    }));

  it('show a node that is not ready with its condition, and what it runs', async () => {
    await stage.visit(paths.kubernetesNode(await nodeId('nyc-1'), 'nyc-1'), async (page) => {
      await page.getByText('Not Ready', { exact: true }).waitFor();
      await lookAt(page, begun + 30);
      const facts = async () => flat(await page.locator('main').innerText());
      await expect.poll(facts).toContain('OS linux Architecture arm64 Cores 8');
      await expect.poll(facts).toMatch(/Ready False KubeletNotReady 15 min/);
      await expect.poll(facts).toContain('Cluster prod-nyc');
      await page.getByRole('table', { name: 'Pods on nyc-1' }).getByRole('button', { name: 'web-1' }).click();
      await page.getByRole('complementary', { name: 'Pod web-1' }).waitFor();
      await page.getByRole('complementary', { name: 'Pod web-1' }).getByRole('link', { name: 'nyc-1' }).click();
      await page.getByRole('heading', { name: 'nyc-1', level: 1 }).waitFor();
    });
  });

  it('say what failed when a history cannot be read, and keep the rest of the node', async () => {
    const path = paths.kubernetesNode(await nodeId('fra-1'), 'fra-1');
    await stage.visit(path, async (page) => {
      const chart = page.getByRole('region', { name: 'Resource history' });
      await page.route('**/metrics/history*', (route) =>
        route.fulfill({
          status: 503,
          json: { success: false, detail: 'the series are being moved', code: 'unavailable' },
        }),
      );
      await page.getByRole('button', { name: '7d', exact: true }).click();
      await addressed(page, 'hours=168');
      await chart.getByRole('alert').getByText('the series are being moved').waitFor();
      await page.getByRole('table', { name: 'Pods on fra-1' }).waitFor();
      await page.unrouteAll();
      await chart.getByRole('button', { name: 'Retry' }).click();
      await chart.getByRole('alert').waitFor({ state: 'detached' });
      await chart.locator('path.curve').first().waitFor({ state: 'attached' });
      expect(await page.getByRole('button', { name: '7d', exact: true }).getAttribute('aria-pressed')).toBe('true');
    });
  });
});
