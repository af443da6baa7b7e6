import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { reportCluster } from '../../testing/cluster.ts';
import type { SampleCluster, SamplePod } from '../../testing/cluster.ts';
import { settled } from '../../testing/open-page.ts';
import { addressed, choose, onStage } from '../../testing/stage.ts';

const DAY = 86_400;
const UID = '5f0c3a52-0000-4000-8000-0000000000b1';
const NAMED: SamplePod[] = [
  {
    name: 'api-6b9f-x2wlq',
    namespace: 'shop',
    cores: 0.5,
    memory: 490,
    memoryLimit: 512,
    restarts: 7,
    ageSeconds: 600,
  },
  { name: 'api-6b9f-9qk4t', namespace: 'shop', cores: 0.25, memory: 300, memoryLimit: 512, ageSeconds: 7200 },
  { name: 'web-5d7c-aaaaa', namespace: 'shop', cores: 0.125, memory: 100, memoryLimit: 512, ageSeconds: 3 * DAY },
  {
    name: 'resize-28811',
    namespace: 'media',
    phase: 'Pending',
    ageSeconds: 20 * DAY,
    owner: { kind: 'Job', name: 'resize' },
  },
  { name: 'export-28810', namespace: 'data', phase: 'Failed', reason: 'Error', owner: { kind: 'Job', name: 'export' } },
  { name: 'debug-shell', namespace: 'default', cores: 0.001, memory: 6, ageSeconds: 90 * DAY, owner: null },
];
/** Two namespaces more than the card has room for, and more pods than a page. */
const MANY: SamplePod[] = Array.from({ length: 100 }, (_, index) => ({
  name: `filler-${String(index).padStart(3, '0')}`,
  namespace: `team-${index % 4}`,
  cores: 0.002 + (index % 4) / 1000,
  memory: 10,
  owner: { kind: 'ReplicaSet', name: `filler-${index % 4}` },
}));
const CLUSTER: SampleCluster = {
  uid: UID,
  nodes: [{ name: 'node-1', cpu: 40, memory: 50, pods: [...NAMED, ...MANY] }],
};
const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const rows = (page: Page) => page.getByRole('table', { name: 'Pods', exact: true }).locator('tbody tr[data-pod]');
const names = async (page: Page) =>
  (await rows(page).locator('td:first-of-type button').allInnerTexts()).map((name) => name.replaceAll(/\s/g, ''));
const panel = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
const keyOf = (name: string, namespace: string) => `${UID}/${namespace}/${name}`;

describe('Pods', () => {
  const stage = onStage(({ product }) => reportCluster(product.origin, product.token, CLUSTER));

  it('counts all pods, not those of the page: phases, namespaces by CPU, ages, zombies', () =>
    stage.visit(paths.kubernetesPods, async (page) => {
      await page.getByText('106 pods on 1 node').waitFor();
      await expect
        .poll(async () => flat(await page.locator('.aside').innerText()))
        .toMatch(/Total 106 Running 104 Pending 1 Failed 1|Total 106 .*Pending 1 .*Running 104 .*Failed 1/);
      const listed = panel(page, 'Namespace resources').getByRole('listitem');
      await expect.poll(() => listed.count()).toBe(6);
      const namespaces = await listed.allInnerTexts();
      expect(flat(namespaces[0] ?? '')).toMatch(/^shop 0\.875 ?cores 890 ?MB$/);
      // By CPU: the fillers of team-3 use most of the rest.
      expect(namespaces.slice(1, 5).map((text) => flat(text).split(' ')[0])).toEqual([
        'team-3',
        'team-2',
        'team-1',
        'team-0',
      ]);
      const ages = panel(page, 'Pod age').getByRole('listitem');
      await expect
        .poll(async () => (await ages.allInnerTexts()).map(flat))
        .toEqual(['1 under 1 h', '1 under 1 d', '1 under 7 d', '102 under 30 d', '1 older']);
      await page.getByText('1 pod older than 30 d has no owner: possible zombie pod').waitFor();
      await expect.poll(() => rows(page).count()).toBe(100);
      await page.getByText('1–100 of 106').waitFor();
      await page.getByRole('button', { name: 'Next page' }).click();
      await addressed(page, 'offset=100');
      await expect.poll(() => rows(page).count()).toBe(6);
      await page.getByText('101–106 of 106').waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
      // A filter begins at its first page.
      await choose(page, 'Namespace', 'shop');
      await addressed(page, 'namespace=shop');
    }));

  it('stands what restarts most on top of pods in one state, and sorts by the columns in the address', () =>
    stage.visit(`${paths.kubernetesPods}?namespace=shop`, async (page) => {
      await expect.poll(() => names(page)).toEqual(['api-6b9f-x2wlq', 'api-6b9f-9qk4t', 'web-5d7c-aaaaa']);
      const meters = rows(page).getByRole('meter');
      expect(await meters.evaluateAll((all) => all.map((meter) => meter.getAttribute('data-band')))).toEqual([
        'over',
        'ok',
        'ok',
      ]);
      const head = (name: string) => page.getByRole('columnheader', { name }).getByRole('button');
      await head('Pod').click();
      await addressed(page, 'namespace=shop&sort=name');
      await expect.poll(() => names(page)).toEqual(['api-6b9f-9qk4t', 'api-6b9f-x2wlq', 'web-5d7c-aaaaa']);
      await head('Pod').click();
      await addressed(page, 'namespace=shop&sort=name&order=desc');
      await expect.poll(async () => (await names(page))[0]).toBe('web-5d7c-aaaaa');
      await head('Restarts').click();
      await addressed(page, 'namespace=shop&sort=restarts&order=desc');
      await expect.poll(async () => (await names(page))[0]).toBe('api-6b9f-x2wlq');
      await page.locator('th[aria-sort="descending"]').getByText('Restarts').waitFor();
    }));

  it('filters by phase and owner, and finds what nobody owns', () =>
    stage.visit(paths.kubernetesPods, async (page) => {
      await choose(page, 'Phase', 'Failed');
      await addressed(page, 'phase=Failed');
      await expect.poll(() => names(page)).toEqual(['export-28810']);
      await expect.poll(async () => flat(await rows(page).first().innerText())).toContain('Failed Error');
      await choose(page, 'Owner', 'Deployment');
      await page.getByText('No pods match your filters').waitFor();
      await choose(page, 'Phase', 'All');
      await choose(page, 'Owner', 'None');
      await addressed(page, 'owner=none');
      await expect.poll(() => names(page)).toEqual(['debug-shell']);
      await choose(page, 'Owner', 'All');
      await page.getByRole('searchbox').fill('28811');
      await addressed(page, 'search=28811');
      await expect.poll(() => names(page)).toEqual(['resize-28811']);
    }));

  it('opens a pod beside its row: arrows go on, Esc closes, typing does neither', () =>
    stage.visit(`${paths.kubernetesPods}?namespace=shop`, async (page) => {
      const drawer = (name: string) => page.getByRole('complementary', { name: `Pod ${name}` });
      await rows(page).nth(1).getByRole('button').click();
      await addressed(page, `namespace=shop&pod=${keyOf('api-6b9f-9qk4t', 'shop')}`);
      await drawer('api-6b9f-9qk4t').getByText('registry.example.net/shop/app:1.84.2').waitFor();
      await page.keyboard.press('ArrowUp');
      await drawer('api-6b9f-x2wlq').getByText('Measured by').waitFor();
      await page.keyboard.press('ArrowUp');
      await drawer('api-6b9f-x2wlq').waitFor();
      // Two keys faster than the page follows: none is lost.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await drawer('web-5d7c-aaaaa').waitFor();
      await expect.poll(() => page.locator('tr[aria-selected="true"]').count()).toBe(1);
      await page.getByRole('searchbox').focus();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Escape');
      expect(await drawer('web-5d7c-aaaaa').count()).toBe(1);
      await rows(page).nth(2).locator('td').nth(1).click();
      await drawer('web-5d7c-aaaaa').waitFor({ state: 'detached' });
      await addressed(page, 'namespace=shop');
      await rows(page).first().getByRole('button').press('Enter');
      const facts = async () => flat(await drawer('api-6b9f-x2wlq').innerText());
      await expect.poll(facts).toMatch(/CPU 0\.500 ?cores limit 2\.000/);
      await expect.poll(facts).toMatch(/Memory 490 ?MB limit 512 MB/);
      await expect.poll(facts).toContain('Deployment api-6b9f');
      await expect.poll(facts).toContain('Restarts 7');
      await page.keyboard.press('Escape');
      await addressed(page, 'namespace=shop');
    }));

  it('groups by owner, and says of a pod that is gone that it is', () =>
    stage.visit(`${paths.kubernetesPods}?view=owner&namespace=shop`, async (page) => {
      const groups = page.getByRole('button', { expanded: false }).filter({ hasText: 'restarts' });
      await expect
        .poll(async () => (await groups.allInnerTexts()).map((text) => flat(text).split(' ').slice(0, 4).join(' ')))
        .toEqual(['Deployment api-6b9f 2 pods', 'Deployment web-5d7c 1 pod']);
      await groups.first().press('Enter');
      const table = page.getByRole('table', { name: 'Pods of api-6b9f' });
      await expect.poll(() => table.locator('tbody tr').count()).toBe(2);
      await page.goto(`${paths.kubernetesPods}?pod=${encodeURIComponent(keyOf('gone-1', 'shop'))}`);
      await settled(page);
      await page.getByText('Pod not found', { exact: true }).waitFor();
      await expect.poll(() => rows(page).count()).toBe(100);
      await page.getByRole('button', { name: 'Close pod' }).click();
      await addressed(page, '');
    }));
});
