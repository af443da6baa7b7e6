import { EVENT_TYPES, LEADING_EVENT_TYPES } from '@plimsoll/contract/rules/limits';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { enrol, enrolmentToken } from '../../testing/fleet.ts';
import type { HostSample } from '../../testing/host-report.ts';
import { addressed, choose, lookAt, onStage } from '../../testing/stage.ts';

const MINUTE = 60;
const SEVERITIES = ['info', 'warning', 'error', 'critical'] as const;
const now = Date.now() / 1000;
type Event = NonNullable<HostSample['events']>[number];
const event = (id: string, index: number, given: Partial<Event>): Event => ({
  id,
  event_type: EVENT_TYPES[index % EVENT_TYPES.length] ?? 'system_monitoring',
  service_name: null,
  process_name: null,
  message: `${id} happened`,
  severity: SEVERITIES[index % SEVERITIES.length] ?? 'info',
  ts: now - (index + 1) * 5 * MINUTE,
  ...given,
});
/** One of each kind, five minutes apart, the newest first. */
const KINDS = EVENT_TYPES.map((type, index) => event(type, index, {}));
const LEADING: readonly string[] = LEADING_EVENT_TYPES;
/** As the page lists them: what leads, then the others, each newest first. */
const LISTED = [
  ...EVENT_TYPES.filter((type) => LEADING.includes(type)),
  ...EVENT_TYPES.filter((type) => !LEADING.includes(type)),
];
const placeOf = (type: (typeof EVENT_TYPES)[number]) => EVENT_TYPES.indexOf(type);
const MANY = Array.from({ length: 130 }, (_, index) => event(`start-${index}`, 0, { ts: now - 2 * 3600 - index }));

describe('Activity', () => {
  let web = '';
  const stage = onStage(async ({ product }) => {
    const token = await enrolmentToken(product.origin, product.token);
    const machine = (hostname: string, events: Event[]) =>
      enrol(product.origin, token, { hostname, sample: () => ({ cpu: 20, memory: 30, disk: 40, events }) });
    web = (await machine('web-01', KINDS)).id;
    await machine('busy-01', MANY);
    await machine('quiet-01', []);
  });

  it('lists nine kinds, crashes, updates and changes first, each newest first, with the moment behind each age', () =>
    stage.visit(`${paths.activity}?server=${web}&processes=shown`, async (page) => {
      await page.getByText('9 events in this range').waitFor();
      const rows = page.getByRole('listitem').filter({ hasText: 'happened' });
      await expect
        .poll(() => rows.locator('.message').allInnerTexts())
        .toEqual(LISTED.map((type) => `${type} happened`));
      expect(await rows.locator('code').allInnerTexts()).toEqual(LISTED);
      await page.getByText('Crashes, updates and config changes').waitFor();
      await lookAt(page, now + 20);
      await expect
        .poll(() => rows.locator('time').allInnerTexts())
        .toEqual(LISTED.map((type) => `${String((placeOf(type) + 1) * 5)}m`));
      const moment = rows.filter({ hasText: EVENT_TYPES[2] }).locator('time');
      expect(await moment.getAttribute('title')).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC$/);
      expect(Date.parse((await moment.getAttribute('datetime')) ?? '') / 1000).toBeCloseTo(now - 15 * MINUTE, 0);
      expect(await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-severity')))).toEqual(
        LISTED.map((type) => SEVERITIES[placeOf(type) % 4]),
      );
    }));

  it('narrows by kind and severity, says when nothing is left, and comes back by the address', () =>
    stage.visit(`${paths.activity}?server=${web}&processes=shown`, async (page) => {
      const messages = () => page.locator('li .message').allInnerTexts();
      await choose(page, 'Type', 'process_crash');
      await addressed(page, `server=${web}&processes=shown&type=process_crash`);
      await expect.poll(messages).toEqual(['process_crash happened']);
      await page.getByText('1 event in this range').waitFor();
      await choose(page, 'Severity', 'Critical');
      await page.getByText('No activity in this time range').waitFor();
      await choose(page, 'Type', 'All');
      await expect.poll(messages).toEqual(['update_installed happened', 'process_start happened']);
      await page.getByRole('combobox', { name: /Server/ }).selectOption({ label: 'quiet-01' });
      await page.getByText('0 events in this range').waitFor();
    }));

  it('folds starts and stops of processes until someone asks for them', () =>
    stage.visit(`${paths.activity}?server=${web}`, async (page) => {
      await page.getByText('7 events in this range').waitFor();
      await page.getByText('2 starts and stops of short-lived processes').waitFor();
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await addressed(page, `server=${web}&processes=shown`);
      await expect.poll(() => page.locator('li .message').count()).toBe(9);
    }));

  it('says how many it does not list', () =>
    stage.visit(`${paths.activity}?processes=shown`, async (page) => {
      await page.getByText('139 events in this range').waitFor();
      await page.getByText('100 of 139').waitFor();
      await expect.poll(() => page.locator('li .message').count()).toBe(100);
      await page.getByRole('button', { name: '1h', exact: true }).click();
      await page.getByText('9 events in this range').waitFor();
      await expect.poll(() => page.locator('li .message').count()).toBe(9);
    }));

  it('shows four on the dashboard, what leads first, and ten on the server’s page', async () => {
    const recent = (panel: string) => `section:has(h2:text-is("${panel}")) li .message`;
    await stage.visit(paths.dashboard, async (page) => {
      const latest = LISTED.slice(0, 4);
      await expect
        .poll(() => page.locator(recent('Recent Activity')).allInnerTexts())
        .toEqual(latest.map((type) => `${type} happened`));
    });
    await stage.visit(paths.server(web), async (page) => {
      await expect.poll(() => page.locator(recent('Recent Activity')).count()).toBe(7);
    });
  });
});
