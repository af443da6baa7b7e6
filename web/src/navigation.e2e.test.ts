import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STREAM_RETRY } from './api/polling.ts';
import { paths } from './paths.ts';
import { launchChromium } from './testing/chromium.ts';
import { enrol, enrolmentToken } from './testing/fleet.ts';
import type { EnrolledServer } from './testing/fleet.ts';
import { openPage, settled } from './testing/open-page.ts';
import { startProduct } from './testing/product.ts';
import type { Product } from './testing/product.ts';
import { SAMPLE_FLEET, withGap } from './testing/sample-fleet.ts';
import { goBy } from './testing/stage.ts';

describe('moving about', () => {
  let product: Product;
  let browser: Browser;
  let servers: EnrolledServer[] = [];
  beforeAll(async () => {
    product = await startProduct();
    browser = await launchChromium();
    const token = await enrolmentToken(product.origin, product.token);
    const [first, ...rest] = SAMPLE_FLEET.slice(0, 3);
    const fleet = [withGap(first!, 52_000, 47_800), ...rest];
    servers = await Promise.all(fleet.map((server) => enrol(product.origin, token, server)));
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('drags a stretch of a chart into the address, and back', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(`${paths.server(servers[0]!.id)}?hours=24`);
    await settled(page);
    const plot = page.locator('section[aria-label="CPU"] rect[fill="transparent"]').first();
    const box = (await plot.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=\d+&to=\d+/);
    const { searchParams } = new URL(page.url());
    const hours = (Number(searchParams.get('to')) - Number(searchParams.get('from'))) / 3600;
    expect(hours).toBeGreaterThan(5.5);
    expect(hours).toBeLessThan(6.5);
    await page.getByRole('button', { name: 'Last 24 h' }).waitFor();
    await page.getByRole('button', { name: '24h', pressed: true }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('button', { name: '24h', pressed: true }).waitFor();
    await context.close();
  });

  it('shows a stretch that was typed, and says what is wrong with one', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(`${paths.server(servers[0]!.id)}?hours=6`);
    await settled(page);
    await page.getByRole('button', { name: /to now UTC$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Show a time range' });
    const from = new Date(Date.now() - 4 * 3_600_000).toISOString().slice(0, 16);
    const to = new Date(Date.now() - 2 * 3_600_000).toISOString().slice(0, 16);
    await dialog.getByLabel('From (UTC)').fill(to);
    await dialog.getByLabel('To (UTC)').fill(from);
    await dialog.getByText('at least one minute after the start').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Show' }).isDisabled()).toBe(true);
    await dialog.getByLabel('From (UTC)').fill(from);
    await dialog.getByLabel('To (UTC)').fill(to);
    await dialog.getByRole('button', { name: 'Show' }).click();
    const ends = [Date.parse(`${from}Z`) / 1000, Date.parse(`${to}Z`) / 1000];
    await page.waitForURL(`**from=${String(ends[0])}&to=${String(ends[1])}`);
    await context.close();
  });

  it('lays yesterday under the present when asked, and keeps it in the address', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(`${paths.server(servers[0]!.id)}?hours=6`);
    await settled(page);
    const asked = page.waitForRequest(/metrics\/timeseries\?.*start_date=\d+/);
    await page.getByRole('button', { name: 'Compare with yesterday', pressed: false }).click();
    await page.waitForURL(/compare=before/);
    const query = new URL((await asked).url()).searchParams;
    const ageHours = (Date.now() / 1000 - Number(query.get('end_date'))) / 3600;
    expect(ageHours).toBeGreaterThan(23.9);
    expect(ageHours).toBeLessThan(24.2);
    await page.locator('section[aria-label="CPU"]').getByText('yesterday').waitFor();
    await page.locator('section[aria-label="CPU"] path.curve.ghost').first().waitFor({ state: 'attached' });
    await context.close();
  });

  it('shows a gap by its times instead of joining it', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(`${paths.server(servers[0]!.id)}?hours=24`);
    await settled(page);
    await page
      .locator('section[aria-label="CPU"]')
      .getByText(/^no reports \d\d:\d\d–\d\d:\d\d(, .+)?$/)
      .waitFor();
    // Late samples are in the wide buckets after the next roll-up; the page refetches by itself.
    const curve = page.locator('section[aria-label="CPU"] path.curve:not(.lone)').first();
    await expect.poll(async () => (await curve.getAttribute('d'))?.match(/M/g)?.length, { timeout: 150_000 }).toBe(2);
    await context.close();
  });

  it('goes everywhere by the keyboard', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(paths.dashboard);
    await settled(page);
    await goBy(page, 's');
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor();
    await settled(page);
    await page.keyboard.press('/');
    await page.keyboard.type('media');
    await page.waitForURL(/search=media/);
    await expect.poll(() => page.locator('article').count()).toBe(1);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('db-fra');
    await page.getByRole('option', { name: 'db-fra-01 Server', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'db-fra-01', level: 1 }).waitFor();
    await settled(page);
    await page.keyboard.press(']');
    await page.getByRole('heading', { name: 'media-ams-01', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await context.close();
  });

  it('keeps what is typed while the palette is still being fetched', async () => {
    const { page, context } = await openPage(browser, product);
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/palette-[^/]*\.js/, async (route) => {
      asked.resolve();
      await held.promise;
      await route.continue();
    });
    await page.goto(paths.servers);
    await settled(page);
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Control+k');
    await asked.promise;
    await page.keyboard.type('mediaa');
    await page.keyboard.press('Backspace');
    held.resolve();
    const palette = page.getByRole('combobox', { name: 'Search', exact: true });
    await palette.waitFor();
    await expect.poll(() => palette.inputValue()).toBe('media');
    await page.keyboard.type('-ams');
    await expect.poll(() => palette.inputValue()).toBe('media-ams');
    await page.getByRole('option', { name: /^media-ams-01/ }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await context.close();
  });

  it('fetches anew when the server says that something changed', async () => {
    const { page, context } = await openPage(browser, product);
    const listening = page.waitForResponse('**/api/events');
    await page.goto(paths.server(servers[1]!.id));
    await listening;
    await settled(page);
    const metrics = page.getByRole('group', { name: 'Metrics' });
    await servers[1]!.report({ cpu: 77.7, memory: 51, disk: 86 });
    await metrics.getByText('77.7').first().waitFor({ timeout: 20_000 });
    await expect.poll(() => metrics.getByRole('meter', { name: /^CPU 78 %/ }).count()).toBe(1);
    await context.close();
  });

  it('asks again for the stream it was refused while a proxy had no API to ask', async () => {
    const { page, context } = await openPage(browser, product);
    await page.clock.install();
    const refused = page.waitForResponse('**/api/events');
    await page.route('**/api/events', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }), { times: 1 });
    await page.goto(paths.server(servers[1]!.id));
    expect((await refused).status()).toBe(502);
    await settled(page);
    const listening = page.waitForResponse('**/api/events');
    await page.clock.runFor(STREAM_RETRY.most);
    expect((await listening).status()).toBe(200);
    const metrics = page.getByRole('group', { name: 'Metrics' });
    await servers[1]!.report({ cpu: 66.6, memory: 51, disk: 86 });
    // Before the poll, which comes half a minute after the page.
    await metrics.getByText('66.6').first().waitFor({ timeout: 10_000 });
    await context.close();
  });

  it('remembers the sidebar and the theme', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(paths.servers);
    await settled(page);
    const width = () => page.locator('aside').evaluate((aside) => aside.getBoundingClientRect().width);
    await expect.poll(width).toBe(260);
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    await expect.poll(width).toBe(88);
    await page.reload();
    await settled(page);
    await expect.poll(width).toBe(88);
    // A change of the theme starts no transition on the cards: fading the edges of all would hold up the next frame.
    const fading = await page.evaluate(() => {
      document.documentElement.toggleAttribute('data-light', true);
      document.documentElement.toggleAttribute('data-dark', false);
      const running = document.getAnimations().map((each) => (each.effect as KeyframeEffect).target);
      document.documentElement.toggleAttribute('data-light', false);
      document.documentElement.toggleAttribute('data-dark', true);
      return running.filter((target) => target?.closest('article')).length;
    });
    expect(fading).toBe(0);
    await page.getByRole('button', { name: /^Theme: dark/ }).click();
    await page.locator('html[data-light]').waitFor();
    await context.close();
  });
});
