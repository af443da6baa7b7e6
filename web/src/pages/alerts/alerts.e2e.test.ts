import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { enrol, enrolmentToken } from '../../testing/fleet.ts';
import { settled } from '../../testing/open-page.ts';
import { addressed, lookAt, onStage, silence } from '../../testing/stage.ts';

const MINUTE = 60;
const HOUR = 3600;
interface Given {
  on: string;
  level: string;
  message: string;
  ageSeconds: number;
  metric?: string;
  value?: number | null;
  lastedSeconds?: number;
  acknowledged?: boolean;
}
/** In the order the page must give them: open ones first, worst first, the longest open first. */
const ALERTS: readonly Given[] = [
  { on: 'web-01', level: 'critical', message: 'CPU above 95 %', ageSeconds: 5 * MINUTE, value: 97.25 },
  { on: 'web-01', level: 'error', message: 'No report', ageSeconds: 2 * HOUR, metric: 'offline', value: null },
  // Fired long before the range and never resolved: a range does not hide it.
  { on: 'web-01', level: 'warning', message: 'Memory above 80 %', ageSeconds: 70 * HOUR, acknowledged: true },
  { on: 'db-01', level: 'warning', message: 'Disk above 80 %', ageSeconds: 3 * HOUR, metric: 'disk_usage', value: 84 },
  { on: 'db-01', level: 'info', message: 'Clock is off', ageSeconds: 30 * MINUTE, metric: 'clock_skew', value: 12 },
  { on: 'web-01', level: 'critical', message: 'CPU was high', ageSeconds: 4 * HOUR, lastedSeconds: 22 * MINUTE },
  { on: 'web-01', level: 'warning', message: 'IO wait was high', ageSeconds: 20 * HOUR, lastedSeconds: HOUR },
];
const OLD: Given = {
  on: 'web-01',
  level: 'critical',
  message: 'Of last week',
  ageSeconds: 80 * HOUR,
  lastedSeconds: 60,
};
const RULES: Record<string, string> = { offline: 'default-offline', disk_usage: 'default-disk' };
const INSERT = `INSERT INTO alert
  (server_key, rule, metric, subject, level, title, message, value, threshold, opened_at, updated_at, resolved_at, acknowledged_at)
  SELECT key, $2, $3, $10, $4, $5, $5, $6, 80, to_timestamp($7), to_timestamp($7), to_timestamp($8), to_timestamp($9)
    FROM server WHERE id = $1`;

/** The page opens on the active alerts. */
const EVERY = `${paths.alerts}?show=all`;

const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const messages = async (page: Page) =>
  (await page.getByRole('table', { name: 'Alerts' }).locator('.message').allInnerTexts()).map(flat);
/** The text of a row after its server. */
const said = (message: string) => (message === 'No report' ? 'is down, no report' : message);
const named = (alerts: readonly Given[]) => alerts.map(({ message }) => said(message));
const lineOf = (page: Page, message: string) =>
  page
    .getByRole('table', { name: 'Alerts' })
    .locator('[data-alert]')
    .filter({ hasText: said(message) });

describe('Alerts', () => {
  const ids = new Map<string, string>();
  /** When the alerts were as old as they say, in seconds. */
  let begun = 0;
  const stage = onStage(async (given) => {
    const token = await enrolmentToken(given.product.origin, given.product.token);
    for (const hostname of ['web-01', 'db-01', 'quiet-01']) {
      const server = { hostname, sample: () => ({ cpu: 20, memory: 30, disk: 40 }) };
      ids.set(hostname, (await enrol(given.product.origin, token, server)).id);
    }
    await silence(given, ids.get('db-01') ?? '', 15);
    begun = Date.now() / 1000;
    for (const [index, alert] of [...ALERTS, OLD].entries()) {
      const { on, level, message, ageSeconds, metric = 'cpu_usage', value = 91, lastedSeconds, acknowledged } = alert;
      const opened = begun - ageSeconds;
      const resolved = lastedSeconds === undefined ? null : opened + lastedSeconds;
      const seen = acknowledged ? opened + MINUTE : null;
      // The rule must be in force: the API resolves the alerts of any other within a minute.
      const rule = RULES[metric] ?? 'default-cpu';
      const subject = `subject-${index}`;
      await given.sql(INSERT, [ids.get(on), rule, metric, level, message, value, opened, resolved, seen, subject]);
    }
  });

  it('lists what is open first, worst first, the longest open first; then what is over', () =>
    stage.visit(EVERY, async (page) => {
      const open = named(ALERTS.filter(({ lastedSeconds }) => lastedSeconds === undefined));
      await expect.poll(() => messages(page)).toEqual([...open, 'CPU was high', 'IO wait was high']);
      await lookAt(page, begun + 20);
      const words = async (message: string) => flat(await lineOf(page, message).innerText());
      await expect
        .poll(() => words('CPU above 95 %'))
        .toMatch(/^Critical web-01·CPU above 95 % 97\.\d ?% line 80 % nobody yet 5m$/);
      expect(await words('No report')).toMatch(/^Error web-01·is down, no report nobody yet 2h$/);
      expect(await words('CPU was high')).toMatch(/resolved after 22 min 4h$/);
      expect(await words('Memory above 80 %')).toMatch(/Acknowledged 2d$/);
      expect(await words('Disk above 80 %')).toMatch(/nobody yet, unknown, the server is silent 3h$/);
      // Muted: resolved alerts, and unknown ones of a silent server.
      expect(await lineOf(page, 'CPU was high').getAttribute('data-muted')).toBe('');
      expect(await lineOf(page, 'CPU above 95 %').getAttribute('data-muted')).toBeNull();
      await page.getByText('5 things to look at, 1 of them critical. 1 has somebody on it.').waitFor();
      await page.getByRole('button', { name: 'Active 5' }).click();
      await addressed(page, '');
      await expect.poll(() => messages(page)).toHaveLength(5);
      await page.getByRole('button', { name: 'All 7' }).click();
      await expect.poll(() => messages(page)).toHaveLength(7);
    }));

  it('tells on a phone the whole message, the server and what became of it', () =>
    stage.visit(
      EVERY,
      async (page) => {
        await lookAt(page, begun + 20);
        const words = async (message: string) => flat(await lineOf(page, message).innerText());
        await expect.poll(() => words('CPU above 95 %')).toMatch(/^Critical web-01·CPU above 95 % 5m$/);
        await expect
          .poll(() => words('Disk above 80 %'))
          .toMatch(/^Warning db-01·Disk above 80 % unknown, the server is silent 3h$/);
        await expect
          .poll(() => words('CPU was high'))
          .toMatch(/^Critical web-01·CPU was high resolved after 22 min 4h$/);
      },
      { width: 390, theme: 'dark' },
    ));

  it('narrows to a server and a range, and an open alert stays whatever the range', () =>
    stage.visit(`${EVERY}&hours=1`, async (page) => {
      await expect.poll(() => messages(page)).toContain('Memory above 80 %');
      await expect.poll(() => messages(page)).toContain('Disk above 80 %');
      expect(await messages(page)).not.toContain('CPU was high');
      await page.getByRole('combobox', { name: /Server/ }).selectOption({ label: 'web-01' });
      await addressed(page, `show=all&hours=1&server=${ids.get('web-01')}`);
      await expect.poll(() => messages(page)).toEqual(['CPU above 95 %', 'is down, no report', 'Memory above 80 %']);
      await page.getByRole('button', { name: '24h' }).click();
      await addressed(page, `show=all&server=${ids.get('web-01')}`);
      await expect.poll(async () => (await messages(page)).slice(3)).toEqual(['CPU was high', 'IO wait was high']);
      await page.getByRole('combobox', { name: /Server/ }).selectOption({ label: 'db-01' });
      await expect.poll(() => messages(page)).toEqual(['Disk above 80 %', 'Clock is off']);
      await page.getByRole('combobox', { name: /Server/ }).selectOption({ label: 'quiet-01' });
      await page.getByText('No alerts in this time range').waitFor();
      await page.getByText('No alert is active.').waitFor();
      // An alert in a link is open at once; an unreadable address shows a whole day of everything.
      await page.goto(`${EVERY}&hours=rubbish&server=`);
      await settled(page);
      await expect.poll(() => messages(page)).toHaveLength(7);
    }));

  it('opens a row in place, in the address, and leads to the server at that moment', () =>
    stage.visit(EVERY, async (page) => {
      const row = lineOf(page, 'CPU was high');
      const opener = row.locator('.message');
      await opener.press('Enter');
      await page.waitForURL(/alert=[0-9a-f-]{36}$/);
      await expect.poll(() => opener.getAttribute('aria-expanded')).toBe('true');
      const details = page.locator('tr:has(dl)');
      expect((await details.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
        /Server web-01 Alert CPU was high Message CPU was high Fired \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC Resolved \d+ .* Value 91 %, line 80 %/,
      );
      await page.reload();
      await settled(page);
      await expect.poll(() => opener.getAttribute('aria-expanded')).toBe('true');
      await details.getByRole('link', { name: 'Processes at that time on web-01' }).click();
      await page.getByRole('heading', { name: 'web-01', level: 1 }).waitFor();
      const { searchParams } = new URL(page.url());
      const around = [Number(searchParams.get('from')), Number(searchParams.get('to'))];
      const fired = begun - 4 * HOUR;
      expect(Math.abs(((around[0] ?? 0) + (around[1] ?? 0)) / 2 - fired)).toBeLessThan(5 * MINUTE);
      await page.goBack();
      await settled(page);
      await opener.click();
      await addressed(page, 'show=all');
    }));

  it('counts the unread in the sidebar and the tab, reads them all when opened, and remembers it here only', () =>
    stage.visit(paths.processes, async (page) => {
      const badge = page.getByRole('navigation', { name: 'Main' }).getByLabel(/ unread$/);
      // Critical, error and warning count, of every age; info does not.
      await expect.poll(() => badge.getAttribute('aria-label')).toBe('7 unread');
      await expect.poll(() => page.title()).toBe('(7) Processes · Plimsoll');
      const icon = () => page.locator('link[rel="icon"]').getAttribute('href');
      await expect.poll(async () => decodeURIComponent((await icon()) ?? '')).toContain('>3</text>');
      await page.getByRole('link', { name: 'Alerts' }).click();
      await page.getByRole('table', { name: 'Alerts' }).waitFor();
      await badge.waitFor({ state: 'detached' });
      await expect.poll(() => page.title()).toBe('Alerts · Plimsoll');
      await page.goto(paths.processes);
      await settled(page);
      expect(await badge.count()).toBe(0);
      await stage.visit(paths.processes, async (other) => {
        await other.getByLabel('7 unread').waitFor();
      });
    }));

  it('shows what is active of a server on its page, five of it', () =>
    stage.visit(paths.server(ids.get('web-01') ?? ''), async (page) => {
      const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Active Alerts' }) });
      await expect.poll(() => panel.locator('.message').count()).toBe(3);
      await panel.getByRole('link', { name: 'History' }).click();
      await addressed(page, `server=${ids.get('web-01')}`);
    }));
});
