import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './testing/chromium.ts';
import { reportCluster } from './testing/cluster.ts';
import { SAMPLE_CLUSTER as CLUSTER } from './testing/sample-cluster.ts';
import { openPage, settled } from './testing/open-page.ts';
import { startProduct } from './testing/product.ts';
import type { Product } from './testing/product.ts';

describe('the Kubernetes screens', () => {
  let product: Product;
  let browser: Browser;
  beforeAll(async () => {
    product = await startProduct();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  async function look(path: string, check: (page: Page) => Promise<void>): Promise<void> {
    const { page, context, complaints } = await openPage(browser, product);
    await page.goto(path);
    await settled(page);
    await check(page);
    expect(complaints).toEqual([]);
    await context.close();
  }
  const text = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
  const chip = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor();

  it('say what to do while there is no cluster', async () => {
    await look('/kubernetes', async (page) => {
      await page.getByRole('heading', { name: 'Kubernetes Monitoring' }).waitFor();
      await text(page, 'Monitor nodes, pods, and resources in real-time');
      await text(page, 'Get Started with Kubernetes Monitoring');
      await page.getByRole('link', { name: 'Setup Kubernetes Connector' }).click();
      await page.waitForURL('**/setup?on=kubernetes');
    });
    await look('/kubernetes/nodes', (page) => text(page, 'No Kubernetes nodes found'));
    await look('/kubernetes/pods', (page) => text(page, 'No pods found'));
    await look('/kubernetes/nodes/5f0c3a52-0000-4000-8000-0000000000ff/gone', async (page) => {
      await text(page, 'Node not found');
      expect(await page.getByRole('table').count()).toBe(0);
    });
  });

  describe('with a cluster', () => {
    beforeAll(() => reportCluster(product.origin, product.token, CLUSTER));

    it('overview: health with its causes, counts, averages, restarts', () =>
      look('/kubernetes', async (page) => {
        await page.getByRole('heading', { name: 'Kubernetes Cluster' }).waitFor();
        await chip(page, 'Critical');
        await text(
          page,
          /1 pod failed: nightly-export-28810080-mv \(Error\)\. 1 pod crash-looping: checkout-api\S+\. All nodes ready/,
        );
        await text(page, 'Real-time monitoring of nodes, pods, and resource usage');
        for (const words of ['2 Ready', '1 Pending', '1 Failed', '3 Running']) await chip(page, words);
        expect(await page.getByText('Not Ready').count()).toBe(0);
        await text(page, '2 node(s) in cluster');
        await text(page, '3 pod(s) running');
        await text(page, 'Top 5 pods in last 24 hours');
        const first = page.getByRole('listitem').filter({ hasText: '#1' });
        await expect
          .poll(() => first.textContent())
          .toMatch(/checkout-api.*shop.*Running.*CrashLoopBackOff.*0\.412cores.*488MB.*14 restarts/);
        await page.getByRole('link', { name: 'View All Nodes' }).click();
        await page.waitForURL('**/kubernetes/nodes');
      }));

    it('nodes: grid, table, and N/A where only metrics-server tells', () =>
      look('/kubernetes/nodes', async (page) => {
        await text(page, 'Monitor resource usage and health of your Kubernetes nodes');
        await chip(page, 'Total: 2');
        await chip(page, 'Running: 2');
        await page.getByRole('button', { name: 'Grid' }).click();
        await page.getByRole('button', { name: 'Table' }).click();
        for (const name of ['Node Name', 'OS', 'Pods', 'CPU Usage', 'Memory Usage', 'Disk Usage', 'Uptime'])
          await page.getByRole('columnheader', { name, exact: true }).waitFor();
        const row = page.getByRole('row').filter({ hasText: 'k8s-node-2' });
        await expect.poll(() => row.textContent()).toMatch(/ID: [0-9a-f]{8}/);
        await row.getByText('N/A').first().waitFor();
        await row.getByRole('link').click();
        await page.waitForURL('**/kubernetes/nodes/*/k8s-node-2');
      }));

    it('node: four cards, its pods, ranges that stay pressed', async () => {
      const { nodes } = await product.get<{ nodes: { server_id: string; node_name: string }[] }>(
        '/api/kubernetes/nodes',
      );
      const node = nodes.find(({ node_name: name }) => name === 'k8s-node-1');
      await look(`/kubernetes/nodes/${node?.server_id ?? ''}/k8s-node-1`, async (page) => {
        for (const label of ['CPU Usage', 'Memory Usage', 'Disk Usage', 'Uptime']) await chip(page, label);
        await text(page, 'arm64');
        const day = page.getByRole('button', { name: '24h' });
        await expect.poll(() => day.getAttribute('aria-pressed')).toBe('true');
        await day.click();
        await settled(page);
        expect(await day.getAttribute('aria-pressed')).toBe('true');
        for (const name of ['1h', '6h', '3d', '7d']) await page.getByRole('button', { name, exact: true }).waitFor();
        await page.getByRole('button', { name: '7d' }).click();
        await page.waitForURL('**hours=168');
        await page.getByRole('button', { name: /checkout-api/ }).click();
        await page.waitForURL('**/kubernetes/pods?pod=*');
      });
    });

    it('say who told a figure and how old it is, and what was taken over from a Prometheus', async () => {
      const { nodes } = await product.get<{ nodes: { server_id: string; node_name: string }[] }>(
        '/api/kubernetes/nodes',
      );
      const idOf = (name: string) => nodes.find(({ node_name: each }) => each === name)?.server_id ?? '';
      const TAKEN_OVER = /^Prometheus \d\d:\d\d–\d\d:\d\d$/;
      await look(`/kubernetes/nodes/${idOf('k8s-node-1')}/k8s-node-1`, async (page) => {
        await text(page, /^(node agent|kubelet), \d+ (s|min) old$/);
        const chart = page.getByRole('region', { name: 'Resource history' });
        await chart.getByText(TAKEN_OVER).waitFor();
        const plot = (await chart.locator('rect[fill="transparent"]').first().boundingBox())!;
        const hover = (share: number) => page.mouse.move(plot.x + plot.width * share, plot.y + 40);
        await hover(0.9);
        await chart.getByText(/^\d\d:\d\d · Prometheus$/).waitFor();
      });
      await look(`/kubernetes/nodes/${idOf('k8s-node-2')}/k8s-node-2`, async (page) => {
        await text(page, /^metrics-server, \d+ (s|min) old$/);
        expect(await page.getByText('Prometheus').count()).toBe(0);
      });
      const pod = `${CLUSTER.uid}/shop/catalog-search-5d7c9b-9qk4t`;
      await look(`/kubernetes/pods?pod=${encodeURIComponent(pod)}`, async (page) => {
        const drawer = page.getByRole('complementary', { name: /Pod catalog-search/ });
        await drawer.getByText(TAKEN_OVER).waitFor();
        await drawer.getByText('Measured by').waitFor();
      });
    });

    it('pods: cards, filters, groups, and a drawer that Esc closes', () =>
      look('/kubernetes/pods', async (page) => {
        await text(page, '5 pods on 2 nodes');
        await text(page, '1 pod older than 30 d has no owner: possible zombie pod');
        await text(page, 'under 30 d');
        const rows = page.getByRole('table', { name: 'Pods' }).locator('tr[data-pod]');
        await expect.poll(() => rows.first().textContent()).toContain('checkout-api');
        await page.getByPlaceholder('Search pods').fill('no such pod');
        await text(page, 'No pods match your filters');
        await page.getByPlaceholder('Search pods').fill('catalog');
        await rows.filter({ hasText: 'checkout-api' }).waitFor({ state: 'detached' });
        await page.getByRole('button', { name: /catalog-search/ }).click();
        const drawer = page.getByRole('complementary', { name: /Pod catalog-search/ });
        await drawer.getByText('Deployment catalog-search').waitFor();
        await page.keyboard.press('Escape');
        await drawer.waitFor({ state: 'detached' });
        await page.getByPlaceholder('Search pods').fill('');
        await page.getByRole('button', { name: 'By owner' }).click();
        await page.getByRole('button', { name: /checkout-api/ }).click();
        await page.getByRole('table', { name: 'Pods of checkout-api' }).waitFor();
      }));

    it('the palette leads to a node and to a pod by their names', () =>
      look('/kubernetes', async (page) => {
        const search = page.getByRole('combobox', { name: 'Search' });
        await page.keyboard.press('Control+k');
        await search.fill('k8s-node-2');
        await page.getByRole('option', { name: 'k8s-node-2 Node', selected: true }).waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL('**/kubernetes/nodes/*/k8s-node-2');
        await search.waitFor({ state: 'detached' });
        await page.keyboard.press('Control+k');
        await search.fill('img-resize');
        await page.getByRole('option', { name: /Pod in media$/, selected: true }).waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL('**/kubernetes/pods?pod=*');
        expect(new URL(page.url()).searchParams.get('pod')).toMatch(/^[0-9a-f-]+\/media\/img-resize/);
      }));
  });
});
