import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { enrol, enrolmentToken } from '../../testing/fleet.ts';
import { openPage, settled } from '../../testing/open-page.ts';
import { ACCOUNT } from '../../testing/product.ts';
import { choose, goBy, hasKeyboard, onStage } from '../../testing/stage.ts';
import { GO_TO } from './shortcuts.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

describe('what stands around every page', () => {
  let server = '';
  const stage = onStage(async ({ product }) => {
    const token = await enrolmentToken(product.origin, product.token);
    server = (
      await enrol(product.origin, token, { hostname: 'web-01', sample: () => ({ cpu: 20, memory: 30, disk: 40 }) })
    ).id;
  });

  it('goes to every page by two keys, and lists the keys', () =>
    stage.visit(paths.dashboard, async (page) => {
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      for (const { name } of GO_TO) await help.getByText(`Go to ${name}`, { exact: true }).waitFor();
      await hasKeyboard(help);
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
      for (const { key, to } of GO_TO) {
        await goBy(page, key);
        await page.waitForURL((url) => url.pathname === to);
        const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]');
        await expect.poll(() => current.getAttribute('href')).toBe(to);
      }
    }));

  it('leaves what is typed into a field alone', () =>
    stage.visit(paths.servers, async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('gd?');
      await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('gd?');
      expect(new URL(page.url()).pathname).toBe(paths.servers);
      expect(await page.getByRole('dialog').count()).toBe(0);
    }));

  it('finds pages, servers and actions in the palette, goes round by the arrows, and does what is chosen', () =>
    stage.visit(paths.servers, async (page) => {
      const search = page.getByRole('combobox', { name: 'Search', exact: true });
      const selected = page.getByRole('option', { selected: true });
      await page.keyboard.press('Meta+k');
      await search.fill('th');
      await selected.getByText('Dark theme').waitFor();
      await search.press('ArrowUp');
      await page.getByRole('option').last().and(selected).waitFor();
      expect(await search.getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
      await search.press('ArrowDown');
      await selected.getByText('Dark theme').waitFor();
      await search.fill('light theme');
      await selected.getByText('Light theme').waitFor();
      await search.press('Enter');
      await page.locator('html[data-light]').waitFor();
      await page.keyboard.press('Control+k');
      await expect.poll(() => search.inputValue()).toBe('');
      await search.fill('pause');
      await selected.getByText('Pause updates').waitFor();
      await search.press('Enter');
      await page.getByText('Paused', { exact: true }).waitFor();
      await page.keyboard.press('Control+k');
      await search.fill('nothing like it');
      await page.getByText('Nothing found').waitFor();
      await search.press('Enter');
      await search.fill('web-0');
      await page.getByRole('option', { name: 'web-01 Server' }).click();
      await heading(page, 'web-01');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }));

  it('paints the chosen theme first, and follows the system when told to', async () => {
    const { page, context } = await openPage(stage.browser, stage.product, { width: 1440, theme: 'light' });
    // The first paint already has the scheme: nothing of React has run when the document's head is done.
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
    await page.goto(paths.servers);
    expect(await page.evaluate(() => document.documentElement.hasAttribute('data-light'))).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
    await page.unrouteAll();
    await page.goto(paths.profile);
    await settled(page);
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'System' }).click();
    for (const scheme of ['dark', 'light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-${scheme}]`).waitFor();
    }
    const panel = page.locator('section').first();
    const paper = () => panel.evaluate((element) => getComputedStyle(element).backgroundColor);
    await expect.poll(paper).toBe('rgb(17, 21, 28)');
    await context.close();
  });

  it('says every time in the zone that is chosen, on every page, and remembers it', () =>
    stage.visit(paths.profile, async (page) => {
      await choose(page, 'Zone', 'Asia/Tokyo');
      await expect.poll(() => page.evaluate(() => localStorage.getItem('plimsoll.zone'))).toBe('Asia/Tokyo');
      const times = page.locator('time[title]');
      await times.first().waitFor();
      // The page follows the choice a frame or two later: what is asked is that every time does.
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLElement>('time[title]')].every((time) => time.title.endsWith('GMT+9')),
      );
      expect(await times.count()).toBeGreaterThan(0);
      await page.getByRole('link', { name: 'Alerts', exact: true }).click();
      await page.getByText(/buckets, GMT\+9$/).waitFor();
    }));

  it('opens its menu over a small page, and closes it when a page is chosen', () =>
    stage.visit(
      paths.servers,
      async (page) => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        const menu = page.getByRole('presentation').getByRole('navigation', { name: 'Main' });
        await menu.getByRole('link', { name: 'Processes' }).click();
        await heading(page, 'Processes');
        await menu.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Search' }).click();
        await page.getByRole('combobox', { name: 'Search', exact: true }).fill('web-01');
        await page.getByRole('option', { name: 'web-01 Server' }).waitFor();
        await page.keyboard.press('Enter');
        // The palette closes for good: the key that chose does not press the button that opened it.
        await heading(page, 'web-01');
        await page.waitForURL((url) => url.pathname === paths.server(server));
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await settled(page);
        expect(await page.getByRole('dialog').count()).toBe(0);
      },
      { width: 390, theme: 'dark' },
    ));

  it('ends everywhere when the session ends, and asks to sign in again where it was', async () => {
    const answer = await fetch(`${stage.product.origin}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ACCOUNT),
    });
    const { data } = (await answer.json()) as { data: { token: string } };
    const opened = await openPage(stage.browser, { ...stage.product, token: data.token });
    await opened.page.goto(`${paths.servers}?view=table`);
    await settled(opened.page);
    await stage.visit(paths.profile, async (page) => {
      const sessions = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Sessions' }) });
      const ends = sessions.getByRole('button', { name: 'End' });
      const before = await ends.count();
      for (let left = before; left > 0; left -= 1) {
        await ends.first().click();
        await expect.poll(() => ends.count()).toBe(left - 1);
      }
      await sessions.getByText('This one').waitFor();
    });
    // A page that asked by itself meanwhile is out already and has no such button any more.
    const out = opened.page.waitForURL(`**${paths.login}`);
    const refreshed = opened.page.getByRole('button', { name: 'Refresh now' }).click();
    await Promise.race([out, refreshed.catch(() => null)]);
    await out;
    expect(await opened.page.evaluate(() => localStorage.getItem('plimsoll.token'))).toBeNull();
    await opened.page.getByLabel('Email').fill(ACCOUNT.email);
    await opened.page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password);
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    await opened.page.waitForURL(`**${paths.servers}?view=table`);
    await opened.context.close();
  });
});
