import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { reportCluster } from '../../testing/cluster.ts';
import type { SampleCluster } from '../../testing/cluster.ts';
import { settled } from '../../testing/open-page.ts';
import { SAMPLE_CLUSTER } from '../../testing/sample-cluster.ts';
import { addressed, choose, onStage } from '../../testing/stage.ts';

const NYC: SampleCluster = {
  uid: '5f0c3a52-0000-4000-8000-0000000000a1',
  name: 'prod-nyc',
  nodes: [{ name: 'nyc-1', cpu: 92, memory: 60, ready: false, pods: [{ name: 'web-1', namespace: 'web', cores: 2 }] }],
};
const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

describe('from the clusters to a pod', () => {
  const stage = onStage(async ({ product }) => {
    await reportCluster(product.origin, product.token, SAMPLE_CLUSTER);
    await reportCluster(product.origin, product.token, NYC);
  });
  const text = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
  const chip = (page: Page, words: string) => page.getByText(words, { exact: true }).and(page.locator('[title]'));

  it('leads from the dashboard over the health of both clusters to the restarts of one', () =>
    stage.visit(paths.dashboard, async (page) => {
      const card = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Kubernetes', exact: true }) });
      await card.getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Kubernetes Cluster', level: 1 }).waitFor();
      await chip(page, 'Critical').waitFor();
      expect(await chip(page, 'Critical').getAttribute('title')).toMatch(
        /^1 node not ready: nyc-1 \(KubeletNotReady\)\. 1 pod failed: nightly-export-28810080-mv \(Error\)\. 1 pod crash-looping: checkout-api\S+\./,
      );
      await choose(page, 'Cluster', 'prod-fra');
      await addressed(page, `cluster=${SAMPLE_CLUSTER.uid}`);
      for (const words of ['2 Ready', '1 Pending', '1 Failed', '3 Running'])
        await page.getByText(words, { exact: true }).first().waitFor();
      const first = page.getByRole('listitem').filter({ hasText: '#1' });
      await expect
        .poll(() => first.textContent())
        .toMatch(/checkout-api.*shop.*Running.*CrashLoopBackOff.*0\.412cores.*488MB.*14 restarts/);
    }));

  it('lists the nodes with their least headroom first, and opens one with the history of its Prometheus', () =>
    stage.visit(`${paths.kubernetesNodes}?view=table`, async (page) => {
      const rows = page.getByRole('table').locator('tbody tr');
      await expect
        .poll(async () => (await rows.locator('a').allInnerTexts()).map((name) => name.replaceAll(/\s/g, '')))
        .toEqual(['nyc-1', 'k8s-node-1', 'k8s-node-2']);
      await page.getByText('Not Ready: 1', { exact: true }).waitFor();
      await rows.filter({ hasText: 'k8s-node-2' }).getByText('N/A').first().waitFor();
      await rows.filter({ hasText: 'k8s-node-1' }).getByRole('link').first().click();
      await page.waitForURL('**/kubernetes/nodes/*/k8s-node-1');
      await settled(page);
      await text(page, /^(node agent|kubelet), \d+ (s|min) old$/);
      await page
        .getByRole('region', { name: 'Resource history' })
        .getByText(/^Prometheus \d\d:\d\d–\d\d:\d\d$/)
        .waitFor();
      await page.getByRole('button', { name: '7d' }).click();
      await page.waitForURL('**hours=168');
      await page.getByRole('button', { name: /checkout-api/ }).click();
      await page.waitForURL('**/kubernetes/pods?pod=*');
      await page.getByRole('complementary', { name: /Pod checkout-api/ }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: '7d', pressed: true }).waitFor();
    }));

  it('ranks the pods by trouble, narrows them, and opens one beside its row', () =>
    stage.visit(paths.kubernetesPods, async (page) => {
      await text(page, '6 pods on 3 nodes');
      await text(page, '1 pod older than 30 d has no owner: possible zombie pod');
      const rows = page.getByRole('table', { name: 'Pods' }).locator('tr[data-pod]');
      await expect.poll(() => rows.first().textContent()).toContain('checkout-api');
      await page.getByPlaceholder('Search pods').fill('catalog');
      await rows.filter({ hasText: 'checkout-api' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /catalog-search/ }).click();
      const drawer = page.getByRole('complementary', { name: /Pod catalog-search/ });
      await drawer.getByText('Deployment catalog-search').waitFor();
      await expect.poll(async () => flat(await drawer.innerText())).toContain('Measured by');
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
      await page.getByPlaceholder('Search pods').fill('');
      await page.getByRole('button', { name: 'By owner' }).click();
      await page.getByRole('button', { name: /checkout-api/ }).click();
      await page.getByRole('table', { name: 'Pods of checkout-api' }).waitFor();
    }));
});
