import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { enrol, enrolmentToken } from '../../testing/fleet.ts';
import type { FleetServer } from '../../testing/fleet.ts';
import { settled } from '../../testing/open-page.ts';
import { addressed, choose, onStage, silence } from '../../testing/stage.ts';

const UBUNTU = { name: 'Ubuntu', version: '24.04' };
const MACOS = { name: 'macOS', version: '15.6' };
const FLEET: readonly FleetServer[] = [
  { hostname: 'calm-01', region: 'us-east-1', sample: () => ({ cpu: 20, memory: 30, disk: 40, ioWait: 3 }) },
  { hostname: 'hot-01', region: 'hel1', sample: () => ({ cpu: 91, memory: 35, disk: 10, ioWait: 2, os: UBUNTU }) },
  { hostname: 'near-01', region: 'hel1', tags: { team: 'web' }, sample: () => ({ cpu: 10, memory: 50, disk: 76 }) },
  {
    hostname: 'mac-01',
    region: 'us-west-2',
    sample: () => ({ cpu: 40, memory: 45, disk: 31, ioWait: null, platform: 'darwin', os: MACOS }),
  },
  { hostname: 'late-01', region: 'us-east-1', sample: () => ({ cpu: 60, memory: 61, disk: 62 }) },
  { hostname: 'new-01', sample: () => null },
];
/** It was the most loaded of all before its agent was removed. */
const GONE: FleetServer = { hostname: 'gone-01', region: 'sin', sample: () => ({ cpu: 99, memory: 98, disk: 97 }) };
/** Least headroom first, then those without fresh figures. */
const RANKED = ['late-01', 'hot-01', 'near-01', 'mac-01', 'calm-01', 'new-01', 'gone-01'];
const text = (names: string[]) => names.map((name) => name.replaceAll(/\s/g, ''));
const rows = async (page: Page) => text(await page.getByRole('rowheader').allInnerTexts());
const cards = async (page: Page) => text(await page.locator('article a[href^="/servers/"]').allInnerTexts());

describe('Servers', () => {
  const stage = onStage(async (given) => {
    const { product } = given;
    const token = await enrolmentToken(product.origin, product.token);
    for (const server of FLEET) {
      const { id, hostname } = await enrol(product.origin, token, server);
      if (hostname === 'late-01') await silence(given, id, 15);
    }
    const gone = await enrol(product.origin, token, GONE);
    await gone.bye();
  });

  it('counts by status and ranks the offline first, then the most loaded, those without figures last', () =>
    stage.visit(`${paths.servers}?view=table`, async (page) => {
      const tiles = page.getByRole('group', { name: 'Servers' }).locator('> div');
      await expect
        .poll(() => tiles.allTextContents())
        .toEqual(['Total7', 'Online41 offline, 1 installing', 'Uninstalled1', 'Kubernetes Nodes0']);
      await page.getByText('7 servers in 4 regions').waitFor();
      await expect.poll(() => rows(page)).toEqual(RANKED);
      const row = (name: string) => page.getByRole('row').filter({ hasText: name.slice(0, 4) });
      expect(await row('hot-01').innerText()).toMatch(/CPU 11\s+over/);
      expect(await row('near-01').innerText()).toMatch(/Disk 4\s+below/);
      expect(await row('new-01').innerText()).toMatch(/no report yet[\s\S]*N\/A[\s\S]*never/);
      expect(await row('gone-01').innerText()).toContain('agent removed');
      expect(await row('gone-01').innerText()).not.toMatch(/9[789]\s*%/);
      // A macOS host has no IO wait: N/A, and the reason with it.
      expect(await row('mac-01').getByTitle(/macOS/).innerText()).toContain('N/A');
    }));

  it('sorts by every column, both ways, in the address', () =>
    // Wide enough for every column: a narrower table drops some.
    stage.visit(
      `${paths.servers}?view=table`,
      async (page) => {
        const orders: Record<string, [sort: string, first: string]> = {
          Server: ['name', 'calm-01'],
          CPU: ['cpu', 'hot-01'],
          Memory: ['memory', 'late-01'],
          Disk: ['disk', 'near-01'],
          'IO wait': ['io_wait', 'calm-01'],
          Region: ['region', 'hot-01'],
          'Last seen': ['last_seen', 'gone-01'],
        };
        for (const [label, [sort, first]] of Object.entries(orders)) {
          await page.getByRole('columnheader', { name: label, exact: true }).getByRole('button').click();
          await addressed(page, `view=table&sort=${sort}`);
          await page.locator('th[aria-sort="ascending"]').getByText(label, { exact: true }).waitFor();
          await expect.poll(async () => [label, (await rows(page))[0]]).toEqual([label, first]);
          const up = await rows(page);
          await page.getByRole('columnheader', { name: label, exact: true }).getByRole('button').press('Enter');
          await addressed(page, `view=table&sort=${sort}&order=desc`);
          await expect.poll(() => rows(page)).toEqual(up.toReversed());
          await expect.poll(() => page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
        }
      },
      { width: 1920, theme: 'dark' },
    ));

  it('sorts what shows no figure behind what does, whatever it last reported', () =>
    stage.visit(`${paths.servers}?view=table&sort=cpu`, async (page) => {
      await expect
        .poll(() => rows(page))
        .toEqual(['hot-01', 'late-01', 'mac-01', 'calm-01', 'near-01', 'gone-01', 'new-01']);
    }));

  it('filters by words, status, region and load, and keeps them when the view changes', () =>
    stage.visit(paths.servers, async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('TEAM=web');
      await addressed(page, 'search=TEAM=web');
      await expect.poll(() => cards(page)).toEqual(['near-01']);
      await page.getByRole('searchbox').fill('01');
      await choose(page, 'Region', 'hel1');
      await choose(page, 'Over the line', 'Over');
      await addressed(page, 'search=01&region=hel1&load=over');
      await expect.poll(() => cards(page)).toEqual(['hot-01']);
      await page.getByRole('button', { name: 'Table' }).click();
      await addressed(page, 'view=table&search=01&region=hel1&load=over');
      await expect.poll(() => rows(page)).toEqual(['hot-01']);
      await page.reload();
      await settled(page);
      await expect.poll(() => rows(page)).toEqual(['hot-01']);
      await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('01');
      await page.getByRole('button', { name: 'Cards' }).click();
      await choose(page, 'Over the line', 'Any');
      await choose(page, 'Region', 'All');
      await choose(page, 'Status', 'Offline');
      await expect.poll(() => cards(page)).toEqual(['late-01']);
      await choose(page, 'Status', 'Uninstalled');
      await expect.poll(() => cards(page)).toEqual(['gone-01']);
    }));

  it('offers the way out of a filter nothing matches, and stays in the view it was in', () =>
    stage.visit(`${paths.servers}?view=table&sort=name&search=nothing+like+it&status=active`, async (page) => {
      await page.getByText('No servers match your filters').waitFor();
      await expect.poll(() => page.getByRole('group', { name: 'Servers' }).innerText()).toContain('7');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await addressed(page, 'view=table&sort=name');
      await expect.poll(async () => (await rows(page)).length).toBe(7);
      await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
    }));

  it('is a list of two-line rows on a small screen, in the same order', () =>
    stage.visit(
      `${paths.servers}?view=table`,
      async (page) => {
        const items = page.getByRole('list', { name: 'Servers' }).getByRole('listitem');
        await expect.poll(async () => text(await items.getByRole('link').allInnerTexts())).toEqual(RANKED);
        expect(await page.getByRole('table').count()).toBe(0);
        const heights = await items.evaluateAll((all) =>
          all.map((item) => Math.round(item.getBoundingClientRect().height)),
        );
        // One height, but for the hairline above all but the first.
        expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1);
        // Two lines, and room for the 40 px target that ticks the server.
        expect(heights[0]).toBeLessThan(90);
        await expect.poll(() => items.first().getByRole('meter').count()).toBe(3);
        expect(await items.nth(5).innerText()).toContain('N/A');
        expect(await items.nth(6).innerText()).not.toMatch(/9[789]\s*%/);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await items.first().getByRole('link').click();
        await page.getByRole('heading', { name: 'late-01', level: 1 }).waitFor();
      },
      { width: 390, theme: 'dark' },
    ));
});
